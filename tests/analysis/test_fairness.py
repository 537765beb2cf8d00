"""Tests of dice: the evidence is a martingale, so that fair dice pass however often one looks, and loaded ones are
noticed; and the counts of dice that they are made from."""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivedice.analysis import dice_counts
from fivedice.analysis.dice_counts import (
    ALPHA,
    QUESTIONS,
    THRESHOLD,
    Cell,
    Rolled,
    count,
    examine,
    log_evidence,
    rolled_at,
    rolled_in,
)
from fivedice.game.action import Keep, Score
from fivedice.game.placed_turn import PlacedTurn
from fivedice.game.record import Record, Seat
from fivedice.game.record_proof import RecordProof
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.dice import Dice

Loaded = Callable[[random.Random, Dice, int, int], int]


def placed(seed: int, share: float = 0.0, loaded: Loaded | None = None, num: int = 600) -> list[Rolled]:
    """Turns of two seats, a person and a computer, in which three of five dice are rolled again. A share of the dice is
    loaded: it depends on kept dice, the seat, and the die rolled last or what the same die showed."""
    chance, rolled, last = random.Random(seed), list[Rolled](), 1

    def die(kept: Dice, seat: int, before: int) -> int:
        return loaded(chance, kept, seat, before) if loaded and chance.random() < share else chance.randint(1, 6)

    for number in range(num):
        seat, first = number % 2, list[int]()
        for _ in range(5):
            last = die((), seat, last)
            first.append(last)
        rolled.append(rolled_at(tuple(first), (False,) * 5, (), None, seat, seat == 0, 6))
        kept = tuple(first[:2])
        again = (*kept, *(die(kept, seat, old) for old in first[2:]))
        rolled.append(rolled_at(again, (True,) * 2 + (False,) * 3, tuple(first), last, seat, seat == 0, 6))
    return rolled


def unusual(rolled: list[Rolled]) -> set[str]:
    return {test.name for test in examine(count(rolled)) if test.is_unusual}


def bet(shown: Iterable[str], chances: Mapping[str, Fraction], concentration: int) -> Fraction:
    """What a bet of 1 is worth after these columns: each time the whole worth is bet on the next column, at fair odds
    and in proportion to the shares so far, as if `concentration` cases with the fair shares had come before."""
    seen: Counter[str] = Counter()
    worth = Fraction(1)
    for column in shown:
        share = (concentration * chances[column] + seen[column]) / (concentration + seen.total())
        worth *= share / chances[column]
        seen[column] += 1
    return worth


CHANCES = st.lists(st.integers(1, 9), min_size=2, max_size=7).map(
    lambda weights: {str(column): Fraction(weight, sum(weights)) for column, weight in enumerate(weights, 1)}
)


@given(st.data(), CHANCES, st.integers(1, 1_000))
def test_the_evidence_is_a_bet_at_fair_odds(
    data: st.DataObject, chances: dict[str, Fraction], concentration: int
) -> None:
    shown = data.draw(st.lists(st.sampled_from(sorted(chances)), max_size=12))
    worth = float(bet(shown, chances, concentration))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dice_counts, "CONCENTRATION", float(concentration))
        assert math.exp(log_evidence(Counter(shown), chances)) == pytest.approx(worth, rel=1e-9)


@given(st.data())
def test_the_evidence_of_a_question_is_expected_to_stay_whatever_is_rolled_next(data: st.DataObject) -> None:
    faces = data.draw(st.integers(2, 4))
    die = st.integers(1, faces)
    before = [
        Rolled(tuple(sorted(dice)), (), seat, seat == 0, faces)
        for seat, dice in data.draw(st.lists(st.tuples(st.integers(0, 2), st.lists(die, min_size=1, max_size=3))))
    ]
    kept = tuple(sorted(data.draw(st.lists(die, max_size=2))))
    earlier, last, seat = tuple(data.draw(st.lists(die, min_size=2, max_size=2))), data.draw(die), 1
    stays = (True,) * len(kept) + (False,) * 2
    now = {test.name: test.evidence for test in examine(count(before))}
    after: dict[str, float] = defaultdict(float)
    for new in product(range(1, faces + 1), repeat=2):
        rolled = rolled_at((*kept, *new), stays, (*kept, *earlier), last, seat, False, faces)
        for test in examine(count([*before, rolled])):
            after[test.name] += test.evidence / faces**2
    asked = {"faces", "pairs", "follows", "replaces"} | ({"kept"} if kept else set())
    assert asked <= after.keys()
    # The comparisons begin with the first die of a second seat.
    begun = {name: worth for name, worth in after.items() if name in {*now, *asked}}
    assert begun == pytest.approx({name: now.get(name, 1.0) for name in begun}, rel=1e-9)


