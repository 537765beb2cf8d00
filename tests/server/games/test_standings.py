"""What a finished game means for its players: personal best, average and streak, counted from their games."""

from dataclasses import replace

import pytest

from fivedice import Score
from fivedice.game.record import Record, Seat
from fivedice.rulesets import parse_ruleset
from fivedice.server.games.computed import facts
from fivedice.server.games.library import Game
from fivedice.server.games.replayed import ReplayedGame
from fivedice.server.games.standings import standings
from fivedice.server.table.state import State
from tests.server.serving import TINY

RULES = {
    name: parse_ruleset(TINY.replace("tiny", name).replace("faces = 2", f"faces = {faces}"))
    for name, faces in (("tiny", 9), ("other", 8))
}


def game(
    table: str, *totals: int, own: tuple[int, ...] = (0,), names: str = "AB", rules: str = "tiny", at: float = 0.0
) -> Game:
    """A finished game with these totals, from 2 to 16, or 0 if seat 1 resigned; the holder has the seats `own`."""
    seats = tuple(Seat(name, "human") for name, _ in zip(names, totals, strict=False))
    record = Record.start(RULES[rules], seats, "2026-11-21T10:00:00+00:00")
    for total in totals:
        record = record.roll((total // 2, total - total // 2)).play(Score("any")) if total else record.resign(1)
    key = table, 10
    [found] = facts([ReplayedGame(key, own, State.OVER, record, ())]).values()
    return Game(key, own, at or float(len(table)), found)


@pytest.fixture
def played() -> list[Game]:
    """Games in the order in which they ended, which is that of the lengths of their ids."""
    return [
        game("1", 10, 4),  # won
        game("22", 5, 5),  # shared
        game("333", 9, 4),  # won
        game("4444", 16),  # alone
        game("55555", 4, 8, own=(1,)),  # won at another seat
        game("666666", 3, 9),  # lost
    ]


def test_the_best_the_average_and_the_streak_count_the_games_up_to_this_one(played: list[Game]) -> None:
    found = {one.table: standings(reversed(played), one.table)[0] for one in played}
    assert [one.total for one in found.values()] == [10, 5, 9, 16, 8, 3]
    assert [one.best_before for one in found.values()] == [None, 10, 10, 10, 16, 16]
    assert [one.average for one in found.values()] == pytest.approx([10, 7.5, 8, 10, 9.6, 8.5])
    assert [one.num_games for one in found.values()] == [1, 2, 3, 4, 5, 6]
    assert [one.num_wins for one in found.values()] == [1, 1, 2, 2, 3, 3]
    assert [one.streak for one in found.values()] == [1, 0, 1, 1, 2, 0]


def test_other_rules_and_games_that_are_not_over_do_not_count(played: list[Game]) -> None:
    others = [game("7777777", 16, 2, rules="other"), game("8", 16, 2)]
    closed = replace(others[1], updated=2.5, facts=replace(others[1].facts, state=State.CLOSED))
    [found] = standings([*played, others[0], closed], "666666")
    assert (found.best_before, found.num_games) == (16, 6)
    assert standings([*played, closed], "8") == standings(played, "unknown") == []
    assert standings([game("9", 10, 4, own=())], "9") == []


def test_several_players_on_one_device_are_told_apart_by_their_names() -> None:
    games = [
        game("1", 10, 4, own=(0, 1)),
        game("22", 12, 4),
        game("333", 8, 5, own=(0, 1), names="BA"),
    ]
    found = [(one.seat, one.total, one.best_before, one.num_games, one.streak) for one in standings(games, "333")]
    assert found == [(0, 8, 4, 2, 1), (1, 5, 10, 2, 0)]
    assert standings(games, "22")[0].num_games == 1


def test_an_imported_game_counts_at_its_own_date(played: list[Game]) -> None:
    imported = replace(game("0", 16, 2), key=(b"0", 0), updated=5.0)
    assert standings([*played, imported], "1")[0].best_before is None  # played in 2026, long after these
    late = game("later", 10, 4, at=imported.facts.began + 1)
    assert standings([imported, late], "later")[0].best_before == 16


def test_a_card_that_a_resignation_left_incomplete_counts_as_a_win_or_a_loss_but_not_as_a_score() -> None:
    gone = [game("1", 10, 0, own=(0,)), game("22", 12, 0, own=(1,)), game("333", 9, 2)]
    [won] = standings(gone, "1")
    assert (won.total, won.num_games, won.best_before, won.streak, won.is_cut_short) == (10, 1, None, 1, False)
    [lost] = standings(gone, "22")
    assert (lost.total, lost.num_games, lost.best_before, lost.streak, lost.is_cut_short) == (0, 1, 10, 0, True)
    assert lost.average == 10
    [first] = standings(gone[1:], "22")
    assert (first.num_games, first.average) == (0, None)
    [later] = standings(gone, "333")
    assert (later.num_games, later.average, later.best_before, later.streak) == (2, 9.5, 10, 1)
