"""The tables of a review: the summary, values over time, luck and loss per turn, and the score cards."""

from collections.abc import Iterable, Iterator, Sequence

from markupsafe import Markup

from fivedice.analysis.odds.estimated_odds import OddsOverTime
from fivedice.analysis.reviews.marks import SHOWN_LOSS, Mark
from fivedice.analysis.reviews.review import Review
from fivedice.analysis.reviews.seat_review import SeatReview, TurnReview
from fivedice.cli.language import chosen, filled_names, say
from fivedice.cli.report.chart import Line
from fivedice.cli.report.markup import element, one_decimal, signed
from fivedice.cli.text.cards import card_rows, column_name
from fivedice.game.position import Position
from fivedice.game.record import Record
from fivedice.views.review_words import level_in_words, percents

FITS = 4
"""Columns of numbers that fit on a phone; a wider table scrolls in a frame."""


def table(
    caption: str,
    head: Sequence[str],
    bodies: Iterable[Sequence[str]],
    *,
    foot: str = "",
    class_: str = "numbers titled",
) -> Markup:
    """A table with these headings and bodies of rows, in a scrolling frame if it is wide."""
    inner = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *(element("th", text, scope="col") for text in head))),
        *(element("tbody", *rows) for rows in bodies),
        *([element("tfoot", foot)] if foot else []),
        class_=class_,
    )
    if len(head) - 1 <= FITS:
        return inner
    # A scrolling frame needs keyboard focus, and therefore a name.
    return element("div", inner, class_="frame", role="region", aria_label=caption, tabindex="0")


def row(label: str, *cells: str, class_: str = "") -> Markup:
    """A row with its heading. Cells that are markup are used as they are."""
    elements = (cell if isinstance(cell, Markup) else element("td", cell) for cell in cells)
    return element("tr", element("th", label, scope="row"), *elements, class_=class_ or False)


def summary_table(reviewed: Review) -> Markup:
    """One column per seat: how start value, luck and loss add up to the score, and measures of skill."""
    seats, to = reviewed.seats, chosen()
    sums = [
        row(say("Value at the start"), *(one_decimal(seat.start_value) for seat in seats)),
        row(say("Luck"), *(signed(None if seat.missing else seat.luck) for seat in seats)),
        row(say("Loss"), *(signed(-seat.loss) for seat in seats)),
    ]
    scores = (str(seat.score) for seat in seats)
    if all(abs(seat.value - seat.score) < SHOWN_LOSS for seat in seats):
        sums.append(row(say("Score"), *scores, class_="sum"))
    else:
        sums.append(row(say("Value where the record ends"), *(one_decimal(seat.value) for seat in seats), class_="sum"))
        sums.append(row(say("Score so far"), *scores))
    marks = {Mark.INACCURACY: say("Inaccuracies"), Mark.MISTAKE: say("Mistakes"), Mark.BLUNDER: say("Blunders")}
    levels = (level_in_words(seat.level, to) if seat.level else "" for seat in seats)
    skill = [
        row(say("Dice-neutral score"), *("–" if seat.missing else one_decimal(seat.dice_neutral) for seat in seats)),
        row(say("Points lost"), *(one_decimal(seat.loss) for seat in seats)),
        row(say("Unforced decisions"), *(str(seat.num_unforced) for seat in seats)),
        row(say("Error rate"), *(to.with_point(f"{seat.error_rate:.2f}") for seat in seats)),
        row(say("Level"), *(element("td", level, class_="words") for level in levels)),
        *(row(label, *(str(seat.marks[mark]) for seat in seats)) for mark, label in marks.items()),
    ]
    if any(seat.luck_percentile is not None for seat in seats):
        shares = ("" if seat.luck_percentile is None else f"{seat.luck_percentile:.0f} %" for seat in seats)
        skill.append(row(say("Perfect games with less luck"), *shares))
    return table(say("Luck and loss add up to the score"), (say("Seat"), *(seat.name for seat in seats)), (sums, skill))


