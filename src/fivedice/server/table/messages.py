"""Views: what a page shows of a table, computed by the server so that a client needs no rules."""

from typing import Literal

from msgspec import Struct

from fivedice.server.table.commands import AnyAnswer
from fivedice.server.table.events import AdviceMode, AnyEvent
from fivedice.server.table.state import State
from fivedice.views.advice import AdviceView
from fivedice.views.card import CardView, OfferView
from fivedice.views.rules import RulesView


class SeatView(Struct, frozen=True):
    """A seat: `kind` is "person" or a kind of computer player, `stand_in` the kind that acts for the person now.

    `is_skip` says that the person decides again after this turn, without returning.
    """

    seat: int
    name: str
    kind: str
    is_open: bool
    stand_in: str | None
    is_skip: bool
    card: CardView
    rank: int | None
    """1 for the winners, shared by all who tie; None while the game goes on."""


class TurnView(Struct, frozen=True):
    """The turn being played. `dice` are in their places, empty before the first roll; `kept` as of the last roll."""

    number: int
    seat: int
    round: int
    dice: list[int]
    kept: list[bool]
    rolls_left: int
    rolls: int
    """The rolls that this turn has in all."""
    roll_id: int
    """The version of the event that rolled these dice: a page animates when it changes."""
    offers: list[OfferView]


class DecisionView(Struct, frozen=True):
    """A decision just made: what it cost, and what was best; shown where a table gives advice after decisions."""

    seat: int
    action: str
    loss: float
    best: str


class DiceProofView(Struct, frozen=True):
    """What makes the dice checkable: `nonces` as the dice take them; the secret, in hexadecimal digits, at the end."""

    commitment: str
    nonces: list[str]
    secret: str | None


class TableView(Struct, frozen=True):
    """All that a page shows of a table at one version, the same for everybody: it is encoded once for all sockets."""

    table: str
    version: int
    state: State
    """"open" (seats are free), "opening" (the highest roll has yet to say who begins), "playing", "over" (the game is
    complete) or "closed" (the table ended early)."""
    has_begun: bool
    """Whether dice have been rolled: nonces come before."""
    line: str
    """The position in notation."""
    seats: list[SeatView]
    turn: TurnView | None
    """None unless the table is being played."""
    first: int | None
    """The seat that begins, or began; None until the highest roll has said so."""
    advice_mode: AdviceMode
    tutor: float
    silence: int
    silent_at: float | None
    """When the seat to move counts as silent, in seconds since 1970; None if never."""
    advice: AdviceView | None
    last: DecisionView | None
    can_undo: list[int]
    """The seats that may take their last score back."""
    solving: float | None
    """How much of the solution that advice waits for is done, 0 to 1; None when nothing is being solved."""
    proof: DiceProofView
    rematch: str | None


class Update(Struct, frozen=True, tag_field="type", tag="update"):
    """News of a table for one connection: events since the version it had, oldest first, and the table after them.

    The same message is the answer to "events since v": `status` is "up_to_date" (no events), "events", "snapshot" (too
    far behind: no events, look at the view) or "unknown_version" (the table never had it; again the view counts).
    """

    status: Literal["up_to_date", "events", "snapshot", "unknown_version"]
    events: list[AnyEvent]
    view: TableView
    yours: list[int]
    """The seats that the receiver holds."""
    here: list[int]
    """The seats of which a holder is connected now, and those of computer players."""
    now: float
    """The server's clock, in seconds since 1970: what `silent_at` is compared with."""
    rules: RulesView | None = None
    """The rules, which never change: with a connection's first update, and where they are asked for."""


class Presence(Struct, frozen=True, tag_field="type", tag="presence"):
    """Somebody came or went: the seats that are here now."""

    here: list[int]


class SocketAnswer(Struct, frozen=True, tag_field="type", tag="answer"):
    """The answer to a command sent over a socket."""

    answer: AnyAnswer


class Farewell(Struct, frozen=True, tag_field="type", tag="farewell"):
    """The server is about to stop, having finished what it acknowledged: connect again."""


AnySocketMessage = Update | Presence | SocketAnswer | Farewell
