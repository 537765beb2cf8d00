"""Roll for who begins."""

from fivedice.base.errors import IllegalError
from fivedice.game.position import Position
from fivedice.game.seats import choose_opening
from fivedice.server.table.answers import check_not_ended
from fivedice.server.table.apply import Change, Step, require
from fivedice.server.table.context import Chance, Context
from fivedice.server.table.state import HIGHEST_ROLL, LiveTurn, State, Table
from fivedice.server.table.verb import SeatCommand


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


def roll_off(table: Table, chance: Chance, now: float, seat: int | None = None) -> Step:
    """Roll for who begins, repeating for tied seats; `seat` is the seat that started it, if any."""
    opening = choose_opening(HIGHEST_ROLL, table.ruleset.dice, table.ruleset.faces, len(table.seats), chance.opening())
    rounds = [[totals.get(index) for index in range(len(table.seats))] for totals in opening.rounds]
    return Step.of(table, RolledOff(at=now, seat=seat, rounds=rounds, first=opening.first))
