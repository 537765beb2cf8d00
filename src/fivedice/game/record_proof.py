"""`RecordProof`: the part of a record that makes its dice verifiable; the lines of its block `proof:`.

    scheme: fivedice dice 1
    table: k7Qm2x
    commitment: 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd
    faces: 6
    source: browser
    opening: highest_roll
    nonce: seat 0 5f3a
    secret: 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
    undone: turn 0, score threes
    help: tutor, seat 0 asked 3 changed 2
    turn 0: 31435, keep 3__3_, 36332

docs/record-format.md describes it line by line.
"""

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import TypeVar

from fivedice.base.errors import IllegalError, MalformedError, UnknownError, at_line, shown, suggest
from fivedice.game.placed_turn import PlacedTurn, parse_placed_turn
from fivedice.game.proof import SCHEME, TableDice, check_nonce, check_nonces, check_table
from fivedice.game.proof_notes import UndoneTurn, UsedHelp, parse_undone_turn, parse_used_help
from fivedice.game.seats import METHODS, Seat
from fivedice.game.turn import Turn
from fivedice.rulesets.dice import MAX_FACES
from fivedice.rulesets.ruleset import Ruleset

POLICY = "it will be when the game ends or the table closes, no later than 30 days after its last action"
"""When the secret is revealed."""

BROWSER = "browser"
"""The source of a secret that a player's own browser chose, so that it proves nothing."""

BLANK = " \t"
"""What may stand around a line of a record."""

_HEX = re.compile(r"[0-9a-f]{64}")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RecordProof:
    """The dice of a game in place order, and the values that determine them; `secret` is None until it is revealed.

    `commitment` has 64 digits 0-9 a-f; `nonces`, in the order in which they were added, must pass `check_nonces`;
    `opening` is how the seat that begins was chosen (see `choose_opening`), empty if nothing says it; `turns` are all
    turns of the table, the last of which may be unfinished; `undone` are the actions that were taken back, in the order
    in which that happened; `help` is the help that was on, None if nothing says it. `source` is who chose the secret:
    empty for a server, or `BROWSER`, for a game that was played offline. `repr` does not show the secret.
    """

    table: str
    commitment: str
    faces: int
    nonces: tuple[str, ...] = ()
    opening: str = "first"
    secret: bytes | None = field(default=None, repr=False)
    turns: tuple[PlacedTurn, ...] = ()
    undone: tuple[UndoneTurn, ...] = ()
    help: UsedHelp | None = None
    source: str = ""

    def __post_init__(self) -> None:
        check_table(self.table)
        check_nonces(self.nonces)
        _check_commitment(self.commitment)
        if self.opening:
            _check_opening(self.opening)
        if self.secret is not None:
            self.table_dice()

    @property
    def is_unaided(self) -> bool:
        """Whether nobody was advised before a decision, and nothing was taken back, as far as it says."""
        return self.help is not None and self.help.is_unaided and not (self.undone or self.source)

    def table_dice(self) -> TableDice:
        """The dice that the secret determines; raises `IllegalError` until it is revealed."""
        if self.secret is None:
            raise IllegalError(f"the secret of table {self.table} is not revealed yet: {POLICY}")
        return TableDice(self.secret, self.table, self.nonces)

    def check(self, ruleset: Ruleset, seats: Sequence[Seat], turns: Sequence[Turn]) -> None:
        """Raise `IllegalError` or `UnknownError` if the proof does not belong to a game with these seats and turns."""
        if self.faces != ruleset.faces:
            raise IllegalError(f"the proof is of dice with {self.faces} faces, but the game has {ruleset.faces}")
        for nonce in self.nonces:
            _check_nonce_seat(nonce, len(seats))
        if len(self.turns) != len(turns):
            raise IllegalError(f"the proof has {len(self.turns)} turns, but the game {len(turns)}")
        for placed, turn in zip(self.turns, turns, strict=True):
            placed.check(turn)
        for undone in self.undone:
            undone.check(ruleset, seats, turns)
        if any(before.turn > after.turn for before, after in pairwise(self.undone)):
            raise IllegalError("the undone turns are not in the order of play")
        if self.help:
            self.help.check(seats)

    def lines(self) -> list[str]:
        """The lines of the block, which `parse_proof` parses."""
        lines = [f"scheme: {SCHEME}", f"table: {self.table}", f"commitment: {self.commitment}", f"faces: {self.faces}"]
        if self.source:
            lines.append(f"source: {self.source}")
        if self.opening:
            lines.append(f"opening: {self.opening}")
        lines += [f"nonce: {nonce}" for nonce in self.nonces]
        if self.secret is not None:
            lines.append(f"secret: {self.secret.hex()}")
        lines += [f"undone: {undone}" for undone in self.undone]
        if self.help:
            lines.append(f"help: {self.help}")
        return lines + [f"turn {number}: {turn}" for number, turn in enumerate(self.turns)]


