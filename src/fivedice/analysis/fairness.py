"""`DiceTest`s: statistical tests of whether counted dice are fair.

The same seven tests apply to every collection that is large enough for them. With Holm's correction, all of them
together raise a false alarm in one of a hundred collections (`ALPHA`). Kept dice are not counted again.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain

from fivedice.analysis.dice_counts import SAME, DiceCounts, count, pattern, rolled_in
from fivedice.analysis.tail_chances import chi_square_tail, normal_tails
from fivedice.dice import rolls, ways
from fivedice.game.record import Record

ALPHA = 0.01
"""The chance that any of the tests calls fair dice unusual."""

MIN_EXPECTED = 5.0
"""The expected cases that a cell of a chi-square test needs; smaller cells are merged."""

Table = Mapping[str, Counter[str]]
"""Row → column → count."""


@dataclass(frozen=True, slots=True)
class DiceTest:
    """One test with its sample size, statistic and p-value; `adjusted` is the p-value after Holm's correction."""

    name: str
    question: str
    sample: int
    statistic: float
    p: float
    adjusted: float = 1.0

    @property
    def is_unusual(self) -> bool:
        """Whether fair dice are very unlikely to give this result."""
        return self.adjusted < ALPHA


def dice_tests(records: Iterable[Record]) -> tuple[DiceTest, ...]:
    """All tests of the dice of records, except those for which the sample is too small."""
    return examine(count(chain.from_iterable(map(rolled_in, records))))


def examine(counts: DiceCounts) -> tuple[DiceTest, ...]:
    """All tests of counted dice, except those for which the sample is too small."""
    faces = tables(counts, "faces")
    found = (
        _faces(faces),
        _patterns(tables(counts, "pairs")),
        _alike("seats", "Does every seat roll the same faces?", _grouped(faces, lambda row: row.split(" ")[0])),
        _alike(
            "people",
            "Do people and computer players roll the same faces?",
            _grouped(faces, lambda row: row.split(" ")[1]),
        ),
        _kept(tables(counts, "kept")),
        _alike("follows", "Does a die depend on the one rolled just before it?", tables(counts, "follows")),
        _alike("replaces", "Does a rerolled die depend on what it showed before?", tables(counts, "replaces")),
    )
    return tuple(_corrected([test for test in found if test is not None]))


def tables(counts: DiceCounts, name: str) -> dict[int, Table]:
    """The tables of one name, by the number of faces."""
    found: dict[int, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for cell, num in counts.items():
        if cell.table == name:
            found[cell.faces][cell.row][cell.column] += num
    return dict(sorted(found.items()))


def totals(table: Table) -> Counter[str]:
    """The sums of a table's columns over all rows."""
    return sum(table.values(), Counter())


def _grouped(by_faces: Mapping[int, Table], key: Callable[[str], str]) -> dict[int, Table]:
    """The tables with rows of the same key merged."""
    found: dict[int, dict[str, Counter[str]]] = {}
    for num_faces, table in by_faces.items():
        found[num_faces] = defaultdict(Counter)
        for row, columns in table.items():
            found[num_faces][key(row)].update(columns)
    return dict(found)


def _faces(by_faces: Mapping[int, Table]) -> DiceTest | None:
    statistic, freedom, sample = 0.0, 0, 0
    for num_faces, table in by_faces.items():
        seen = totals(table)
        expected = seen.total() / num_faces
        if expected >= MIN_EXPECTED:
            statistic += sum((seen[str(face)] - expected) ** 2 / expected for face in range(1, num_faces + 1))
            freedom += num_faces - 1
            sample += seen.total()
    return _chi_square("faces", "Does every face come up equally often?", sample, statistic, freedom)


def _patterns(by_faces: Mapping[int, Table]) -> DiceTest | None:
    """Tests pairs and other groups of equal dice in one roll."""
    statistic, freedom, sample = 0.0, 0, 0
    for num_faces, table in by_faces.items():
        for num_dice, seen in table.items():
            cells = list(_cells(seen, _pattern_chances(int(num_dice), num_faces)))
            if len(cells) > 1:
                statistic += sum((seen - expected) ** 2 / expected for seen, expected in cells)
                freedom += len(cells) - 1
                sample += seen.total()
    return _chi_square("pairs", "Do pairs and triples come up as often as they should?", sample, statistic, freedom)


def _alike(name: str, question: str, by_faces: Mapping[int, Table]) -> DiceTest | None:
    """Tests whether all rows have the same distribution of faces, fair or not."""
    statistic, freedom, sample = 0.0, 0, 0
    for num_faces, table in by_faces.items():
        large = {row: seen for row, seen in table.items() if seen.total() / num_faces >= MIN_EXPECTED}
        if len(large) < 2:
            continue
        together = totals(large)
        for seen in large.values():
            for face, num in together.items():
                expected = num * seen.total() / together.total()
                statistic += (seen[face] - expected) ** 2 / expected
        freedom += (len(large) - 1) * (len(together) - 1)
        sample += together.total()
    return _chi_square(name, question, sample, statistic, freedom)


def _kept(by_faces: Mapping[int, Table]) -> DiceTest | None:
    """Tests whether rerolled dice show the kept faces as often as expected."""
    same, expected, variance, sample = 0, 0.0, 0.0, 0
    for num_faces, table in by_faces.items():
        for num_kept, seen in table.items():
            chance = int(num_kept) / num_faces
            same += seen[SAME]
            expected += chance * seen.total()
            variance += chance * (1 - chance) * seen.total()
            sample += seen.total()
    if variance < MIN_EXPECTED:
        return None
    statistic = (same - expected) / variance**0.5
    question = "Do rerolled dice avoid or seek the faces that were kept?"
    return DiceTest("kept", question, sample, statistic, normal_tails(statistic))


def _chi_square(name: str, question: str, sample: int, statistic: float, freedom: int) -> DiceTest | None:
    if not freedom:
        return None
    return DiceTest(name, question, sample, statistic, chi_square_tail(statistic, freedom))


def _corrected(tests: Sequence[DiceTest]) -> Iterator[DiceTest]:
    """The tests in the same order, with p-values adjusted by Holm's method."""
    adjusted: dict[str, float] = {}
    highest = 0.0
    for rank, test in enumerate(sorted(tests, key=lambda test: test.p)):
        highest = max(highest, min(1.0, test.p * (len(tests) - rank)))
        adjusted[test.name] = highest
    return (replace(test, adjusted=adjusted[test.name]) for test in tests)


@lru_cache(maxsize=64)
def _pattern_chances(num_dice: int, num_faces: int) -> Mapping[str, Fraction]:
    chances: dict[str, Fraction] = defaultdict(Fraction)
    for roll in rolls(num_dice, num_faces):
        chances[pattern(roll)] += Fraction(ways(roll), num_faces**num_dice)
    return chances


def _cells(counted: Counter[str], chances: Mapping[str, Fraction]) -> Iterator[tuple[int, float]]:
    """Seen and expected cases of each pattern, with rare patterns merged until enough cases are expected."""
    total = counted.total()
    seen, expected = 0, 0.0
    likely_last = sorted(chances.items(), key=lambda item: (item[1], item[0]))
    left = float(total)
    for found, chance in likely_last:
        seen += counted[found]
        expected += float(chance) * total
        left -= float(chance) * total
        # The last cell includes what would be too little for another one.
        if expected >= MIN_EXPECTED and (left >= MIN_EXPECTED or found == likely_last[-1][0]):
            yield seen, expected
            seen, expected = 0, 0.0
