"""`DiceCounts`: counts of dice by several criteria, and the `DiceTest`s of whether dice so counted are fair.

The counts of two collections add up to those of both, so every roll is counted only once.

>>> rolled = Rolled((3, 3), kept=(3, 5, 6), seat=0, is_person=True, num_faces=6, replaces=((1, 3), (2, 3)))
>>> for cell, num in sorted(count([rolled]).items()):
...     print(cell.table, cell.row, cell.column, num)
faces 0 person 3 2
kept 3 same 2
pairs 2 2 1
replaces 1 3 1
replaces 2 3 1

The tests hold however often one looks. Each is a bet against fair dice at fair odds, with a stake of 1. Its present
worth is the evidence: the chance of all counts if the faces of each row had shares drawn from a Dirichlet
distribution around the fair ones, over their chance with fair dice. With fair dice this ratio is a martingale, so it
ever reaches x with a chance of at most 1 / x, whenever one looks and stops (Ville 1939, "Étude critique de la notion de
collectif"; Robbins 1970, "Statistical methods related to the law of the iterated logarithm"; Ramdas, Grünwald, Vovk and
Shafer 2023, "Game-theoretic statistics and safe anytime-valid inference").

The same seven questions are asked of every collection. One is unusual from `THRESHOLD` on, so that fair dice ever give
a false alarm in at most one of a thousand collections (`ALPHA`). Kept dice are not counted again.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import exp, fsum, lgamma, log
from typing import NamedTuple

from fivedice.game.record import Record
from fivedice.rulesets.dice import Dice, rolls, ways

PERSON, COMPUTER = "person", "computer"
SAME, OTHER = "same", "other"


class Cell(NamedTuple):
    """A cell of one of these tables, for dice with `faces` faces.

    | table      | row                                   | column                    | counts |
    |------------|---------------------------------------|---------------------------|--------|
    | `faces`    | seat and roller, as in `0 person`     | the face                  | dice   |
    | `pairs`    | how many dice were rolled at once     | how many were equal, `32` | rolls  |
    | `kept`     | how many different faces were kept    | `same` as one, or `other` | dice   |
    | `follows`  | the die rolled just before, or beside | the face                  | dice   |
    | `replaces` | what the same die showed before       | the face                  | dice   |
    """

    table: str
    faces: int
    row: str
    column: str


DiceCounts = Counter[Cell]


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice of one roll, those kept beside them, and who rolled.

    If the places of dice are known, `follows` pairs each die with the one rolled just before it at the same table, and
    `replaces` pairs it with what the same die showed before; the earlier face comes first.
    """

    dice: Dice
    kept: Dice
    seat: int
    is_person: bool
    num_faces: int
    follows: tuple[tuple[int, int], ...] = ()
    replaces: tuple[tuple[int, int], ...] = ()


def rolled_in(record: Record) -> Iterator[Rolled]:
    """Every roll of a record, without the kept dice; none of real dice, which are not those of this program.

    Places are known only for records with a proof.
    """
    if record.dice == "real":
        return
    faces = record.ruleset.faces
    placed = record.proof.turns if record.proof else (None,) * len(record.turns)
    last: int | None = None
    for turn, places in zip(record.turns, placed, strict=True):
        is_person = record.seats[turn.seat].is_person
        before: Dice = ()
        for number, roll in enumerate(turn.rolls):
            keep = turn.keeps[number - 1].dice if number else ()
            if places is None:
                yield Rolled(tuple((Counter(roll) - Counter(keep)).elements()), keep, turn.seat, is_person, faces)
                continue
            now = places.rolls[number]
            found = rolled_at(now.dice, now.kept, before, last, turn.seat, is_person, faces)
            yield found
            before, last = now.dice, found.dice[-1] if found.dice else last


def rolled_at(
    dice: Dice, kept: tuple[bool, ...], before: Dice, last: int | None, seat: int, is_person: bool, num_faces: int
) -> Rolled:
    """The roll that led to `dice`, in place order. `kept` marks the dice that were not rolled, `before` is what they
    showed earlier (empty for the first roll of a turn), and `last` is the die rolled last at the table."""
    new = tuple(die for die, stayed in zip(dice, kept, strict=True) if not stayed)
    stays = tuple(sorted(die for die, stayed in zip(dice, kept, strict=True) if stayed))
    chain = new if last is None else (last, *new)
    replaced = ((old, die) for old, die, stayed in zip(before, dice, kept, strict=False) if not stayed)
    return Rolled(new, stays, seat, is_person, num_faces, tuple(pairwise(chain)), tuple(replaced))


def count(rolled: Iterable[Rolled]) -> DiceCounts:
    """The counts of rolls."""
    counts: DiceCounts = Counter()
    for one in rolled:
        counts.update(_cells(one))
    return counts


def pattern(dice: Dice) -> str:
    """The sizes of groups of equal dice: 32 for a full house, 1111 for four different dice. For at most ten dice."""
    return "".join(f"{num:x}" for num in sorted(Counter(dice).values(), reverse=True))


