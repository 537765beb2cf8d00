"""`TableDice`: all the dice of a table, fixed by one secret before the first roll, so that anyone can check them later.

A die is made of the HMAC-SHA-256, keyed with the secret, of its place in the game, as ASCII text:

    fivedice dice 1
    table k7Qm2x
    nonce seat 0 5f3a
    turn 4
    roll 0
    die 2
    draw 0

docs/fair-dice.md says it for writers of other verifiers, with golden vectors.
"""

import hashlib
import hmac
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from fivedice.dice import Dice
from fivedice.errors import IllegalError, MalformedError, shown

SCHEME = "fivedice dice 1"
"""The first line of what is hashed: another way of making dice would have another."""

SECRET_BYTES = 32
MAX_NONCES = 64
MAX_SIDES = 256
"""A face is made of one byte."""

_TABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NONCE = re.compile(r"(seat|watcher) (0|[1-9][0-9]{0,3}) [0-9a-f]{1,64}")


def commitment(secret: bytes) -> str:
    """What is shown before the first roll: the SHA-256 of the secret's 32 bytes, as 64 digits 0-9 a-f."""
    if len(secret) != SECRET_BYTES:
        raise MalformedError(f"a secret of {len(secret)} bytes: want {SECRET_BYTES}")
    return hashlib.sha256(secret).hexdigest()


def check_table(table: str) -> str:
    """The id of a table as it came, if it can stand in a proof; raises `MalformedError`."""
    if not _TABLE.fullmatch(table):
        raise MalformedError(f"table {shown(table)}: want 1 to 64 of the characters A-Z, a-z, 0-9, _ and -")
    return table


def check_nonce(nonce: str) -> str:
    """A nonce as it came, if it is `seat N HEX` or `watcher N HEX`; raises `MalformedError`."""
    if not _NONCE.fullmatch(nonce):
        raise MalformedError(f"nonce {shown(nonce)}: want 'seat N HEX' or 'watcher N HEX' with 1 to 64 digits 0-9 a-f")
    return nonce


def check_nonces(nonces: Sequence[str]) -> tuple[str, ...]:
    """All nonces of a table, in the order in which they were added; raises `IllegalError` for too many."""
    if len(nonces) > MAX_NONCES:
        raise IllegalError(f"{len(nonces)} nonces: a table takes {MAX_NONCES} at most")
    return tuple(map(check_nonce, nonces))


@dataclass(frozen=True, slots=True)
class TableDice:
    """Every die of one table. Equal dice have the same secret, table and nonces; `repr` does not show the secret.

    `secret` is 32 bytes from the system's chance; `nonces`, in the order in which they were added, are as `check_nonce`
    wants them. Raises `MalformedError` or `IllegalError` for what cannot be hashed unambiguously.
    """

    secret: bytes = field(repr=False)
    table: str
    nonces: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        commitment(self.secret)
        check_table(self.table)
        check_nonces(self.nonces)

    @property
    def commitment(self) -> str:
        """The commitment to the secret."""
        return commitment(self.secret)

    def die(self, turn: int, roll: int, index: int, faces: int) -> int:
        """The face, 1 to `faces`, of the die at place `index`, if it is rolled then.

        `turn` counts the table's turns from 0 in the order of play, `roll` the rolls of the turn from 0, `index` the
        places from 0. What is kept is no argument: it cannot change what a die shows.
        """
        return face_from(self._bytes(f"turn {_count(turn)}", f"roll {_count(roll)}", f"die {_count(index)}"), faces)

    def dice(self, turn: int, roll: int, num_dice: int, faces: int) -> Dice:
        """What each place shows if it is rolled then, in place order."""
        return tuple(self.die(turn, roll, index, faces) for index in range(num_dice))

    def opening(self) -> Callable[[int], int]:
        """Chance for `choose_opening`: each call gives the next die of the opening, from 1 to its argument."""
        numbers = count()
        return lambda sides: face_from(self._bytes(f"opening {next(numbers)}"), sides)

    def _bytes(self, *place: str) -> Iterator[int]:
        """The bytes a die is made of: the 32 of draw 0, then those of draw 1, and so on."""
        lines = [SCHEME, f"table {self.table}", *(f"nonce {nonce}" for nonce in self.nonces), *place]
        for draw in count():
            message = "\n".join([*lines, f"draw {draw}"])
            yield from hmac.digest(self.secret, message.encode("ascii"), "sha256")


def face_from(stream: Iterable[int], faces: int) -> int:
    """A face, 1 to `faces`, from the first byte below the greatest multiple of `faces` that is at most 256.

    Bytes from there on are passed over, so that every face has the same number of bytes.
    """
    if not 1 <= faces <= MAX_SIDES:
        raise MalformedError(f"a die of {faces} faces: want 1 to {MAX_SIDES}")
    limit = 256 - 256 % faces
    return next(byte for byte in stream if byte < limit) % faces + 1


def _count(number: int) -> int:
    if number < 0:
        raise MalformedError(f"{number}: turns, rolls and dice are counted from 0")
    return number