def value_table(lines: Sequence[Line]) -> Markup:
    """The numbers of the chart: a row for the start and for every roll and choice, and a column per seat."""
    by_seat = [dict(_steps(line)) for line in lines]
    places = sorted({place for steps in by_seat for place in steps})
    rows = [
        row(
            _step_name(*place),
            *(one_decimal(steps[place]) if place in steps else "" for steps in by_seat),
        )
        for place in places
    ]
    caption = say("Value of the game after every roll and every choice")
    return table(caption, (say("Turn"), *(line.name for line in lines)), (rows,))


def odds_table(record: Record, odds: OddsOverTime) -> Markup:
    """Each seat's chance to win at the start and after every turn of the game."""
    labels = [say("Start")]
    for turn in record.turns[: len(odds.odds) - 1]:
        end = f"{filled_names(record.ruleset, turn)} {turn.offer.points}" if turn.offer else say("no box")
        labels.append(f"{record.seats[turn.seat].name}: {end}")
    rows = [
        row(label, *(percents(chance, is_exact=one.is_exact) for chance in one.chances))
        for label, one in zip(labels, odds.odds, strict=True)
    ]
    caption = say("Chances to win after every turn; those with ≈ are estimated")
    return table(caption, (say("Turn"), *(seat.name for seat in record.seats)), (rows,))


def _steps(line: Line) -> Iterator[tuple[tuple[int, int], float]]:
    """Pairs of (turn, step in the turn) and the value after that step; step 0, of the turn before, is the start."""
    yield (line.before, 0), line.start
    for turn, values in enumerate(line.turns, line.before + 1):
        for step, value in enumerate(values, 1):
            yield (turn, step), value


def _step_name(turn: int, step: int) -> str:
    if not turn:
        return say("Start")
    if not step:
        return say("Turn {number}", number=turn)
    number, is_choice = divmod(step + 1, 2)
    if is_choice:
        return say("{turn}, choice {number}", turn=turn, number=number)
    return say("{turn}, roll {number}", turn=turn, number=number)


def turn_table(seat: SeatReview, turns: Sequence[TurnReview], scale: float) -> Markup:
    """Luck and loss per turn, with bars; a full bar is `scale` points."""
    rows = [
        row(
            str(turn.number),
            element("td", turn.box or say("not finished"), class_="text"),
            "" if turn.points is None else str(turn.points),
            element("td", signed(turn.known_luck), _bar(turn.known_luck or 0.0, scale, "luck")),
            element("td", one_decimal(turn.loss), _bar(turn.loss, scale, "loss")),
            one_decimal(turn.value),
        )
        for turn in turns
    ]
    luck = signed(None if seat.missing else seat.luck)
    sums = (str(seat.score), luck, one_decimal(seat.loss), one_decimal(seat.value))
    foot = element(
        "tr",
        element("th", say("All turns"), scope="row", colspan=2),
        *(element("td", s) for s in sums),
    )
    head = (say("Turn"), say("Box"), say("Points"), say("Luck"), say("Loss"), say("Value"))
    caption = say("Luck and loss per turn: {name}", name=seat.name)
    return table(caption, head, (rows,), foot=foot, class_="numbers titled turns")


def card_table(position: Position, names: Sequence[str]) -> Markup:
    """The score cards: one column per seat, or several if the card has several columns."""
    heads = [
        f"{name} {column_name(position.ruleset, number)}" if number else name
        for name in names
        for number in range(len(position.ruleset.columns))
    ]
    rows = [row(line.label, *line.cells, class_=line.kind) for line in card_rows(position)]
    return table(say("Score cards"), (say("Box"), *heads), (rows,), class_="numbers titled")


def _bar(number: float, scale: float, kind: str) -> Markup:
    """A bar beside its number: luck extends from the middle to either side, loss from the left."""
    length = round(min(abs(number) / scale, 1.0) * 100, 1) if scale else 0.0
    is_luck = kind == "luck"
    side = "bad" if number < 0 or not is_luck else "good"
    shape = element("rect", class_=side, x=-length if number < 0 else 0, y=0, width=length, height=6)
    middle = [element("rect", class_="axis", x=-0.75, y=0, width=1.5, height=6)] if is_luck else []
    return element(
        "svg", shape, *middle, class_=f"bar {kind}", viewBox="-100 0 200 6" if is_luck else "0 0 100 6",
        preserveAspectRatio="none", aria_hidden="true",
    )  # fmt: skip
