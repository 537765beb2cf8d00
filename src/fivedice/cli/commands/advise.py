"""`fivedice advise`: the value of every action in a position, or in a stream of positions."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, TextIO

from cyclopts import Parameter

from fivedice.analysis.advice import advise as advise_on
from fivedice.cli.solutions import solution_of
from fivedice.cli.text.advice import advice_lines
from fivedice.cli.text.output import Flag, Whole, format_json, print_json
from fivedice.cli.text.read_position import read_position
from fivedice.errors import MalformedError, UnknownError
from fivedice.game.notation import parse_position
from fivedice.views.advice import AdvisedPositionView, advised_position_view

MAX_LINE = 100_000
"""Characters of one line of a batch."""


def advise(
    position: str | None = None,
    /,
    *rest: Annotated[str, Parameter(allow_leading_hyphen=True, show=False)],
    top: Whole | None = None,
    batch: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    target: Whole | None = None,
    json: Flag = False,
) -> None:
    """Show the value of every action in a position: its expected final score, and its loss against the best action.

    Parameters
    ----------
    position
        A position in notation, such as "yahtzee - 33456 r2". What is missing is taken from a new game of yahtzee
        after its first roll, so 33456 means the same; dice may be in any order.
    top
        Show only this many of the best actions.
    batch
        A file with one position per line, or - for standard input. Prints one JSON object per line, in order.
        An invalid line produces an object with an error; the exit status is then 1.
    target
        A final score to reach: shows the best chance of at least that score, and the chance of every action.
    json
        Print JSON.
    """
    if top is not None and top < 1:
        raise MalformedError(f"--top {top}: want a number from 1")
    if (position is None) == (batch is None):
        raise MalformedError("want either a position, as in 'yahtzee - 33456 r2', or --batch with a file or -")
    if batch is not None and target is not None:
        raise MalformedError("--target needs a position; --batch does not take it")
    if batch is not None:
        sys.exit(_advise_batch(batch, top))
    typed = read_position((position or "", *rest))
    parsed = typed.position
    typed.tell(sys.stderr if json else sys.stdout)
    if target is not None:
        from fivedice.cli.target_advice import show_target_advice

        show_target_advice(parsed, target, top=top, json=json)
        return
    advice = advise_on(solution_of(parsed.ruleset), parsed)
    if json:
        print_json(advised_position_view(advice, top))
    else:
        print("\n".join(advice_lines(advice, top)))


def _advise_batch(file: str, top: int | None) -> int:
    """Print advice on every line of a file as it is read; return the exit status."""
    try:
        lines = sys.stdin if file == "-" else Path(file).open(encoding="utf-8", errors="replace")  # noqa: SIM115
    except OSError as error:
        raise UnknownError(f"--batch {file} cannot be read: {error.strerror}") from None
    status = 0
    with lines:
        for line in _bounded_lines(lines):
            view: AdvisedPositionView | dict[str, str]
            try:
                parsed = parse_position(line)
                view = advised_position_view(advise_on(solution_of(parsed.ruleset), parsed), top)
            except ValueError as error:
                view = {"position": line, "error": str(error)}
                status = 1
            print(format_json(view, indent=None), flush=True)
    return status


def _bounded_lines(file: TextIO) -> Iterator[str]:
    """The lines of a file, truncated to `MAX_LINE` characters so that memory stays bounded."""
    while line := file.readline(MAX_LINE):
        rest = line
        while not rest.endswith("\n") and (rest := file.readline(MAX_LINE)):
            pass
        yield line.rstrip("\r\n")
