"""The `Card` widget: the score cards of all seats side by side; it scrolls if the terminal is too small."""

from collections.abc import Mapping
from dataclasses import dataclass, field

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
from fivedice.game.action import Offer
from fivedice.game.joker import rule_on
from fivedice.game.position import Position


@dataclass(frozen=True, slots=True)
class CardContent:
    """The content of all cards.

    `offers` are those of the seat to move, by box; `announcements` has what those would score that the player may
    announce. `best` is the offer that pays most once no roll is left, if any pays: until then, points alone do not say
    where to score. `cursor` is the selected box; with `has_calm_cursor` it does not stand out, because the player has
    not moved it and a roll is left. `closed` are the open boxes that the joker rule closes to this roll. `latest` is
    the seat and the box filled last.
    """

    position: Position
    names: tuple[str, ...]
    offers: Mapping[int, Offer] = field(default_factory=dict)
    announcements: Mapping[int, int] = field(default_factory=dict)
    best: int | None = None
    cursor: int | None = None
    has_calm_cursor: bool = False
    closed: frozenset[int] = frozenset()
    latest: tuple[int, int] | None = None


def card_content(board: Board, *, shows_offers: bool = True) -> CardContent:
    """The content for a board; without offers while the dice are still rolling."""
    position, turns = board.position, board.session.record.turns
    offers = board.offers if shows_offers else {}
    is_ruled = bool(offers) and bool(rule_on(position.card, position.dice).reason)
    closed = {box for box in position.card.playable() if is_ruled and box not in offers}
    done = [turn for turn in turns if turn.offer]
    latest = None
    if done and done[-1].offer:
        latest = (done[-1].seat, position.ruleset.box_index[done[-1].offer.action.box])
    announcements = board.announcements if shows_offers else {}
    cursor = board.cursor if board.is_human_turn and (offers or announcements) else None
    is_last = bool(offers) and not position.rolls_left
    best = board.best if is_last and any(offer.points for offer in offers.values()) else None
    return CardContent(
        position,
        board.session.names,
        offers,
        announcements,
        best=best,
        cursor=cursor,
        has_calm_cursor=bool(position.rolls_left) and not board.has_moved_cursor,
        closed=frozenset(closed),
        latest=latest,
    )


_SPACES = 3
"""Blank lines added if there is room: before the total, between the sections, and at the top."""


