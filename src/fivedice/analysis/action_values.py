"""`action_values`: the values of all actions of one position, in plain Python over the table of a solved game; and
`approximate_action_values`, by an approximate solution.

It runs the recursion of `docs/solving.md` for one turn state with the offers of `fivedice.game`. One position takes a
few milliseconds, which is less than the time to load NumPy, and a small part of that to load the compiled kernels. The
values are those of the kernel to the last bit, because sums are added in the same order.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from operator import add, itemgetter
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from fivedice.game.action import Action, Offer, offers
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, keeps, rolls, with_dice
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.slips import Slips, error_of_keep
from fivedice.solver.tables.states import EQUAL, States, TurnState

if TYPE_CHECKING:
    from fivedice.solver.approximate_solution import ApproximateSolution  # it loads NumPy
    from fivedice.solver.kernels.game_tables import Cards

Found: TypeAlias = tuple[float, Action, int | None]
"""The expected points to come with an action, those that it writes included; the action; the points that it writes."""

Getter: TypeAlias = Callable[[list[float]], tuple[float, ...]]

SUMMED = 6
"""Means add the first three numbers, then the next three, as the kernels do; shorter lists are padded with zero."""


@dataclass(frozen=True, eq=False)
class PlainSolution:
    """What advice, levels and reviews need of a `Solution`, without NumPy: the table of its values.

    `float_values` has a float for each turn state, by its index in `states`, NaN where play cannot arrive.
    """

    states: States
    float_values: Sequence[float]
    is_exact: ClassVar[bool] = True

    @property
    def ruleset(self) -> Ruleset:
        """The rules that this solves."""
        return self.states.ruleset

    @property
    def expected_score(self) -> float:
        """The expected final score of a new game."""
        return self.float_values[self.states.index(TurnState(totals=(0,) * len(self.ruleset.columns)))]


def action_values(
    states: States, values: Sequence[float], position: Position, slips: Slips | None = None
) -> list[Found]:
    """The values of all legal actions in a position with dice: scores, then keeps.

    `values` is the table of the solution, by turn-state index, or what a level believes, with its `slips`.
    """
    turn = Turn(states, values.__getitem__, position.card, slips)
    found: list[Found] = [
        (turn.offered(offer, position.dice, position.rolls_left), offer.action, offer.points)
        for offer in position.offers()
    ]
    for action in position.announcements():
        after = action_values(states, values, position.announce(action), slips)
        found.append((max(value for value, _, _ in after), action, None))
    if possible := position.keeps():
        tables = tables_of(position.ruleset.dice, position.ruleset.faces)
        keep_values = turn.keep_values(position.rolls_left)
        found += [(keep_values[tables.row[keep.dice]], keep, None) for keep in possible]
    return found


def place_of_card(states: States, card: ScoreCard, number: int | None = None) -> int:
    """The index of a card in the table of its rules; `fivedice.solver.tables.states` explains the arithmetic.

    `number` is its card number, which is found unless it is given. Raises `IllegalError` if the table is that of the
    rest of a game, and the card does not follow its beginning.
    """
    if states.starts and not card.won:
        return states.index(turn_state(card))
    if card.won:
        number = states.num_cards + card.num_filled - 1
    return states.place(
        states.card_number(card.filled) if number is None else number,
        _upper_totals(card),
        spoiled=card.is_spoiled,
        saved=card.saved,
        pending=card.pending,
        parts=_parts(card),
    )


def turn_state(card: ScoreCard) -> TurnState:
    """What the rest of a game depends on before the first roll of the next turn."""
    return TurnState(
        card.filled, tuple(_upper_totals(card)), card.is_spoiled, card.saved, card.pending, tuple(_parts(card))
    )


def _upper_totals(card: ScoreCard) -> list[int]:
    return [card.section_total("upper", column) for column in range(len(card.ruleset.columns))]


def _parts(card: ScoreCard) -> list[int]:
    """`TurnState.parts` of a card."""
    parts = []
    for number, boxes in enumerate(card.ruleset.line_boxes):
        is_complete = card.line(number) is not None
        parts += [0 if is_complete else card.boxes[box] or 0 for box in boxes]
    return parts + [min(card.counted_for(award), award.tiers[-1].at) for award in card.ruleset.conversion]


def settled_points(card: ScoreCard) -> int:
    """The points on a card that its value does not include: none where the rules convert them at the end."""
    return 0 if card.ruleset.conversion else card.points_written


class Tables(NamedTuple):
    """The edges between keeps. Rows are keeps, smaller ones first; the rolls are the last of them."""

    row: dict[Dice, int]
    first_roll: int
    above: list[list[int]]
    """Of each keep of fewer dice than all: the keeps with one die more, by face …"""
    below: list[list[int]]
    """… and of each row: those with one die fewer, without the lowest face first."""
    children: list[Getter]
    """Of each keep of fewer dice than all: gets the keeps with one die more, padded with the row after the last."""
    kinds: list[tuple[int, int]]
    """Of each keep of fewer dice than all: its faces as bits, and how many dice are rolled beside it."""
    parents: list[Getter]
    """Of each row but the first, the empty keep: gets the row itself and the keeps with one die fewer."""


@lru_cache(maxsize=4)
def tables_of(num_dice: int, num_faces: int) -> Tables:
    row = {keep: index for index, keep in enumerate(keeps(num_dice, num_faces))}
    first_roll = len(row) - len(rolls(num_dice, num_faces))
    padding = [len(row)] * max(0, SUMMED - num_faces)
    faces = range(1, num_faces + 1)
    above = [[row[with_dice(keep, (face,))] for face in faces] for keep in list(row)[:first_roll]]
    fewer = ((keep[:place] + keep[place + 1 :] for place in range(len(keep))) for keep in row)
    below = [[row[one] for one in dict.fromkeys(found)] for found in fewer]
    children: list[Getter] = [itemgetter(*found, *padding) for found in above]
    parents: list[Getter] = [itemgetter(place, *found) for place, found in enumerate(below) if place]
    kinds = [(sum(1 << face for face in set(keep)), num_dice - len(keep)) for keep in list(row)[:first_roll]]
    return Tables(row, first_roll, above, below, children, kinds, parents)


def best_within(tables: Tables, x: list[float]) -> list[int]:
    """Of each row the best keep within it, whose value it gets in `x`. Of values that differ by at most `EQUAL` that of
    more dice is taken, as kernels do, which matters where what is kept no longer does."""
    within = list(range(len(tables.below)))
    for row, parents in enumerate(tables.below):
        for parent in parents:
            if x[parent] > x[row] + EQUAL:
                x[row], within[row] = x[parent], within[parent]
    return within


@lru_cache(maxsize=16)
def _scores_by_category(ruleset: Ruleset) -> list[tuple[int, ...]]:
    """The points of every roll in each category."""
    return list(zip(*map(ruleset.face_scores, rolls(ruleset.dice, ruleset.faces)), strict=True))


class Turn:
    """One turn of a card; `value_of` has the values of turn states by their index."""

    def __init__(self, states: States, value_of: Callable[[int], float], card: ScoreCard, slips: Slips | None) -> None:
        self._states, self._value_of, self._card, self._slips = states, value_of, card, slips
        self._ruleset = card.ruleset
        self._number, self._settled = states.card_number(card.filled), settled_points(card)

    def offered(self, offer: Offer, dice: Dice, rolls_left: int) -> float:
        """The value of an offer to these dice."""
        box = self._ruleset.box_index[offer.action.box]
        return self._score(box, dice, offer.points, rolls_left, bonus=offer.bonus, wins=offer.wins)

    def keep_values(self, rolls_left: int) -> list[float]:
        """The value of every keep, by row, with so many rolls left, at least one."""
        ruleset = self._ruleset
        _, first_roll, _, _, children, _, parents = tables_of(ruleset.dice, ruleset.faces)
        x = [0.0] * first_roll + self._best_scores(0) + [0.0]
        self.average(children, x)
        for level in range(1, rolls_left):
            for place, family in enumerate(parents, start=1):
                x[place] = max(family(x))
            if ruleset.saved_rolls or not self._states.has_kernels:
                x[first_roll:-1] = map(max, x[first_roll:-1], self._best_scores(level))
            self.average(children, x)
        return x

    def average(self, children: list[Getter], x: list[float]) -> None:
        """Write to each keep of fewer dice than all the mean of the keeps with one die more, larger keeps first."""
        share = 1.0 / self._ruleset.faces
        for keep in range(len(children) - 1, -1, -1):
            a, b, c, d, e, f, *more = children[keep](x)
            total = (a + b + c) + (d + e + f)
            for value in more:
                total += value
            x[keep] = total * share
        if self._slips:
            x[: len(children)] = map(add, x, self._errors)

    @cached_property
    def _errors(self) -> list[float]:
        """What a level errs in each keep of fewer dice than all, by row."""
        assert self._slips
        ruleset, row = self._ruleset, place_of_card(self._states, self._card) // self._states.stride
        tables = tables_of(ruleset.dice, ruleset.faces)
        by_kind = {kind: error_of_keep(self._slips, row, *kind) for kind in set(tables.kinds)}
        return [by_kind[kind] for kind in tables.kinds]

    def _best_scores(self, rolls_left: int) -> list[float]:
        """The value of the best score of every roll."""
        ruleset, card = self._ruleset, self._card
        if ruleset.forced_score or (ruleset.can_be_won_outright and rolls_left == card.rolls - 1):
            return [self._best_score(roll, rolls_left) for roll in rolls(ruleset.dice, ruleset.faces)]
        roll, of_boxes = card.rolls - 1 - rolls_left, list[Iterable[float]]()
        for box in card.playable():
            points = _scores_by_category(ruleset)[box % len(ruleset.categories)]
            writable = {n: ruleset.writable(n) for n in set(points)}
            worth = {
                n: self._score(box, (), card.written(box, n, roll), rolls_left) for n in {*chain(*writable.values())}
            }
            by_points = {n: max(map(worth.__getitem__, found)) for n, found in writable.items()}
            of_boxes.append(map(by_points.__getitem__, points))
        best = list(map(max, zip(*of_boxes, strict=True)))
        if ruleset.tracks_first or card.is_extra((1,) * ruleset.dice):
            row, first_roll, *_ = tables_of(ruleset.dice, ruleset.faces)
            for face in range(1, ruleset.faces + 1):
                dice = (face,) * ruleset.dice
                best[row[dice] - first_roll] = self._best_score(dice, rolls_left)
        return best

    def _to_come(self, card: ScoreCard, filled: int) -> float:
        """The value of a card after this turn, which filled this box."""
        return self._value_of(place_of_card(self._states, card, self._number + self._states.steps[filled]))

    def _best_score(self, dice: Dice, rolls_left: int) -> float:
        """The value of the best score of a roll."""
        return max(
            self.offered(offer, dice, rolls_left)
            for offer in offers(self._card, dice, roll=self._card.rolls - 1 - rolls_left)
        )

    def _score(
        self, box: int, dice: Dice, points: int, rolls_left: int, *, bonus: int = 0, wins: bool = False
    ) -> float:
        """The value of writing points for a roll in a box; the roll may be empty if its dice are not all equal."""
        saved = rolls_left if self._ruleset.saved_rolls else 0
        card = self._card.fill(box, dice, points, bonus=bonus, saved=saved, won=wins)
        return self._to_come(card, box) + float(settled_points(card) - self._settled)


def write_position(cards: "Cards", which: int | slice, position: Position) -> None:
    """Write the card to move of a position to some of the cards for kernels, with its dice and rolls left."""
    card, ruleset = position.card, position.ruleset
    cards.boxes[which] = [-1 if points is None else points for points in card.boxes]
    cards.upper[which] = [card.section_total("upper", column) for column in range(len(ruleset.columns))]
    cards.card[which] = card.figures
    cards.sum[which], cards.num_filled[which], cards.won[which] = card.sum, card.num_filled, card.won
    cards.roll[which] = rolls(ruleset.dice, ruleset.faces).index(position.dice) if position.dice else -1
    cards.rolls_left[which] = position.rolls_left


def cards_of(position: Position) -> "Cards":
    """One block of equal cards for kernels, from the card to move of a position."""
    from fivedice.solver.kernels.game_tables import empty_cards
    from fivedice.solver.tables.states import BLOCK

    found = empty_cards(position.ruleset, BLOCK)
    write_position(found, slice(None), position)
    return found


def approximate_action_values(solution: "ApproximateSolution", position: Position) -> list[Found]:
    """The approximate values of all legal actions in a position with dice: scores, announcements, then keeps."""
    ruleset = position.ruleset
    scores, announcements, keep_values = solution.values_of_actions(cards_of(position))
    box, num_boxes = ruleset.box_index, len(ruleset.boxes)
    found: list[Found] = []
    for offer in position.offers():
        place = box[offer.action.box] + (num_boxes if offer.action.is_scratch else 0)
        found.append((float(scores[place]), offer.action, offer.points))
    called = sorted(ruleset.announceable_boxes)
    for action in position.announcements():
        found.append((float(announcements[called.index(box[action.box])]), action, None))
    if possible := position.keeps():
        place_of = {keep: place for place, keep in enumerate(keeps(ruleset.dice, ruleset.faces))}
        found += [(float(keep_values[place_of[keep.dice]]), keep, None) for keep in possible]
    return found
