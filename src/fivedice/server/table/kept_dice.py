"""`KeptDice`: the dice that the player to move intends to keep, which the others see before the next roll."""

from msgspec import Struct

from fivedice.server.table.state import PERSON, State, Table
from fivedice.server.table.verb import Kept, SeatNumber, Version


class KeptDice(Struct, frozen=True, tag_field="type", tag="kept", forbid_unknown_fields=True):
    """The dice that a seat keeps for now, one mark for each place. Clients and server send it to each other.

    It is not stored and changes nothing: only the roll decides. `roll_id` is the roll that it belongs to; a client
    ignores it for any other roll.
    """

    seat: SeatNumber
    roll_id: Version
    kept: Kept


def is_choice(table: Table, kept: KeptDice) -> bool:
    """Whether the person to move can choose these dice now."""
    turn = table.turn
    is_to_move = table.state is State.PLAYING and kept.seat == turn.position.seat and table.mover.decider == PERSON
    has_rolled = bool(turn.places) and kept.roll_id == turn.rolled_at and turn.position.rolls_left > 0
    return is_to_move and has_rolled and len(kept.kept) == len(turn.places)
