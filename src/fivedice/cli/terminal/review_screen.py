"""`ReviewScreen`: the review of a finished game, which scrolls; its keys lead back to the game."""

from collections.abc import Callable
from contextvars import copy_context
from threading import Thread
from typing import ClassVar, TypeAlias

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from fivedice.cli.language import say
from fivedice.game.record import Record

Report: TypeAlias = Callable[[str, float | None], None]
"""Called with what is being computed, and the share that is done."""

Review: TypeAlias = Callable[[Record, int, Report], list[Text]]
"""The lines of a review, at most so many columns wide."""

_WIDEST = 100
"""Columns of a line; longer ones are hard to read."""


class ReviewScreen(Screen[None]):
    """Shows what is being computed, then the review. The arrows and Page Down scroll."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v,escape,q,ctrl+c,enter", "back", "back", priority=True),
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

    def action_back(self) -> None:
        self.dismiss(None)

    def action_page(self) -> None:
        self.query_one(VerticalScroll).scroll_page_down()

    def action_line(self) -> None:
        self.query_one(VerticalScroll).scroll_down()

    def _compute(self) -> None:
        width = min(_WIDEST, max(50, self.app.size.width - 4))
        try:
            lines = Text("\n").join(self._review(self._record, width, self._report))
        except Exception as error:  # noqa: BLE001
            # The game is saved and over; whatever failed in the solver, the player reads it and goes back.
            reason = str(error).partition("\n")[0] or type(error).__name__
            lines = Text(say("There is no review, because the solver failed: {reason}", reason=reason))
        self._show(lines)

    def _report(self, label: str, share: float | None) -> None:
        self._show(Text(label if share is None else f"{label} {share:.0%}".replace("%", " %")))

    def _show(self, lines: Text) -> None:
        if not self._is_left:
            self.post_message(self.Changed(lines))
