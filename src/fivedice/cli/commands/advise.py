"""`fivedice advise`: the value of every action in a position, or in a stream of them."""

import json as jsonlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, TextIO

from cyclopts import Parameter
from rich.cells import cell_len, set_cell_size

from fivedice.analysis.advice import Advice
from fivedice.analysis.advice import advise as advise_on
from fivedice.cli.solutions import solution_of
from fivedice.cli.text.output import Flag, Whole, print_json
from fivedice.errors import MalformedError, UnknownError
from fivedice.game.notation import parse_position
from fivedice.game.wording import to_do

MAX_LINE = 100_000
"""Characters of one line of a batch."""


def advise(
    position: str | None = None,
    /,
    *,
    top: Whole | None = None,
    batch: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    json: Flag = False,
) -> None:
    """Show what each action in a position is worth: the expected final score, and the loss against the best action.

    Parameters
    ----------
    position
        One line of notation, as in "yahtzee - 33456 r2".
    top
        Only so many of the best actions.
    batch
        A file of positions, one a line, or - for standard input: one JSON object a line comes out, in order.
        A bad line gives an object with its error, and exit status 1 at the end.
    json
        Print JSON.
    """
    if top is not None and top < 1:
        raise MalformedError(f"--top {top}: want a number from 1")
    if (position is None) == (batch is None):
        raise MalformedError("want either a position, as in 'yahtzee - 33456 r2', or --batch with a file or -")
    if batch is not None:
        sys.exit(_advise_lines(batch, top))
    parsed = parse_position(position or "")
    advice = advise_on(solution_of(parsed.ruleset), parsed)
    if json:
        print_json(advice_data(advice, top))
    else:
        print("\n".join(advice_lines(advice, top)))


def advice_data(advice: Advice, top: int | None = None) -> dict[str, Any]:
    """Plain data: position, value, and the actions, best first."""
    return {
        "position": str(advice.position),
        "value": advice.value,
        "actions": [
            {"action": str(a.action), "value": a.value, "loss": a.loss, "points": a.points}
            for a in advice.actions[:top]
        ],
    }


def advice_lines(advice: Advice, top: int | None = None) -> Iterator[str]:
    """A table for a person: one line an action, best first."""
    if not advice.actions:
        what = "The game is over" if advice.position.is_over else "Before the roll"
        yield f"{what}: the {'score is' if advice.position.is_over else 'expected final score is'} {advice.value:.1f}."
        return
    shown = advice.actions[:top]
    words = [to_do(advice.position, advised.action) for advised in shown]
    width = max(map(cell_len, words))
    yield f"{'':<{width}}   value    loss  points"
    for said, advised in zip(words, shown, strict=True):
        points = "" if advised.points is None else str(advised.points)
        yield f"{set_cell_size(said, width)}  {advised.value:6.1f}  {_loss(advised.loss):>6}  {points:>6}".rstrip()
    rest = len(advice.actions) - len(shown)
    if rest:
        yield f"and {rest} more, each at least {_loss(advice.actions[len(shown)].loss)} below the best"


def _loss(loss: float) -> str:
    return f"{loss:.1f}"


def _advise_lines(file: str, top: int | None) -> int:
    """Advice on every line of a file, as it is read; returns the exit status."""
    try:
        lines = sys.stdin if file == "-" else Path(file).open(encoding="utf-8", errors="replace")  # noqa: SIM115
    except OSError as error:
        raise UnknownError(f"--batch {file} cannot be read: {error.strerror}") from None
    status = 0
    with lines:
        for line in _lines(lines):
            try:
                parsed = parse_position(line)
                data = advice_data(advise_on(solution_of(parsed.ruleset), parsed), top)
            except ValueError as error:
                data = {"position": line, "error": str(error)}
                status = 1
            print(jsonlib.dumps(data, ensure_ascii=False), flush=True)
    return status


def _lines(file: TextIO) -> Iterator[str]:
    """The lines of a file, each cut where no position could be so long: memory stays bounded whatever comes."""
    while line := file.readline(MAX_LINE):
        whole = line
        while not whole.endswith("\n") and (whole := file.readline(MAX_LINE)):
            pass
        yield line.rstrip("\r\n")
