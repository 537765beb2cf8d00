"""The view says who won, by how much, and how long a table waits: a page computes none of it."""

import pytest

from fivedice.game.position import Position
from fivedice.server.config.limits import DEFAULT_SILENCE_SECONDS
from fivedice.server.table.create import NewTable, WantedSeat, create
from fivedice.server.table.view import margins_of, ranks_of

HERE = WantedSeat("person", "Ann", here=True)


def over(*cards: str, rules: str = "yahtzee[rounds=1]") -> Position:
    """A finished game with these cards."""
    return Position.parse(f"{rules} {'/'.join(cards)} - r3")


def test_margins_are_those_of_the_points() -> None:
    assert margins_of(over("sixes=30", "ones=5", "ones=1")) == [25, 25, 29]
    assert margins_of(over("ones=5", "ones=5", "ones=1")) == [None, None, 4]
    assert margins_of(over("ones=5")) == [None]
    assert margins_of(Position.parse("yahtzee - 33456 r2")) == [None]


def test_an_outright_win_has_no_margin_even_with_the_most_points() -> None:
    position = Position.start("generala[first_roll_generala=wins]", 2).roll((4, 4, 4, 4, 4)).play("score generala")
    assert position.is_over
    assert ranks_of(position) == [1, 2]
    assert margins_of(position) == [None, None]


@pytest.mark.parametrize(
    ("seats", "silence", "expected"),
    [
        ([HERE, WantedSeat("person")], None, DEFAULT_SILENCE_SECONDS),
        ([HERE, WantedSeat("person")], 0, 0),
        ([HERE, WantedSeat("greedy")], None, 0),
        ([HERE], None, 0),
        ([HERE, WantedSeat("person")], 60, 60),
    ],
)
def test_only_a_table_with_an_open_seat_limits_silence_by_default(
    seats: list[WantedSeat], silence: int | None, expected: int
) -> None:
    assert create(NewTable(seats=seats, silence=silence), "t", "0" * 64, 0.0).silence == expected
