"""The `TerminalGame`: connects keys, clicks and timers to a `Board`, and shows it in four widgets."""

import asyncio
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.events import Event, Key, Resize
from textual.timer import Timer
from textual.widgets import Static

from fivedice.cli.game.command_words import AFTER
from fivedice.cli.game.lines import ending
from fivedice.cli.game.session import Session
from fivedice.cli.language import say
from fivedice.cli.terminal.board import Board
from fivedice.cli.terminal.card_widget import Card
from fivedice.cli.terminal.dice_widget import (
    FULL_HEIGHT,
    FULL_MESSAGE_WIDTH,
    GUTTER,
    KEYS,
    MESSAGE_LINES,
    DiceRow,
    arrange,
)
from fivedice.cli.terminal.hint import Hint, Solve, values_for
from fivedice.cli.terminal.palette import (
    DARK,
    PALETTES,
    TERMINAL,
    Palette,
    choose_palette,
    has_colours,
    next_palette,
    remember,
)
from fivedice.cli.terminal.screens import HelpScreen, QuestionScreen, Review, ReviewScreen
from fivedice.cli.terminal.status import Messages, key_line, paragraphs

_ROWS = {
    "qwertyuiop": ("йцукенгшщз", ";ςερτυθιοπ"),
    "asdfghjkl": ("фывапролд", "ασδφγηξκλ"),
    "zxcvbnm": ("ячсмить", "ζχψωβνμ"),
    "1234567890": ("&é\"'(-è_çà", "+ěščřžýáí", "+ľščťžýáí"),  # French, Czech and Slovak
}
_MEANT = {
    character: meant
    for row, others in _ROWS.items()
    for other in others
    for character, meant in zip(other, row, strict=False)
    if not character.isascii() or row[0] == "1"
}


def latin(event: Key) -> Key:
    """The event of the letter or digit in the same place, in lower case; the event itself for any other key.

    >>> [latin(Key(key, key)).key for key in "rRК&?"]
    ['r', 'r', 'r', '1', '?']
    """
    character = (event.character or "").lower()
    meant = _MEANT.get(character, character if character.isascii() and character.isalpha() else "")
    return event if not meant or event.key == meant or "+" in event.key[1:] else Key(meant, meant)


_TUMBLE_SECONDS = 0.28
_TERMINAL_SECONDS = 1.0
"""Between two looks at whether the terminal is still there."""
_SPACIOUS_LINES = 12
"""Blank lines separate the messages if at least this many lines are free below the dice."""


