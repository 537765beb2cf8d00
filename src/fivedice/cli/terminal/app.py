"""The `TerminalGame`: keys, clicks and timers on one side, a `Board` on the other, three widgets that show it."""

import asyncio
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.events import Resize
from textual.timer import Timer
from textual.widgets import Static

from fivedice.cli.game.session import Session
from fivedice.cli.terminal.background_solve import Solve, Solving, solution_for
from fivedice.cli.terminal.board import Board
from fivedice.cli.terminal.card_content import view_of
from fivedice.cli.terminal.card_widget import Card
from fivedice.cli.terminal.dice_widget import KEYS, DiceRow
from fivedice.cli.terminal.help import HelpScreen, LeaveScreen
from fivedice.cli.terminal.hint import Hint
from fivedice.cli.terminal.layout import GUTTER, WORD_LINES, arrange
from fivedice.cli.terminal.status import Words, key_line, moment
from fivedice.game.record import Record

_TUMBLE_SECONDS = 0.28
_AIRY_LINES = 12
"""Lines below the dice from which on the words have blank lines between them."""


class TerminalGame(App[None]):
    """Plays a session. `saved` is the sentence about the record once it is written."""

    TITLE = "fivedice"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    CSS_PATH = "style.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r,space", "roll"),
        *(Binding(key, f"keep({place})") for place, key in enumerate(KEYS)),
        Binding("up", "move(0,-1)"),
        Binding("down", "move(0,1)"),
        Binding("left", "move(-1,0)"),
        Binding("right", "move(1,0)"),
        Binding("shift+left", "scroll_card(0,-1)"),
        Binding("shift+right", "scroll_card(0,1)"),
        Binding("pageup", "scroll_card(-5,0)"),
        Binding("pagedown", "scroll_card(5,0)"),
        Binding("enter", "score"),
        Binding("x", "scratch"),
        Binding("u,ctrl+z", "undo"),
        Binding("h", "hint"),
        Binding("escape", "close_hint"),
        Binding("question_mark", "help"),
        Binding("q", "leave"),
        Binding("ctrl+c,ctrl+q", "leave", priority=True),
    ]

    def __init__(
        self,
        session: Session,
        save: Callable[[Record], str],
        pace: float = 0.6,
        opening: Sequence[str] = (),
        solve: Solve = solution_for,
    ) -> None:
        # The terminal's own colours, light or dark. Said here too, or NO_COLOR would paint black on black.
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"
        self.saved = ""
        self._board = Board(session, opening)
        self._hint = Hint(Solving(session, solve))
        self._save = save
        self._pace = pace
        self._next_step: Timer | None = None
        self._card = Card()
        self._dice = DiceRow(session.record.ruleset.faces)
        self._words = Words()
        self._keys = Static(id="keys")

    def compose(self) -> ComposeResult:
        """The card, the table with dice and words, and the line of keys."""
        with Container(id="game"):
            with Container(id="table"):
                yield self._dice
                yield self._words
            yield self._card
        yield self._keys

    def on_mount(self) -> None:
        """Show the game; a computer player may begin."""
        for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
            # A closed window or a shutdown must not lose the game. Windows knows no such handlers.
            with suppress(NotImplementedError):
                asyncio.get_running_loop().add_signal_handler(number, self._leave, True)
        self._go_on()

    def on_resize(self, event: Resize) -> None:
        """Share the room anew."""
        self._arrange(event.size.width - 2, event.size.height - 1)
        self._show()

    def on_unmount(self) -> None:
        """Nobody waits for a solution any more."""
        self._hint.solving.stop()

    def action_roll(self) -> None:
        """Roll; or hurry a computer player."""
        if self._board.is_computers:
            self._hurry()
        elif self._board.is_persons:
            rolled = self._board.roll()
            if rolled:
                self._hint.moved()
            self._show(rolled=rolled)

    def action_keep(self, place: int) -> None:
        """Keep or free a die."""
        if self._board.is_persons:
            self._board.toggle(place)
            self._show()

    def action_move(self, across: int, down: int) -> None:
        """Choose another box; sideways on a card of one column, look at other cards."""
        if across and len(self._board.position.ruleset.columns) == 1:
            self._card.scroll_card(columns=across)
        elif self._board.is_persons:
            self._board.move(across, down)
            self._show()

    def action_scroll_card(self, rows: int, columns: int) -> None:
        """Look at other rows and cards."""
        self._card.scroll_card(rows, columns)

    def action_score(self) -> None:
        """Write the points in the chosen box; hurry a computer player; save a finished game."""
        self._score(is_scratch=False)

    def action_scratch(self) -> None:
        """Write a zero in the chosen box."""
        if self._board.is_persons:
            self._score(is_scratch=True)

    def action_undo(self) -> None:
        """Take back kept dice or a score."""
        if not self.saved and (self._board.is_persons or self._board.can_take_back):
            self._board.undo()
            self._go_on()

    def action_hint(self) -> None:
        """Open the hint, or close it; the first one has the rules solved, or their solution read."""
        if self._board.is_persons or self._hint.is_open:
            self._hint.toggle()
            self._hint.solving.start(lambda: self.post_message(Solving.Told()))
            self._say()

    def action_close_hint(self) -> None:
        """Close the hint."""
        if self._hint.is_open:
            self.action_hint()

    def action_help(self) -> None:
        """The help, above the game."""
        self.push_screen(HelpScreen(self._board.position.ruleset))

    def action_leave(self) -> None:
        """Leave; a game that goes on is asked about once, and its record is saved."""
        if isinstance(self.screen, HelpScreen):
            self.pop_screen()
        elif (
            isinstance(self.screen, LeaveScreen) or self._board.position.is_over or not self._board.session.record.turns
        ):
            self._leave(True)
        else:
            self.push_screen(LeaveScreen(), self._leave)

    def action_nothing(self) -> None:
        """For a key in the line of keys that only tells."""

    def on_dice_row_toggled(self, message: DiceRow.Toggled) -> None:
        """A die was clicked."""
        self.action_keep(message.place)

    def on_dice_row_settled(self) -> None:
        """The points of the roll can be shown."""
        self._show()

    def on_solving_told(self) -> None:
        """There is news of the solution."""
        self._say()

    def on_card_chosen(self, message: Card.Chosen) -> None:
        """A box was clicked."""
        board = self._board
        if not board.is_persons or message.seat != board.position.seat:
            return
        if board.point(message.box):
            self._score(is_scratch=False)
        else:
            self._show()

    def save_once(self) -> None:
        """Write the record if anything was rolled, unless it is written already."""
        if not self.saved and self._board.session.record.turns:
            self.saved = self._save(self._board.session.record)

    def _score(self, *, is_scratch: bool) -> None:
        board = self._board
        if board.position.is_over:
            self.save_once()
            self._show()
        elif board.is_computers:
            self._hurry()
        elif board.score(is_scratch=is_scratch):
            self._hint.moved()
            self._go_on(after_person=True)
        else:
            self._show()

    def _leave(self, leaves: bool | None) -> None:
        if leaves:
            self.save_once()
            self.exit()

    def _go_on(self, *, after_person: bool = False, rolled: bool = False) -> None:
        """Show what has happened, and let a computer player move in its time."""
        if self._next_step:
            self._next_step.stop()
            self._next_step = None
        while self._board.is_computers and not self._pace:
            self._board.step()
        if self._board.is_computers:
            # Time to take a score back before dice fall.
            self._next_step = self.set_timer(self._pace * (2 if after_person else 1), self._step)
        elif self._board.position.is_over and not self._board.can_take_back:
            self.save_once()
        self._show(rolled=rolled)

    def _step(self) -> None:
        self._go_on(rolled=self._board.step())

    def _hurry(self) -> None:
        """Finish the turn of a computer player at once."""
        board = self._board
        is_under_way = False
        while board.is_computers and (board.position.dice or not is_under_way):
            is_under_way = True
            board.step()
        self._go_on()

    def _show(self, *, rolled: bool = False) -> None:
        """Bring every widget up to date; `rolled` says that dice just fell."""
        board, dice = self._board, self._dice
        dice.settle()
        if rolled and self._pace and self.animation_level != "none":
            dice.tumble(tuple(board.rolled), min(_TUMBLE_SECONDS, self._pace))
        dice.display = not board.position.is_over
        dice.faces = tuple(board.session.places)
        dice.kept = tuple(board.kept)
        self._card.view = view_of(board, shows_offers=not dice.is_tumbling)
        self._say()

    def _say(self) -> None:
        """Bring the words and the line of keys up to date."""
        board, hint, words = self._board, self._hint, self._words
        words.paragraphs = moment(board, hint, self.saved, words.columns, is_brief=not words.is_airy)
        self._keys.update(key_line(board, hint, self.saved, self.size.width - 2))

    def _arrange(self, width: int, height: int) -> None:
        """Give card, dice and words their places."""
        card_width, card_height = Card.natural_size(view_of(self._board))
        layout = arrange(width, height, card_width, card_height, self._board.position.ruleset.dice)
        table = self.query_one("#table")
        table.set_class(not layout.is_beside, "above")
        table.set_class(layout.are_words_beside, "words-beside")
        self._dice.shape = layout.shape
        self._words.columns = width - (layout.shape.width + GUTTER if layout.are_words_beside else 0)
        if layout.is_beside:
            self._words.columns = table.styles.width = width - card_width - GUTTER
            table.styles.height = "1fr"
        else:
            table.styles.width = "100%"
            below = 0 if layout.are_words_beside else WORD_LINES
            table.styles.height = min(layout.shape.height + below, max(1, height - 3))
        self._words.is_airy = layout.is_beside and height - layout.shape.height >= _AIRY_LINES
