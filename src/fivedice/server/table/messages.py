"""Messages to the clients of a table, and the views in them, from which a page is drawn without knowing the rules."""

from typing import Literal

from msgspec import Struct

from fivedice.server.table.answers import AnyAnswer
from fivedice.server.table.created import Help
from fivedice.server.table.state import PERSON, State, Table
from fivedice.server.table.verb import Kept, SeatNumber, Version
from fivedice.server.table.verbs import AnyEvent
from fivedice.views.action import ActionParts
from fivedice.views.advice import AdviceView
from fivedice.views.card import CardView, OfferView
from fivedice.views.rules import RulesView


class SeatView(Struct, frozen=True):
    """A seat. `kind` is "person" or a kind of computer player; `stand_in` is the kind that acts for the person now.

    `is_skip`: the computer player acts for this turn only.
    """

    seat: int
    name: str
    kind: str
    is_open: bool
    stand_in: str | None
    is_skip: bool
    resigned: bool
    """Whether the seat gave up the game."""
    card: CardView
    rank: int | None
    """1 for the winners; tied seats share a rank. None until the game is over, and in one without a winner."""
    margin: int | None
    """By how many points the only winner is ahead of the next seat, or any other seat behind a winner.

    None until the game is over, and where points did not decide it.
    """
    has_nonce: bool
    """Whether the seat has added a nonce to the dice."""
    asked: int = 0
    """How many of the person's actions the tutor questioned."""
    changed: int = 0
    """How many decisions the person then made otherwise."""


class TurnView(Struct, frozen=True):
    """The current turn. `dice` are in their places, empty before the first roll; `kept` belongs to the last roll."""

    number: int
    seat: int
    round: int
    dice: list[int]
    kept: list[bool]
    rolls_left: int
    rolls: int
    """The total number of rolls in this turn."""
    roll_id: int
    """The version of the event that rolled these dice; a page animates the roll when it changes."""
    offers: list[OfferView]


class DecisionView(Struct, frozen=True):
    """The last decision with its loss and the best action, at a table that gives advice after decisions.

    A score is judged once it is final: with the next step at a person's seat, or when the game ends.
    """

    seat: int
    action: str
    action_parts: ActionParts
    loss: float
    best: str
    best_parts: ActionParts


class DiceProofView(Struct, frozen=True):
    """The values that prove the dice. The secret, in hexadecimal digits, is None until the table has ended."""

    commitment: str
    nonces: list[str]
    secret: str | None


class TableView(Struct, frozen=True):
    """A table at one version as a page shows it; the same for everybody, so that it is encoded only once, except that
    `advice` and `last` are None for a browser that plays another game which withholds advice."""

    table: str
    version: int
    state: State
    """"open" (a seat is free), "opening" (the seats have not rolled for who begins), "playing", "over" (the game is
    complete) or "closed" (the table ended early)."""
    has_begun: bool
    """Whether dice have been rolled, after which no nonces can be added."""
    line: str
    """The position in notation."""
    seats: list[SeatView]
    turn: TurnView | None
    """None unless `state` is "playing"."""
    first: int | None
    """The seat that begins; None until the opening roll has decided it."""
    help: Help
    """What everybody is shown during the game: nothing ("none"), what each decision cost ("after"), a question before
    a costly decision ("tutor"), or the value of every action ("always")."""
    has_review: bool
    """Whether the game can be reviewed; false if its rules cannot be solved here."""
    has_odds: bool
    """Whether the chances to win are shown during the game."""
    withholds: bool
    """Whether the players of this game get no exact answers from this server elsewhere, while they play."""
    silence: int
    silent_at: float | None
    """When the seat to move counts as idle, in seconds since 1970; None if never."""
    advice: AdviceView | None
    last: DecisionView | None
    can_undo: list[int]
    """The seats that may take their last score back."""
    solving: float | None
    """Progress of the solution needed for advice, 0 to 1; None if nothing is being solved."""
    solving_place: int | None
    """How many other searches come before it: 0 while it runs; None if nothing is being solved."""
    proof: DiceProofView
    rematch: str | None
    rematch_by: int | None
    """The seat that offered the rematch."""


class Update(Struct, frozen=True, tag_field="type", tag="update"):
    """An update for one connection: the events since its last version, oldest first, and the table after them.

    It also answers "events since v". `status` is "up_to_date" (no events), "events", "snapshot" (too far behind: only
    the view) or "unknown_version" (the table never had that version: only the view).
    """

    status: Literal["up_to_date", "events", "snapshot", "unknown_version"]
    events: list[AnyEvent]
    view: TableView
    yours: list[int]
    """The seats that the receiver holds."""
    here: list[int]
    """The seats with a connected holder, and those of computer players."""
    now: float
    """The server's clock in seconds since 1970, to compare `silent_at` with."""
    can_close_at: float | None
    """When the receiver may end the table for everyone, in seconds since 1970; None while others play."""
    rules: RulesView | None = None
    """The rules, which never change: only in a connection's first update, and on request."""
    withheld: str | None = None
    """The table of another game that the receiver plays, because of which this one shows no values now; "" if the
    database cannot tell whether there is one."""


class Presence(Struct, frozen=True, tag_field="type", tag="presence"):
    """Somebody connected or disconnected: the seats that are connected now."""

    here: list[int]


class KeptDice(Struct, frozen=True, tag_field="type", tag="kept", forbid_unknown_fields=True):
    """The dice that a seat keeps for now, one mark for each place. Clients and server send it to each other.

    It is not stored and changes nothing: only the roll decides. `roll_id` is the roll that it belongs to; a client
    ignores it for any other roll.
    """

    seat: SeatNumber
    roll_id: Version
    kept: Kept


class SocketAnswer(Struct, frozen=True, tag_field="type", tag="answer"):
    """The answer to a command that was sent over a socket."""

    answer: AnyAnswer


class Farewell(Struct, frozen=True, tag_field="type", tag="farewell"):
    """The server is about to stop; everything it acknowledged is stored. Connect again."""


AnySocketMessage = Update | Presence | KeptDice | SocketAnswer | Farewell


def is_choice(table: Table, kept: KeptDice) -> bool:
    """Whether the person to move can choose these dice now."""
    turn = table.turn
    is_to_move = table.state is State.PLAYING and kept.seat == turn.position.seat and table.mover.decider == PERSON
    has_rolled = bool(turn.places) and kept.roll_id == turn.rolled_at and turn.position.rolls_left > 0
    return is_to_move and has_rolled and len(kept.kept) == len(turn.places)
