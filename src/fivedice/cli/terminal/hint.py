"""A `Hint`: what is best and what the player's choice costs, in a sentence and in figures."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from fivedice.cli.game.lines import capitalised
from fivedice.cli.language import box_name, chosen, numbered, say
from fivedice.cli.terminal.background_solve import Solving
from fivedice.cli.terminal.board import Board
from fivedice.explanation.dice import dice_text
from fivedice.game.action import Action, Announce, Keep
from fivedice.language import marked
from fivedice.ruleset import Ruleset

if TYPE_CHECKING:
    from fivedice.analysis.advice import Advised

TITLE = marked("Average final score, and the cost")
_NUM_BEST = 3
"""The number of best actions shown."""
_NO_LOSS = 1e-9
"""Losses up to this are errors of rounding."""
_MIN_LABEL_WIDTH = 4
"""The minimum width of a label."""


@dataclass(frozen=True, slots=True)
class _Line:
    """An action with its figures. A chosen action is the keep of the marked dice, or the selected box."""

    is_chosen: bool
    label: str
    value: str
    loss: str


class Hint:
    """The hint panel. It stays open until a solution is available, then for one decision."""

    def __init__(self, solving: Solving) -> None:
        self.is_open = False
        self.solving = solving

    @property
    def warning(self) -> str:
        """A warning of the solver, while the hint is open."""
        return self.solving.warning if self.is_open else ""

    def toggle(self) -> None:
        """Open the hint, or close it and clear its warning."""
        if self.is_open:
            self.solving.warning = ""
        self.is_open = not self.is_open

    def on_moved(self) -> None:
        """Close the hint after a roll or a score, unless it is still waiting for the solution."""
        if self.is_open and (self.solving.solution or self.solving.refusal):
            self.toggle()

    def content(self, board: Board, width: int, quiet: str, *, is_brief: bool) -> Content | None:
        """The hint for a board in lines of `width` columns. `is_brief` leaves out its title, in style `quiet`."""
        if not self.is_open:
            return None
        if self.solving.solution is None:
            return Content(self.solving.refusal or self.solving.progress)
        if not board.is_human_turn:
            return None
        from fivedice.analysis.advice import advise

        position = board.position
        advice = advise(self.solving.solution, position)
        if not advice.actions:
            value = f"{advice.value:.0f}"
            return Content(say("On average, you will end with about {points} points.", points=value))
        # Keeping every die is legal, but would waste a roll here.
        keep_all = Keep(position.dice)
        best = [advised for advised in advice.actions if advised.action != keep_all][:_NUM_BEST]
        own = [advice.of(action) for action in board.chosen]
        lines = [
            _Line(is_chosen, label(a.action, position.ruleset), *_figures(a, wins=best[0].wins))
            for is_chosen, group in ((False, best), (True, own))
            for a in group
        ]
        about = (
            []
            if is_brief
            else [
                _sentence(best[0], own[0], position.ruleset),
                Content.styled(say(TITLE), quiet),
            ]
        )
        return Content("\n").join([*about, *_table(lines, width)])


def label(action: Action, ruleset: Ruleset) -> str:
    """An action as shown on the screen."""
    if isinstance(action, Keep):
        if not action.dice:
            return say("roll all again")
        return say("keep {dice}", dice=dice_text(ruleset, action.dice))
    name = box_name(ruleset, action.box)
    if isinstance(action, Announce):
        is_pair = ruleset.boxes_per_turn == 2
        return say("choose {box} as the first box", box=name) if is_pair else say("announce {box}", box=name)
    return say("scratch {box}", box=name) if action.is_scratch else name


def _sentence(best: "Advised", own: "Advised", ruleset: Ruleset) -> Content:
    """What is best, and what the player's choice costs: the keep of the marked dice, if any, or the selected box."""
    name = label(best.action, ruleset)
    sentence = say("Best: {action}.", action=name)
    if best.wins:
        sentence = say("Best: {action}, which wins the game.", action=name)
    if own.loss <= _NO_LOSS:
        as_good = [] if own.action == best.action else [say("Your choice is as good.")]
        return Content.styled(" ".join([sentence, *as_good]), "bold")
    return Content.assemble((sentence, "bold"), f" {_cost(own, ruleset, wins=best.wins)}")


def _cost(own: "Advised", ruleset: Ruleset, *, wins: bool) -> str:
    """What the player's choice costs; `wins` means that the best one wins the game."""
    name, points = capitalised(label(own.action, ruleset)), round(own.loss)
    if wins:
        return say("{action} costs you the win.", action=name)
    if not points:
        return say("{action} costs you less than a point.", action=name)
    return numbered("{action} costs you about 1 point.", "{action} costs you about {n} points.", points, action=name)


def _figures(advised: "Advised", *, wins: bool) -> tuple[str, str]:
    """The value and the loss of an action; `wins` means that an action wins the game at once."""
    if advised.wins:
        return say("wins"), say("best")
    return chosen().decimal(advised.value), say("no win") if wins else _loss(advised.loss)


def _loss(loss: float) -> str:
    return f"−{chosen().decimal(loss)}" if loss > _NO_LOSS else say("best")


def _table(lines: list[_Line], width: int) -> list[Content]:
    """The lines in columns; labels are shortened if there is little room."""
    value, loss = (max(map(len, texts)) for texts in zip(*((line.value, line.loss) for line in lines), strict=True))
    room = max(_MIN_LABEL_WIDTH, width - value - loss - 5)
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
