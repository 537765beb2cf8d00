"""The parts of a table as JSON: its seats, the current turn, the last decision and the proof of the dice."""

from typing import Literal, TypeAlias

from msgspec import Struct

from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice
from fivedice.views.action import ActionParts
from fivedice.views.card import CardView, OfferView, offer_views

Preparing: TypeAlias = Literal["sought", "failed"]
"""Why a computer player cannot decide: what it plays by is being found, or that failed, and is tried again later."""


class SeatView(Struct, frozen=True):
    """A seat. `kind` is "person" or a kind of computer player; `stand_in` is the kind that finishes the turn of a
    person whose clock ran out."""

    seat: int
    name: str
    kind: str
    is_open: bool
    stand_in: str | None
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
    preparing: Preparing | None
    """Why the computer player that acts here cannot decide yet; None if it can."""
    asked: int = 0
    """How many of the person's actions the tutor questioned."""
    changed: int = 0
    """How many decisions the person then made otherwise."""
    is_late: bool = False
    """Whether the clock ran out in the person's last turn: if it does again, the seat resigns."""


class LeadView(Struct, frozen=True):
    """The seats with the most points so far, and by how many a single one is ahead of the next; 0 if they are tied."""

    seats: list[int]
    points: int


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
    most_missing: int = 0
    """How many rolls of real dice may be missing before the first that is entered in this turn; 0 after that."""


def turn_of_position(position: Position, number: int = 0, places: Dice = (), kept: tuple[bool, ...] = ()) -> TurnView:
    """The turn of a position as a game of one seat; `places` are its dice in their places, by default ascending."""
    dice = list(places or position.dice)
    return TurnView(
        number=number,
        seat=0,
        round=position.round,
        dice=dice,
        kept=list(kept) or [False] * len(dice),
        rolls_left=position.rolls_left,
        rolls=position.card.rolls,
        roll_id=0,
        offers=offer_views(position),
    )


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
