"""The screens above the game: `HelpScreen` with keys, marks and the joker rule, and `LeaveScreen` that asks once."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from fivedice.explain.joker import joker_sentences
from fivedice.ruleset import Ruleset


class HelpScreen(ModalScreen[None]):
    """Everything a player may want to know at the table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,escape,q,enter,space", "dismiss_none", "close"),
    ]

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__()
        self._ruleset = ruleset

    def compose(self) -> ComposeResult:
        """One page that scrolls where it must."""
        with VerticalScroll():
            yield Static(Content("\n").join(_help(self._ruleset)))

    def action_dismiss_none(self) -> None:
        """Back to the game."""
        self.dismiss(None)


class LeaveScreen(ModalScreen[bool]):
    """Whether to leave a game that is not over."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,y,enter", "answer(True)", "leave"),
        Binding("n,escape,space,r,u", "answer(False)", "stay"),
    ]

    def compose(self) -> ComposeResult:
        """The question."""
        yield Static("Leave this game? It is saved as far as it went.\n\n[b]q[/b] leave   [b]Esc[/b] play on")

    def action_answer(self, leaves: bool) -> None:
        """Give the answer."""
        self.dismiss(leaves)


def _help(ruleset: Ruleset) -> list[Content]:
    """The lines of the help."""
    dice = "1–9, 0" if ruleset.dice == 10 else f"1–{ruleset.dice}"
    keys = [
        ("r, space", "roll the dice that are not kept; hurry a computer player"),
        (dice, "keep a die, or free it; so does a click"),
        ("↑ ↓" if len(ruleset.columns) == 1 else "↑ ↓ ← →", "choose a box"),
        ("Enter", "score it; a click on a box does the same"),
        *([("x", "scratch the chosen box: a zero")] if ruleset.voluntary_zero else []),
        ("u, ctrl+z", "take back kept dice, or a score until the next roll"),
        ("h", "a hint: the best actions, and what yours costs; h or Esc closes it"),
        ("shift+← →", "see more score cards, PgUp and PgDn more rows"),
        ("q", "leave; the game so far is saved"),
    ]
    marks = [
        ("·9", "what an open box would take now"),
        ("▸", "the seat to move, the chosen box, and in a hint what you would do now"),
    ]
    if ruleset.joker_category:
        marks += [("J25", "as a joker"), ("closed", "not open to this roll")]
    lines = [Content.assemble((f"{key:<11}", "bold"), about) for key, about in keys]
    lines += [Content(), *(Content.assemble((f"{mark:<11}", "bold"), about) for mark, about in marks), Content()]
    lines += [Content(" ".join(joker_sentences(ruleset))), Content()]
    return [*lines, Content.styled("? or Esc goes back to the game", "dim")]
