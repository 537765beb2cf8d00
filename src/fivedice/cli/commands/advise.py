"""`fivedice advise`: the value of every action in a position, or in a stream of positions."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Parameter

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.base.outside_text import UTF_16
from fivedice.cli.options import Flag, Json, PositionText, Positive, Rest, Whole
from fivedice.cli.saved_advice import LineByLine, advice_on, table_of
from fivedice.cli.text.advice import advice_lines
from fivedice.cli.text.output import prints, show
from fivedice.cli.text.read_position import told_position
from fivedice.views.advice import AdvisedPositionView, ChanceAdviceView, advised_position_view


@prints(AdvisedPositionView, ChanceAdviceView)
def advise(
    position: PositionText | None = None,
    /,
    *rest: Rest,
    top: Positive | None = None,
    batch: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    target: Whole | None = None,
    rival: Flag = False,
    json: Json = False,
) -> None:
    """Show the value of every action in a position: its expected final score, and its loss against the best action.

    Parameters
    ----------
    top
        Show only this many of the best actions.
    batch
        A file with one position per line, or - for standard input. Prints one JSON object per line, in order.
        An invalid line produces an object with an error; the exit status is then 1.
    target
        A final score to reach: shows the best chance of at least that score, and the chance of every action.
    rival
        Show every action's chance to win against the other cards, where a tie counts half.
    """
    if (position is None) == (batch is None):
        raise MalformedError("want either a position, as in 'yahtzee - 33456 r2', or --batch with a file or -")
    goals = {"--rival": rival or None, "--target": target}
    given = [name for name, value in goals.items() if value is not None]
    if len(given) > 1:
        raise IllegalError(f"give {given[0]} or {given[1]}, not both")
    if batch is not None and given:
        raise MalformedError(f"{given[0]} needs a position, and cannot be used with --batch")
    if batch is not None:
        sys.exit(_advise_batch(batch, top))
    parsed = told_position((position or "", *rest), json=json)
    if target is not None:
        from fivedice.cli.advice_goals import show_target_advice

        show_target_advice(parsed, target, top=top, json=json)
        return
    if rival:
        from fivedice.cli.advice_goals import show_rival_advice

        show_rival_advice(parsed, top=top, json=json)
        return
    advice = advice_on(parsed)
    outright = None
    if parsed.ruleset.can_be_won_outright and not parsed.is_over:
        from fivedice.cli.advice_goals import outright_parts

        outright = outright_parts(advice)
    show(advised_position_view(advice, top, outright), advice_lines(advice, top, outright), json=json)


def _advise_batch(file: str, top: int | None) -> int:
    """Print advice on every line of a file as it is read; return the exit status."""
    if file == "-":
        # Unbuffered if possible, so that what is there is read at once.
        standard = sys.stdin.buffer
        return int(_answer_stream(getattr(standard, "raw", standard).read, sys.stdin.encoding, top))
    try:
        source = Path(file).open("rb", buffering=0)  # noqa: SIM115
    except OSError as error:
        raise UnknownError(f"--batch {file} cannot be read: {error.strerror}") from None
    with source:
        return int(_answer_stream(source.read, "utf-8", top))


MAX_LINE = 100_000
"""Characters of a line; the rest is dropped, so that memory stays bounded."""

READ_BYTES = 65_536
"""What is read at once, which is what a pipe holds."""

FEW_BYTES = 16_384
"""Up to so many bytes are answered in plain Python: some 200 lines, in less time than kernels need to load."""

Read: TypeAlias = Callable[[int], bytes | None]
"""Returns at most so many bytes, as soon as there are any, and none at the end."""


def _answer_stream(read: Read, encoding: str, top: int | None) -> bool:
    """Print the answers to lines, in order, as soon as each can be read; return whether any of them is an error.

    A few lines are answered in plain Python, so that a program that writes one line and waits for its answer gets it
    at once. As soon as many lines wait, they are answered with the compiled kernels, which take longer to load.
    """
    few, many, any_errors = LineByLine(table_of, top), None, False
    for data in _blocks_of_lines(read):
        if many is None and len(data) > FEW_BYTES:
            # Imported here: they load NumPy.
            from fivedice.cli.many_lines import ManyLines
            from fivedice.cli.solutions import solution_of

            many = ManyLines(solution_of, top)
        text, has_errors = (many or few).answer(_lines(data, encoding))
        any_errors |= has_errors
        print(text, end="", flush=True)
    return any_errors


def _blocks_of_lines(read: Read) -> Iterator[bytes]:
    """The input in blocks that end with a line."""
    rest = None
    while data := read(READ_BYTES):
        if rest is None and data.startswith(UTF_16):
            raise MalformedError("the lines are UTF-16 text: save them as UTF-8")
        whole, end, rest = ((rest or b"") + data).rpartition(b"\n")
        rest = rest[: 4 * MAX_LINE]  # a character has at most four bytes
        if end:
            yield whole
    if rest:
        yield rest


def _lines(data: bytes, encoding: str) -> list[str]:
    text = data.decode(encoding, errors="replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return [line[:MAX_LINE] for line in text.removesuffix("\n").split("\n")]
