"""`Questions`: which actions the tutor has asked about at a table, so that the events say how it was used.

A refused command is no event, so these are kept by the process that asked, while it has the table in memory.
"""

from fivedice.game.action import Action
from fivedice.server.table.state import Table


class Questions:
    """The actions that the tutor has asked about, by decision."""

    def __init__(self) -> None:
        self._asked: dict[tuple[int, str], set[Action]] = {}

    def add(self, table: Table, action: Action) -> None:
        """Remember that the tutor asked about an action in the present decision of a table."""
        self._asked.setdefault(_decision(table), set()).add(action)

    def about(self, table: Table) -> frozenset[Action]:
        """The actions that it has asked about in the present decision of a table."""
        return frozenset(self._asked.get(_decision(table), ()))


def _decision(table: Table) -> tuple[int, str]:
    """The present decision: the dice cannot change without another roll, even if a score is taken back."""
    return table.turn.rolled_at, table.position.card.announced
