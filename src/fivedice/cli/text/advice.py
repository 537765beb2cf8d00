"""Advice as text: a line for each action with its value or its chance, and the best chances of targets."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from fivedice.analysis.advice import Advice, Advised
from fivedice.cli.language import chosen
from fivedice.cli.text.output import table
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.wording import to_do

if TYPE_CHECKING:
    from fivedice.analysis.chances import Outright
    from fivedice.solver.tables.states import Array


def advice_lines(
    advice: Advice, top: int | None = None, outright: "Mapping[Action | None, Outright] | None" = None
) -> Iterator[str]:
    """The `top` best actions with value, loss and points, best first.

    With `outright`, which has the part of outright wins in the value of every action, or of the position before the
    roll as that of None, the chance of such a win comes first, and then the final score on average.
    """
    to, shown = chosen(), advice.actions[:top]
    sign = "≈ " if advice.error else ""
    if advice.position.is_over:
        yield to.say("The game is over: the score is {score}.", score=advice.position.card.total)
        return
    if not advice.actions:
        value = advice.value - outright[None].points if outright else advice.value
        yield to.say("Before the roll: the expected final score is {score}.", score=sign + to.decimal(value))
        yield from error_lines(advice)
        if outright:
            yield to.say("The chance to win outright is {chance}.", chance=chance_text(outright[None].chance))
        return
    columns = {to.say("value"): [sign + to.decimal(each.value) for each in shown]}
    if outright:
        parts = [outright[each.action] for each in shown]
        scores = (each.value - part.points for each, part in zip(shown, parts, strict=True))
        columns = {
            to.say("wins outright"): [chance_text(part.chance) for part in parts],
            to.say("mean score"): list(map(to.decimal, scores)),
        }
    yield from _actions(advice.position, shown, columns | {to.say("loss"): [to.decimal(each.loss) for each in shown]})
    if num_hidden := len(advice.actions) - len(shown):
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


def chance_text(chance: float) -> str:
    """A chance in percent, with more digits where it is small: 31.2 %, 0.047 %."""
    to, percent = chosen(), 100 * chance
    if percent >= 1 or percent == 0:
        text = f"{percent:.1f}"
        return to.with_point(f"{'> 99.9' if text == '100.0' and chance < 1 else text} %")
    return to.with_point(f"{percent:.2g} %" if percent >= 1e-4 else "< 0.0001 %")


def chance_table(
    position: Position,
    actions: Sequence["Advised"],
    chances: Sequence[float],
    top: int | None = None,
    values: Sequence[float] | None = None,
) -> Iterator[str]:
    """The `top` best actions with their chances, losses in percentage points, and points; `values` are expected
    scores, and have a column if they are given."""
    to, shown = chosen(), actions[:top]
    columns = {
        to.say("chance"): list(map(chance_text, chances)),
        to.say("loss"): [to.decimal(100 * each.loss) for each in shown],
    }
    if values is not None:
        columns[to.say("expected")] = list(map(to.decimal, values))
    yield from _actions(position, shown, columns)
    if num_hidden := len(actions) - len(shown):
        yield to.say(
            "and {n} more, each at least {loss} percentage points below the best",
            n=num_hidden,
            loss=to.decimal(100 * actions[len(shown)].loss),
        )


def _actions(position: Position, shown: Sequence["Advised"], columns: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The actions below headings, with their points in the last column."""
    to = chosen()
    labels = [to_do(position, each.action, to) for each in shown]
    points = ["" if each.points is None else str(each.points) for each in shown]
    return table([("", *columns, to.say("points")), *zip(labels, *columns.values(), points, strict=False)], least=6)


MOST_LINES = 24
"""The most lines of a table of targets."""

STEPS = (1, 2, 5, 10, 20, 25, 50, 100)
"""Distances between the round numbers of a table."""

LEAST_SHOWN = 1e-6
"""Chances below this are not worth a line."""


def target_lines(scores: "Array", chances: "Array") -> Iterator[str]:
    """A table of the best chance of reaching round numbers, from those that are almost certain to those that are
    almost impossible. Chances are P(final score ≥ target)."""
    first, last = int(scores[0]), int(scores[-1])
    shown = scores[(chances < 1 - LEAST_SHOWN) & (chances >= LEAST_SHOWN)]
    low, high = (int(shown[0]), int(shown[-1])) if shown.size else (first, first)
    step = next((step for step in STEPS if (high - low) / step <= MOST_LINES - 3), STEPS[-1])
    targets = [first, *(t for t in range(-(-low // step) * step, high + 1, step) if first < t < last), last]
    heading, to = chosen().say("at least"), chosen()
    rows = [(str(target), chance_text(float(chances[target - first]))) for target in dict.fromkeys(targets)]
    width = max(len(heading), len(str(last)))
    return table([(label.rjust(width), chance) for label, chance in ((heading, to.say("best chance")), *rows)])


def target_advice_lines(advice: "Advice", target: int, top: int | None = None) -> Iterator[str]:
    """The best chance of reaching a target, then the `top` best actions with their chances, best first."""
    to = chosen()
    values: dict[str, object] = {"target": target, "chance": chance_text(advice.value)}
    if advice.position.is_over:
        total = advice.position.card.total
        if advice.value:
            yield to.say("The game is over: the score is {total}, at least {target}.", total=total, **values)
        else:
            yield to.say("The game is over: the score is {total}, less than {target}.", total=total, **values)
        return
    if not advice.actions:
        yield to.say("Before the roll: the best chance of {target} or more is {chance}.", **values)
        return
    yield to.say("Best chance of {target} or more: {chance}.", **values)
    shown = advice.actions[:top]
    chances, scores = [each.value for each in shown], [each.score or 0.0 for each in shown]
    yield from chance_table(advice.position, advice.actions, chances, top, scores)
