"""`DiceCounts`: counts of dice by several criteria, which are all that tests of fairness need.

The counts of two collections add up to those of both, so every roll is counted only once.

>>> rolled = Rolled((3, 3), kept=(3, 5, 6), seat=0, is_person=True, num_faces=6, replaces=((1, 3), (2, 3)))
>>> for cell, num in sorted(count([rolled]).items()):
...     print(cell.table, cell.row, cell.column, num)
faces 0 person 3 2
kept 3 same 2
pairs 2 2 1
replaces 1 3 1
replaces 2 3 1
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from fivedice.game.record import Record
from fivedice.rulesets.dice import Dice

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
