"""An `StoredEvent`: an event of a table as it is stored."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it is stored: `body` is its JSON, `command` the id of the command that it answers.

    `after` is the command of the event that it was made to follow, unless it is a table's first; it is not stored.
    """

    table: str
    version: int
    command: str
    at: float
    body: str
    after: str = field(default="", compare=False)

    def row(self) -> dict[str, object]:
        """The columns of `schema.events`."""
        return {
            "table_id": self.table,
            "version": self.version,
            "command": self.command,
            "at": self.at,
            "body": self.body,
        }
