"""`Preview`: what the link to a table shows before it is opened: nothing that a watcher of the table cannot see."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.rulesets.dice import Dice
from fivedice.server.table.event import Help
from fivedice.server.table.state import PERSON, State, Table

if TYPE_CHECKING:
    from fivedice.game.record import Record


MAX_GAME_CHARACTERS = 60
"""Characters of the name of the rules: that of custom rules may be much longer."""


@dataclass(frozen=True, slots=True)
class PreviewSeat:
    """A seat: its player, total and final rank, and whether it resigned. `name` is empty for a free seat."""

    name: str
    kind: str
    total: int
    rank: int | None = None
    resigned: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """A table: the name of its rules, its stage and its seats.

    `side` is the seat that shares its result; None to tell it from the winner's side. `help` is what everybody is shown
    of the exact values during the game.
    """

    game: str
    state: State
    seats: tuple[PreviewSeat, ...]
    round: int
    rounds: int
    side: int | None = None
    help: Help = "none"

    @property
    def num_free(self) -> int:
        """The number of free seats."""
        return len(self.seats) - len(self.taken)

    @property
    def taken(self) -> list[PreviewSeat]:
        """The seats with a player."""
        return [seat for seat in self.seats if seat.name]

    @property
    def host(self) -> str:
        """The first person at the table; empty if there is none yet."""
        return next((seat.name for seat in self.taken if seat.kind == PERSON), "")

    @property
    def winners(self) -> list[PreviewSeat]:
        """The seats that won; none before the end, and in a game that was given up."""
        return [seat for seat in self.seats if seat.rank == 1]

    @property
    def resigned(self) -> list[PreviewSeat]:
        """The seats that gave up the game."""
        return [seat for seat in self.seats if seat.resigned]


def preview_of(table: Table, side: int | None = None) -> Preview:
    """The preview of a table. `side` is the seat whose result it tells."""
    position, ruleset = table.position, table.ruleset
    seats = tuple(
        PreviewSeat(seat.name, seat.kind, card.total, rank, resigned=card.resigned)
        for seat, card, rank in zip(table.seats, position.cards, position.ranks, strict=True)
    )
    return Preview(
        game=_shortened(ruleset.name),
        state=table.state,
        seats=seats,
        round=min(position.round, ruleset.rounds),
        rounds=ruleset.rounds,
        side=side if side is not None and side < len(seats) else None,
        help=table.help,
    )


@dataclass(frozen=True, slots=True)
class BestTurn:
    """The turn of a seat that scored most: its last dice, and its points with any bonus."""

    dice: Dice
    points: int


def best_turn(record: "Record", seat: int) -> BestTurn | None:
    """The best turn of a seat, the first of several; None before its first score."""
    scored = [
        BestTurn(turn.rolls[-1], turn.offer.points + turn.offer.bonus)
        for turn in record.turns
        if turn.offer and turn.seat == seat
    ]
    return max(scored, key=lambda turn: turn.points, default=None)


def _shortened(name: str) -> str:
    return name if len(name) <= MAX_GAME_CHARACTERS else name[: MAX_GAME_CHARACTERS - 1].rstrip() + "…"
