"""`PlacedTurn`: the rolls of one turn with the place of every die, unlike the sorted rolls of a record.

>>> turn = PlacedTurn.start((3, 1, 4, 3, 5)).roll((3, 6, 3, 3, 2), kept=(True, False, False, True, False))
>>> str(turn)
'31435, keep 3__3_, 36332'
>>> parse_placed_turn("31435, keep 3__3_, 36332") == turn
True
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from fivedice.base.errors import IllegalError, MalformedError, shown
from fivedice.game.action import Keep
from fivedice.game.turn import Turn
from fivedice.rulesets.dice import FACES, MAX_DICE, Dice, faces_of, format_dice

_DICE = re.compile(rf"([{FACES}]{{1,{MAX_DICE}}})")
_KEEP = re.compile(rf"keep ([{FACES}_]{{1,{MAX_DICE}}})")
_FORM = "want the faces in place order, and before each further roll what was kept, as in 31435, keep 3__3_, 36332"


@dataclass(frozen=True, slots=True)
class PlacedRoll:
    """The faces after a roll in place order, and for each place whether its die was kept from the roll before."""

    dice: Dice
    kept: tuple[bool, ...]

    def __post_init__(self) -> None:
        if len(self.kept) != len(self.dice):
            raise MalformedError(
                f"{len(self.dice)} dice, but {len(self.kept)} places kept or not: want one for each die"
            )

    def rolled(self) -> Iterator[tuple[int, int]]:
        """Place and face of every die that was rolled."""
        return ((place, die) for place, die in enumerate(self.dice) if not self.kept[place])

    @property
    def keep(self) -> Keep:
        """The dice that were kept."""
        return Keep(tuple(die for die, stays in zip(self.dice, self.kept, strict=True) if stays))

    @property
    def digits(self) -> str:
        """The faces in place order."""
        return format_dice(self.dice)


@dataclass(frozen=True, slots=True)
class PlacedTurn:
    """The rolls of a turn, at least one. Raises `IllegalError` if a kept die changed, or was kept before any roll."""

    rolls: tuple[PlacedRoll, ...]

    def __post_init__(self) -> None:
        if any(self.rolls[0].kept):
            raise IllegalError("nothing can be kept before the first roll of a turn")
        for before, after in pairwise(self.rolls):
            if len(before.dice) != len(after.dice):
                raise IllegalError(f"{len(before.dice)} dice became {len(after.dice)}")
            for place, (old, new) in enumerate(zip(before.dice, after.dice, strict=True)):
                if after.kept[place] and old != new:
                    raise IllegalError(f"the die at place {place} was kept as {old}, but shows {new} after the roll")

    @classmethod
    def start(cls, dice: Sequence[int]) -> "PlacedTurn":
        """A turn after its first roll."""
        return cls((PlacedRoll(tuple(dice), (False,) * len(dice)),))

    def roll(self, dice: Sequence[int], kept: Sequence[bool]) -> "PlacedTurn":
        """With one more roll: all faces after it in place order, and which places were kept."""
        return PlacedTurn((*self.rolls, PlacedRoll(tuple(dice), tuple(kept))))

    def check(self, turn: Turn) -> None:
        """Raise `IllegalError` if the rolls and keeps differ from those of the record's turn."""
        if len(self.rolls) != len(turn.rolls):
            raise IllegalError(f"{len(self.rolls)} rolls in places, but {len(turn.rolls)} in '{turn}'")
        for roll, dice in zip(self.rolls, turn.rolls, strict=True):
            if tuple(sorted(roll.dice)) != dice:
                raise IllegalError(f"the roll {roll.digits} is not that of '{turn}'")
        for roll, keep in zip(self.rolls[1:], turn.keeps, strict=True):
            if roll.keep != keep:
                raise IllegalError(f"{roll.keep} in places is not '{keep}' of '{turn}'")

    def __str__(self) -> str:
        """The turn as text; `parse_placed_turn` reads it."""
        steps = [self.rolls[0].digits]
        for roll in self.rolls[1:]:
            kept = "".join(FACES[die - 1] if stays else "_" for die, stays in zip(roll.dice, roll.kept, strict=True))
            steps += [f"keep {kept}", roll.digits]
        return ", ".join(steps)


def places_of(keep: Keep, places: Dice, kept: Sequence[bool] = ()) -> tuple[bool, ...]:
    """For each place, whether its die is kept. Among equal dice, those kept before come first, then the first places.

    So equal dice are not swapped. `kept` marks the places of dice kept before; if it is empty, there are none.
    Raises `IllegalError` if a die is missing.

    >>> places_of(Keep((3, 3)), (3, 3, 4, 3, 6), (False, False, False, True, False))
    (True, False, False, True, False)
    """
    wanted = list(keep.dice)
    marks = [False] * len(places)
    for place in sorted(range(len(places)), key=lambda place: not kept[place]) if kept else range(len(places)):
        if places[place] in wanted:
            wanted.remove(places[place])
            marks[place] = True
    if wanted:
        roll = format_dice(tuple(sorted(places)))
        raise IllegalError(f"{keep}: the roll {roll} does not contain {format_dice(keep.dice)}")
    return tuple(marks)


def parse_placed_turn(text: str) -> PlacedTurn:
    """The turn that a text describes; raises `MalformedError` or `IllegalError`."""
    steps = text.split(", ")
    places = "_" * len(steps[0])
    keeps = [_match(_KEEP, step, text) for step in steps[1::2]]
    rolls = [_match(_DICE, step, text) for step in steps[0::2]]
    if len(rolls) != len(keeps) + 1:
        raise MalformedError(f"{shown(text)}: {_FORM}")
    turn = PlacedTurn(
        tuple(
            PlacedRoll(faces_of(roll), tuple(mark != "_" for mark in keep))
            for roll, keep in zip(rolls, [places, *keeps], strict=True)
        )
    )
    if str(turn) != text:
        raise IllegalError(f"{shown(text)}: the dice that were kept come to {shown(str(turn))}")
    return turn


def _match(form: re.Pattern[str], step: str, text: str) -> str:
    found = form.fullmatch(step)
    if not found:
        raise MalformedError(f"{shown(text)}: {_FORM}")
    return found[1]
