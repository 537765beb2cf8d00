"""`Position`: everything that the seat to move needs to decide. `play` and `roll` take dice and return the next one.

>>> from fivedice.rulesets import load_ruleset
>>> from fivedice.game.action import Keep, Score
>>> position = Position.start(load_ruleset("yahtzee")).roll((3, 3, 4, 5, 6))
>>> position
<Position yahtzee - 33456 r2>
>>> position.play(Keep((3, 4, 5, 6)), (2, )).play(Score("large_straight"))
<Position yahtzee large_straight=40 - r3>

Dice may be lists or text, actions may be text, and a source of chance rolls the dice:

>>> Position.start("yahtzee").roll("33456").play("keep 3456", [2]).play("score large_straight")
<Position yahtzee large_straight=40 - r3>
>>> import random
>>> Position.start("yahtzee").roll(random.Random(7))
<Position yahtzee - 12346 r2>
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fivedice.base.errors import IllegalError, MalformedError, shown, wrong_type
from fivedice.base.language import ENGLISH, Language
from fivedice.game.action import Action, Announce, Keep, Offer, Score, as_action, keeps_of, offers, points_if_announced
from fivedice.game.card import ScoreCard
from fivedice.game.chance import Rolled, dice_of, is_chance
from fivedice.game.joker import why_closed
from fivedice.game.parsed_line import MAX_SEATS, parse_line
from fivedice.rulesets import as_ruleset
from fivedice.rulesets.dice import FACES, MAX_FACES, Dice, as_dice, format_dice, is_keep_of, sorted_dice, with_dice
from fivedice.rulesets.explanation.boxes import box_title
from fivedice.rulesets.ruleset import Ruleset


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """Cards by seat, the seat to move, its dice (none before the first roll of a turn) and the rolls it has left.

    After the last turn of the game the position has no dice and no legal action, and `is_over` is true. The turns of
    seats that resigned are left out.
    """

    ruleset: Ruleset
    cards: tuple[ScoreCard, ...]
    seat: int
    dice: Dice
    rolls_left: int

    def __post_init__(self) -> None:
        if type(self.cards) is not tuple:
            object.__setattr__(self, "cards", tuple(self.cards))
        if type(self.dice) is not tuple:
            object.__setattr__(self, "dice", as_dice(self.dice))

    @classmethod
    def start(cls, ruleset: Ruleset | str, num_seats: int = 1, first: int = 0) -> "Position":
        """A new game of one to twelve seats in which the seat `first` begins."""
        ruleset = as_ruleset(ruleset)
        if not 1 <= num_seats <= MAX_SEATS:
            raise IllegalError(f"{num_seats} seats: a game has 1 to {MAX_SEATS}")
        if not 0 <= first < num_seats:
            raise IllegalError(f"seat {first} cannot begin: the seats are 0 to {num_seats - 1}")
        return cls.at_turn(ruleset, (ScoreCard.empty(ruleset),) * num_seats, first)

    @classmethod
    def parse(cls, text: str, ruleset: Ruleset | None = None) -> "Position":
        """The position that a line describes; raises `MalformedError`, `UnknownError` or `IllegalError`.

        What is missing in a shorter line is that of a new game of yahtzee after its first roll: `33456`, or `crag 136
        r0`. If `ruleset` is given, it is used instead of looking up the first word, which must be its name.

        >>> Position.parse("yahtzee - 33456 r2").rolls_left
        2
        """
        position = cls(*parse_line(text, ruleset))
        position._check_dice()
        return position

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
        """Whether the game has ended: a seat has won outright on a first roll, or the cards of all seats that did not
        resign are complete, or only one of several seats is left, or none."""
        is_complete, num_left = True, 0
        for card in self.cards:  # a loop, because this is asked several times for each action
            if card.won:
                return True
            if not card.resigned:
                num_left += 1
                is_complete = is_complete and card.is_complete
        return is_complete or (num_left == 1 < len(self.cards))

    @property
    def is_first_roll(self) -> bool:
        """Whether the dice are the first roll of the turn."""
        return bool(self.dice) and self.rolls_left == self.card.rolls - 1

    @property
    def follows_announcement(self) -> bool:
        """Whether nothing was rolled after an announcement."""
        return bool(self.card.announced) and self.is_first_roll

    @property
    def roll_number(self) -> int:
        """The number of the last roll in its turn, from 0; -1 before the first."""
        return self.card.rolls - self.rolls_left - 1

    @property
    def round(self) -> int:
        """The round being played, from 1."""
        return min(self.card.num_filled + 1, self.ruleset.rounds)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest total, all of them when tied; none before the game is over.

        A seat that resigned does not win, so a game alone that was given up has no winner.
        """
        if not self.is_over:
            return ()
        outright = tuple(seat for seat, card in enumerate(self.cards) if card.won)
        best = max((self.cards[seat].total for seat in self.remaining), default=0)
        return outright or tuple(seat for seat in self.remaining if self.cards[seat].total == best)

    @property
    def ranks(self) -> list[int | None]:
        """The rank of each seat, 1 for the winners; tied seats share a rank, and those that resigned come last.

        None until the game is over, and in a game without a winner.
        """
        winners = self.winners
        if not winners:
            return [None] * len(self.cards)
        # A seat that won outright ranks above every total.
        results = [(seat in winners, not card.resigned, card.total) for seat, card in enumerate(self.cards)]
        return [1 + sum(other > result for other in results) for result in results]

    @property
    def rivals(self) -> tuple[ScoreCard, ...]:
        """The cards of the other seats that did not resign."""
        return tuple(self.cards[seat] for seat in self.remaining if seat != self.seat)

    @property
    def remaining(self) -> tuple[int, ...]:
        """The seats that did not resign."""
        return tuple(seat for seat, card in enumerate(self.cards) if not card.resigned)

    def offers(self) -> list[Offer]:
        """Every legal `Score` with its points; none before the first roll."""
        if not self.dice or self.is_over:
            return []
        return offers(self.card, self.dice, roll=self.roll_number)

    def announcements(self) -> list[Announce]:
        """Every legal `Announce`: after the first roll of a turn."""
        if not self.dice or self.is_over:
            return []
        boxes = self.ruleset.boxes
        return [Announce(boxes[index].id) for index in self.card.announceable(self.roll_number)]

    def keeps(self) -> list[Keep]:
        """Every legal `Keep`, from none of the dice to all; none if no roll is left or a box must be announced."""
        cannot = self.is_over or not self.dice or not self.rolls_left or self.card.must_announce
        return [] if cannot else list(keeps_of(self.dice))

    def actions(self) -> list[Action]:
        """Every legal action: scores first, then announcements, then keeps; none before the first roll."""
        return [*(offer.action for offer in self.offers()), *self.announcements(), *self.keeps()]

    @property
    def most_missing(self) -> int:
        """How many rolls may be missing before the first roll of the turn that is known. A box is announced after the
        first roll, so where one must be, none."""
        return 0 if self.dice or self.is_over or self.card.must_announce else self.rolls_left - 1

    def roll(self, rolled: Rolled, missing: int = 0) -> "Position":
        """The position after the first roll of a turn, which is `rolled`: dice, or a source of chance to roll them.

        If rolls of real dice before it are `missing`, it is a later one. Raises `IllegalError` and `MalformedError`.
        """
        if self.is_over:
            raise IllegalError("the game is over: there is nothing to roll")
        if self.dice:
            raise IllegalError(f"{format_dice(self.dice)} is already rolled: choose what to keep, or a box to score")
        if not 0 <= missing <= self.most_missing:
            raise IllegalError(
                f"{missing} rolls are missing before the first known one: want at most {self.most_missing} here"
            )
        position = self._with_roll((), rolled)
        return replace(position, rolls_left=position.rolls_left - missing) if missing else position

    def play(self, action: Action | str, rolled: Rolled = ()) -> "Position":
        """The position after an action, which may be text such as "keep 33".

        For a `Keep`, `rolled` has the faces of the other dice, in any order, or is a source of chance to roll them. A
        source of chance may also be given with an action that rolls no dice.

        Raises `IllegalError` if the rules do not allow the action here, `MalformedError` for impossible dice.
        """
        if not isinstance(action, Action):
            action = as_action(action)
        if not isinstance(action, Keep):
            if type(rolled) is not tuple:
                rolled = () if is_chance(rolled) else dice_of(rolled, 0, self.ruleset.faces)
            if rolled:
                raise IllegalError(f"{action}: no dice are rolled with it")
            return self.announce(action) if isinstance(action, Announce) else self.take(self.offer_for(action))
        self.check_keep(action)
        return self._with_roll(action.dice, rolled)

    def take(self, offer: Offer) -> "Position":
        """The position after one of `offers()`, which is known to be legal."""
        card = self.card.fill(
            self.ruleset.box_index[offer.action.box],
            self.dice,
            offer.points,
            bonus=offer.bonus,
            saved=self.rolls_left if self.ruleset.saved_rolls else 0,
            won=offer.wins,
        )
        cards = (*self.cards[: self.seat], card, *self.cards[self.seat + 1 :])
        return Position.at_turn(self.ruleset, cards, seat_after(self.seat, cards))

    def resign(self, seat: int) -> "Position":
        """The position after a seat, whether it is to move or not, gave up the game.

        If it was to move, the turn passes on. Raises `IllegalError` if the seat cannot resign.
        """
        if not 0 <= seat < len(self.cards):
            raise IllegalError(f"there is no seat {seat}: the seats are 0 to {len(self.cards) - 1}")
        if self.is_over:
            raise IllegalError("the game is over: nobody can resign")
        if self.cards[seat].resigned:
            raise IllegalError(f"seat {seat} has resigned already")
        gone = replace(self.cards[seat], resigned=True)
        after = replace(self, cards=(*self.cards[:seat], gone, *self.cards[seat + 1 :]))
        if seat != self.seat and not after.is_over:
            return after
        cards = tuple(replace(card, announced="") if card.announced else card for card in after.cards)
        return Position.at_turn(self.ruleset, cards, seat_after(self.seat, cards) if seat == self.seat else self.seat)

    def announce(self, action: Announce) -> "Position":
        """The position after an announcement, with the same dice; raises `IllegalError` if it is not legal."""
        if why := self._why_not_announced(action, ENGLISH):
            raise IllegalError(f"{action} is not legal in {self}: {why}")
        card = replace(self.card, announced=action.box)
        cards = (*self.cards[: self.seat], card, *self.cards[self.seat + 1 :])
        return replace(self, cards=cards)

    def points_if_announced(self, box: str) -> int:
        """What the dice would score now in a box that may be announced."""
        return points_if_announced(self.card, self.dice, box, roll=self.roll_number)

    def offer_for(self, action: Score | str) -> Offer:
        """The offer of a legal `Score`; raises `IllegalError` with the reason for any other."""
        if not isinstance(action, Score):
            action = _as_score(action)
        for offer in self.offers():
            if offer.action == action:
                return offer
        raise IllegalError(f"{action} is not legal in {self}: {self._why_closed(action, ENGLISH)}")

    def why_closed(self, box: int, to: Language = ENGLISH) -> str:
        """Why the roll may not fill the box with this index, in a few words; empty if it may."""
        reason = why_closed(self.card, self.dice, box)
        return reason.in_words(self.card, to, self.card.boxes[box]) if reason else ""

    def check_keep(self, keep: Keep) -> None:
        """Raise `IllegalError` with the reason if a `Keep` is not legal here."""
        why = self._why_not_kept(keep, ENGLISH)
        if why:
            raise IllegalError(f"{keep} is not legal in {self}: {why}")

    def why_illegal(self, action: Action | str, to: Language = ENGLISH) -> str:
        """Why an action is not legal here, in a few words; empty if it is."""
        if not isinstance(action, Action):
            action = as_action(action)
        if isinstance(action, Keep):
            return self._why_not_kept(action, to)
        if isinstance(action, Announce):
            return self._why_not_announced(action, to)
        is_offered = any(offer.action == action for offer in self.offers())
        return "" if is_offered else self._why_closed(action, to)

    def _why_no_action(self, to: Language) -> str:
        if self.is_over:
            return to.say("the game is over")
        return "" if self.dice else to.say("the dice must be rolled first")

    def _why_not_kept(self, keep: Keep, to: Language) -> str:
        if why := self._why_no_action(to):
            return why
        if not self.rolls_left:
            return to.say("no roll is left; choose a box to score")
        if self.card.must_announce:
            return to.say("only boxes that must be announced are open; announce one of them first")
        if is_keep_of(keep.dice, self.dice):
            return ""
        kept = format_dice(keep.dice)
        return to.say("the roll {dice} does not contain {kept}", dice=format_dice(self.dice), kept=kept)

    def _why_not_box(self, box: str, to: Language) -> str:
        if (why := self._why_no_action(to)) or box in self.ruleset.box_index:
            return why
        return to.say("the card has no box {box}; its boxes: {boxes}", box=box, boxes=", ".join(self.ruleset.box_index))

    def _why_not_announced(self, action: Announce, to: Language) -> str:
        if why := self._why_not_box(action.box, to):
            return why
        index = self.ruleset.box_index[action.box]
        if self.card.announced:
            return to.say("{box} is announced already", box=box_title(self.ruleset, self.card.announced, to))
        if index not in self.ruleset.announceable_boxes:
            return to.say("the boxes of this column are filled without an announcement")
        if index in self.card.announceable(self.roll_number):
            return ""
        if index in self.card.announceable():
            return to.say("a box is announced right after the first roll")
        return self.why_closed(index, to)

    def _why_closed(self, action: Score, to: Language) -> str:
        if why := self._why_not_box(action.box, to):
            return why
        if closed := self.why_closed(self.ruleset.box_index[action.box], to):
            return closed
        box = box_title(self.ruleset, action.box, to)
        if self.offer_for(Score(action.box)).points:
            return to.say("this ruleset has no voluntary zero: score {box} instead", box=box)
        return to.say("it scores 0 there: score {box} instead", box=box)

    def _with_roll(self, keep: Dice, rolled: Rolled) -> "Position":
        wanted = self.ruleset.dice - len(keep)
        rolled = sorted_dice(rolled) if type(rolled) is tuple else dice_of(rolled, wanted, self.ruleset.faces)
        if len(rolled) != wanted or (rolled and not 1 <= rolled[0] <= rolled[-1] <= self.ruleset.faces):
            dice = "".join(FACES[die - 1] if 0 < die <= MAX_FACES else str(die) for die in rolled) or "-"
            raise MalformedError(f"rolled {dice}: want {wanted} dice with faces from 1 to {self.ruleset.faces}")
        return Position(self.ruleset, self.cards, self.seat, with_dice(keep, rolled), self.rolls_left - 1)

    def _check_dice(self) -> None:
        """Raise `IllegalError` if the dice, the rolls left and the cards cannot occur together."""
        ruleset, dice, card = self.ruleset, self.dice, self.card
        for seat, other in enumerate(self.cards):
            if other.announced and (seat != self.seat or not dice):
                raise IllegalError(
                    f"announced={other.announced}: only the seat to move announces, after its first roll"
                )
        if not dice:
            if self.rolls_left != card.rolls:
                raise IllegalError(f"r{self.rolls_left}: before the first roll it is r{card.rolls}")
            return
        if len(dice) != ruleset.dice or dice[-1] > ruleset.faces:
            raise IllegalError(
                f"dice {shown(format_dice(dice))}: {ruleset} has {ruleset.dice} dice with faces 1 to {ruleset.faces}"
            )
        if self.rolls_left >= card.rolls:
            raise IllegalError(f"r{self.rolls_left}: after a roll it is r0 to r{card.rolls - 1}")
        if self.is_over:
            raise IllegalError(f"dice {format_dice(dice)}: the game is over, so the dice are -")
        if card.must_announce and not self.is_first_roll:
            raise IllegalError(f"r{self.rolls_left}: a box was announced after the first roll; write announced=BOX")

    def _repr_html_(self) -> str:
        """The dice and the cards for notebooks."""
        from fivedice.rulesets.notebook import dice_svg, paragraph, side_by_side

        colours = {face: colour for colour, faces in self.ruleset.colours for face in faces}
        if self.is_over:
            state = "the game is over"
        else:
            state = f"{self.rolls_left} {'roll' if self.rolls_left == 1 else 'rolls'} left"
        seat = f"seat {self.seat}," if len(self.cards) > 1 and not self.is_over else ""
        dice = [dice_svg(self.dice, colours)] if self.dice else []
        announced = f"{self.card.announced} is announced," if self.card.announced else ""
        cards = [card._repr_html_() for card in self.cards]
        return paragraph(*dice, f"{self.ruleset.name}: {seat} {announced} {state}") + side_by_side(*cards)

    def __str__(self) -> str:
        """The position as one line of notation; `fivedice.game.notation.parse_position` reads it."""
        cards = "/".join(map(str, self.cards))
        seat = f"@{self.seat} " if self.seat else ""
        return f"{self.ruleset} {cards} {seat}{format_dice(self.dice)} r{self.rolls_left}"

    def __repr__(self) -> str:
        return f"<Position {self}>"


def seat_after(seat: int, cards: Sequence[ScoreCard]) -> int:
    """The seat whose turn follows that of `seat`: the next that did not resign, itself if there is no other."""
    order = [(seat + step) % len(cards) for step in range(1, len(cards) + 1)]
    return next((other for other in order if not cards[other].resigned), seat)


def _as_score(action: Score | str) -> Score:
    found = as_action(action)
    if not isinstance(found, Score):
        raise wrong_type('a Score, as in Score("ones") or "score ones"', found)
    return found
