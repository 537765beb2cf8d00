"""Odds, advice to win and reviews of games that a seat gave up: those of the game without that seat."""

import random
from dataclasses import replace

import pytest

from fivedice.analysis.odds.endgames import advise_rival, endgame_position
from fivedice.analysis.odds.estimated_odds import OddsEstimator, odds_over_time
from fivedice.analysis.odds.odds import odds
from fivedice.analysis.reviews.review import review
from fivedice.cli.report.review_tables import odds_table
from fivedice.game.position import Position
from fivedice.game.record import parse_record
from fivedice.players import Greedy
from fivedice.solver.solve import solve
from fivedice.testing.playthrough import random_step
from fivedice.testing.tiny import TINY
from tests.analysis.reviews.test_review import check_identity, game
from tests.solutions import solution_of


def without_the_gone(position: Position) -> Position:
    """The same position in a game of the remaining seats only."""
    cards = tuple(position.cards[seat] for seat in position.remaining)
    return replace(position, cards=cards, seat=position.remaining.index(position.seat))


@pytest.mark.parametrize("id", ["tiny_plain", "tiny_joker", "tiny_first_roll"])
@pytest.mark.parametrize("gone", range(3))
def test_the_chances_to_win_are_those_without_the_seat_that_resigned(id: str, gone: int) -> None:
    solution = solve(TINY[id])
    estimator = OddsEstimator(solution, None)
    chance = random.Random(gone)
    methods = set()
    for step in range(0, 12, 3):
        position = Position.start(TINY[id], 3)
        for _ in range(step):
            if not position.is_over:
                position = random_step(position, chance)[1]
        if position.is_over:
            continue
        position = position.resign(gone)
        while not position.is_over:
            alone = without_the_gone(position)
            found, expected = odds(solution, position), odds(solution, alone)
            methods.add(found.method)
            assert found.method == expected.method
            assert [found.seats[seat] for seat in position.remaining] == list(expected.seats)
            assert (found.seats[gone].win, found.seats[gone].tie) == (0, 0)
            assert found.seats[gone].mean == position.cards[gone].total
            estimated, same = estimator.odds(position), estimator.odds(alone)
            assert estimated is not None
            assert same is not None
            assert estimated.chances[gone] == 0
            assert [estimated.chances[seat] for seat in position.remaining] == list(same.chances)
            assert (endgame_position(position) is None) == (endgame_position(alone) is None)
            assert replace(advise_rival(solution, position), position=alone) == advise_rival(solution, alone)
            position = random_step(position, chance)[1]
    assert "endgame" in methods


def test_the_review_of_a_game_with_resignations_adds_up() -> None:
    crag, chance = solution_of("crag"), random.Random(3)
    for steps in range(0, 90, 10):
        record = game("crag", [Greedy().choose] * 4, chance, max_steps=steps)
        record = record.resign(record.position.seat)
        for _ in range(20):
            if record.position.is_over:
                break
            if not record.position.dice:
                record = record.roll((1, 1, 3))
            if chance.random() < 0.2:
                record = record.resign(chance.choice(record.position.remaining))
            else:
                record = record.play(record.position.offers()[0].action)
        record = parse_record(str(record))
        check_identity(review(crag, record))
        over_time = odds_over_time(OddsEstimator(crag, None), record)
        assert over_time is not None
        assert len(over_time.odds) == len(record.turns) + (not record.position.dice)
        assert all(sum(one.chances) == pytest.approx(1) for one in over_time.odds)
        assert str(odds_table(record, over_time)).count("<tr") == len(over_time.odds) + 1
        given_up = {one.num_turns - 1 for one in record.resignations}
        points = [point for seat in range(4) for point in over_time.turning_points(seat)]
        assert all(record.turns[point.turn].offer and point.turn not in given_up for point in points)


def test_a_resignation_is_no_turning_point_of_the_dice() -> None:
    crag = solution_of("crag")
    record = game("crag", [Greedy().choose] * 2, random.Random(4), max_steps=3).resign(1)
    over_time = odds_over_time(OddsEstimator(crag, None), record)
    assert over_time is not None
    assert over_time.odds[-1].chances == (1.0, 0.0)
    assert over_time.turning_points(0) == []
