"""The modal screens: `HelpScreen` with keys, marks and the joker rule, and two confirmations."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from fivedice.explanation.dice import colour_legend
from fivedice.explanation.joker import joker_sentences
from fivedice.ruleset import Ruleset


class HelpScreen(ModalScreen[None]):
    """Lists the keys and marks, and explains the joker rule."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,escape,q,enter,space", "dismiss_none", "close"),
    ]

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__()
        self._ruleset = ruleset

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(Content("\n").join(_help(self._ruleset)))

    def action_dismiss_none(self) -> None:
        self.dismiss(None)


class LeaveScreen(ModalScreen[bool]):
    """Asks whether to leave a running game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,y,enter", "answer(True)", "leave"),
        Binding("n,escape,space,r,u", "answer(False)", "stay"),
    ]

    def compose(self) -> ComposeResult:
        yield Static(
            "Leave this game? It is saved, and fivedice play --resume continues it.\n\n"
            "[b]q[/b] leave   [b]Esc[/b] keep playing"
        )

    def action_answer(self, is_leaving: bool) -> None:
        self.dismiss(is_leaving)


class ResignScreen(ModalScreen[bool]):
    """Asks whether to give up the game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g,y", "answer(True)", "resign"),
        Binding("n,escape,space,enter,r,u,q", "answer(False)", "play on"),
    ]

    def compose(self) -> ComposeResult:
        yield Static("Give up this game? That cannot be taken back.\n\n[b]g[/b] resign   [b]Esc[/b] keep playing")

    def action_answer(self, is_sure: bool) -> None:
        self.dismiss(is_sure)


_ANNOUNCING = {
    1: "Enter on a box with ! announces it; u takes that back until your next roll",
    2: "A turn fills two boxes: Enter takes the first, then the second",
}
_IF_ANNOUNCED = {
    1: "what an open box would score now, if you announce it",
    2: "what the best half of the dice would score in the first box",
}


def _help(ruleset: Ruleset) -> list[Content]:
    dice = "1–9, 0" if ruleset.dice == 10 else f"1–{ruleset.dice}"
    keys = [
        ("r, space", "roll the dice you do not keep; finish a computer player's turn"),
        (dice, "keep or release a die; a click does the same"),
        ("↑ ↓" if len(ruleset.columns) == 1 else "↑ ↓ ← →", "select a box"),
        ("Enter", "score it; a click on a box does the same"),
        *([("", _ANNOUNCING[ruleset.boxes_per_turn])] if ruleset.announced_boxes else []),
        *([("x", "write a zero in the selected box")] if ruleset.voluntary_zero else []),
        ("u, ctrl+z", "undo kept dice, or your last score until your next roll"),
        ("h", "show the best actions and what yours costs; h or Esc closes it"),
        ("shift+← →", "scroll to other score cards; PgUp and PgDn scroll the rows"),
        ("t", "change the colours: dark, light, the terminal's own"),
        ("q, g", "leave the game, which is saved; give it up, after a question"),
    ]
    marks = [
        ("·9", "what an open box would score now"),
        ("▸", "the seat to move, the selected box, or your own choice in a hint"),
    ]
    if ruleset.announced_boxes:
        marks.append(("!9", _IF_ANNOUNCED[ruleset.boxes_per_turn]))
    if ruleset.joker_category:
        marks += [("J25", "scored as a joker"), ("closed", "not open to this roll")]
    if ruleset.colours:
        marks.append(("letters", f"the colours of dice: {colour_legend(ruleset)}"))
    lines = [Content.assemble((f"{key:<11}", "bold"), about) for key, about in keys]
    lines += [Content(), *(Content.assemble((f"{mark:<11}", "bold"), about) for mark, about in marks), Content()]
    lines += [Content(" ".join(joker_sentences(ruleset))), Content()]
    return [*lines, Content.styled("? or Esc returns to the game", "dim")]