def parse_proof(lines: Sequence[str], number: int, num_seats: int, turns: Sequence[Turn]) -> RecordProof:
    """The proof in a record's block; `number` is the number of its first line, `turns` are those of the record.

    Raises `MalformedError`, `IllegalError` or `UnknownError` naming the line, also if the dice contradict a turn.
    """
    proof, block = begin_proof(lines, number, num_seats, len(turns))
    placed = tuple(block.take(f"turn {i}", partial(_parse_turn, turn)) for i, turn in enumerate(turns))
    block.end()
    return replace(proof, turns=placed)


def begin_proof(lines: Sequence[str], number: int, num_seats: int, num_turns: int) -> tuple[RecordProof, "Block"]:
    """The proof in a record's block without its turns, and the rest of the block, which are their lines."""
    block = Block(lines, number)
    block.take("scheme", _check_scheme)
    table = block.take("table", check_table)
    commitment = block.take("commitment", _check_commitment)
    faces = int(block.take("faces", _check_faces))
    source = block.take("source", _check_source) if block.has("source") else ""
    opening = block.take("opening", _check_opening) if block.has("opening") else ""
    nonces: list[str] = []
    while block.has("nonce"):
        nonces.append(block.take("nonce", check_nonce))
        with at_line(block.numbers["nonce"]):
            check_nonces(nonces)
            _check_nonce_seat(nonces[-1], num_seats)
    secret = bytes.fromhex(block.take("secret", _check_secret)) if block.has("secret") else None
    undone: list[UndoneTurn] = []
    while block.has("undone"):
        undone.append(block.take("undone", parse_undone_turn))
        with at_line(block.numbers["undone"]):
            undone[-1].check_numbers(num_seats, num_turns)
    used = block.take("help", parse_used_help) if block.has("help") else None
    if used:
        with at_line(block.numbers["help"]):
            used.check_numbers(num_seats)
    proof = RecordProof(
        table, commitment, faces, tuple(nonces), opening, secret, undone=tuple(undone), help=used, source=source
    )
    return proof, block


class Block:
    """Lines `key: value`, taken from the top. `numbers` has the line of each key that was taken, its last one."""

    def __init__(self, lines: Sequence[str], number: int) -> None:
        self._lines = deque((number + i, line.strip(BLANK)) for i, line in enumerate(lines) if line.strip(BLANK))
        self._after = number + len(lines)
        self.numbers: dict[str, int] = {}

    def has(self, key: str) -> bool:
        """Whether the next line has this key."""
        return bool(self._lines) and self._lines[0][1].startswith(f"{key}: ")

    def take(self, key: str, read: Callable[[str], T]) -> T:
        """The value of the next line, which must have this key, parsed by `read`."""
        number, line = self._lines[0] if self._lines else (self._after, "")
        with at_line(number):
            if not self.has(key):
                raise MalformedError(f"want '{key}: …', found {shown(line)}")
            self.numbers[key] = number
            return read(self._lines.popleft()[1].removeprefix(f"{key}: "))

    def end(self) -> None:
        """Raise `MalformedError` if a line is left."""
        for number, line in self._lines:
            with at_line(number):
                raise MalformedError(f"{shown(line)} comes after the end of the proof")


def _one_of(what: str, known: Sequence[str], text: str) -> str:
    if text not in known:
        raise UnknownError(f"there is no {what} {shown(text)}: {suggest(text, known)}")
    return text


_check_scheme = partial(_one_of, "scheme", [SCHEME])
_check_source = partial(_one_of, "source", [BROWSER])
_check_opening = partial(_one_of, "opening", METHODS)


def _check_commitment(text: str) -> str:
    if not _HEX.fullmatch(text):
        raise MalformedError(f"commitment {shown(text)}: want 64 digits 0-9 a-f")
    return text


def _check_nonce_seat(nonce: str, num_seats: int) -> None:
    who, number, _ = nonce.split(" ")
    if who == "seat" and int(number) >= num_seats:
        raise IllegalError(f"nonce {shown(nonce)}: the seats are 0 to {num_seats - 1}")


def _check_faces(text: str) -> str:
    if not re.fullmatch(r"[1-9][0-9]?", text) or not 2 <= int(text) <= MAX_FACES:
        raise MalformedError(f"faces {shown(text)}: want 2 to {MAX_FACES}")
    return text


def _check_secret(text: str) -> str:
    if not _HEX.fullmatch(text):
        raise MalformedError("this is not a secret: want 64 digits 0-9 a-f")
    return text


def _parse_turn(turn: Turn, text: str) -> PlacedTurn:
    placed = parse_placed_turn(text)
    placed.check(turn)
    return placed
