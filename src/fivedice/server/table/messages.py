"""Messages to the clients of a table, and the views in them, from which a page is drawn without knowing the rules."""

from typing import Any, Literal, cast

from msgspec import Raw, Struct

from fivedice.game.chance import DiceSource
from fivedice.server.limits import MAX_UPDATE_EVENTS
from fivedice.server.table.answers import AnyAnswer
from fivedice.server.table.event import DuplicateEntry, Help, TournamentLink
from fivedice.server.table.history import History
from fivedice.server.table.state import PERSON, State, Table
from fivedice.server.table.verb import Kept, SeatNumber, Version
from fivedice.server.table.verbs import AnyEvent
from fivedice.views.advice import AdviceView
from fivedice.views.rules import RulesView
from fivedice.views.table import DecisionView, DiceProofView, LeadView, SeatView, TurnView


class TableView(Struct, frozen=True):
    """A table at one version as a page shows it; the same for everybody, so that it is encoded only once."""

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
    pace: int
    """The seconds that people have for a turn; 0 without a clock."""
    is_rated: bool
    """Whether the game counts for strength and, between several seats, for ratings."""
    tournament: TournamentLink | None
    awaited: list[int]
    """The seats whose people have not come, while the clock waits for the second one."""
    late_at: float | None
    """When the clock of the seat to move runs out, in seconds since 1970; None if none runs."""
    advice: AdviceView | None
    last: DecisionView | None
    can_undo: list[int]
    """The seats that may take their last score back; with real dice, the last entry."""
    is_sought: bool
    """Whether the values that its help needs are being found; an update follows when they are there, or why not."""
    refusal: str
    """Why there are none; empty without such a reason."""
    proof: DiceProofView | None
    """None for real dice, which nothing proves."""
    duplicate: DuplicateEntry | None
    """Whose dice are played; None for dice of its own."""
    dice: DiceSource
    """"real" if its people roll dice of their own and enter what they show, else "program"."""
    lead: LeadView | None
    """None before the first points, after the end, and for one seat."""
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
    """The server's clock in seconds since 1970, to compare `late_at` with."""
    can_close: bool
    """Whether the receiver may end the table for everyone."""
    rules: RulesView | None = None
    """The rules, which never change: only in a connection's first update, and on request."""

    @classmethod
    def since(
        cls,
        version: int,
        history: History[Any],
        view: TableView | Raw,
        yours: frozenset[int],
        *,
        here: list[int],
        now: float,
        rules: RulesView | None = None,
    ) -> "Update":
        """The answer to "events since `version`", for the holder of some seats; version 0 requests a snapshot.

        The events are encoded already, as the view can be, and take the place of the declared types.
        """
        newest = history.table.version
        status: Literal["up_to_date", "events", "snapshot", "unknown_version"] = "snapshot"
        if version == newest:
            status = "up_to_date"
        elif version > newest:
            status = "unknown_version"
        elif version and newest - version <= MAX_UPDATE_EVENTS:
            status = "events"
        return cls(
            status=status,
            events=cast("list[AnyEvent]", history.encoded(version if status == "events" else newest)),
            view=cast("TableView", view),
            yours=sorted(yours),
            here=here,
            now=now,
            can_close=history.table.can_close(yours),
            rules=rules,
        )


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


ReactionName = Literal["hello", "nice_roll", "bad_luck", "oops", "well_played", "thanks"]


class Reaction(Struct, frozen=True, tag_field="type", tag="reaction", forbid_unknown_fields=True):
    """What the player of a seat says: one of six things, since there is no free text. Clients and server send it to
    each other. It is not stored."""

    seat: SeatNumber
    reaction: ReactionName


class SocketAnswer(Struct, frozen=True, tag_field="type", tag="answer"):
    """The answer to a command that was sent over a socket."""

    answer: AnyAnswer


class Changed(Struct, frozen=True, tag_field="type", tag="changed"):
    """A club, a tournament, a game on the same dice or the lobby has this version now: ask for it if you have another
    one."""

    version: int


class Farewell(Struct, frozen=True, tag_field="type", tag="farewell"):
    """The server is about to stop; everything it acknowledged is stored. Connect again."""


AnySocketMessage = Update | Presence | KeptDice | Reaction | SocketAnswer | Changed | Farewell


def is_choice(table: Table, kept: KeptDice) -> bool:
    """Whether the person to move can choose these dice now."""
    turn = table.turn
    is_to_move = table.state is State.PLAYING and kept.seat == turn.position.seat and table.mover.decider == PERSON
    has_rolled = bool(turn.places) and kept.roll_id == turn.rolled_at and turn.position.rolls_left > 0
    return is_to_move and has_rolled and len(kept.kept) == len(turn.places)