def test_all_questions_together_keep_the_stated_chance_of_a_false_alarm() -> None:
    assert (ALPHA, len(QUESTIONS)) == (0.001, 7)
    assert len(QUESTIONS) / THRESHOLD == pytest.approx(ALPHA)


def test_evidence_is_a_number_however_loaded_the_dice_are() -> None:
    [faces] = examine(Counter({Cell("faces", 6, "0 person", "6"): 10**9}))
    assert THRESHOLD < faces.evidence < 1e12


@pytest.mark.parametrize(
    ("rolled", "asked"),
    [
        ([], []),
        ([rolled_at((1, 2), (True, True), (1, 2), 2, 0, True, 6)], []),
        ([Rolled((3,), (), 0, True, 6)], ["faces"]),
        ([Rolled((1, 2, 3), (), 0, True, 6)], ["faces", "pairs"]),
        ([Rolled((1, 2, 3), (), seat, True, 6) for seat in (0, 1)], ["faces", "pairs", "seats"]),
    ],
)
def test_only_what_has_a_case_is_asked(rolled: list[Rolled], asked: list[str]) -> None:
    assert [test.name for test in examine(count(rolled))] == asked


@pytest.mark.parametrize(
    ("share", "loaded", "caught"),
    [
        (0.08, lambda chance, kept, seat, before: 6, {"faces"}),
        (0.3, lambda chance, kept, seat, before: 1 if seat else chance.randint(1, 6), {"seats", "people"}),
        (0.3, lambda chance, kept, seat, before: chance.choice([f for f in range(1, 7) if f not in kept]), {"kept"}),
        (0.1, lambda chance, kept, seat, before: before % 6 + 1, {"follows", "replaces"}),
    ],
)
def test_loaded_dice_are_detected_by_their_test(share: float, loaded: Loaded, caught: set[str]) -> None:
    assert caught <= unusual(placed(2, share, loaded, num=800))
    pairs = [Rolled((face,) * 2 + (face % 6 + 1,) * 3, (), 0, True, 6) for face in range(1, 7)] * 20
    assert unusual(pairs) == {"pairs"}


def test_fair_dice_pass_every_test() -> None:
    assert [test.name for test in examine(count(placed(1)))] == [question.name for question in QUESTIONS]
    assert unusual(placed(1)) == set()


def test_records_with_other_dice_are_pooled_by_their_own_chances() -> None:
    chance = random.Random(4)
    three_faces = [Rolled(tuple(chance.randint(1, 3) for _ in range(2)), (), 0, True, 3) for _ in range(500)]
    assert unusual([*placed(5), *three_faces]) == set()


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
    turn = PlacedTurn.start((3, 1, 3, 4, 5)).roll((3, 6, 3, 3, 6), (True, False, True, False, False))
    proof = RecordProof("k7Qm2x", "0" * 64, 6, turns=(turn, PlacedTurn.start((1,) * 5)))
    first, again, next_turn = rolled_in(played().with_proof(proof))
    assert first.follows == ((3, 1), (1, 3), (3, 4), (4, 5))
    assert first.replaces == ()
    assert (again.dice, again.kept) == ((6, 3, 6), (3, 3))
    assert again.follows == ((5, 6), (6, 3), (3, 6))
    assert again.replaces == ((1, 6), (4, 3), (5, 6))
    assert next_turn.follows == ((6, 1), (1, 1), (1, 1), (1, 1), (1, 1))
