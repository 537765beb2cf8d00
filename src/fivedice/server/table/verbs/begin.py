"""How a game begins: take a seat, add a nonce to the dice, roll for who begins."""

from dataclasses import replace

from fivedice.base.errors import IllegalError, require
from fivedice.game.names import checked_name, normal_name
from fivedice.game.position import Position
from fivedice.game.proof import MAX_NONCES, TableDice
from fivedice.game.seats import choose_opening
from fivedice.server.table.answers import NotAllowedError, check_not_ended
from fivedice.server.table.apply import Change, Step
from fivedice.server.table.event import Event
from fivedice.server.table.state import HIGHEST_ROLL, PERSON, LiveTurn, State, Table
from fivedice.server.table.verb import Command, Context, Name, Nonce, SeatCommand, SeatNumber


class NonceAdded(Change, frozen=True, tag="nonce_added"):
    """A seat or a watcher added a nonce to the dice before the first roll: hexadecimal digits."""

    nonce: str

    def apply(self, table: Table) -> Table:
        """The table with one more nonce."""
        return table.next(self, nonces=with_nonce(table, self.seat, self.nonce))


class AddNonce(Command, frozen=True, tag="add_nonce"):
    """Add a nonce to the dice before the first roll: one for each seat, or a watcher's without a seat."""

    becomes = NonceAdded

    nonce: Nonce
    seat: SeatNumber | None = None

    def may_act(self, table: Table, holds: frozenset[int]) -> bool:
        """Whether it is a watcher's, or the sender holds the seat."""
        return self.seat is None or self.seat in holds

    def sender(self, holds: frozenset[int], watcher: str) -> str:
        """Its seat, or the watcher."""
        return watcher if self.seat is None else str(self.seat)

    def decide(self, table: Table, context: Context) -> Step:
        """Add the nonce."""
        check_not_ended(table)
        check_nonce(table, self.seat, context.num_watcher_nonces)
        return Step.of(table, NonceAdded(at=context.now, seat=self.seat, nonce=self.nonce))


def check_nonce(table: Table, seat: int | None, num_watcher_nonces: int = 0) -> None:
    """Check that no dice are rolled and that the seat or watcher has no nonce yet.

    Watchers leave room for the nonces of all seats, in whichever order they come.
    """
    if table.is_real:
        raise IllegalError("this table is played with real dice: there is no secret, and so no nonce")
    if table.has_begun:
        raise IllegalError("the dice have been rolled: nonces are added before that")
    if seat is not None:
        if any(nonce.startswith(f"seat {seat} ") for nonce in table.nonces):
            raise IllegalError(f"seat {seat} has already added a nonce")
    elif num_watcher_nonces:
        raise IllegalError("you have already added a nonce as a watcher")
    elif sum(nonce.startswith("watcher ") for nonce in table.nonces) >= MAX_NONCES - len(table.seats):
        raise IllegalError("this table takes no more nonces of watchers")


def with_nonce(table: Table, seat: int | None, nonce: str) -> tuple[str, ...]:
    """The nonces with one more, each labelled with its seat or the number of its watcher."""
    require(not table.is_real, "a nonce is of no use with real dice")
    require(not table.has_begun and not table.has_ended, "nonces are added before the first roll")
    number = sum(known.startswith("watcher ") for known in table.nonces) if seat is None else table.index(seat)
    label = f"watcher {number}" if seat is None else f"seat {number}"
    require(not any(known.startswith(f"{label} ") for known in table.nonces), f"{label} has already added a nonce")
    return (*table.nonces, f"{label} {nonce}")


class Sat(Change, frozen=True, tag="sat"):
    """A person took an open seat, with or without a nonce, or renamed their seat."""

    name: str
    nonce: str = ""
    is_shared: bool = False
    """Whether their browser holds another seat, too."""

    @property
    def changer(self) -> int | None:
        """Its seat."""
        return self.seat

    def apply(self, table: Table) -> Table:
        """The table with the person at the seat."""
        index = table.index(self.seat)
        seat = table.seats[index]
        require(seat.kind == PERSON, f"seat {index} belongs to a computer player")
        require(not table.has_ended, f"the table is {table.state}")
        require(bool(self.name), "a person at a seat has a name")
        nonces = with_nonce(table, index, self.nonce) if self.nonce else table.nonces
        is_shared = table.is_shared or self.is_shared
        return table.next_with_seat(self, replace(seat, name=self.name), nonces=nonces, is_shared=is_shared)


class Sit(SeatCommand, frozen=True, tag="sit"):
    """Take an open seat under a name, ideally with a nonce for the dice; or rename a seat of one's own."""

    becomes = Sat

    name: Name
    nonce: Nonce | None = None

    def may_act(self, table: Table, holds: frozenset[int]) -> bool:
        """Whether the seat is open, or the sender holds it."""
        return super().may_act(table, holds) or table.seats[self.seat].is_open

    def decide(self, table: Table, context: Context) -> Step:
        """Take the seat."""
        check_not_ended(table)
        if table.seats[self.seat].kind != PERSON:
            raise IllegalError(f"seat {self.seat} belongs to a computer player")
        name = checked_name(self.name)
        others = (seat.name for index, seat in enumerate(table.seats) if index != self.seat)
        if context.look_of(name) in map(context.look_of, others):
            raise NotAllowedError(f"{name} sits here already: take another name", "name_taken")
        if self.nonce:
            check_nonce(table, self.seat)
        shared = bool(context.holds - {self.seat})
        return Step.of(table, Sat(at=context.now, seat=self.seat, name=name, nonce=self.nonce or "", is_shared=shared))

    def asks_for(self, event: Event) -> bool:
        """Whether the seat was taken under the name, with the nonce."""
        wanted = (self.seat, normal_name(self.name), self.nonce or "")
        return isinstance(event, Sat) and wanted == (event.seat, event.name, event.nonce)


class RolledOff(Change, frozen=True, tag="rolled_off"):
    """The seats rolled for who begins. `rounds` has the total of each seat, None for seats that are no longer tied."""

    rounds: list[list[int | None]]
    first: int

    def apply(self, table: Table) -> Table:
        """The table at the beginning of the game."""
        require(table.state is State.OPENING, f"no opening roll is due while the table is {table.state}")
        position = Position.start(table.ruleset, len(table.seats), self.first)
        return table.next(self, first=self.first, turn=LiveTurn(0, position))


class RollOff(SeatCommand, frozen=True, tag="roll_off"):
    """Roll for who begins, at a table where the highest roll decides; any seat may, once all seats are taken."""

    becomes = RolledOff

    def decide(self, table: Table, context: Context) -> Step:
        """Roll with the table's dice."""
        check_not_ended(table)
        if table.state is not State.OPENING:
            raise IllegalError("no opening roll is due now")
        return roll_off(table, context.chance, context.now, self.seat)


def roll_off(table: Table, chance: TableDice, now: float, seat: int | None = None) -> Step:
    """Roll for who begins, repeating for tied seats; `seat` is the seat that started it, if any."""
    opening = choose_opening(HIGHEST_ROLL, table.ruleset.dice, table.ruleset.faces, len(table.seats), chance.opening())
    rounds = [[totals.get(index) for index in range(len(table.seats))] for totals in opening.rounds]
    return Step.of(table, RolledOff(at=now, seat=seat, rounds=rounds, first=opening.first))
