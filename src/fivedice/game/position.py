"""`Position`: everything that the seat to move needs to decide. `play` and `roll` take dice and return the next one.

>>> from fivedice.rulesets import load_ruleset
>>> from fivedice.game.action import Keep, Score
>>> position = Position.start(load_ruleset("yahtzee")).roll((3, 3, 4, 5, 6))
>>> position
<Position yahtzee - 33456 r2>
>>> position.play(Keep((3, 4, 5, 6)), (2, )).play(Score("large_straight"))
<Position yahtzee large_straight=40 - r3>
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fivedice.dice import Dice, format_dice, is_keep_of, sub_keeps, with_dice
from fivedice.errors import IllegalError, MalformedError
from fivedice.game.action import Action, Keep, Offer, Score, offers
from fivedice.game.card import ScoreCard
from fivedice.game.joker import why_closed
from fivedice.ruleset import Ruleset

MAX_SEATS = 12


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """Cards by seat, the seat to move, its dice (none before the first roll of a turn) and the rolls it has left.

    After the last turn of the game the position has no dice and no legal action, and `is_over` is true.
    """

    ruleset: Ruleset
    cards: tuple[ScoreCard, ...]
    seat: int
    dice: Dice
    rolls_left: int

    @classmethod
    def start(cls, ruleset: Ruleset, num_seats: int = 1, first: int = 0) -> "Position":
        """A new game of one to twelve seats in which the seat `first` begins."""
        if not 1 <= num_seats <= MAX_SEATS:
            raise IllegalError(f"{num_seats} seats: a game has 1 to {MAX_SEATS}")
        if not 0 <= first < num_seats:
            raise IllegalError(f"seat {first} cannot begin: the seats are 0 to {num_seats - 1}")
        return cls.at_turn(ruleset, (ScoreCard.empty(ruleset),) * num_seats, first)

    @classmethod
    def at_turn(cls, ruleset: Ruleset, cards: Sequence[ScoreCard], seat: int) -> "Position":
        """The position before the first roll of a seat's turn."""
        return cls(ruleset, tuple(cards), seat, (), cards[seat].rolls)

    @property
    def card(self) -> ScoreCard:
        """The card of the seat to move."""
        return self.cards[self.seat]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: every card is complete, or a seat has won outright on a first roll."""
        return all(card.is_complete for card in self.cards) or any(card.won for card in self.cards)

    @property
    def is_first_roll(self) -> bool:
        """Whether the dice are the first roll of the turn."""
        return bool(self.dice) and self.rolls_left == self.card.rolls - 1

    @property
    def round(self) -> int:
        """The round being played, from 1."""
        return min(self.card.num_filled + 1, self.ruleset.rounds)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest total, all of them when tied; none before the game is over."""
        if not self.is_over:
            return ()
        outright = tuple(seat for seat, card in enumerate(self.cards) if card.won)
        best = max(card.total for card in self.cards)
        return outright or tuple(seat for seat, card in enumerate(self.cards) if card.total == best)

    def offers(self) -> list[Offer]:
        """Every legal `Score` with its points; none before the first roll."""
        if not self.dice or self.is_over:
            return []
        return offers(self.card, self.dice, is_first_roll=self.is_first_roll)

    def keeps(self) -> list[Keep]:
        """Every legal `Keep`, from none of the dice to all of them; none if no roll is left."""
        if not self.dice or not self.rolls_left or self.is_over:
            return []
        return [Keep(keep) for keep in sub_keeps(self.dice)]

    def actions(self) -> list[Action]:
        """Every legal action: scores first, then keeps; none before the first roll."""
        return [*(offer.action for offer in self.offers()), *self.keeps()]

    def roll(self, rolled: Dice) -> "Position":
        """The position after the first roll of a turn, which is `rolled`."""
        if self.is_over:
            raise IllegalError("the game is over: there is nothing to roll")
        if self.dice:
            raise IllegalError(f"{format_dice(self.dice)} is already rolled: choose what to keep, or a box to score")
        return self._with_roll((), rolled)

    def play(self, action: Action, rolled: Dice = ()) -> "Position":
        """The position after an action; for a `Keep`, `rolled` has the faces of the other dice, in any order.

        Raises `IllegalError` if the rules do not allow the action here, `MalformedError` for impossible dice.
        """
        if isinstance(action, Score):
            if rolled:
                raise IllegalError(f"{action} ends the turn: no dice are rolled with it")
            return self.take(self.offer_for(action))
        self.check_keep(action)
        return self._with_roll(action.dice, rolled)

    def take(self, offer: Offer) -> "Position":
        """The position after one of `offers()`, which is known to be legal."""
        card = self.card.fill(
            self.ruleset.box_index[offer.action.box],
            offer.points,
            earns_extra=bool(offer.bonus),
            saved=self.rolls_left if self.ruleset.saved_rolls else 0,
            won=offer.wins,
        )
        cards = (*self.cards[: self.seat], card, *self.cards[self.seat + 1 :])
        return Position.at_turn(self.ruleset, cards, (self.seat + 1) % len(cards))

    def offer_for(self, action: Score) -> Offer:
        """The offer of a legal `Score`; raises `IllegalError` with the reason for any other."""
        for offer in self.offers():
            if offer.action == action:
                return offer
        raise IllegalError(f"{action} is not legal in {self}: {self._why_closed(action)}")

    def why_closed(self, box: int) -> str:
        """Why the roll may not fill the box with this index, in a few words; empty if it may."""
        return why_closed(self.card, self.dice, box)

    def check_keep(self, keep: Keep) -> None:
        """Raise `IllegalError` with the reason if a `Keep` is not legal here."""
        why = self._why_not_kept(keep)
        if why:
            raise IllegalError(f"{keep} is not legal in {self}: {why}")

    def why_illegal(self, action: Action) -> str:
        """Why an action is not legal here, in a few words; empty if it is."""
        if isinstance(action, Keep):
            return self._why_not_kept(action)
        is_offered = any(offer.action == action for offer in self.offers())
        return "" if is_offered else self._why_closed(action)

    def _why_not_kept(self, keep: Keep) -> str:
        if self.is_over:
            return "the game is over"
        if not self.dice:
            return "the first roll of the turn comes before it"
        if not self.rolls_left:
            return "no roll is left; choose a box to score"
        if not is_keep_of(keep.dice, self.dice):
            missing = Counter(keep.dice) - Counter(self.dice)
            return f"the roll {format_dice(self.dice)} lacks {format_dice(tuple(sorted(missing.elements())))}"
        return ""

    def _why_closed(self, action: Score) -> str:
        index = self.ruleset.box_index.get(action.box)
        if self.is_over:
            return "the game is over"
        if not self.dice:
            return "the first roll of the turn comes before it"
        if index is None:
            return f"the card has no box {action.box}; its boxes: {', '.join(self.ruleset.box_index)}"
        closed = self.why_closed(index)
        if closed:
            return closed
        if not self.ruleset.voluntary_zero:
            return f"this ruleset has no voluntary zero; write 'score {action.box}'"
        return f"it scores 0 there; write 'score {action.box}'"

    def _with_roll(self, keep: Dice, rolled: Dice) -> "Position":
        wanted = self.ruleset.dice - len(keep)
        if len(rolled) != wanted or not all(1 <= die <= self.ruleset.faces for die in rolled):
            dice = "".join(map(str, rolled)) or "-"
            raise MalformedError(f"rolled {dice}: want {wanted} dice with faces from 1 to {self.ruleset.faces}")
        return Position(self.ruleset, self.cards, self.seat, with_dice(keep, rolled), self.rolls_left - 1)

    def __str__(self) -> str:
        """The position as one line of notation; `fivedice.game.notation.parse_position` reads it."""
        cards = "/".join(map(str, self.cards))
        seat = f"@{self.seat} " if self.seat else ""
        return f"{self.ruleset} {cards} {seat}{format_dice(self.dice)} r{self.rolls_left}"

    def __repr__(self) -> str:
        return f"<Position {self}>"
