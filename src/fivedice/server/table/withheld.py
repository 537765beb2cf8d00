"""Whether a table withholds advice from its players during the game, and whether it ever shows any."""

from fivedice.server.table.state import PERSON, State, Table


def shows_values(table: Table) -> bool:
    """Whether a table can show exact values before its game is over."""
    return table.help != "none"


def withheld_from(table: Table) -> frozenset[int]:
    """The seats whose players get no exact answer from this server now; none unless the game is in progress, and none
    that has resigned.

    The tutor names the best action before a decision, so a table with a tutor withholds nothing. Neither does one whose
    rules cannot be solved: the lack of help was not chosen.
    """
    if table.state is not State.PLAYING or not table.has_solution or table.help not in ("none", "after"):
        return frozenset()
    return frozenset(seat for seat in table.position.remaining if table.seats[seat].kind == PERSON)
