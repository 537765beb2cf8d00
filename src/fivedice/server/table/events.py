"""Events: the append-only facts of a table, which replay to its state.

An accepted command is exactly one event, and the number of an event is the table's version after it: the first,
`Created`, is version 1. Events contain all randomness and time, so that replay is deterministic.
They are stored as JSON: a new field needs a default, and fields are never renamed.
"""

from typing import Literal

from msgspec import Struct

from fivedice.game.used_help import Help as Help

TUTOR_LOSS = 2.0
"""The tutor questions decisions that lose more points than this."""


class Event(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """The fields of every event: `at` in seconds since 1970, and the seat that it belongs to, if any."""

    at: float
    seat: int | None = None


class NewSeat(Struct, frozen=True, omit_defaults=True):
    """A seat of a new table: `kind` is "person" or a kind of computer player; an open seat has no name."""

    kind: str
    name: str = ""


class Created(Event, frozen=True, tag="created"):
    """The table was created: its rules (a reference in notation, or the text of a TOML file), seats and settings.

    `commitment` is the SHA-256 of the dice's secret. Events are public, so the secret is not part of them.
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
    help: Help | None = None
    """None in events of earlier versions, which had two settings instead; see `given_help`."""
    advice: Literal["never", "after", "always"] = "never"
    tutor: float = 0.0
    """The tutor questioned decisions that lost more points than this; 0 was no tutor."""
    silence: int = 0
    """Idle seconds after which the others may let a computer player act for a seat; 0 is never."""
    previous: str = ""
    """The table that this one is a rematch of."""

    @property
    def given_help(self) -> Help:
        """The help at this table. Of the two settings of earlier versions, advice has more to say than the tutor."""
        if self.help is not None:
            return self.help
        if self.advice != "never":
            return self.advice
        return "tutor" if self.tutor else "none"

    @property
    def tutor_loss(self) -> float:
        """The tutor questions decisions that lose more points than this."""
        return self.tutor or TUTOR_LOSS


class Sat(Event, frozen=True, tag="sat"):
    """A person took an open seat, with or without a nonce, or renamed their seat."""

    name: str
    nonce: str = ""


class NonceAdded(Event, frozen=True, tag="nonce_added"):
    """A seat or a watcher added a nonce to the dice before the first roll: hexadecimal digits."""

    nonce: str


class RolledOff(Event, frozen=True, tag="rolled_off"):
    """The seats rolled for who begins. `rounds` has the total of each seat, None for seats that are no longer tied."""

    rounds: list[list[int | None]]
    first: int


class Decided(Event, frozen=True, kw_only=True):
    """An action of a seat, and how the tutor had a part in it."""

    asked: int = 0
    """The actions that the tutor had questioned before this one, in the same decision."""
    changed: bool = False
    """Whether this action is none of them."""


class Rolled(Decided, frozen=True, tag="rolled"):
    """Dice were rolled: all dice in their places, and which of them were kept (empty for the first roll of a turn)."""

    dice: list[int]
    kept: list[bool]
    by: str = "person"
    """"person", or the kind of the computer player that decided."""


class Scored(Decided, frozen=True, tag="scored"):
    """A box was filled, which ended the turn. The last score ends the game and reveals the secret."""

    box: str
    points: int
    bonus: int = 0
    scratch: bool = False
    by: str = "person"


class Announced(Decided, frozen=True, tag="announced"):
    """A box was announced after the first roll of a turn, which must end in this box; the dice stay."""

    box: str
    by: str = "person"


class Undone(Event, frozen=True, tag="undone"):
    """A seat took its score or announcement back, with the steps of computer players after it; its turn continues with
    the same dice.

    It is the last score or announcement of a person, and no step at a person's seat has followed. In logs of earlier
    versions, stand-ins may have acted since then.
    """


class StoodIn(Event, frozen=True, tag="stood_in"):
    """A computer player acts for a seat: for one turn (`turns` is 1) or until the person returns (0).

    `asked_by` is the seat that asked for it, unless the seat's own person did.
    """

    player: str
    turns: int = 0
    asked_by: int | None = None


class Returned(Event, frozen=True, tag="returned"):
    """A person took their seat back from a computer player."""


class Resigned(Event, frozen=True, tag="resigned"):
    """A person gave up the game; the others play on, or the last seat wins. What was scored before is final.

    The game also ends if no person is left. Its end reveals the secret.
    """

    unplayed: int
    """The turns that will not be played: those left on the card, or on all cards if the game ended."""


class Closed(Event, frozen=True, tag="closed"):
    """A seat or the server ended the table before its game was over; the secret is revealed."""


class Rematched(Event, frozen=True, tag="rematched"):
    """The same players started another game at another table."""

    table: str


AnyEvent = (
    Created
    | Sat
    | NonceAdded
    | RolledOff
    | Rolled
    | Scored
    | Announced
    | Undone
    | StoodIn
    | Returned
    | Resigned
    | Closed
    | Rematched
)


def changer(event: AnyEvent) -> int | None:
    """The seat whose person renamed it, undid a score, or changed who decides there; None for all other events.

    The rules bound the number of rolls and scores in a game, but not of these changes. All other events are bounded by
    the rules and these changes together.
    """
    match event:
        case Sat(seat=seat) | Undone(seat=seat) | Returned(seat=seat) | StoodIn(seat=seat, asked_by=None):
            return seat
    return None
