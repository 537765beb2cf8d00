"""`Verification`: compares the dice of a record, line by line, with those that its secret determines.

It knows no rules: docs/record-format.md says what it reads, docs/fair-dice.md what it computes. `web/src/lib/verify.ts`
does the same in a browser, and tests compare the two.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import compress
from typing import Literal

from fivedice.base.errors import UnknownError, wrong_type
from fivedice.game.proof import TableDice
from fivedice.game.proof_notes import UndoneTurn
from fivedice.game.record import Record
from fivedice.game.record_lines import NOT_KEPT, RecordLines, TurnLine, line_of, read_lines
from fivedice.game.record_proof import RecordProof
from fivedice.game.seats import choose_opening
from fivedice.rulesets.dice import FACES, Dice, format_dice

Kind = Literal["commitment", "opening", "turns", "rolls", "keep", "dice"]

_ORDINALS = ("first", "second", "third")


@dataclass(frozen=True, slots=True)
class Problem:
    """Lines of a record that the secret does not support. `turn` and `roll` are counted from 0.

    ==========  ===============================  =====================================
    kind        `shown` in the record            `made` by the secret
    ==========  ===============================  =====================================
    commitment  the commitment                   the SHA-256 of the secret
    opening     the seat that began              the seat that begins
    turns       the number of turns with dice    that of the turns in the proof
    rolls       the number of rolls in the turn  that of its rolls in the proof
    keep        the dice that both lines keep    the dice before, which do not fit these
    dice        the dice of a line after a roll  those dice
    ==========  ===============================  =====================================

    `lines` are the numbers of the lines that say it, from 1.
    """

    kind: Kind
    lines: tuple[int, ...]
    shown: str
    made: str
    turn: int | None = None
    roll: int | None = None

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
            case "keep":
                return f"{self._roll}: the two lines keep {self.shown} of {self.made}, which do not agree"
            case "dice":
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
        num, found = _check_turn(turn, line, placed, dice, lines.proof.faces)
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


def _check_turn(turn: int, line: TurnLine, placed: TurnLine, dice: TableDice, faces: int) -> tuple[int, list[Problem]]:
    """The number of dice of a turn that were compared, and the problems of the first step that has any."""
    both = line.number, placed.number
    if len(line.rolls) != len(placed.rolls):
        return 0, [Problem("rolls", both, str(len(line.rolls)), str(len(placed.rolls)), turn)]
    num_dice = 0
    before: Dice = (NOT_KEPT,) * len(placed.rolls[0])
    for roll, (shown, rolled) in enumerate(zip(line.rolls, placed.rolls, strict=True)):
        kept = placed.keeps[roll - 1] if roll else before
        is_kept = [face != NOT_KEPT for face in kept]
        fits = len(kept) == len(before) and all(face in (NOT_KEPT, old) for face, old in zip(kept, before, strict=True))
        keep = line.keeps[roll - 1] if roll else ()
        if not fits or keep != _ascending(compress(kept, is_kept)):
            places = "".join(FACES[face - 1] if face != NOT_KEPT else "_" for face in kept)
            return num_dice, [Problem("keep", both, f"{format_dice(keep)} / {places}", format_dice(before), turn, roll)]
        num_dice += kept.count(NOT_KEPT)
        before = tuple(
            face if face != NOT_KEPT else dice.die(turn, roll, place, faces) for place, face in enumerate(kept)
        )
        steps = (line.number, shown, _ascending(before)), (placed.number, rolled, before)
        problems = [
            Problem("dice", (number,), format_dice(said), format_dice(made), turn, roll)
            for number, said, made in steps
            if said != made
        ]
        if problems:
            return num_dice, problems
    return num_dice, []


def _ascending(dice: Iterable[int]) -> Dice:
    return tuple(sorted(dice))
