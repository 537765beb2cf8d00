"""`Verification`: compares every die of a record with the one that its secret determines."""

from dataclasses import dataclass

from fivedice.errors import UnknownError, wrong_type
from fivedice.game.opening import choose_opening
from fivedice.game.record import Record
from fivedice.game.record_proof import RecordProof
from fivedice.game.undone import UndoneTurn


@dataclass(frozen=True, slots=True)
class CheckedDie:
    """A rolled die: turn, roll and place, all from 0; the face in the record, and that from the secret."""

    turn: int
    roll: int
    place: int
    shown: int
    made: int

    def __str__(self) -> str:
        where = f"turn {self.turn}, roll {self.roll}, die {self.place}"
        return f"{where}: the record shows {self.shown}, the secret makes {self.made}"


@dataclass(frozen=True, slots=True)
class Verification:
    """A record and its proof, with what the revealed secret gives: the commitment, the seat that begins, the dice.

    If the seat that begins was not chosen by chance, `first` is that of the record.
    """

    record: Record
    proof: RecordProof
    commitment: str
    first: int
    dice: tuple[CheckedDie, ...]

    @property
    def wrong(self) -> tuple[CheckedDie, ...]:
        """The dice that differ from those of the secret, in the order of play."""
        return tuple(die for die in self.dice if die.shown != die.made)

    @property
    def foreseen(self) -> tuple[UndoneTurn, ...]:
        """The undone turns after which people knew dice of their own.

        Tables of this version do not allow it; those of earlier versions did.
        """
        return tuple(undone for undone in self.proof.undone if undone.is_foreseen(self.record.seats))

    @property
    def problems(self) -> list[str]:
        """All differences, one sentence each; none if the record agrees with its secret."""
        result = []
        if self.commitment != self.proof.commitment:
            result.append(f"the secret is not the one committed to: its SHA-256 is {self.commitment}")
        if self.first != self.record.first:
            result.append(f"the opening: seat {self.record.first} began, the secret makes it seat {self.first}")
        return result + [str(die) for die in self.wrong]


def verify_record(record: Record) -> Verification:
    """Compute every die of a record from its secret and compare.

    Raises `UnknownError` if the record has no proof, `IllegalError` if its secret is not revealed yet.
    """
    if not isinstance(record, Record):
        raise wrong_type("a Record, as parse_record() returns", record)
    proof = record.proof
    if proof is None:
        raise UnknownError("the record carries no proof: its dice cannot be checked")
    table_dice = proof.table_dice()
    opening = choose_opening(proof.opening, record.ruleset, len(record.seats), table_dice.opening())
    dice = tuple(
        CheckedDie(turn, roll, place, face, table_dice.die(turn, roll, place, proof.faces))
        for turn, placed in enumerate(proof.turns)
        for roll, placed_roll in enumerate(placed.rolls)
        for place, face in placed_roll.rolled()
    )
    first = record.first if proof.opening == "first" else opening.first
    return Verification(record, proof, table_dice.commitment, first, dice)
