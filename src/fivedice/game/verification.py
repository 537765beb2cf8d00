"""`Verification`: compares the dice of a record, line by line, with those that its secret determines.

It knows no rules: docs/record-format.md says what it reads, docs/fair-dice.md what it computes. `web/src/lib/verify.ts`
does the same in a browser, and tests compare the two.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from fivedice.base.errors import UnknownError, wrong_type
from fivedice.game.proof import TableDice
from fivedice.game.proof_notes import UndoneTurn
from fivedice.game.record import Record
from fivedice.game.record_lines import NOT_KEPT, RecordLines, TurnLine, line_of, read_lines
from fivedice.game.record_proof import RecordProof
from fivedice.game.seats import choose_opening
from fivedice.rulesets.dice import FACES, Dice, format_dice

Kind = Literal["commitment", "opening", "turns", "rolls", "size", "keep", "die"]

_ORDINALS = ("first", "second", "third")


@dataclass(frozen=True, slots=True)
class Problem:
    """Lines of a record that the secret does not support. `turn` and `roll` are counted from 0.

    ==========  ===============================  ==================================
    kind        `shown` in the record            `made` by the secret
    ==========  ===============================  ==================================
    commitment  the commitment                   the SHA-256 of the secret
    opening     the seat that began              the seat that begins
    turns       the number of turns with dice    that of the turns in the proof
    rolls       the number of rolls in the turn  that of its rolls in the proof
    size        the dice of the roll             that of the proof, of another size
    keep        the dice that a line keeps       those that the other line keeps
    die         a die                            that die
    ==========  ===============================  ==================================

    `lines` are the numbers of the lines that say it, from 1, and `supported` is the number of the line that says what
    the secret gives, if there is one.
    """

    kind: Kind
    lines: tuple[int, ...]
    shown: str
    made: str
    turn: int | None = None
    roll: int | None = None
    supported: int | None = None

    def __str__(self) -> str:
        """A sentence for people, who count turns and rolls from 1."""
        match self.kind:
            case "commitment":
                return f"the secret is not the one committed to: its SHA-256 is {self.made}"
            case "opening":
                return f"who began: the record says seat {self.shown}, the secret gives seat {self.made}"
            case "turns":
                return f"the record has {self.shown} turns with dice, its proof {self.made}; here they part"
            case "rolls":
                return f"{self._turn}: the record has {self.shown} rolls, its proof {self.made}"
            case "size":
                return f"{self._roll}: the record has {self.shown}, its proof {self.made}: not as many dice"
            case "keep" if self.supported:
                return f"{self._roll}: the record keeps {self.shown}, the secret shows that {self.made} was kept"
            case "keep":
                return f"{self._roll}: the record keeps {self.shown}, its proof {self.made}"
            case "die":
                return f"{self._roll}: the record says {self.shown}, the secret gives {self.made}"

    @property
    def _turn(self) -> str:
        return f"turn {(self.turn or 0) + 1}"

    @property
    def _roll(self) -> str:
        number = self.roll or 0
        return (
            f"{self._turn}, {_ORDINALS[number]} roll" if number < len(_ORDINALS) else f"{self._turn}, roll {number + 1}"
        )


@dataclass(frozen=True, slots=True)
class Verification:
    """A record and what its revealed secret gives: the number of dice that were compared, and all problems.

    Of each turn, the first step with a problem is named: what follows rests on it.
    """

    lines: RecordLines
    proof: RecordProof
    dice: int
    problems: tuple[Problem, ...]

    @property
    def began(self) -> Literal["rolled", "chosen", "unknown"]:
        """How it was decided who begins: only what was rolled is compared with the secret."""
        if _is_opening_rolled(self.lines, self.proof):
            return "rolled"
        return "chosen" if self.proof.opening == "first" else "unknown"

    @property
    def foreseen(self) -> tuple[UndoneTurn, ...]:
        """The undone turns after which people knew dice of their own.

        Tables do not allow it, and the check relies on nothing that they say.
        """
        return tuple(undone for undone in self.proof.undone if undone.is_foreseen(self.lines.kinds))


def verify_record(record: Record | str) -> Verification:
    """Compute every die of a record from its secret and compare.

    Raises `UnknownError` if the record has no proof or its dice were real ones, `IllegalError` if its secret is not
    revealed yet, and an error that names the line if a text is not of the form of a record. Points and result are for
    `parse_record` to check.
    """
    if not isinstance(record, Record | str):
        raise wrong_type("a Record, as parse_record() returns, or its text", record)
    return verify_lines(read_lines(str(record)))


def verify_lines(lines: RecordLines) -> Verification:
    """Verify a record that is read already; see `verify_record`."""
    if lines.is_real:
        raise UnknownError("real dice, entered by hand: there is nothing to verify")
    if lines.proof is None:
        raise UnknownError("the record carries no proof: its dice cannot be checked")
    dice = lines.proof.table_dice()
    problems = [*_commitment(lines, lines.proof, dice), *_opening(lines, lines.proof, dice)]
    if len(lines.turns) != len(lines.placed):
        return Verification(lines, lines.proof, 0, (*problems, _first_without_partner(lines)))
    num_dice = 0
    for turn, (line, placed) in enumerate(zip(lines.turns, lines.placed, strict=True)):
        num, found = _CheckedTurn(turn, line, placed, dice, lines.proof.faces).check()
        num_dice += num
        problems += found
    return Verification(lines, lines.proof, num_dice, tuple(problems))


def _commitment(lines: RecordLines, proof: RecordProof, dice: TableDice) -> Iterator[Problem]:
    if dice.commitment != proof.commitment:
        numbers = lines.numbers["commitment"], lines.numbers["secret"]
        yield Problem("commitment", numbers, proof.commitment, dice.commitment)


def _is_opening_rolled(lines: RecordLines, proof: RecordProof) -> bool:
    """Whether dice decided who began, and the record shows how many dice there are to roll for it."""
    return proof.opening == "random" or (proof.opening == "highest_roll" and bool(lines.placed))


def _opening(lines: RecordLines, proof: RecordProof, dice: TableDice) -> Iterator[Problem]:
    if not _is_opening_rolled(lines, proof):
        return
    num_dice = len(lines.placed[0].rolls[0]) if lines.placed else 0
    first = choose_opening(proof.opening, num_dice, proof.faces, len(lines.kinds), dice.opening()).first
    if first != lines.first:
        yield Problem("opening", (line_of("first"),), str(lines.first), str(first))


def _first_without_partner(lines: RecordLines) -> Problem:
    """Where the turns of a record and of its proof, which are not as many, begin to differ."""
    pairs = enumerate(zip(lines.turns, lines.placed, strict=False))
    alike = min(len(lines.turns), len(lines.placed))
    turn = next((turn for turn, (line, placed) in pairs if line.rolls[0] != _ascending(placed.rolls[0])), alike)
    numbers = tuple(both[turn].number for both in (lines.turns, lines.placed) if turn < len(both))
    return Problem("turns", numbers, str(len(lines.turns)), str(len(lines.placed)), turn)


@dataclass(frozen=True, slots=True)
class _CheckedTurn:
    """A turn in both its lines, and the dice of its table."""

    turn: int
    line: TurnLine
    placed: TurnLine
    dice: TableDice
    faces: int

    def check(self) -> tuple[int, list[Problem]]:
        """The number of dice that were compared, and the problems of the first step that has any."""
        if len(self.line.rolls) != len(self.placed.rolls):
            return 0, [self._problem("rolls", str(len(self.line.rolls)), str(len(self.placed.rolls)))]
        num_dice = 0
        before: Dice = ()
        for roll, (shown, placed) in enumerate(zip(self.line.rolls, self.placed.rolls, strict=True)):
            kept = self.placed.keeps[roll - 1] if roll else (NOT_KEPT,) * len(placed)
            if not len(shown) == len(placed) == len(kept) == len(before or placed):
                return num_dice, [self._problem("size", format_dice(shown), format_dice(placed), roll)]
            if roll and (problem := self._keep(roll, before, kept)):
                return num_dice, [problem]
            num_dice += kept.count(NOT_KEPT)
            made = self._made(roll, before, [face != NOT_KEPT for face in kept])
            if problems := self._dice(roll, made):
                return num_dice, problems
            before = made
        return num_dice, []

    def _made(self, roll: int, before: Dice, is_kept: Sequence[bool]) -> Dice:
        """The dice after a roll by place, if the marked ones of those before it are kept."""
        return tuple(
            before[place] if stays else self.dice.die(self.turn, roll, place, self.faces)
            for place, stays in enumerate(is_kept)
        )

    def _keep(self, roll: int, before: Dice, kept: Dice) -> Problem | None:
        """Whether both lines keep the same of the dice before a roll."""
        in_line, in_places = self.line.keeps[roll - 1], _ascending(face for face in kept if face != NOT_KEPT)
        is_possible = all(face in (NOT_KEPT, before[place]) for place, face in enumerate(kept))
        if is_possible and in_line == in_places:
            return None
        marks = [face != NOT_KEPT for face in kept]
        is_placed = is_possible and self._made(roll, before, marks) == self.placed.rolls[roll]
        is_line = self._is_kept_as_in_line(roll, before, in_line)
        if is_placed == is_line:
            return self._problem("keep", format_dice(in_line), format_dice(in_places), roll)
        line, placed = self.line.number, self.placed.number
        if is_placed:
            return self._problem("keep", format_dice(in_line), format_dice(in_places), roll, (line,), placed)
        return self._problem("keep", format_dice(in_places), format_dice(in_line), roll, (placed,), line)

    def _is_kept_as_in_line(self, roll: int, before: Dice, keep: Dice) -> bool:
        """Whether the roll in the turn's line follows from a keep of these dice, whichever of equal ones were kept."""
        places = range(len(before))
        return any(
            _ascending(before[place] for place in chosen) == keep
            and _ascending(self._made(roll, before, [place in chosen for place in places])) == self.line.rolls[roll]
            for chosen in combinations(places, len(keep))
        )

    def _dice(self, roll: int, made: Dice) -> list[Problem]:
        """The dice of a roll that are not those of the secret, first those of the turn's line."""
        placed, shown = self.placed.rolls[roll], self.line.rolls[roll]
        pairs = [(face, right) for face, right in zip(placed, made, strict=True) if face != right]
        in_line = list(zip(_without(shown, made), _without(made, shown), strict=True))
        both, line, place = (self.line.number, self.placed.number), self.line.number, self.placed.number
        if shown == _ascending(placed):
            return [self._die(roll, *pair, both if in_line else (place,), None if in_line else line) for pair in pairs]
        return [
            *(self._die(roll, *pair, (line,), None if pairs else place) for pair in in_line),
            *(self._die(roll, *pair, (place,), None if in_line else line) for pair in pairs),
        ]

    def _die(self, roll: int, shown: int, made: int, lines: tuple[int, ...], supported: int | None) -> Problem:
        return self._problem("die", FACES[shown - 1], FACES[made - 1], roll, lines, supported)

    def _problem(
        self,
        kind: Kind,
        shown: str,
        made: str,
        roll: int | None = None,
        lines: tuple[int, ...] = (),
        supported: int | None = None,
    ) -> Problem:
        return Problem(kind, lines or (self.line.number, self.placed.number), shown, made, self.turn, roll, supported)


def _ascending(dice: "Collection[int] | Iterator[int]") -> Dice:
    return tuple(sorted(dice))


def _without(dice: Dice, others: Dice) -> list[int]:
    """The dice that are left after each of the others has removed an equal one."""
    return sorted((Counter(dice) - Counter(others)).elements())
