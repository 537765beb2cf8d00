"""A `Hint`: the best actions with the final score to expect from each, and what the chosen action costs."""

from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from fivedice.cli.terminal.background_solve import Solving
from fivedice.cli.terminal.board import Board
from fivedice.dice import format_dice
from fivedice.game.action import Action, Keep
from fivedice.game.wording import box_name
from fivedice.ruleset import Ruleset

_MOST = 3
"""How many of the best actions are shown."""
_LEAST_LABEL = 4
"""Columns that a label keeps however narrow the terminal."""


@dataclass(frozen=True, slots=True)
class _Line:
    """An action with its figures; a chosen one is what the marks make or what the cursor is on."""

    is_chosen: bool
    label: str
    value: str
    loss: str


class Hint:
    """Open or closed. It stays open through the game until there is a solution to speak from, then for one decision."""

    def __init__(self, solving: Solving) -> None:
        self.is_open = False
        self.solving = solving

    @property
    def warning(self) -> str:
        """What went wrong on the way to the solution, for as long as the hint stays open."""
        return self.solving.warning if self.is_open else ""

    def toggle(self) -> None:
        """Open it, or close it and forget what it warned of."""
        if self.is_open:
            self.solving.warning = ""
        self.is_open = not self.is_open

    def moved(self) -> None:
        """Dice were rolled or a box was filled: what it says is no longer asked for, unless it said nothing yet."""
        if self.is_open and (self.solving.solution or self.solving.refusal):
            self.toggle()

    def content(self, board: Board, width: int, *, is_brief: bool) -> Content | None:
        """What it says about the board, in lines of `width` columns at most; without a title if it is to be brief."""
        if not self.is_open:
            return None
        if self.solving.solution is None:
            return Content(self.solving.refusal or self.solving.doing)
        if not board.is_persons:
            return None
        from fivedice.analysis.advice import advise

        advice = advise(self.solving.solution, board.position)
        if not advice.actions:
            return Content(f"Final score to expect: {advice.value:.1f}")
        # To keep every die is legal, but on this board it would only waste a roll.
        every = Keep(board.position.dice)
        best = [advised for advised in advice.actions if advised.action != every][:_MOST]
        chosen = [advice.of(action) for action in board.chosen]
        lines = [
            _Line(is_chosen, label(a.action, board.position.ruleset), f"{a.value:.1f}", _loss(a.loss))
            for is_chosen, some in ((False, best), (True, chosen))
            for a in some
        ]
        title = [] if is_brief else [Content.styled("Final score to expect", "dim")]
        return Content("\n").join([*title, *_table(lines, width)])


def label(action: Action, ruleset: Ruleset) -> str:
    """An action in the words of the screen."""
    if isinstance(action, Keep):
        return f"keep {format_dice(action.dice)}" if action.dice else "roll all again"
    name = box_name(ruleset, action.box)
    return f"scratch {name}" if action.is_scratch else name


def _loss(loss: float) -> str:
    return f"−{loss:.1f}" if loss > 1e-9 else "best"


def _table(lines: list[_Line], width: int) -> list[Content]:
    """The lines in columns; labels give way where there is little room."""
    value, loss = (max(map(len, texts)) for texts in zip(*((line.value, line.loss) for line in lines), strict=True))
    room = max(_LEAST_LABEL, width - value - loss - 5)
    column = min(room, max(cell_len(line.label) for line in lines))
    return [
        Content.styled(
            f"{'▸' if line.is_chosen else ' '}{_fit(line.label, column)}  {line.value:>{value}}  {line.loss:>{loss}}",
            "bold" if line.is_chosen else "",
        )
        for line in lines
    ]


def _fit(text: str, width: int) -> str:
    return set_cell_size(text, width) if cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…"
