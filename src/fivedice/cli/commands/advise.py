"""`fivedice advise`: the value of every action in a position, or in a stream of positions."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.cli.options import Flag, Json, PositionText, Positive, Rest, Whole
from fivedice.cli.saved_advice import advice_on
from fivedice.cli.text.advice import advice_lines
from fivedice.cli.text.output import prints, show
from fivedice.cli.text.read_position import read_position
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
    parsed = read_position((position or "", *rest)).told(json=json)
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
    from fivedice.cli.batch.stream import answer_stream

    if file == "-":
        # Unbuffered if possible, so that what is there is read at once.
        standard = sys.stdin.buffer
        return int(answer_stream(getattr(standard, "raw", standard).read, sys.stdin.encoding, top, sys.stdout))
    try:
        source = Path(file).open("rb", buffering=0)  # noqa: SIM115
    except OSError as error:
        raise UnknownError(f"--batch {file} cannot be read: {error.strerror}") from None
    with source:
        return int(answer_stream(source.read, "utf-8", top, sys.stdout))
