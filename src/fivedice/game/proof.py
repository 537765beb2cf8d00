"""`TableDice`: all dice of a table, determined by a secret before the first roll, so that anyone can verify them later.

A die is derived from the HMAC-SHA-256, keyed with the secret, of its place in the game, as ASCII text:

    fivedice dice 1
    table k7Qm2x
    nonce seat 0 5f3a
    turn 4
    roll 0
    die 2
    draw 0

docs/fair-dice.md is the specification for other verifiers, with test vectors.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from fivedice.base.errors import IllegalError, MalformedError, shown
from fivedice.rulesets.dice import Dice

SCHEME = "fivedice dice 1"
"""The first line of the hashed text; another scheme would have another."""

SECRET_BYTES = 32
MAX_NONCES = 64
MAX_SIDES = 256
"""A face is derived from one byte."""

_TABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NONCE = re.compile(r"(seat|watcher) (0|[1-9][0-9]{0,3}) [0-9a-f]{1,64}")


def commitment(secret: bytes) -> str:
    """The commitment published before the first roll: the SHA-256 of the secret's 32 bytes, as 64 digits 0-9 a-f."""
    if len(secret) != SECRET_BYTES:
        raise MalformedError(f"a secret of {len(secret)} bytes: want {SECRET_BYTES}")
    return hashlib.sha256(secret).hexdigest()


def check_table(table: str) -> str:
    """Return the id of a table unchanged if it is valid in a proof; raises `MalformedError`."""
    if not _TABLE.fullmatch(table):
        raise MalformedError(f"table {shown(table)}: want 1 to 64 of the characters A-Z, a-z, 0-9, _ and -")
    return table


def check_nonce(nonce: str) -> str:
    """Return a nonce unchanged if it is `seat N HEX` or `watcher N HEX`; raises `MalformedError`."""
    if not _NONCE.fullmatch(nonce):
        raise MalformedError(f"nonce {shown(nonce)}: want 'seat N HEX' or 'watcher N HEX' with 1 to 64 digits 0-9 a-f")
    return nonce


def check_nonces(nonces: Sequence[str]) -> tuple[str, ...]:
    """The nonces of a table, in the order in which they were added; raises `IllegalError` for too many."""
    if len(nonces) > MAX_NONCES:
        raise IllegalError(f"{len(nonces)} nonces: a table takes {MAX_NONCES} at most")
    return tuple(map(check_nonce, nonces))


@dataclass(frozen=True, slots=True)
class TableDice:
    """Every die of one table. Equal dice have the same secret, table and nonces; `repr` does not show the secret.

    `secret` is 32 bytes from the system's random source; `nonces`, in the order in which they were added, must pass
    `check_nonce`. Raises `MalformedError` or `IllegalError` for values that cannot be hashed unambiguously.
    """

    secret: bytes = field(repr=False)
    table: str
    nonces: tuple[str, ...] = ()
    _head: str = field(init=False, repr=False, compare=False)
    """The lines that all dice of the table begin with."""
    _hashes: "tuple[hashlib._Hash, hashlib._Hash]" = field(init=False, repr=False, compare=False)
    """The inner and the outer hash of RFC 2104 after their keys. A copy of them costs a fifth of `hmac.digest`."""

    def __post_init__(self) -> None:
        commitment(self.secret)
        check_table(self.table)
        check_nonces(self.nonces)
        lines = [SCHEME, f"table {self.table}", *(f"nonce {nonce}" for nonce in self.nonces)]
        object.__setattr__(self, "_head", "\n".join(lines))
        key = self.secret.ljust(hashlib.sha256().block_size, b"\0")
        hashes = (hashlib.sha256(bytes(byte ^ pad for byte in key)) for pad in (0x36, 0x5C))
        object.__setattr__(self, "_hashes", tuple(hashes))

    def __reduce__(self) -> tuple[Callable[..., "TableDice"], tuple[object, ...]]:
        """Hashes cannot be pickled."""
        return TableDice, (self.secret, self.table, self.nonces)

    @property
    def commitment(self) -> str:
        """The commitment to the secret."""
        return commitment(self.secret)

    def die(self, turn: int, roll: int, index: int, faces: int) -> int:
        """The face, 1 to `faces`, of the die at place `index`, if it is rolled then.

        `turn` numbers the table's turns in the order of play, `roll` the rolls of a turn, and `index` the places, all
        from 0. The kept dice are not an argument, since they do not affect the others.
        """
        return face_from(self._bytes(f"turn {_count(turn)}", f"roll {_count(roll)}", f"die {_count(index)}"), faces)

    def dice(self, turn: int, roll: int, num_dice: int, faces: int) -> Dice:
        """The face at each place if it is rolled then, in place order."""
        return tuple(self.die(turn, roll, index, faces) for index in range(num_dice))

    def opening(self) -> Callable[[int], int]:
        """Random numbers for `choose_opening`: each call returns the next one, from 1 to its argument."""
        numbers = count()
        return lambda sides: face_from(self._bytes(f"opening {next(numbers)}"), sides)

    def _bytes(self, *place: str) -> Iterator[int]:
        """The bytes for a die: the 32 of draw 0, then those of draw 1, and so on."""
        lines = "\n".join((self._head, *place))
        for draw in count():
            inner, outer = (keyed.copy() for keyed in self._hashes)
            inner.update(f"{lines}\ndraw {draw}".encode("ascii"))
            outer.update(inner.digest())
            yield from outer.digest()


def face_from(stream: Iterable[int], faces: int) -> int:
    """A face, 1 to `faces`, from the first byte below the greatest multiple of `faces` that is at most 256.

    Larger bytes are skipped, so that the same number of bytes gives each face.
    """
    if not 1 <= faces <= MAX_SIDES:
        raise MalformedError(f"a die of {faces} faces: want 1 to {MAX_SIDES}")
    limit = 256 - 256 % faces
    for byte in stream:
        if byte < limit:
            return byte % faces + 1
    raise MalformedError("the bytes for a die have ended")


def _count(number: int) -> int:
    if number < 0:
        raise MalformedError(f"{number}: turns, rolls and dice are counted from 0")
    return number
