"""`Game`: the tables of a ruleset for whole cards, with the features of its cards; `plan_features` chooses them."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import local

import numpy as np

from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.kernels.card_features import AWARD_PACES, KNOTS, LINE_TERMS, PACES, SUM_WIDTH, Plan
from fivedice.solver.kernels.game_tables import Cards, GameTables, empty_cards, game_tables
from fivedice.solver.kernels.whole_turns import Outcomes, Turns, WholeGame, empty_turns, turn_outcomes
from fivedice.solver.tables.dice_tables import DiceTables, best_keeps, dice_tables, roll_keeps
from fivedice.solver.tables.extras import NUM_STATES
from fivedice.solver.tables.states import Array

MASKED_BOXES = 10
"""The most boxes of a section whose set of open boxes is a feature."""


@dataclass(frozen=True, eq=False)
class Game:
    """A ruleset as kernels of whole cards take it. `is_exact` replaces all features by an indicator of the turn state,
    which tiny rulesets allow."""

    ruleset: Ruleset
    is_exact: bool = False

    _of_thread: local = field(default_factory=local, init=False, repr=False)

    @cached_property
    def whole(self) -> WholeGame:
        """The dice, the rules, the features of cards and what a turn can write, as kernels take them."""
        ruleset, tables = self.ruleset, game_tables(self.ruleset)
        dice, outcomes = dice_tables(ruleset.dice, ruleset.faces), turn_outcomes(ruleset, tables)
        means = single_means(ruleset, dice, tables, outcomes)
        return WholeGame(dice, tables, plan_features(ruleset, tables, means, is_exact=self.is_exact), outcomes)

    @property
    def turns(self) -> Turns:
        """The working arrays of the calling thread."""
        if not hasattr(self._of_thread, "turns"):
            self._of_thread.turns = empty_turns(self.whole)
        turns: Turns = self._of_thread.turns
        return turns

    def without_conversion(self) -> "Game":
        """The same game for the sum of a card, with the same features."""
        game = Game(self.ruleset, self.is_exact)
        tables = self.whole.tables._replace(award_kind=self.whole.tables.award_kind[:0])
        game.__dict__["whole"] = self.whole._replace(tables=tables)
        return game

    def new_cards(self, number: int) -> Cards:
        """So many new games, a multiple of `BLOCK`."""
        cards = empty_cards(self.ruleset, number)
        if self.ruleset.conversion:
            cards.card[:, 4] = sum(award.points_for(0) for award in self.ruleset.conversion)
        return cards


def single_means(ruleset: Ruleset, dice: DiceTables, tables: GameTables, outcomes: Outcomes) -> Array:
    """float64[B]: the mean points of each box alone, times the multiplier of its column, with the best play for it in
    one turn."""
    means = np.zeros(len(ruleset.boxes))
    for box, found in enumerate(ruleset.boxes):
        x = np.zeros((dice.num_small + dice.num_rolls, 1))
        x[dice.num_small + outcomes.row, 0] = tables.points[0, :, box]
        for _ in range(ruleset.rolls - 1):
            roll_keeps(dice, x)
            best_keeps(dice, x)
        means[box] = dice.chance @ x[dice.num_small :, 0] * ruleset.columns[found.column].multiplier
    return means


def _windows(num_upper: int, number: int) -> list[tuple[int, int]]:
    """The first and the end of the boxes, upper ones first, whose set of open boxes is a feature: all of a section, or
    its first ones and its last ones."""
    found = []
    for begin, end in ((0, num_upper), (num_upper, number)):
        first, last = min(end, begin + MASKED_BOXES), max(begin, end - MASKED_BOXES)
        found += sorted({(begin, first), (last, end)})
    return found


def plan_features(ruleset: Ruleset, tables: GameTables, means: Array, *, is_exact: bool = False) -> Plan:
    """The features of the cards of a ruleset; `means`, float64[B], are the mean points of each box alone."""
    boxes, categories, columns = ruleset.boxes, len(ruleset.categories), len(ruleset.columns)
    top = max((tier.at for tier in ruleset.upper_bonus), default=0)
    most = tables.is_upper * np.array(ruleset.most_by_box, dtype=float)
    par = top * most / max(1.0, most[:categories].sum())
    if ruleset.conversion:
        par = np.round(means)
    of_card = [award.is_of_card for award in ruleset.conversion]
    sizes = [-1 if whole else int(row.sum()) for row, whole in zip(tables.award_boxes, of_card, strict=True)]
    pairs = categories * (categories - 1) // 2
    is_multiple = columns > 1
    most_upper = 1 + int(tables.is_upper[:categories].sum())
    has_uppers = not is_multiple and bool(top)
    windows = [] if is_multiple else _windows(int((~tables.is_lower).sum()), len(boxes))
    alike = [
        next(n for n, other in enumerate(ruleset.columns) if replace(other, id=one.id, name=one.name) == one)
        for one in ruleset.columns
    ]
    has_jokers = bool(ruleset.joker_boxes) and (ruleset.extra_bonus > 0 or ruleset.joker != "none")
    sums = int(sum(ruleset.most_by_box) / SUM_WIDTH) + 2
    sizes_of = {
        "boxes": len(boxes),
        "pairs": columns * pairs,
        "counts": categories * (columns + 1) * is_multiple,
        "count_pairs": pairs * is_multiple,
        "any_pairs": pairs * is_multiple,
        "masks": sum(1 << (end - begin) for begin, end in windows),
        "paces": columns * most_upper * PACES * bool(top),
        "uppers": (1 << most_upper - 1) * PACES * has_uppers,
        "box_paces": len(boxes) * KNOTS * bool(top),
        "jokers": NUM_STATES * has_jokers,
        "joker_counts": NUM_STATES * categories * has_jokers,
        "lines": len(tables.lines) * 8 * LINE_TERMS,
        "awards": sum(size + 1 for size in sizes) * AWARD_PACES,
        "sums": max(sums, 101) * bool(ruleset.conversion),
        "saved": 2,
    }
    places = dict(zip(sizes_of, np.cumsum([1, *sizes_of.values()]).tolist(), strict=False))
    exact = int(top) + 1 if is_exact else 0
    size = 1 + sum(sizes_of.values())
    if is_exact:
        size = NUM_STATES * 2 ** len(boxes) * exact**columns
    return Plan(
        size=size,
        category=np.arange(len(boxes), dtype=np.int32) % categories,
        num_categories=categories,
        alike=np.array(alike, dtype=np.int32),
        is_paired=np.array([column.order == "free" for column in ruleset.columns]),
        has_lower_pairs=np.array([alike.count(column) == 1 for column in alike]),
        par=par,
        top=top,
        most_upper=most_upper,
        has_uppers=has_uppers,
        has_jokers=has_jokers,
        windows=np.array(windows, dtype=np.int32).reshape(-1, 2),
        in_sections=np.argsort(tables.is_lower, kind="stable").astype(np.int32),
        award_top=np.array([award.tiers[-1].at for award in ruleset.conversion], dtype=np.int32),
        award_size=np.array(sizes, dtype=np.int32),
        exact=exact,
        **places,
    )
