"""Score cards as text: the rows of a paper card, with one column per seat."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rich.cells import cell_len, set_cell_size

from fivedice.cli.language import chosen
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.game.record import Record
from fivedice.game.wording import outcome
from fivedice.rulesets.explanation.boxes import category_name, joker_name
from fivedice.rulesets.ruleset import Ruleset

CELL = 9
"""The width of a column of numbers."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the card. `cells` has a text for every column of every seat's card, seat by seat. For a row of boxes,
    `boxes` has the index of the box in each column; it is the same for every seat."""

    label: str
    cells: tuple[str, ...]
    kind: Literal["box", "bonus", "line", "extra", "saved", "sum", "total"]
    boxes: tuple[int, ...] = ()


def card_rows(position: Position) -> list[Row]:
    """All rows in the language of the command, from the first box to the total; each section ends with its bonus."""
    ruleset, cards, to = position.ruleset, position.cards, chosen()
    rows = _box_rows(ruleset, cards, "upper")
    if ruleset.upper_bonus:
        tiers = ", ".join(str(tier.points) for tier in ruleset.upper_bonus)
        cells = tuple(_bonus_cell(card, column) for card in cards for column in range(len(ruleset.columns)))
        label = to.say("Bonus {tiers} at {total}", tiers=tiers, total=ruleset.upper_bonus[0].at)
        rows.append(Row(label, cells, "bonus"))
    rows += _box_rows(ruleset, cards, "lower")
    for number, line in enumerate(ruleset.lines):
        places = range(number, len(ruleset.line_boxes), len(ruleset.lines))
        cells = tuple("" if (points := card.line(place)) is None else str(points) for card in cards for place in places)
        rows.append(Row(ruleset.prose(line.name, to.card_tag) or line.name, cells, "line"))
    if ruleset.extra_bonus:
        label = to.say("Extra {box}", box=joker_name(ruleset, to))
        rows.append(Row(label, _once(ruleset, [card.extra_bonus or "" for card in cards]), "extra"))
    if ruleset.saved_rolls:
        rows.append(Row(to.say("Saved rolls"), _once(ruleset, [card.saved or "" for card in cards]), "saved"))
    if ruleset.conversion:
        rows.append(Row(to.say("Sum"), _once(ruleset, [card.sum for card in cards]), "sum"))
    return [*rows, Row(to.say("Total"), _once(ruleset, [card.total for card in cards]), "total")]


def column_headings(position: Position, names: Sequence[str]) -> tuple[str, ...]:
    """The heading of each column, `CELL` wide: the seat's name, or the name of a further column of its card."""
    headings = []
    for seat, name in enumerate(names):
        mark = "▸" if seat == position.seat and not position.is_over else ""
        for number in range(len(position.ruleset.columns)):
            heading = column_name(position.ruleset, number) if number else f"{mark}{name}"
            # The mark may fill the last column of the cell, because no two seats have it.
            if cell_len(heading.removeprefix("▸")) >= CELL:
                heading = f"{set_cell_size(heading, CELL - 2).rstrip()}…"
            headings.append(" " * (CELL - cell_len(heading)) + heading)
    return tuple(headings)


def column_name(ruleset: Ruleset, number: int) -> str:
    """The name of a column: its own, or its multiplier, as in ×2, or its id if columns share the multiplier."""
    column = ruleset.columns[number]
    if column.name:
        return column.name
    is_unique = sum(other.multiplier == column.multiplier for other in ruleset.columns) == 1
    return f"×{column.multiplier}" if is_unique else column.id


def label_width(rows: Sequence[Row]) -> int:
    """The width of the longest label in terminal columns; wide letters take two."""
    return max(cell_len(row.label) for row in rows)


def format_cards(position: Position, names: Sequence[str], *, with_offers: bool = False) -> str:
    """All cards as text; `with_offers` shows in brackets what each open box would score now."""
    rows = card_rows(position)
    if with_offers:
        rows = [_with_offers(row, position) for row in rows]
    width = label_width(rows)
    headings = column_headings(position, names)
    lines = ["".join([" " * width, *headings])]
    for row in rows:
        if row.kind == "total":
            lines.append("-" * (width + CELL * len(headings)))
        lines.append("".join([set_cell_size(row.label, width), *(cell.rjust(CELL) for cell in row.cells)]))
    return "\n".join(lines)


def result_lines(record: Record) -> list[str]:
    """The cards of a game, and its outcome."""
    return [format_cards(record.position, [seat.name for seat in record.seats]), "", outcome(record, chosen())]


def _box_rows(ruleset: Ruleset, cards: Sequence[ScoreCard], section: str) -> list[Row]:
    size = len(ruleset.categories)
    rows = []
    for index, category in enumerate(ruleset.categories):
        if category.section == section:
            boxes = tuple(index + size * column for column in range(len(ruleset.columns)))
            points = (card.boxes[box] for card in cards for box in boxes)
            cells = tuple("" if value is None else str(value) for value in points)
            rows.append(Row(category_name(category, ruleset, chosen()), cells, "box", boxes))
    return rows


def _with_offers(row: Row, position: Position) -> Row:
    """The row with the points, and any extra bonus, that its open boxes would score now."""
    cells = list(row.cells)
    for offer in position.offers():
        box = position.ruleset.box_index[offer.action.box]
        if box in row.boxes and not offer.action.is_scratch:
            bonus = f"+{offer.bonus}" if offer.bonus else ""
            cells[position.seat * len(row.boxes) + row.boxes.index(box)] = f"({offer.points}{bonus})"
    return replace(row, cells=tuple(cells))


def _bonus_cell(card: ScoreCard, column: int) -> str:
    """The bonus if it is earned, else the points still missing, or 0 if it is out of reach."""
    earned = card.upper_bonus(column)
    if earned:
        return str(earned)
    missing = card.to_bonus(column)
    return "0" if missing is None else chosen().say("{n} to go", n=missing)


def _once(ruleset: Ruleset, values: Sequence[object]) -> tuple[str, ...]:
    """One value per seat, in the first column of its card."""
    blank = [""] * (len(ruleset.columns) - 1)
    return tuple(cell for value in values for cell in (str(value), *blank))
