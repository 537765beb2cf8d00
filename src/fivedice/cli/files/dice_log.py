"""A `DiceLog`: every die rolled in a game, with its place, so that neither undo nor a restart rolls it again.

    fivedice dice 1
    seed 7 after 23
    turn 0: 31435, keep 3__3_, 36332
    undone 1.0: 52261
    undone 1.1: --443

`turn` lines are the turns of the game in place order. `undone` lines have the dice of turns that were taken back, by
turn, roll and place; if they are rolled again, they are the same. The line `seed` is there if the user gave a seed:
new dice then go on after that many words of its randomness.
"""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from fivedice.base.errors import MalformedError
from fivedice.game.placed_turn import PlacedTurn, parse_placed_turn, places_of
from fivedice.game.turn import Turn


class SeededChance(random.Random):
    """`random.Random(seed)` after it has drawn `num_words` words of 32 bits, which it counts.

    >>> chance = SeededChance(7)
    >>> plain = random.Random(7)
    >>> [chance.randint(1, 6) for _ in range(9)] == [plain.randint(1, 6) for _ in range(9)]
    True
    >>> again = SeededChance(7, chance.num_words)
    >>> [chance.randint(1, 6) for _ in range(9)] == [again.randint(1, 6) for _ in range(9)]
    True
    """

    def __init__(self, seed: int, num_words: int = 0) -> None:
        super().__init__(seed)
        self.first_seed = seed
        self.num_words = 0
        for _ in range(num_words):
            self.getrandbits(32)

    def random(self) -> float:
        """A number from 0 to 1, made of two words."""
        self.num_words += 2
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        """`k` random bits."""
        self.num_words += -(-k // 32)
        return super().getrandbits(k)


_TITLE = "fivedice dice 1"
_SEED = re.compile(r"seed ([+-]?[0-9]{1,18}) after ([0-9]{1,7})")
_UNDONE = re.compile(r"undone ([0-9]{1,4})\.([0-9]{1,4}): ([1-9-]{1,10})")


class DiceLog:
    """The dice of a game: `turns` in place order, and the dice of undone turns, which are rolled again as they were.

    New dice come from `chance`; they have `faces` faces.
    """

    def __init__(
        self,
        chance: random.Random,
        faces: int,
        turns: Sequence[PlacedTurn] = (),
        undone: Mapping[tuple[int, int, int], int] = MappingProxyType({}),
    ) -> None:
        self.turns = list(turns)
        self._chance = chance
        self._faces = faces
        self._undone = dict(undone)
        """(turn, roll, place) → die."""

    @property
    def places(self) -> list[int]:
        """The dice of the last turn, by place; none before the first."""
        return list(self.turns[-1].rolls[-1].dice) if self.turns else []

    @property
    def kept(self) -> list[bool]:
        """For each place, whether its die was kept from the last roll but one."""
        return list(self.turns[-1].rolls[-1].kept) if self.turns else []

    def start(self, num_dice: int) -> tuple[int, ...]:
        """Make the first roll of a turn; returns the dice by place."""
        turn = len(self.turns)
        self._expect(turn, 0, range(num_dice))
        dice = tuple(self._die(turn, 0, place) for place in range(num_dice))
        self.turns.append(PlacedTurn.start(dice))
        return dice

    def reroll(self, kept: Sequence[bool]) -> tuple[int, ...]:
        """Roll the dice that are not kept; returns the dice by place."""
        turn, roll = len(self.turns) - 1, len(self.turns[-1].rolls)
        self._expect(turn, roll, [place for place, stays in enumerate(kept) if not stays])
        dice = tuple(
            die if stays else self._die(turn, roll, place)
            for place, (die, stays) in enumerate(zip(self.places, kept, strict=True))
        )
        self.turns[-1] = self.turns[-1].roll(dice, kept)
        return dice

    def undo(self, num_turns: int, num_rolls: int | None = None) -> None:
        """Take back all but the first turns, and of the last one kept all but the first rolls.

        If they are rolled again, their dice are the same.
        """
        for number, turn in enumerate(self.turns):
            first = 0 if number >= num_turns else num_rolls if number == num_turns - 1 else None
            if first is not None:
                for roll, placed in enumerate(turn.rolls[first:], start=first):
                    self._undone.update({(number, roll, place): die for place, die in placed.rolled()})
        del self.turns[num_turns:]
        if self.turns and num_rolls:
            self.turns[-1] = PlacedTurn(self.turns[-1].rolls[:num_rolls])

    def __str__(self) -> str:
        """The log as text; `parse_dice_log` reads it."""
        chance = self._chance
        lines = [_TITLE]
        if isinstance(chance, SeededChance):
            lines.append(f"seed {chance.first_seed} after {chance.num_words}")
        lines += (f"turn {number}: {turn}" for number, turn in enumerate(self.turns))
        for turn, roll in sorted({key[:2] for key in self._undone}):
            last = max(place for key_turn, key_roll, place in self._undone if (key_turn, key_roll) == (turn, roll))
            dice = "".join(str(self._undone.get((turn, roll, place), "-")) for place in range(last + 1))
            lines.append(f"undone {turn}.{roll}: {dice}")
        return "\n".join(lines) + "\n"

    def _expect(self, turn: int, roll: int, places: Iterable[int]) -> None:
        """Let people who roll real dice enter those that no undone turn has."""
        if expect := getattr(self._chance, "expect", None):
            expect(sum((turn, roll, place) not in self._undone for place in places))

    def _die(self, turn: int, roll: int, place: int) -> int:
        die = self._undone.pop((turn, roll, place), 0)
        return die or self._chance.randint(1, self._faces)


def log_of(chance: random.Random, faces: int, turns: Sequence[Turn]) -> DiceLog:
    """The log of turns whose places are not known: sorted dice, where equal dice keep their places."""
    return DiceLog(chance, faces, [_placed(turn) for turn in turns])


def seeded_chance(text: str) -> SeededChance | None:
    """The randomness that a log goes on with; None if the user gave no seed."""
    found = next(filter(None, map(_SEED.fullmatch, text.splitlines()[1:2])), None)
    return SeededChance(int(found[1]), int(found[2])) if found else None


def parse_dice_log(text: str, chance: random.Random, faces: int, turns: Sequence[Turn]) -> DiceLog:
    """The log that a text describes, brought to the turns of a record.

    The log is saved before the record, so it may have a roll that the record lacks; that roll will be made again with
    the same dice. Raises `MalformedError` or `IllegalError` if the text is no log or belongs to other turns.
    """
    lines = text.splitlines()
    if not lines or lines[0] != _TITLE:
        raise MalformedError(f"a log of dice begins with the line {_TITLE!r}")
    placed: list[PlacedTurn] = []
    undone: dict[tuple[int, int, int], int] = {}
    for line in lines[2 if _SEED.fullmatch("".join(lines[1:2])) else 1 :]:
        if found := _UNDONE.fullmatch(line):
            number, roll = int(found[1]), int(found[2])
            undone.update({(number, roll, place): int(die) for place, die in enumerate(found[3]) if die != "-"})
        elif line.startswith(key := f"turn {len(placed)}: "):
            placed.append(parse_placed_turn(line.removeprefix(key)))
        else:
            raise MalformedError(f"want 'turn {len(placed)}: …' or 'undone …', found {line[:60]!r}")
    if len(placed) < len(turns):
        raise MalformedError(f"the log has {len(placed)} turns of {len(turns)}")
    if any(not 1 <= die <= faces for die in undone.values()):
        raise MalformedError(f"the dice have {faces} faces")
    log = DiceLog(chance, faces, placed, undone)
    log.undo(len(turns), len(turns[-1].rolls) if turns else None)
    for one, turn in zip(log.turns, turns, strict=True):
        one.check(turn)
    return log


def _placed(turn: Turn) -> PlacedTurn:
    placed = PlacedTurn.start(turn.rolls[0])
    for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
        before = placed.rolls[-1].dice
        kept = places_of(keep, before, placed.rolls[-1].kept)
        rolled = list(roll)
        for die in keep.dice:
            rolled.remove(die)
        placed = placed.roll([die if stays else rolled.pop(0) for die, stays in zip(before, kept, strict=True)], kept)
    return placed