def _cells(one: Rolled) -> Iterator[Cell]:
    faces = one.num_faces
    who = f"{one.seat} {PERSON if one.is_person else COMPUTER}"
    for die in one.dice:
        yield Cell("faces", faces, who, str(die))
    if len(one.dice) > 1:
        yield Cell("pairs", faces, str(len(one.dice)), pattern(one.dice))
    if one.kept:
        different = str(len(set(one.kept)))
        for die in one.dice:
            yield Cell("kept", faces, different, SAME if die in one.kept else OTHER)
    for before, die in one.follows:
        yield Cell("follows", faces, str(before), str(die))
    for before, die in one.replaces:
        yield Cell("replaces", faces, str(before), str(die))


ALPHA = 0.001
"""The most that the chance comes to that any question is ever called unusual although the dice are fair."""

CONCENTRATION = 600.0
"""The sum of the parameters of each Dirichlet distribution: with six faces 100 for each, so that their shares deviate
by about 0.015, a tenth of 1/6. docs/dice-figures.md compares it with others."""

MOST_LOG_EVIDENCE = 27.0
"""More than e to this, 5 · 10¹¹, is not said of any evidence."""

Chances = Mapping[str, Fraction]
"""The chance of each column of a row with fair dice."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a test asks of one of the tables of `Cell`, whose rows of the same `group` are added up.

    It is asked only if there are `least` groups.
    """

    name: str
    text: str
    table: str
    group: Callable[[str], str]
    chances: Callable[[str, int], Chances]
    least: int = 1


@dataclass(frozen=True, slots=True)
class DiceTest:
    """One test of the dice: the answer to a question, and the number of dice or rolls that it is based on.

    `name` identifies it. `evidence` is what a bet of 1 against fair dice is worth now, at most 5e11; fair dice hardly
    ever come to an unusual one.
    """

    name: str
    question: str
    sample: int
    evidence: float
    is_unusual: bool


def examine(counts: DiceCounts) -> tuple[DiceTest, ...]:
    """All tests of counted dice, except those without a case."""
    return tuple(test for question in QUESTIONS if (test := _answer(question, counts)))


def log_evidence(seen: Mapping[str, int], chances: Chances) -> float:
    """The logarithm of the evidence of one row: of a Dirichlet-multinomial distribution over the fair one."""
    terms = [lgamma(CONCENTRATION) - lgamma(CONCENTRATION + sum(seen[column] for column in chances))]
    for column, chance in chances.items():
        weight, num = CONCENTRATION * float(chance), seen[column]
        terms += [lgamma(weight + num) - lgamma(weight), -num * log(chance)]
    return fsum(terms)


def _answer(question: Question, counts: DiceCounts) -> DiceTest | None:
    rows: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    for cell, num in counts.items():
        if cell.table == question.table:
            rows[cell.faces, question.group(cell.row)][cell.column] += num
    if len({row for _, row in rows}) < question.least:
        return None
    # Which row a die belongs to is known before it is rolled, so the product of the rows is a martingale, too.
    found = fsum(log_evidence(seen, question.chances(row, faces)) for (faces, row), seen in rows.items())
    sample = sum(seen.total() for seen in rows.values())
    evidence = exp(min(found, MOST_LOG_EVIDENCE))
    return DiceTest(question.name, question.text, sample, evidence, evidence >= THRESHOLD)


@lru_cache(maxsize=64)
def _of_faces(row: str, num_faces: int) -> Chances:
    return {str(face): Fraction(1, num_faces) for face in range(1, num_faces + 1)}


def _of_kept(row: str, num_faces: int) -> Chances:
    """Of showing one of the kept faces; `row` is the number of these."""
    same = Fraction(int(row), num_faces)
    return {column: chance for column, chance in ((SAME, same), (OTHER, 1 - same)) if chance}


@lru_cache(maxsize=64)
def _of_patterns(row: str, num_faces: int) -> Chances:
    num_dice = int(row)
    chances: dict[str, Fraction] = defaultdict(Fraction)
    for roll in rolls(num_dice, num_faces):
        chances[pattern(roll)] += Fraction(ways(roll), num_faces**num_dice)
    return chances


def _apart(row: str) -> str:
    return row


QUESTIONS = (
    Question("faces", "Does every face come up equally often?", "faces", lambda row: "", _of_faces),
    Question("pairs", "Do pairs and triples come up as often as they should?", "pairs", _apart, _of_patterns),
    Question(
        "seats",
        "Does every seat roll each face equally often?",
        "faces",
        lambda row: row.split(" ")[0],
        _of_faces,
        least=2,
    ),
    Question(
        "people",
        "Do people and computer players roll each face equally often?",
        "faces",
        lambda row: row.split(" ")[1],
        _of_faces,
        least=2,
    ),
    Question("kept", "Do rerolled dice avoid or seek the faces that were kept?", "kept", _apart, _of_kept),
    Question("follows", "Does a die depend on the one rolled just before it?", "follows", _apart, _of_faces),
    Question("replaces", "Does a rerolled die depend on what it showed before?", "replaces", _apart, _of_faces),
)

THRESHOLD = len(QUESTIONS) / ALPHA
"""The evidence from which a question is unusual: Bonferroni's, so that all questions together keep `ALPHA`."""