class Card(Widget):
    """Shows headings and total at all times; the rows between them, and the columns, follow the cursor."""

    view: reactive[CardContent | None] = reactive(None)
    palette: reactive[Palette] = reactive(TERMINAL)
    first_row: reactive[int] = reactive(0)
    first_column: reactive[int] = reactive(0)

    @dataclass
    class Chosen(Message):
        """Posted when a box is clicked."""

        seat: int
        box: int

    @staticmethod
    def natural_size(view: CardContent) -> tuple[int, int]:
        """The width and height of the whole card without blank lines."""
        rows = card_rows(view.position)
        return label_width(rows) + CELL * len(rows[0].cells), len(rows) + 1

    def scroll_card(self, rows: int = 0, columns: int = 0) -> None:
        """Scroll by rows and columns, up to the edge of the card."""
        if self.view:
            body = len(self._body(self.view))
            self.first_row = max(0, min(self.first_row + rows, body - self._body_height))
            num_columns = len(column_headings(self.view.position, self.view.names))
            self.first_column = max(0, min(self.first_column + columns, num_columns - self._num_visible(self.view)))

    def watch_view(self) -> None:
        """Scroll to the seat to move and its cursor."""
        view = self.view
        if view is None or not self.size:
            return
        per_seat = len(view.position.ruleset.columns)
        start = view.position.seat * per_seat
        self._show_column(view, start + per_seat - 1)
        self._show_column(view, start)
        if view.cursor is not None:
            self._show_column(view, start + view.position.ruleset.boxes[view.cursor].column)
            body = self._body(view)
            cursor_row = next(i for i, row in enumerate(body) if row and view.cursor in row.boxes)
            self.first_row = max(min(self.first_row, cursor_row), cursor_row - self._body_height + 1)
        self.scroll_card()

    def render(self) -> Content:
        view = self.view
        if view is None:
            return Content()
        shown = range(self.first_column, self.first_column + self._num_visible(view))
        rows = [self._line(view, row, shown) if row else Content() for row in self._visible(view)]
        return Content("\n").join([self._headings(view, shown), *rows])

    def _headings(self, view: CardContent, shown: range) -> Content:
        position, per_seat = view.position, len(view.position.ruleset.columns)
        parts = [Content.styled(self._arrows(view).ljust(self._label_width(view)), self.palette.quiet)]
        for column, heading in enumerate(column_headings(position, view.names)):
            if column in shown:
                is_mover = column // per_seat == position.seat and not position.is_over
                parts.append(Content.styled(heading, self.palette.mover if is_mover else ""))
        return Content.assemble(*parts)

    def _line(self, view: CardContent, row: Row, shown: range) -> Content:
        width = self._label_width(view)
        is_selected = view.cursor is not None and view.cursor in row.boxes and not view.has_calm_cursor
        style = "bold" if is_selected or row.kind == "total" else ""
        cells = [self._cell(view, row, column) for column in range(len(row.cells)) if column in shown]
        return Content.assemble(Content.styled(set_cell_size(fit(row.label, width), width), style), *cells)

    def _cell(self, view: CardContent, row: Row, column: int) -> Content:
        """A number: the points written, or what an open box of the seat to move would score."""
        text, palette = row.cells[column], self.palette
        if row.kind != "box":
            return Content.styled(text.rjust(CELL), "bold" if row.kind == "total" else palette.quiet)
        seat, number = divmod(column, len(view.position.ruleset.columns))
        box = row.boxes[number]
        if text or seat != view.position.seat:
            style = "bold" if (seat, box) == view.latest else palette.quiet if text == "0" else ""
            return Content.styled(text.rjust(CELL), style)
        if box in view.closed:
            return Content.styled(say("closed").rjust(CELL), palette.quiet)
        offer = view.offers.get(box)
        if offer is None and box not in view.announcements:
            return Content(" " * CELL)
        potential = f"{'J' if offer.is_joker else '·'}{offer.points}" if offer else f"!{view.announcements[box]}"
        if box == view.cursor:
            style = palette.offer if view.has_calm_cursor else palette.cursor
            return Content.assemble(" ", Content.styled(f"▸{potential:>{CELL - 2}}", style))
        if offer is None:
            return Content.styled(potential.rjust(CELL), palette.quiet)
        pays = offer.points or offer.bonus
        style = palette.best if box == view.best else palette.offer if pays else palette.quiet
        return Content.styled(potential.rjust(CELL), style)

    def _body(self, view: CardContent) -> list[Row | None]:
        """The rows between headings and total, with None for a blank line."""
        rows: list[Row | None] = [*card_rows(view.position)[:-1]]
        spaces = min(_SPACES, self.size.height - len(rows) - 2)
        if spaces >= 2:
            upper = {
                index for index, category in enumerate(view.position.ruleset.categories) if category.section == "upper"
            }
            last = max(
                (i for i, row in enumerate(rows) if row and (row.kind == "bonus" or upper & {*row.boxes})), default=-1
            )
            rows.insert(last + 1, None)
        if spaces >= 1:
            rows.append(None)
        if spaces >= 3:
            rows.insert(0, None)
        return rows

    def _visible(self, view: CardContent) -> list[Row | None]:
        """The visible rows below the headings."""
        body = self._body(view)[self.first_row : self.first_row + self._body_height]
        return [*body, card_rows(view.position)[-1]]

    @property
    def _body_height(self) -> int:
        return max(1, self.size.height - 2)

    def _label_width(self, view: CardContent) -> int:
        """The width of the labels; they are shortened to leave room for one column of numbers."""
        width = label_width(card_rows(view.position))
        return max(6, min(width, self.size.width - CELL))

    def _num_visible(self, view: CardContent) -> int:
        return max(1, (self.size.width - self._label_width(view)) // CELL)

    def _show_column(self, view: CardContent, column: int) -> None:
        self.first_column = max(min(self.first_column, column), column - self._num_visible(view) + 1)

    def _arrows(self, view: CardContent) -> str:
        """Arrows that point to the hidden parts of the card."""
        num_columns = len(column_headings(view.position, view.names))
        hidden = {
            "↑": self.first_row > 0,
            "↓": self.first_row + self._body_height < len(self._body(view)),
            "←": self.first_column > 0,
            "→": self.first_column + self._num_visible(view) < num_columns,
        }
        return " ".join(arrow for arrow, is_hidden in hidden.items() if is_hidden)

    def on_resize(self, event: Resize) -> None:
        self.watch_view()

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        self.scroll_card(rows=1)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        self.scroll_card(rows=-1)

    def on_click(self, event: Click) -> None:
        view, at = self.view, event.get_content_offset(self)
        if view is None or at is None:
            return
        visible = [None, *self._visible(view)]
        row = visible[at.y] if at.y < len(visible) else None
        across = at.x - self._label_width(view)
        per_seat = len(view.position.ruleset.columns)
        if across >= 0:
            column = self.first_column + across // CELL
        else:
            # A click on the name of a box selects it if the card has one column.
            column = view.position.seat if per_seat == 1 else -1
        if row and row.boxes and 0 <= column < len(row.cells):
            self.post_message(self.Chosen(column // per_seat, row.boxes[column % per_seat]))
