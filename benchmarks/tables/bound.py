"""`upper_bound`: a score that no player can exceed on average, where rules are too large to solve.

It is a Lagrangian relaxation. A turn is played as the rules say, but may fill any box, also one that is filled already,
for a *price*; the prices of all boxes are added once. A real game fills each box at most once, so it pays no more than
it gets back: no prices make the bound too low, and good ones make it small. What depends on several boxes is replaced
by something larger that is a sum over boxes:

- a bonus or award for a sum S, by a line above all its tiers;
- a line of a column, (plus − minus) · times, by (θ · times² + plus² / θ) / 2 − times · (the least points of minus), for
  any θ > 0, since 2 · plus · times ≤ θ · times² + plus² / θ;
- announcements, the order of columns, the boxes that a joker leaves, and limits between boxes, by their absence.

Only the boxes of equal dice are filled once, and extra bonuses paid only when they all hold points, as the rules say.
See A. Geoffrion, "Lagrangean relaxation for integer programming", Mathematical Programming Study 2 (1974).

>>> from fivedice import load_ruleset
>>> round(upper_bound(load_ruleset("crag"), steps=300))  # its exact value is 161.8
200
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fivedice.base.errors import IllegalError
from fivedice.rulesets.box import Tier
from fivedice.rulesets.ruleset import Joker, Ruleset
from fivedice.solver.tables.dice_tables import best_keeps, dice_tables, keep_lists, ordered, roll_keeps
from fivedice.solver.tables.extras import extra_tables
from fivedice.solver.tables.states import BLOCK, Array

ROUNDING = 1e-9
"""What is added to a bound, relative to it, for rounding: 10⁵ sums of float64 are wrong by less than 1e-10."""


@dataclass(frozen=True, eq=False)
class _Sum:
    """A bonus: the tiers, with one at 0, of a sum over boxes. `share`, float64[rolls of a turn, R, B], is that of each
    box in the sum, and what the tiers pay counts `times`."""

    tiers: tuple[Tier, ...]
    share: Array
    times: int

    def height(self, slope: float) -> tuple[float, int]:
        """The height at 0 of the lowest line of this slope above all tiers, and the place of the tier that it meets."""
        return max((tier.points - slope * tier.at, tier.at) for tier in self.tiers)


@dataclass(frozen=True, eq=False)
class _Prices:
    """Multipliers: the `price` of each box, the `slope` of each bonus, and θ of each line."""

    price: Array
    slope: Array
    theta: Array


class _Relaxed:
    """The relaxation of a ruleset. B boxes, R rolls in the order of `dice_tables`, N rolls of a turn."""

    def __init__(self, ruleset: Ruleset) -> None:
        if ruleset.saved_rolls or ruleset.can_be_won_outright:
            raise IllegalError(f"{ruleset}: there is no bound for saved rolls or outright wins")
        if ruleset.conversion and (ruleset.upper_bonus or ruleset.extra_bonus or ruleset.lines):
            raise IllegalError(f"{ruleset}: there is no bound for awards beside bonuses or lines")
        if ruleset.lines and ruleset.rounds < len(ruleset.boxes):
            raise IllegalError(f"{ruleset}: there is no bound for lines that may stay incomplete")
        self.ruleset = ruleset
        self.dice = dice_tables(ruleset.dice, ruleset.faces)
        boxes = ruleset.boxes
        self.weight = np.array([ruleset.columns[box.column].multiplier for box in boxes], dtype=np.float64)
        self.counts = np.array([index in ruleset.counted_boxes for index in range(len(boxes))]) & (
            not ruleset.conversion
        )
        whole = ordered(ruleset.dice, ruleset.faces)
        points = np.array([ruleset.face_scores(roll) * len(ruleset.columns) for roll in whole])
        if ruleset.joker is not Joker.NONE:
            points = np.maximum(points, self._joker_points())
        early = np.array([[box.category.early_bonus(roll) for box in boxes] for roll in range(ruleset.rolls)])
        self.points = np.where(points > 0, points + early[:, np.newaxis], points).astype(np.float64)
        """float64[N, R, B]: what each roll of a turn pays at most in each box."""
        self.is_equal = np.array([len(set(roll)) == 1 for roll in whole])

    def _joker_points(self) -> Array:
        """int[R, B]: the points under the ruling that pays most, in the order of `dice_tables`."""
        from fivedice.rulesets.dice import rolls

        place = {roll: index for index, roll in enumerate(rolls(self.ruleset.dice, self.ruleset.faces))}
        rows = [place[roll] for roll in ordered(self.ruleset.dice, self.ruleset.faces)]
        most: Array = extra_tables(self.ruleset)[1].max(axis=0)[rows]
        return most

    @cached_property
    def sums(self) -> list[_Sum]:
        """The bonuses and awards."""
        ruleset, found = self.ruleset, list[_Sum]()
        for column, one in enumerate(ruleset.columns):
            upper = list(ruleset.section_boxes.get(("upper", column), ()))
            if ruleset.upper_bonus and upper:
                tiers = (Tier(0, 0), *(tier for tier in ruleset.upper_bonus if tier.points > 0))
                found.append(_Sum(tiers, self._of(self.points, upper), one.multiplier))
        for award in ruleset.conversion:
            chosen = [i for i, box in enumerate(ruleset.boxes) if award.category in ("", box.category.id)]
            share = self.points * self.weight if award.of == "points" else (self.points > 0).astype(np.float64)
            tiers = (Tier(award.points_for(0), 0), *(tier for tier in award.tiers if tier.at > 0))
            found.append(_Sum(tiers, self._of(share, chosen), 1))
        return found

    @staticmethod
    def _of(share: Array, boxes: list[int]) -> Array:
        found = np.zeros_like(share)
        found[..., boxes] = share[..., boxes]
        return found

    def gains(self, prices: _Prices) -> Array:
        """float64[N, R, B]: what each box gains at most, with its part of bonuses and lines, less its price."""
        points = self.points
        gains = points * (self.weight * self.counts)
        for one, slope in zip(self.sums, prices.slope, strict=True):
            gains += one.times * slope * one.share
        for (plus, minus, times), theta in zip(self.ruleset.line_boxes, prices.theta, strict=True):
            least = min(self.ruleset.attainable_by_box[minus])
            gains[..., plus] += self.weight[plus] * points[..., plus] ** 2 / (2 * theta)
            gains[..., times] += self.weight[times] * (theta * points[..., times] ** 2 / 2 - least * points[..., times])
        # A limit or a locked box may write 0 for any roll, which pays nothing.
        return np.maximum(gains, 0.0) - prices.price

    def constant(self, prices: _Prices) -> float:
        """What is added once: the prices of all boxes, and the heights of lines above bonuses."""
        heights = (one.times * one.height(slope)[0] for one, slope in zip(self.sums, prices.slope, strict=True))
        return float(prices.price.sum()) + sum(heights)

    def bound(self, prices: _Prices) -> float:
        """The bound for these multipliers: backwards over the turns, exactly, by which boxes of equal dice are filled,
        and whether one of them holds 0. Their own price is 0."""
        ruleset, once = self.ruleset, sorted(self.once)
        price = prices.price.copy()
        price[once] = 0.0
        prices = replace(prices, price=price)
        gains = self.gains(prices)
        num_masks = 1 << len(once)
        others = [box for box in range(len(ruleset.boxes)) if box not in self.once]
        extra = self._extra()[:, others]
        plain, alive = (
            np.max(one, axis=-1, initial=-np.inf) for one in (gains[..., others], gains[..., others] + extra)
        )
        values = np.zeros(2 * num_masks)  # by mask, and then again for a box with 0
        num_rolls, first = self.dice.num_rolls, self.dice.num_small
        stop = np.empty((ruleset.rolls, num_rolls, 2 * num_masks))
        for _ in range(ruleset.rounds):
            for state in range(2 * num_masks):
                mask, is_spoiled = state % num_masks, state >= num_masks
                is_paid = bool(once) and mask == num_masks - 1 and not is_spoiled
                stop[..., state] = (alive if is_paid else plain) + values[state]
                for place, box in enumerate(once):
                    if not mask >> place & 1:
                        after = mask | 1 << place
                        spoiled = values[num_masks + after]
                        scored = values[num_masks * is_spoiled + after]
                        own = gains[..., box] + np.where(self.points[..., box] > 0, scored, spoiled)
                        np.maximum(stop[..., state], own, out=stop[..., state])
            rows = np.empty((first + num_rolls, 2 * num_masks))
            rows[first:] = stop[-1]
            for roll in reversed(range(ruleset.rolls - 1)):
                roll_keeps(self.dice, rows)
                best_keeps(self.dice, rows)
                np.maximum(rows[first:], stop[roll], out=rows[first:])
            values = self.dice.chance @ rows[first:]
        found = self.constant(prices) + float(values[0])
        return found + ROUNDING * (1 + abs(found) + float(np.abs(prices.price).sum()))

    @cached_property
    def once(self) -> frozenset[int]:
        """The boxes that the bound fills once: those of equal dice, if an extra bonus depends on them."""
        return self.ruleset.joker_boxes if self.ruleset.extra_bonus else frozenset()

    def _extra(self) -> Array:
        """float64[R, B]: the extra bonus of each roll and box."""
        times = self.weight if self.ruleset.bonus_by_column else np.ones_like(self.weight)
        return self.ruleset.extra_bonus * self.is_equal[:, np.newaxis] * times

    def search(self, steps: int) -> list[_Prices]:
        """Good multipliers, by subgradients of a simpler relaxation: a turn that does not know what is filled, in which
        an extra bonus counts in part, as often as it is paid. One for each part."""
        start = _Prices(
            price=self.points[-1].mean(axis=0) * self.weight,
            slope=np.array(
                [max((tier.points / tier.at for tier in one.tiers if tier.at), default=0.0) for one in self.sums]
            ),
            theta=np.array([self.points[..., p].max() / 3 for p, _, _ in self.ruleset.line_boxes]),
        )
        parts = (0.0, 0.25, 0.5, 0.75) if self.once else (0.0,)
        return [self._descend(start, part, steps) for part in parts]

    def _descend(self, prices: _Prices, part: float, steps: int) -> _Prices:
        ruleset, best, found = self.ruleset, np.inf, prices
        extra = part * self._extra()
        extra[:, sorted(self.once)] = 0.0
        is_whole = ruleset.rounds == len(ruleset.boxes)
        size = float(np.abs(prices.price).mean())
        for step in range(steps):
            gains = self.gains(prices) + extra
            value, chances = self._one_turn(gains)
            total = self.constant(prices) + ruleset.rounds * value
            if total < best:
                best, found = total, prices
            used = ruleset.rounds * self._evenly(chances)
            pace = size / (2 + step / 15)
            price = prices.price - pace * (1 - used.sum(axis=(0, 1)))
            slope, theta = prices.slope.copy(), prices.theta.copy()
            for index, one in enumerate(self.sums):
                at = one.height(slope[index])[1]
                most = max(tier.at for tier in one.tiers) or 1
                reached = float((used * one.share).sum())
                slope[index] = max(
                    0.0, slope[index] - pace / size * (reached - at) / most * (one.tiers[-1].points / most)
                )
            for index, (plus, _, times) in enumerate(ruleset.line_boxes):
                of_plus, of_times = (
                    float((used[..., box] * self.points[..., box] ** 2).sum()) for box in (plus, times)
                )
                up, down = theta[index] * of_times, of_plus / theta[index]
                theta[index] *= np.exp(-pace / size * (up - down) / (up + down + 1.0))
            prices = _Prices(price if is_whole else np.maximum(price, 0.0), slope, theta)
        return found

    def _evenly(self, chances: Array) -> Array:
        """The same chances for boxes that gain the same: of two that are best, a turn takes the first."""
        groups: dict[tuple[str, float], list[int]] = {}
        for index, box in enumerate(self.ruleset.boxes):
            groups.setdefault((box.category.id, self.weight[index]), []).append(index)
        for group in groups.values():
            chances[..., group] = chances[..., group].mean(axis=-1, keepdims=True)
        return chances

    def _one_turn(self, gains: Array) -> tuple[float, Array]:
        """The value of a turn, and the chances, float64[N, R, B], that it ends so."""
        rolls, (num_rolls, first) = self.ruleset.rolls, (self.dice.num_rolls, self.dice.num_small)
        most, box = gains.max(axis=-1), gains.argmax(axis=-1)
        begin, listed = self._lists
        after = most[-1]
        kept: list[tuple[Array, Array]] = []
        for roll in reversed(range(rolls - 1)):
            rows = np.empty((first + num_rolls, 1))
            rows[first:, 0] = after
            roll_keeps(self.dice, rows)
            values = rows[listed, 0]
            best = np.maximum.reduceat(values, begin)
            place = _first_of(values == np.repeat(best, self._widths), begin)
            stops = most[roll] >= best
            kept.append((listed[place], stops))
            after = np.where(stops, most[roll], best)
        chances = np.zeros_like(gains)
        flow = self.dice.chance.copy()
        every = np.arange(num_rolls)
        for roll, (row, stops) in enumerate(reversed(kept)):
            chances[roll, every, box[roll]] += np.where(stops, flow, 0.0)
            flow = np.bincount(row, np.where(stops, 0.0, flow), first + num_rolls) @ self._outcomes
        chances[-1, every, box[-1]] += flow
        return float(self.dice.chance @ after), chances

    @cached_property
    def _lists(self) -> tuple[Array, Array]:
        lists = keep_lists(self.ruleset.dice, self.ruleset.faces)
        return lists.begin[:-1], lists.row // BLOCK

    @cached_property
    def _widths(self) -> Array:
        return np.diff([*self._lists[0], len(self._lists[1])])

    @cached_property
    def _outcomes(self) -> Array:
        """float64[keeps, R]: the chance of each roll after each keep."""
        rows = np.zeros((self.dice.num_small + self.dice.num_rolls, self.dice.num_rolls))
        rows[self.dice.num_small :] = np.eye(self.dice.num_rolls)
        roll_keeps(self.dice, rows)
        return rows


def upper_bound(ruleset: Ruleset, steps: int = 2_000) -> float:
    """A bound on the expected final score of any player, in points, from so many steps of a search for good prices.

    Raises `IllegalError` for saved rolls, outright wins, and awards beside bonuses.
    """
    relaxed = _Relaxed(ruleset)
    return min(relaxed.bound(prices) for prices in relaxed.search(steps))


def _first_of(flags: Array, begin: Array) -> Array:
    """The place of the first flag that is set from each beginning on."""
    places = np.flatnonzero(flags)
    return places[np.searchsorted(places, begin)]
