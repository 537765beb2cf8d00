"""`Created`: the first event of a table, with its rules, seats and settings."""

from msgspec import Struct

from fivedice.game.chance import DiceSource
from fivedice.game.proof_notes import Help as Help
from fivedice.server.table.event import Event


class NewSeat(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A seat of a new table: `kind` is "person" or a kind of computer player; an open seat has no name."""

    kind: str
    name: str = ""


class TournamentLink(Struct, frozen=True, forbid_unknown_fields=True):
    """The tournament that a table belongs to, with the name that it has."""

    id: str
    name: str


class DuplicateEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A game on the dice of a duplicate: the duplicate's id, which names the dice, and when it closes, in seconds since
    1970. Nothing is played from then on."""

    id: str
    closes: float


class Created(Event, frozen=True, tag="created"):
    """The table was created: its rules (a reference in notation, or the text of a TOML file), seats and settings.

    `commitment` is the SHA-256 of the dice's secret, empty for real dice. Events are public, so the secret is not part
    of them.
    """

    table: str
    rules: str
    digest: str
    """The digest of the rules, so that the table is never replayed with other rules of the same name."""
    commitment: str
    seats: list[NewSeat]
    toml: str = ""
    ruleset: str = ""
    """The SHA-256 of `toml` in hexadecimal digits: the database stores such a text once, and the event without it."""
    first: str = "0"
    """The seat that begins, or "highest_roll": then the opening roll decides, in a `RolledOff`."""
    help: Help = "none"
    previous: str = ""
    """The table that this one is a rematch of."""
    dice: DiceSource = "program"
    pace: int = 0
    """The seconds that people have for a turn; 0 has no clock."""
    duplicate: DuplicateEntry | None = None
    """None has dice of its own."""
    casual: bool = False
    """Whether the game counts for no rating and no strength."""
    tournament: TournamentLink | None = None
    is_called: bool = False
    """Whether its people have been named without being there: by a rematch, a round or the lobby."""

    @property
    def dice_name(self) -> str:
        """What names the dice in their proof."""
        return self.duplicate.id if self.duplicate else self.table
