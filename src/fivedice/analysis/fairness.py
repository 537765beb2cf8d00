"""`DiceTest`s: whether the dice of many records look fair, in a way that a sceptic can repeat.

Five questions are asked of every collection of records, whatever it shows; together they raise a false alarm in one
collection out of a hundred (`ALPHA`), by Holm's correction for their number. Dice that were kept do not count again.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from fivedice.dice import Dice, rolls, ways
from fivedice.game.record import Record

ALPHA = 0.01
"""The chance that fair dice are called unusual by any of the tests."""

MIN_EXPECTED = 5.0
"""A cell of a chi-square test needs so many expected cases; smaller ones are put together."""


@dataclass(frozen=True, slots=True)
class DiceTest:
    """One question with its sample, statistic and chance under fair dice (`p`); `adjusted` is after the correction."""

    name: str
    question: str
    sample: int
    statistic: float
    p: float
    adjusted: float = 1.0

    @property
    def is_unusual(self) -> bool:
        """Whether fair dice would hardly do this."""
        return self.adjusted < ALPHA


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice that were rolled at once, those kept beside them, and who rolled."""

    dice: Dice
    kept: Dice
    seat: int
    is_person: bool
    num_faces: int


def rolled_in(record: Record) -> Iterator[Rolled]:
    """Every roll of a record, without the dice that were kept."""
    faces = record.ruleset.faces
    for turn in record.turns:
        is_person = record.seats[turn.seat].kind == "human"
        yield Rolled(turn.rolls[0], (), turn.seat, is_person, faces)
        for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
            left = Counter(roll) - Counter(keep.dice)
            yield Rolled(tuple(left.elements()), keep.dice, turn.seat, is_person, faces)


def dice_tests(records: Iterable[Record]) -> tuple[DiceTest, ...]:
    """All five tests on the dice of records, without those that the sample is too small for."""
    return examine([one for record in records for one in rolled_in(record)])


def examine(rolled: Sequence[Rolled]) -> tuple[DiceTest, ...]:
    """All five tests on given rolls, without those that the sample is too small for."""
    found = [
        test
        for test in (
            _faces(rolled),
            _patterns(rolled),
            _groups(rolled, "seats", "Does every seat roll the same faces?", lambda one: one.seat),
            _groups(rolled, "people", "Do people and computer players roll the same faces?", lambda one: one.is_person),
            _kept(rolled),
        )
        if test is not None
    ]
    return tuple(_corrected(found))


def _faces(rolled: Sequence[Rolled]) -> DiceTest | None:
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for one in rolled:
        counts[one.num_faces].update(one.dice)
    statistic, freedom, sample = 0.0, 0, 0
    for num_faces, count in counts.items():
        expected = count.total() / num_faces
        if expected >= MIN_EXPECTED:
            statistic += sum((count[face] - expected) ** 2 / expected for face in range(1, num_faces + 1))
            freedom += num_faces - 1
            sample += count.total()
    return _chi_square("faces", "Does every face come up equally often?", sample, statistic, freedom)


def _patterns(rolled: Sequence[Rolled]) -> DiceTest | None:
    """Pairs and other groups of equal dice among dice that were rolled at once."""
    found: dict[tuple[int, int], Counter[tuple[int, ...]]] = defaultdict(Counter)
    for one in rolled:
        if len(one.dice) > 1:
            found[len(one.dice), one.num_faces][_pattern(one.dice)] += 1
    statistic, freedom, sample = 0.0, 0, 0
    for (num_dice, num_faces), count in found.items():
        cells = list(_cells(count, _pattern_chances(num_dice, num_faces)))
        if len(cells) > 1:
            statistic += sum((seen - expected) ** 2 / expected for seen, expected in cells)
            freedom += len(cells) - 1
            sample += count.total()
    return _chi_square("pairs", "Do pairs and triples come up as often as they should?", sample, statistic, freedom)


def _groups(rolled: Sequence[Rolled], name: str, question: str, key: Callable[[Rolled], object]) -> DiceTest | None:
    """Whether several groups of rolls have the same faces."""
    tables: dict[int, dict[object, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
    for one in rolled:
        tables[one.num_faces][key(one)].update(one.dice)
    statistic, freedom, sample = 0.0, 0, 0
    for num_faces, groups in tables.items():
        large = {group: c for group, c in groups.items() if c.total() / num_faces >= MIN_EXPECTED}
        if len(large) < 2:
            continue
        totals = sum(large.values(), Counter())
        faces = [face for face in totals if totals[face]]
        for count in large.values():
            for face in faces:
                expected = totals[face] * count.total() / totals.total()
                statistic += (count[face] - expected) ** 2 / expected
        freedom += (len(large) - 1) * (len(faces) - 1)
        sample += totals.total()
    return _chi_square(name, question, sample, statistic, freedom)


def _kept(rolled: Sequence[Rolled]) -> DiceTest | None:
    """Whether dice rolled beside kept ones show the kept faces as often as chance would have it."""
    from scipy.special import ndtr

    seen, expected, variance, sample = 0, 0.0, 0.0, 0
    for one in rolled:
        if one.kept:
            chance = len(set(one.kept)) / one.num_faces
            seen += sum(die in one.kept for die in one.dice)
            expected += chance * len(one.dice)
            variance += chance * (1 - chance) * len(one.dice)
            sample += len(one.dice)
    if variance < MIN_EXPECTED:
        return None
    statistic = (seen - expected) / variance**0.5
    question = "Do rerolled dice avoid or seek the faces that were kept?"
    return DiceTest("kept", question, sample, statistic, float(2 * ndtr(-abs(statistic))))


def _chi_square(name: str, question: str, sample: int, statistic: float, freedom: int) -> DiceTest | None:
    from scipy.special import chdtrc

    if not freedom:
        return None
    return DiceTest(name, question, sample, statistic, float(chdtrc(freedom, statistic)))


def _corrected(tests: Sequence[DiceTest]) -> Iterator[DiceTest]:
    """The tests with Holm's adjusted chances, in their order."""
    adjusted: dict[str, float] = {}
    highest = 0.0
    for rank, test in enumerate(sorted(tests, key=lambda test: test.p)):
        highest = max(highest, min(1.0, test.p * (len(tests) - rank)))
        adjusted[test.name] = highest
    return (replace(test, adjusted=adjusted[test.name]) for test in tests)


def _pattern(dice: Dice) -> tuple[int, ...]:
    """How many dice are equal: (3, 2) for a full house."""
    return tuple(sorted(Counter(dice).values(), reverse=True))


@lru_cache(maxsize=64)
def _pattern_chances(num_dice: int, num_faces: int) -> Mapping[tuple[int, ...], Fraction]:
    chances: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for roll in rolls(num_dice, num_faces):
        chances[_pattern(roll)] += Fraction(ways(roll), num_faces**num_dice)
    return chances


def _cells(count: Counter[tuple[int, ...]], chances: Mapping[tuple[int, ...], Fraction]) -> Iterator[tuple[int, float]]:
    """Seen and expected cases of each pattern, rare ones together until enough are expected."""
    total = count.total()
    seen, expected = 0, 0.0
    likely_last = sorted(chances.items(), key=lambda item: (item[1], item[0]))
    left = float(total)
    for pattern, chance in likely_last:
        seen += count[pattern]
        expected += float(chance) * total
        left -= float(chance) * total
        # The last cell takes what would be too little for one of its own.
        if expected >= MIN_EXPECTED and (left >= MIN_EXPECTED or pattern == likely_last[-1][0]):
            yield seen, expected
            seen, expected = 0, 0.0
