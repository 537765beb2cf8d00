"""Tests of dice: fair dice pass, loaded ones do not, and false alarms are rare."""

import random
from collections.abc import Callable

import pytest

from fivedice.analysis.dice_counts import Rolled, count, rolled_at
from fivedice.analysis.fairness import ALPHA, dice_tests, examine
from fivedice.dice import Dice

Loaded = Callable[[random.Random, Dice, int], int]


def fair(chance: random.Random, kept: Dice, seat: int) -> int:
    return chance.randint(1, 6)


def collection(seed: int, die: Loaded = fair, num: int = 400) -> list[Rolled]:
    """Rolls of two seats, a person and a computer: five dice, then three beside two kept ones."""
    chance = random.Random(seed)
    rolled = []
    for number in range(num):
        seat = number % 2
        first = tuple(sorted(die(chance, (), seat) for _ in range(5)))
        kept = first[:2]
        again = tuple(sorted(die(chance, kept, seat) for _ in range(3)))
        rolled += [Rolled(first, (), seat, seat == 0, 6), Rolled(again, kept, seat, seat == 0, 6)]
    return rolled


def unusual(rolled: list[Rolled]) -> set[str]:
    return {test.name for test in examine(count(rolled)) if test.is_unusual}


def test_dice_without_places_are_tested_in_five_ways() -> None:
    assert [test.name for test in examine(count(collection(1)))] == ["faces", "pairs", "seats", "people", "kept"]


def test_false_alarms_are_as_rare_as_stated() -> None:
    alarms = sum(bool(unusual(collection(seed, num=80))) for seed in range(300))
    # At most 300 · ALPHA = 3 are expected; ten have a chance of one in a thousand.
    assert alarms < 10
    assert ALPHA == 0.01


@pytest.mark.parametrize(
    ("die", "caught"),
    [
        (lambda chance, kept, seat: 6 if chance.random() < 0.08 else chance.randint(1, 6), "faces"),
        (lambda chance, kept, seat: 1 if seat and chance.random() < 0.3 else chance.randint(1, 6), "seats"),
        (lambda chance, kept, seat: 1 if seat and chance.random() < 0.3 else chance.randint(1, 6), "people"),
        (
            lambda chance, kept, seat: (
                chance.choice([f for f in range(1, 7) if f not in kept])
                if chance.random() < 0.3
                else chance.randint(1, 6)
            ),
            "kept",
        ),
    ],
)
def test_loaded_dice_are_detected_by_their_test(die: Loaded, caught: str) -> None:
    assert caught in unusual(collection(2, die))


def test_too_many_pairs_are_detected() -> None:
    rolled = [Rolled((face,) * 2 + (face % 6 + 1,) * 3, (), 0, True, 6) for face in range(1, 7)] * 20
    assert unusual(rolled) == {"pairs"}


def test_a_test_is_omitted_if_the_sample_is_too_small() -> None:
    assert examine(count([])) == ()
    assert {test.name for test in examine(count(collection(1, num=2)))} <= {"pairs"}


def test_the_correction_is_holms() -> None:
    tests = examine(count(collection(3)))
    by_p = sorted(tests, key=lambda test: test.p)
    highest = 0.0
    for rank, test in enumerate(by_p):
        highest = max(highest, min(1.0, test.p * (len(tests) - rank)))
        assert test.adjusted == pytest.approx(highest)


def placed(seed: int, die: Callable[[random.Random, int], int], num: int = 600) -> list[Rolled]:
    """Turns of two rolls, dice in their places; `die` gets the die rolled last, or what the same die showed."""
    chance = random.Random(seed)
    rolled, last = [], 1
    for _ in range(num):
        first: list[int] = []
        for _ in range(5):
            last = die(chance, last)
            first.append(last)
        rolled.append(rolled_at(tuple(first), (False,) * 5, (), None, 0, True, 6))
        kept = (True, True, False, False, False)
        again = tuple(old if stays else die(chance, old) for old, stays in zip(first, kept, strict=True))
        rolled.append(rolled_at(again, kept, tuple(first), first[-1], 0, True, 6))
    return rolled


def test_dice_with_places_are_tested_for_dependence() -> None:
    names = [test.name for test in examine(count(placed(1, lambda chance, _: chance.randint(1, 6))))]
    assert names == ["faces", "pairs", "kept", "follows", "replaces"]
    assert unusual(placed(1, lambda chance, _: chance.randint(1, 6))) == set()


def test_dice_that_depend_on_earlier_rolls_are_detected() -> None:
    def sticky(chance: random.Random, before: int) -> int:
        return before % 6 + 1 if chance.random() < 0.1 else chance.randint(1, 6)

    assert unusual(placed(2, sticky)) >= {"follows", "replaces"}


def test_records_with_other_dice_are_pooled_by_their_own_chances() -> None:
    chance = random.Random(4)
    three_faces = [Rolled(tuple(chance.randint(1, 3) for _ in range(2)), (), 0, True, 3) for _ in range(500)]
    assert unusual([*collection(5), *three_faces]) == set()
    assert dice_tests([]) == ()
