"""A table of actions with their chances, best first, for advice that aims at a goal instead of points."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from rich.cells import cell_len, set_cell_size

from fivedice.cli.language import chosen
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.wording import to_do


class Rated(Protocol):
    """An action with the points that it scores, if any, and its loss as a share."""

    @property
    def action(self) -> Action: ...
    @property
    def points(self) -> int | None: ...
    @property
    def loss(self) -> float: ...


def chance_text(chance: float) -> str:
    """A chance in percent, with more digits where it is small: 31.2 %, 0.047 %."""
    to, percent = chosen(), 100 * chance
    if percent >= 1 or percent == 0:
        text = f"{percent:.1f}"
        return to.with_point(f"{'> 99.9' if text == '100.0' and chance < 1 else text} %")
    return to.with_point(f"{percent:.2g} %" if percent >= 1e-4 else "< 0.0001 %")


def chance_table(
    position: Position,
    actions: Sequence[Rated],
    chances: Sequence[float],
    top: int | None = None,
    values: Sequence[float] | None = None,
) -> Iterator[str]:
    """The `top` best actions with their chances, losses in percentage points, and points; `values` are expected
    scores, and have a column if they are given."""
    to = chosen()
    shown = actions[:top]
    columns = [
        _column(to.say("chance"), 10, map(chance_text, chances)),
        _column(to.say("loss"), 6, (to.decimal(100 * each.loss) for each in shown)),
    ]
    if values is not None:
        columns.append(_column(to.say("expected"), 8, map(to.decimal, values)))
    points = ("" if each.points is None else str(each.points) for each in shown)
    columns.append(_column(to.say("points"), 6, points))
    labels = ["", *(to_do(position, each.action, to) for each in shown)]
    width = max(map(cell_len, labels))
    for label, *cells in zip(labels, *columns, strict=False):
        yield "  ".join([set_cell_size(label, width), *cells]).rstrip()
    if len(actions) > len(shown):
        yield to.say(
            "and {n} more, each at least {loss} percentage points below the best",
            n=len(actions) - len(shown),
            loss=to.decimal(100 * actions[len(shown)].loss),
        )


def _column(heading: str, width: int, cells: "Iterator[str]") -> list[str]:
    """The heading and the cells, right-justified."""
    texts = [heading, *cells]
    return [text.rjust(max(width, len(heading))) for text in texts]
