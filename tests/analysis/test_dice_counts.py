"""Counts of dice from records, with and without places, and sums of counts."""

import random

from fivedice.analysis.dice_counts import Cell, Rolled, count, rolled_at, rolled_in
from fivedice.game.action import Keep, Score
from fivedice.game.record import Record, Seat
from fivedice.game.record_proof import RecordProof
from fivedice.rulesets import load_ruleset

SEATS = (Seat("Ann", "human"), Seat("greedy", "greedy"))


def played() -> Record:
    """A turn with a reroll, and the first roll of the next."""
    record = Record.start(load_ruleset("yahtzee"), SEATS, "2026-11-21")
    return record.roll((3, 3, 1, 4, 5)).play(Keep((3, 3)), (3, 6, 6)).play(Score("threes")).roll((1,) * 5)


def test_kept_dice_are_not_counted_again() -> None:
    assert list(rolled_in(played())) == [
        Rolled((1, 3, 3, 4, 5), (), 0, True, 6),
        Rolled((3, 6, 6), (3, 3), 0, True, 6),
        Rolled((1, 1, 1, 1, 1), (), 1, False, 6),
    ]


def test_the_order_of_dice_is_known_from_a_proof() -> None:
    proof = RecordProof("k7Qm2x", "0" * 64, 6).roll((3, 1, 3, 4, 5))
    proof = proof.reroll((3, 6, 3, 3, 6), (True, False, True, False, False)).roll((1,) * 5)
    first, again, next_turn = rolled_in(played().with_proof(proof))
    assert first.follows == ((3, 1), (1, 3), (3, 4), (4, 5))
    assert first.replaces == ()
    assert (again.dice, again.kept) == ((6, 3, 6), (3, 3))
    assert again.follows == ((5, 6), (6, 3), (3, 6))
    assert again.replaces == ((1, 6), (4, 3), (5, 6))
    assert next_turn.follows == ((6, 1), (1, 1), (1, 1), (1, 1), (1, 1))


def test_keeping_all_dice_counts_no_roll() -> None:
    rolled = rolled_at((1, 2), (True, True), (1, 2), 2, 0, True, 6)
    assert (rolled.dice, rolled.follows, rolled.replaces) == ((), (), ())
    assert not count([rolled])


def test_counts_of_two_collections_add_up_to_those_of_both() -> None:
    chance = random.Random(1)
    rolled = [
        rolled_at(tuple(chance.choices(range(1, 7), k=5)), (False,) * 5, (), 3, seat % 3, seat % 2 == 0, 6)
        for seat in range(40)
    ]
    assert count(rolled[:13]) + count(rolled[13:]) == count(rolled)
    assert count(rolled)[Cell("pairs", 6, "5", "5")] == sum(len(set(one.dice)) == 1 for one in rolled)
