"""What a finished game means for its players: personal best, average and streak, counted from their games."""

from typing import Any

import pytest

from fivedice.server.games.holder_figures import standings as standings_of
from fivedice.storage.rows.decisions import HeldGame
from fivedice.views.games import StandingView


def game(table: str, *totals: int, own: tuple[int, ...] = (0,), names: str = "AB", at: float = 0.0) -> list[HeldGame]:
    """The holder's seats in a finished game with these totals, or 0 for a seat that resigned."""
    won = [total == max(totals) > sorted(totals)[-2] for total in totals] if len(totals) > 1 else [False]
    all_seats: Any = {"game": table, "table": table, "seats": len(totals), "ended": at or float(len(table))}
    others: Any = dict.fromkeys(HeldGame._fields)
    found = []
    for seat in own:
        one: Any = {"seat": seat, "name": names[seat], "total": totals[seat], "has_won": won[seat], "is_over": True}
        found.append(HeldGame(**others | all_seats | one | {"is_cut_short": totals[seat] == 0}))
    return found


def standings(games: list[list[HeldGame]], table: str) -> list[StandingView]:
    return standings_of((seat for seats in games for seat in seats), table)


@pytest.fixture
def played() -> list[list[HeldGame]]:
    """Games in the order in which they ended, which is that of the lengths of their ids."""
    return [
        game("1", 10, 4),  # won
        game("22", 5, 5),  # shared
        game("333", 9, 4),  # won
        game("4444", 16),  # alone
        game("55555", 4, 8, own=(1,)),  # won at another seat
        game("666666", 3, 9),  # lost
    ]


def test_the_best_the_average_and_the_streak_count_the_games_up_to_this_one(played: list[list[HeldGame]]) -> None:
    found = {one.table: standings(played[::-1], one.table)[0] for [one] in played}
    assert [one.total for one in found.values()] == [10, 5, 9, 16, 8, 3]
    assert [one.best_before for one in found.values()] == [None, 10, 10, 10, 16, 16]
    assert [one.average for one in found.values()] == pytest.approx([10, 7.5, 8, 10, 9.6, 8.5])
    assert [one.games for one in found.values()] == [1, 2, 3, 4, 5, 6]
    assert [one.wins for one in found.values()] == [1, 1, 2, 2, 3, 3]
    assert [one.streak for one in found.values()] == [1, 0, 1, 1, 2, 0]


def test_a_table_without_a_seat_of_the_holder_has_no_standing(played: list[list[HeldGame]]) -> None:
    assert standings(played, "unknown") == []


def test_several_players_on_one_device_are_told_apart_by_their_names() -> None:
    games = [game("1", 10, 4, own=(0, 1)), game("22", 12, 4), game("333", 8, 5, own=(0, 1), names="BA")]
    found = [(one.seat, one.total, one.best_before, one.games, one.streak) for one in standings(games, "333")]
    assert found == [(0, 8, 4, 2, 1), (1, 5, 10, 2, 0)]
    assert standings(games, "22")[0].games == 1


def test_an_imported_game_counts_at_its_own_date(played: list[list[HeldGame]]) -> None:
    [imported] = game("0", 16, 2, at=2.5)
    found = [standings([*played, [imported._replace(table="")]], table)[0] for table in ("22", "333")]
    assert [one.best_before for one in found] == [10, 16]


def test_a_card_that_a_resignation_left_incomplete_counts_as_a_win_or_a_loss_but_not_as_a_score() -> None:
    gone = [game("1", 10, 0, own=(0,)), game("22", 12, 0, own=(1,)), game("333", 9, 2)]
    [won] = standings(gone, "1")
    assert (won.total, won.games, won.best_before, won.streak, won.is_cut_short) == (10, 1, None, 1, False)
    [lost] = standings(gone, "22")
    assert (lost.total, lost.games, lost.best_before, lost.streak, lost.is_cut_short) == (0, 1, 10, 0, True)
    assert lost.average == 10
    [first] = standings(gone[1:], "22")
    assert (first.games, first.average) == (0, None)
    [later] = standings(gone, "333")
    assert (later.games, later.average, later.best_before, later.streak) == (2, 9.5, 10, 1)