class TerminalGame(App[str]):
    """Plays a session. The result is what the player chose at the end, a value of `AFTER`; empty for nothing."""

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
        Binding("x", "score(True)"),
        Binding("u", "undo"),
        Binding("h", "hint"),
        Binding("escape", "close_hint"),
        Binding("question_mark", "help"),
        Binding("t", "palette"),
        *(Binding(key, f"after({what!r})") for key, what in AFTER.items()),
        Binding("g", "resign"),
        Binding("q", "leave"),
        Binding("ctrl+c,ctrl+q", "leave", priority=True),
        Binding("ctrl+z", "suspend_process", priority=True),
    ]

    def __init__(
        self,
        session: Session,
        pace: float = 0.6,
        opening: Sequence[str] = (),
        palette: Palette = DARK,
        solve: Solve = values_for,
        review: Review | None = None,
    ) -> None:
        # Without colours, only the terminal's own theme shows text that differs from its ground.
        super().__init__(ansi_color=None if has_colours() else True)
        for each in PALETTES.values():
            self.register_theme(each.theme)
        self._board = Board(session, opening)
        self._hint = Hint(session, solve)
        self._review = review
        self._pace = pace
        self._next_step: Timer | None = None
        self._ending: list[str] = []
        self._card = Card(self._board)
        self._dice = DiceRow(session.record.ruleset)
        self._messages = Messages()
        self._keys = Static(id="keys")
        self._width = 0
        self._palette = palette
        self._use(palette if has_colours() else TERMINAL)

    def compose(self) -> ComposeResult:
        """The card, the table with dice and messages, and the line of keys."""
        with Container(id="middle"), Container(id="game"):
            with Container(id="table"):
                yield self._dice
                yield self._messages
            yield self._card
        yield self._keys

    def on_mount(self) -> None:
        """Show the game, and start the timer if a computer player begins."""
        for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
            # A closed window or a shutdown must not lose the game. Windows has no such handlers.
            with suppress(NotImplementedError):
                asyncio.get_running_loop().add_signal_handler(number, self._leave, True)
        if sys.__stdin__ and sys.__stdin__.isatty():
            # A closed window sends no signal where another program leads the session, as under `make`.
            self.set_interval(_TERMINAL_SECONDS, lambda: self._leave(not sys.__stdin__.isatty()))
        self._continue()

    async def on_event(self, event: Event) -> None:
        """Take keys by what they mean on any keyboard."""
        await super().on_event(latin(event) if isinstance(event, Key) else event)

    def on_resize(self, event: Resize) -> None:
        self._arrange(event.size.width - 2, event.size.height - 1)
        self._show()

    def on_unmount(self) -> None:
        self._hint.stop()

    def action_roll(self) -> None:
        """Roll the dice, or finish a computer player's turn."""
        if self._board.is_computer_turn:
            self._finish_turn()
        elif self._board.is_human_turn:
            rolled = self._board.roll()
            if rolled:
                self._hint.on_moved()
            self._show(rolled=rolled)

    def action_keep(self, place: int) -> None:
        if self._board.is_human_turn:
            self._board.toggle(place)
            self._show()

    def action_move(self, across: int, down: int) -> None:
        """Move to another box; on a card of one column, sideways scrolls to other cards."""
        if across and len(self._board.position.ruleset.columns) == 1:
            self._card.scroll_card(columns=across)
        elif self._board.is_human_turn:
            self._board.move(across, down)
            self._show()

    def action_scroll_card(self, rows: int, columns: int) -> None:
        self._card.scroll_card(rows, columns)

    def action_score(self, is_scratch: bool = False) -> None:
        """Score the selected box, or scratch it; a score also finishes a computer player's turn."""
        board = self._board
        if board.is_computer_turn and not is_scratch:
            self._finish_turn()
        elif board.is_human_turn and board.score(is_scratch=is_scratch):
            self._hint.on_moved()
            self._continue(after_person=True)
        else:
            self._show()

    def action_undo(self) -> None:
        if self._board.is_human_turn or self._board.session.can_undo:
            self._board.undo()
            self._continue()

    def action_hint(self) -> None:
        """Open or close the hint; the first one starts the solver."""
        if self._board.is_human_turn or self._hint.is_open:
            self._hint.toggle()
            self._hint.start(lambda: self.post_message(Hint.Changed()))
            self._show_messages()

    def action_close_hint(self) -> None:
        if self._hint.is_open:
            self.action_hint()

    def action_help(self) -> None:
        self.push_screen(HelpScreen(self._board.position.ruleset))

    def action_palette(self) -> None:
        """Use the next palette, and remember it for later games."""
        if has_colours():
            self._use(next_palette(self._palette))
            remember(self._palette)
            self._show()

    def action_after(self, what: str) -> None:
        """Show the review of a finished game, or leave it for what follows."""
        session = self._board.session
        if not session.is_over:
            return
        if what != "review":
            self.exit(what)
        elif self._review and not session.available.review:
            self.push_screen(ReviewScreen(session.record, self._review))

    def action_leave(self) -> None:
        """Leave the game, which is saved; a running game asks for confirmation first."""
        if isinstance(self.screen, HelpScreen):
            self.pop_screen()
        elif self.screen.name == "leave" or self._board.session.is_over or not self._board.session.record.turns:
            self._leave(True)
        else:
            question = say("Leave this game? It is saved, and fivedice play --resume continues it.")
            self.push_screen(QuestionScreen("leave", question, say("leave"), "q", "enter"), self._leave)

    def action_resign(self) -> None:
        if self._board.is_human_turn:
            question = say("Give up this game? That cannot be taken back.")
            self.push_screen(QuestionScreen("resign", question, say("resign"), "g"), self._resign)

    def action_nothing(self) -> None:
        """Do nothing: for entries of the key line that cannot be clicked."""

    def on_dice_row_toggled(self, message: DiceRow.Toggled) -> None:
        self.action_keep(message.place)

    def on_dice_row_settled(self) -> None:
        """Show the points of the roll after the animation."""
        self._show()

    def on_hint_changed(self) -> None:
        self._show_messages()

    def on_card_chosen(self, message: Card.Chosen) -> None:
        board = self._board
        if not board.is_human_turn or message.seat != board.position.seat:
            return
        if board.select(message.box):
            self.action_score()
        else:
            self._show()

    def _use(self, palette: Palette) -> None:
        self._palette = self._card.palette = self._dice.palette = palette
        self.theme = palette.theme.name

    def _resign(self, is_sure: bool | None) -> None:
        if is_sure and self._board.is_human_turn:
            self._board.resign()
            self._hint.on_moved()
            self._continue()

    def _leave(self, is_leaving: bool | None) -> None:
        if is_leaving:
            self.exit("")

    def _continue(self, *, after_person: bool = False, rolled: bool = False) -> None:
        """Show the board, and schedule the next step of a computer player."""
        if self._next_step:
            self._next_step.stop()
            self._next_step = None
        while self._board.is_computer_turn and not self._pace:
            self._board.step()
        if self._board.is_computer_turn:
            # After a human score, leave time to undo it before the next roll.
            self._next_step = self.set_timer(
                self._pace * (2 if after_person else 1), lambda: self._continue(rolled=self._board.step())
            )
        self._ending = ending(self._board.session) if self._board.session.is_over else []
        self._show(rolled=rolled)

    def _finish_turn(self) -> None:
        board = self._board
        has_begun = False
        while board.is_computer_turn and (board.position.dice or not has_begun):
            has_begun = True
            board.step()
        self._continue()

    def _show(self, *, rolled: bool = False) -> None:
        """Update every widget; `rolled` starts the animation of a roll."""
        board, dice = self._board, self._dice
        dice.settle()
        if rolled and self._pace and self.animation_level != "none":
            dice.tumble(tuple(board.rolled), min(_TUMBLE_SECONDS, self._pace))
        dice.display = not board.session.is_over
        dice.faces = tuple(board.session.places)
        dice.kept = tuple(board.kept)
        self._card.show(shows_offers=not dice.is_tumbling)
        self._show_messages()

    def _show_messages(self) -> None:
        board, hint, messages = self._board, self._hint, self._messages
        messages.paragraphs = paragraphs(
            board, hint, self._ending, self._palette, messages.columns, is_brief=not messages.is_spacious
        )
        self._keys.update(key_line(board, hint, self._width))

    def _arrange(self, width: int, height: int) -> None:
        """Share `width` columns and `height` lines among the widgets, in the middle of a large terminal."""
        self._width = width  # `size` is still the former one while a resize is handled
        card_width, card_height = self._card.natural_size
        layout = arrange(width, height, card_width, card_height, self._board.position.ruleset.dice)
        shape, game, table = layout.shape, self.query_one("#game"), self.query_one("#table")
        table.set_class(not layout.is_beside, "above")
        table.set_class(layout.are_messages_beside, "messages-beside")
        self._dice.shape = shape
        beside_dice = shape.width + GUTTER if layout.are_messages_beside else 0
        if layout.is_beside:
            table_width = min(max(shape.width, FULL_MESSAGE_WIDTH), width - card_width - GUTTER)
            game_width = card_width + GUTTER + table_width
            self._messages.columns = table.styles.width = table_width
            table.styles.height = "1fr"
        else:
            game_width = min(width, max(card_width, beside_dice + FULL_MESSAGE_WIDTH, shape.width))
            self._messages.columns = game_width - beside_dice
            table.styles.width = "100%"
            below = 0 if layout.are_messages_beside else MESSAGE_LINES
            table.styles.height = min(shape.height + below, max(1, height - 3))
        game.styles.width, game.styles.height = game_width, min(height, max(FULL_HEIGHT, card_height + 3))
        self._messages.is_spacious = layout.is_beside and height - shape.height >= _SPACIOUS_LINES


def run_terminal(session: Session, pace: float = 0.6, opening: Sequence[str] = (), review: Review | None = None) -> str:
    """Play a session until it ends or the player leaves; then print the result and where the record is.

    `pace` is the seconds per step of a computer player; `opening` has sentences about who begins; `review` computes
    the review of the game. Returns what the player chose at the end, as `PlainGame.after`.
    """
    game = TerminalGame(session, pace, opening, choose_palette(), review=review)
    try:
        return game.run() or ""
    finally:
        # Also after a crash of the terminal game, so that a record that could not be saved is not lost.
        session.save()
        if session.saved.sentence:
            print(ending(session)[0] if session.is_over else say("The game is not finished."))
            print(session.saved.sentence)
