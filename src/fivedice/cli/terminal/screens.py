"""The screens over a game: `HelpScreen` with keys, marks and the joker rule, two confirmations, and `ReviewScreen`."""

from collections.abc import Callable
from contextvars import copy_context
from textwrap import wrap
from threading import Thread
from typing import ClassVar, TypeAlias

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from fivedice.cli.language import chosen, say
from fivedice.cli.progress import Progress, step_text
from fivedice.cli.text.output import WIDEST
from fivedice.game.record import Record
from fivedice.rulesets.explanation.dice import colour_legend
from fivedice.rulesets.explanation.joker import joker_sentences
from fivedice.rulesets.ruleset import Ruleset

_COLUMNS = 74
"""The width of the help, without its scroll bar."""


class HelpScreen(ModalScreen[None]):
    """Lists the keys and marks, and explains the joker rule."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark,escape,q,enter,space", "dismiss", "close")]

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__()
        self._ruleset = ruleset

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(Content("\n").join(_help(self._ruleset)))


class QuestionScreen(ModalScreen[bool]):
    """Asks a question. These keys, y and j say yes, the first of them with what `answer` says; other keys of the game
    say no."""

    def __init__(self, name: str, sentence: str, answer: str, *keys: str) -> None:
        super().__init__(name)
        self._sentence, self._answer, self._keys = sentence, answer, keys

    def compose(self) -> ComposeResult:
        stay = say("keep playing")
        keys = Content.assemble((self._keys[0], "bold"), f" {self._answer}   ", ("Esc", "bold"), f" {stay}")
        yield Static(Content("\n\n").join([Content(self._sentence), keys]))

    def on_key(self, event: Key) -> None:
        event.stop()  # it is not a key of the game as well
        if event.key in (*self._keys, "y", "j"):
            self.dismiss(True)
        elif event.key in ("n", "escape", "space", "enter", "r", "u", "q"):
            self.dismiss(False)


def _help(ruleset: Ruleset) -> list[Content]:
    dice = "1–9, 0" if ruleset.dice == 10 else f"1–{ruleset.dice}"
    keys = [
        (say("r, space"), say("roll the dice you do not keep; finish a computer player's turn")),
        (dice, say("keep or release a die; a click does the same")),
        ("↑ ↓" if len(ruleset.columns) == 1 else "↑ ↓ ← →", say("select a box")),
        (say("Enter"), say("score it; a click on a box does the same")),
        *(
            [("", say("Enter on a box with ! announces it; u takes that back until your next roll"))]
            if ruleset.announceable_boxes
            else []
        ),
        *([("x", say("write a zero in the selected box"))] if 0 in ruleset.writable(1) else []),
        ("u", say("undo kept dice, or your last score until your next roll")),
        ("h", say("show the best actions and what yours costs; h or Esc closes it")),
        ("⇧← ⇧→", say("scroll to other cards; Page Up and Page Down scroll the rows")),
        ("t", say("change the colours: dark, light, the terminal's own")),
        ("q, g", say("leave the game, which is saved; give it up, after a question")),
    ]
    marks = [
        ("·9", say("what an open box would score now")),
        ("▸", say("the seat to move, the selected box, or your own choice in a hint")),
    ]
    if ruleset.announceable_boxes:
        marks.append(("!9", say("what an open box would score now, if you announce it")))
    if ruleset.joker_category:
        marks += [("J25", say("scored as a joker")), (say("closed"), say("not open to this roll"))]
    if ruleset.colours:
        marks.append(("r g b", say("the colours of dice: {legend}", legend=colour_legend(ruleset, chosen()))))
    width = max(len(key) for key, _ in (*keys, *marks)) + 2
    lines = [*_table(keys, width), Content(), *_table(marks, width), Content()]
    lines += [Content(" ".join(joker_sentences(ruleset, chosen()))), Content()]
    return [*lines, Content.styled(say("? or Esc returns to the game"), "dim")]


def _table(rows: list[tuple[str, str]], width: int) -> list[Content]:
    """Two columns: the keys, `width` wide, and what they do, in as many lines as that takes."""
    lines: list[Content] = []
    for key, about in rows:
        first, *more = wrap(about, _COLUMNS - width)
        lines.append(Content.assemble((f"{key:<{width}}", "bold"), first))
        lines += [Content(f"{' ' * width}{line}") for line in more]
    return lines


Review: TypeAlias = Callable[[Record, int, Progress], list[Text]]
"""The lines of a review, at most so many columns wide."""


class ReviewScreen(Screen[None]):
    """Shows what is being computed, then the review. The arrows and Page Down scroll."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v,escape,q,ctrl+c,enter", "dismiss", "back", priority=True),
        Binding("space", "page", "page"),
        Binding("j", "line", "line"),
    ]

    class Changed(Message):
        """Posted by the thread: what is being computed, or the whole review."""

        def __init__(self, lines: Text) -> None:
            super().__init__()
            self.lines = lines

    def __init__(self, record: Record, review: Review) -> None:
        super().__init__()
        self._record = record
        self._review = review
        self._text = Static(say("One moment …"))
        self._is_left = False

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield self._text
        scroll, back = say("scroll"), say("back")
        yield Static(f"[b]↑↓[/b] {scroll}   [b]Esc[/b] {back}", id="keys")

    def on_mount(self) -> None:
        """Compute the review in a thread, which does not keep the program alive and speaks the same language."""
        Thread(target=copy_context().run, args=(self._compute,), daemon=True, name="review").start()

    def on_review_screen_changed(self, message: Changed) -> None:
        self._text.update(message.lines)

    def on_unmount(self) -> None:
        self._is_left = True

    def action_page(self) -> None:
        self.query_one(VerticalScroll).scroll_page_down()

    def action_line(self) -> None:
        self.query_one(VerticalScroll).scroll_down()

    def _compute(self) -> None:
        width = min(WIDEST, max(50, self.app.size.width - 4))
        try:
            lines = Text("\n").join(
                self._review(self._record, width, lambda label, share: self._show(Text(step_text(label, share))))
            )
        except Exception as error:  # noqa: BLE001
            # The game is saved and over; whatever failed in the solver, the player reads it and goes back.
            reason = str(error).partition("\n")[0] or type(error).__name__
            lines = Text(say("There is no review, because the solver failed: {reason}", reason=reason))
        self._show(lines)

    def _show(self, lines: Text) -> None:
        if not self._is_left:
            self.post_message(self.Changed(lines))
