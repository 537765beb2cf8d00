"""The `Card` widget: the score cards of all seats side by side; it scrolls if the terminal is too small."""

from dataclasses import dataclass

from rich.cells import set_cell_size
from textual.content import Content
from textual.events import Click, MouseScrollDown, MouseScrollUp, Resize
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from fivedice.cli.language import say
from fivedice.cli.terminal.board import Board
from fivedice.cli.terminal.palette import TERMINAL, Palette
from fivedice.cli.text.cards import CELL, Row, card_rows, column_headings, label_width
from fivedice.cli.text.output import fit
from fivedice.game.joker import rule_on

_SPACES = 3
"""Blank lines added if there is room: before the total, between the sections, and at the top."""


class Card(Widget):
    """Shows a board's headings and total at all times; the rows between them, and the columns, follow the cursor.

    An offer that pays most stands out once no roll is left, if any pays: until then, points alone do not say where to
    score. A calm cursor does not stand out, because the player has not moved it and a roll is left.
    """

    palette: reactive[Palette] = reactive(TERMINAL)
    first_row: reactive[int] = reactive(0)
    first_column: reactive[int] = reactive(0)

    @dataclass
    class Chosen(Message):
        """Posted when a box is clicked."""

        seat: int
        box: int

    def __init__(self, board: Board) -> None:
        super().__init__()
        self._board = board
        self.show()

    def show(self, *, shows_offers: bool = True) -> None:
        """Show the board as it is now; without offers while the dice are still rolling."""
        board, position = self._board, self._board.position
        *self._rows, self._total = card_rows(position)
        self._columns = column_headings(position, board.session.names)
        self._offers = board.offers if shows_offers else {}
        self._announcements = board.announcements if shows_offers else {}
        is_ruled = bool(self._offers) and bool(rule_on(position.card, position.dice).reason)
        self._ruled_out = {box for box in position.card.playable() if is_ruled and box not in self._offers}
        done = [(turn.seat, turn.offer.action.box) for turn in board.session.record.turns if turn.offer]
        self._latest = (done[-1][0], position.ruleset.box_index[done[-1][1]]) if done else None
        self._cursor = board.cursor if board.is_human_turn and (self._offers or self._announcements) else None
        self._has_calm_cursor = bool(position.rolls_left) and not board.has_moved_cursor
        is_last = not position.rolls_left and any(offer.points for offer in self._offers.values())
        self._best = board.best if is_last else None
        self._scroll_to_cursor()
        self.refresh()

    @property
    def natural_size(self) -> tuple[int, int]:
        """The width and height of the whole card without blank lines."""
        return label_width([*self._rows, self._total]) + CELL * len(self._columns), len(self._rows) + 2

    def scroll_card(self, rows: int = 0, columns: int = 0) -> None:
        """Scroll by rows and columns, up to the edge of the card."""
        self.first_row = max(0, min(self.first_row + rows, len(self._body) - self._body_height))
        self.first_column = max(0, min(self.first_column + columns, len(self._columns) - self._num_visible))

    def _scroll_to_cursor(self) -> None:
        if not self.size:
            return
        position = self._board.position
        per_seat = len(position.ruleset.columns)
        start = position.seat * per_seat
        self._show_column(start + per_seat - 1)
        self._show_column(start)
        if self._cursor is not None:
            self._show_column(start + position.ruleset.boxes[self._cursor].column)
            cursor_row = next(i for i, row in enumerate(self._body) if row and self._cursor in row.boxes)
            self.first_row = max(min(self.first_row, cursor_row), cursor_row - self._body_height + 1)
        self.scroll_card()

    def render(self) -> Content:
        shown = range(self.first_column, self.first_column + self._num_visible)
        rows = [self._line(row, shown) if row else Content() for row in self._visible]
        return Content("\n").join([self._headings(shown), *rows])

    def _headings(self, shown: range) -> Content:
        position, per_seat = self._board.position, len(self._board.position.ruleset.columns)
        parts = [Content.styled(self._arrows().ljust(self._label_width), self.palette.quiet)]
        for column, heading in enumerate(self._columns):
            if column in shown:
                is_mover = column // per_seat == position.seat and not position.is_over
                parts.append(Content.styled(heading, self.palette.mover if is_mover else ""))
        return Content.assemble(*parts)

    def _line(self, row: Row, shown: range) -> Content:
        width = self._label_width
        is_selected = self._cursor in row.boxes and not self._has_calm_cursor
        style = "bold" if is_selected or row.kind == "total" else ""
        cells = [self._cell(row, column) for column in range(len(row.cells)) if column in shown]
        return Content.assemble(Content.styled(set_cell_size(fit(row.label, width), width), style), *cells)

    def _cell(self, row: Row, column: int) -> Content:
        """A number: the points written, or what an open box of the seat to move would score."""
        text, palette, position = row.cells[column], self.palette, self._board.position
        if row.kind != "box":
            return Content.styled(text.rjust(CELL), "bold" if row.kind == "total" else palette.quiet)
        seat, number = divmod(column, len(position.ruleset.columns))
        box = row.boxes[number]
        if text or seat != position.seat:
            style = "bold" if (seat, box) == self._latest else palette.quiet if text == "0" else ""
            return Content.styled(text.rjust(CELL), style)
        if box in self._ruled_out:
            return Content.styled(say("closed").rjust(CELL), palette.quiet)
        offer = self._offers.get(box)
        if offer is None and box not in self._announcements:
            return Content(" " * CELL)
        potential = f"{'J' if offer.is_joker else '·'}{offer.points}" if offer else f"!{self._announcements[box]}"
        if box == self._cursor:
            style = palette.offer if self._has_calm_cursor else palette.cursor
            return Content.assemble(" ", Content.styled(f"▸{potential:>{CELL - 2}}", style))
        if offer is None:
            return Content.styled(potential.rjust(CELL), palette.quiet)
        pays = offer.points or offer.bonus
        style = palette.best if box == self._best else palette.offer if pays else palette.quiet
        return Content.styled(potential.rjust(CELL), style)

    @property
    def _body(self) -> list[Row | None]:
        """The rows between headings and total, with None for a blank line."""
        rows: list[Row | None] = [*self._rows]
        spaces = min(_SPACES, self.size.height - len(rows) - 2)
        if spaces >= 2:
            categories = self._board.position.ruleset.categories
            upper = {index for index, category in enumerate(categories) if category.section == "upper"}
            last = max(
                (i for i, row in enumerate(rows) if row and (row.kind == "bonus" or upper & {*row.boxes})), default=-1
            )
            rows.insert(last + 1, None)
        if spaces >= 1:
            rows.append(None)
        if spaces >= 3:
            rows.insert(0, None)
        return rows

    @property
    def _visible(self) -> list[Row | None]:
        return [*self._body[self.first_row : self.first_row + self._body_height], self._total]

    @property
    def _body_height(self) -> int:
        return max(1, self.size.height - 2)

    @property
    def _label_width(self) -> int:
        """The width of the labels; they are shortened to leave room for one column of numbers."""
        return max(6, min(label_width([*self._rows, self._total]), self.size.width - CELL))

    @property
    def _num_visible(self) -> int:
        return max(1, (self.size.width - self._label_width) // CELL)

    def _show_column(self, column: int) -> None:
        self.first_column = max(min(self.first_column, column), column - self._num_visible + 1)

    def _arrows(self) -> str:
        """Arrows that point to the hidden parts of the card."""
        hidden = {
            "↑": self.first_row > 0,
            "↓": self.first_row + self._body_height < len(self._body),
            "←": self.first_column > 0,
            "→": self.first_column + self._num_visible < len(self._columns),
        }
        return " ".join(arrow for arrow, is_hidden in hidden.items() if is_hidden)

    def on_resize(self, event: Resize) -> None:
        self._scroll_to_cursor()

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        self.scroll_card(rows=1)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        self.scroll_card(rows=-1)

    def on_click(self, event: Click) -> None:
        position, at = self._board.position, event.get_content_offset(self)
        if at is None:
            return
        visible = [None, *self._visible]
        row = visible[at.y] if at.y < len(visible) else None
        across = at.x - self._label_width
        per_seat = len(position.ruleset.columns)
        if across >= 0:
            column = self.first_column + across // CELL
        else:
            # A click on the name of a box selects it if the card has one column.
            column = position.seat if per_seat == 1 else -1
        if row and row.boxes and 0 <= column < len(row.cells):
            self.post_message(self.Chosen(column // per_seat, row.boxes[column % per_seat]))
