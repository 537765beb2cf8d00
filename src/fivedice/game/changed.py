"""`changed`: a position with another card, other dice or other rolls left, for an editor that sets them one by one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from fivedice.base.errors import IllegalError
from fivedice.game.card import ScoreCard
from fivedice.game.notation import parse_position
from fivedice.game.parsed_line import parse_card
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, as_dice, format_dice
from fivedice.rulesets.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class CardEntries:
    """What the notation of a card lists: points by box, extra bonuses, saved rolls, and `ScoreCard.notes`.

    The notes belong to other entries: a changed card keeps them as far as they still fit.
    """

    points: Mapping[str, int]
    extras: int = 0
    saved: int = 0
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, card: ScoreCard) -> "CardEntries":
        """The entries of a card."""
        points = {box.id: points for box, points in card.entries()}
        return cls(points, card.extras, card.saved, card.notes)

    def notation(self) -> str:
        """The card in notation."""
        entries = [f"{box}={points}" for box, points in self.points.items()]
        entries += [f"saved={self.saved}"] * bool(self.saved) + [*self.notes] + [f"+{self.extras}"] * bool(self.extras)
        return ",".join(entries) or "-"


def changed(position: Position, entries: CardEntries | None, dice: Dice, rolls_left: int | None) -> Position:
    """A position with these entries on the card of the seat to move, these dice in any order, and these rolls left.

    Without entries the cards stay. `rolls_left` is None before the first roll, and a full card has no dice. The other
    seats' cards are left out if their turns no longer fit. Raises `MalformedError`, `UnknownError` or `IllegalError`.

    >>> position = Position.parse("yahtzee ones=3/ones=2 33456 r2")
    >>> changed(position, CardEntries({"ones": 3, "twos": 6}), (6, 5, 4, 3, 3), 1)
    <Position yahtzee ones=3,twos=6 33456 r1>
    """
    others = [str(card) for card in position.cards]
    failed: IllegalError | None = None
    for attempt in _fitting(entries or CardEntries.of(position.card)):
        card = attempt.notation()
        beside = [*others[: position.seat], card, *others[position.seat + 1 :]]
        for cards, seat in ((beside, position.seat), ([card], 0)):
            try:
                return _position(position.ruleset, cards, seat, as_dice(dice), rolls_left)
            except IllegalError as error:
                failed = error
    assert failed is not None, "without its notes, too, a card was tried"
    raise failed


def _fitting(entries: CardEntries) -> Iterator[CardEntries]:
    """The entries with all their notes, then with fewer."""
    for number in range(len(entries.notes), -1, -1):
        for notes in combinations(reversed(entries.notes), number):
            yield replace(entries, notes=notes)


def _position(ruleset: Ruleset, cards: list[str], seat: int, dice: Dice, rolls_left: int | None) -> Position:
    card = parse_card(cards[seat], ruleset)
    if rolls_left is None or card.is_complete:
        dice, rolls_left = (), card.rolls
    return parse_position(f"{ruleset} {'/'.join(cards)} @{seat} {format_dice(dice)} r{rolls_left}", ruleset)
