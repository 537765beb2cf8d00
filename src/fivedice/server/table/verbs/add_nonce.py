"""Add a nonce to the dice."""

from fivedice.base.errors import IllegalError
from fivedice.game.proof import MAX_NONCES
from fivedice.server.table.answers import check_not_ended
from fivedice.server.table.apply import Change, Step, require
from fivedice.server.table.context import Context
from fivedice.server.table.state import Table
from fivedice.server.table.verb import Command, Nonce, SeatNumber


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
