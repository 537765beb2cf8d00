"""Advice as a table of text, one line per action."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from fivedice.analysis.advice import Advice
from fivedice.base.language import Language
from fivedice.cli.language import chosen
from fivedice.game.action import Action
from fivedice.game.wording import to_do

if TYPE_CHECKING:
    from fivedice.analysis.chances import Outright


def advice_lines(
    advice: Advice, top: int | None = None, outright: "Mapping[Action | None, Outright] | None" = None
) -> Iterator[str]:
    """The `top` best actions with value, loss and points, best first.

    With `outright`, which has the part of outright wins in the value of every action, or of the position before the
    roll as that of None, the chance of such a win comes first, and then the final score on average.
    """
    to = chosen()
    sign = "≈ " if advice.error else ""
    if not advice.actions:
        if advice.position.is_over:
            yield to.say("The game is over: the score is {score}.", score=advice.position.card.total)
        else:
            value = advice.value - outright[None].points if outright else advice.value
            yield to.say("Before the roll: the expected final score is {score}.", score=sign + to.decimal(value))
            yield from error_lines(advice)
            if outright:
                yield to.say("The chance to win outright is {chance}.", chance=_percent(outright[None].chance, to))
        return
    shown = advice.actions[:top]
    labels = [to_do(advice.position, advised.action, to) for advised in shown]
    width = max(map(cell_len, labels))
    titles = [to.say("value"), to.say("loss"), to.say("points")]
    if outright:
        titles[:1] = [to.say("wins outright"), to.say("mean score")]
    headings = [heading.rjust(6) for heading in titles]
    headings[0] = headings[0].rjust(len(sign) + 6)
    yield "  ".join([" " * width, *headings])
    for label, advised in zip(labels, shown, strict=True):
        points = "" if advised.points is None else str(advised.points)
        cells = [sign + to.decimal(advised.value), to.decimal(advised.loss), points]
        if outright:
            part = outright[advised.action]
            cells[:1] = [_percent(part.chance, to), to.decimal(advised.value - part.points)]
        figures = (cell.rjust(len(heading)) for cell, heading in zip(cells, headings, strict=True))
        yield "  ".join([set_cell_size(label, width), *figures]).rstrip()
    num_hidden = len(advice.actions) - len(shown)
    if num_hidden:
        loss = to.decimal(advice.actions[len(shown)].loss)
        yield to.say("and {n} more, each at least {loss} below the best", n=num_hidden, loss=loss)
    yield from error_lines(advice)


def error_lines(advice: Advice) -> Iterator[str]:
    """What approximate values mean."""
    if advice.error:
        to = chosen()
        yield to.say(
            "≈ {game} cannot be solved exactly: these values are learned, and wrong by about {error} points.",
            game=advice.position.ruleset.name,
            error=to.decimal(advice.error),
        )


def _percent(chance: float, to: Language) -> str:
    return f"{to.with_point(f'{100 * chance:.{0 if chance > 0.995 else 2}f}')} %"
