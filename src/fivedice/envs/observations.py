"""`Observations`: the spaces and the arrays of what a seat sees, as named parts or as one flat vector.

C columns, B boxes, F faces and A actions. The parts are

| part | array | meaning |
|---|---|---|
| `dice` | int8[F] | the number of dice that show each face; all 0 at the end of an episode |
| `rolls_left` | int32[1] | the rolls that may still follow in this turn |
| `boxes` | int32[B] | the points in each box, -1 while it is open |
| `upper` | int32[C] | the upper total of each column, before its multiplier |
| `card` | int32[5] | extra bonuses, saved rolls, whether the first equal dice went elsewhere, announcement, score |
| `action_mask` | int8[A] | 1 for each legal action |

An announcement is its box, counted from 1, or 0; the score is that so far.

The flat vector, float32, has them one after the other, each divided by the most that it can be. In place of `boxes` it
has B entries that are 1 for filled boxes, and B entries with the points, 0 for open boxes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, cast

import numpy as np
from gymnasium import spaces

from fivedice.analysis.action_arrays import ActionNumbers
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.solver.tables.states import Array

Parts: TypeAlias = dict[str, Array]

CARD_PARTS = ("boxes", "upper", "card")
"""The parts that describe one card."""


@dataclass(frozen=True)
class Observations:
    """The observations under a ruleset; its arrays can have leading axes for many environments."""

    numbers: ActionNumbers

    @cached_property
    def most(self) -> Mapping[str, Array]:
        """The most that each entry of each part can be, at least 1."""
        ruleset = self.numbers.ruleset
        boxes = ruleset.most_by_box
        upper = [
            sum(boxes[box] for box in ruleset.section_boxes["upper", column]) for column in range(len(ruleset.columns))
        ]
        saved = (ruleset.rolls - 1) * ruleset.rounds if ruleset.saved_rolls else 0
        card = [ruleset.rounds * ruleset.most_extras, saved, 1, len(boxes), ruleset.highest_score]
        return {
            "dice": np.full(ruleset.faces, ruleset.dice, dtype=np.int8),
            "rolls_left": np.array([ruleset.rolls + saved], dtype=np.int32),
            "boxes": _at_least_one(boxes),
            "upper": _at_least_one(upper),
            "card": _at_least_one(card),
            "action_mask": np.ones(self.numbers.size, dtype=np.int8),
        }

    @cached_property
    def least(self) -> Mapping[str, Array]:
        """The least that each entry of each part can be."""
        ruleset = self.numbers.ruleset
        lowest = sum(min(0, *(tier.points for tier in award.tiers)) for award in ruleset.conversion)
        for boxes in ruleset.line_boxes:
            _, minus, times = (ruleset.most_by_box[box] for box in boxes)
            lowest -= minus * times * ruleset.columns[ruleset.boxes[boxes[0]].column].multiplier
        least = {name: np.zeros_like(most) for name, most in self.most.items()}
        least["boxes"] -= 1
        least["card"][4] = lowest
        return least

    def space(self, kind: str, *, mask: bool = True) -> "spaces.Dict | spaces.Box":
        """The space of single observations: "dict" or "flat", with the mask of legal actions or without."""
        if kind == "flat":
            return self.flat_space(self.names(mask=mask))
        return spaces.Dict(
            {
                name: spaces.Box(self.least[name], self.most[name], dtype=cast(Any, self.most[name].dtype.type))
                for name in self.names(mask=mask)
            }
        )

    def names(self, *, mask: bool = True) -> tuple[str, ...]:
        """The names of the parts, with the mask, which is the last, or without."""
        return tuple(self.most) if mask else tuple(self.most)[:-1]

    def returned(self, parts: Parts, kind: str, *, mask: bool = True) -> Any:
        """The observation of a kind, with the mask or without, from all parts."""
        names = self.names(mask=mask)
        return self.flat(parts, names) if kind == "flat" else {name: parts[name] for name in names}

    def flat_space(self, names: tuple[str, ...]) -> spaces.Box:
        """The space of flat vectors of these parts."""
        low, high = self.flat(self.least, names), self.flat(self.most, names)
        return spaces.Box(np.minimum(low, 0), np.maximum(high, 1), dtype=np.float32)

    def of(self, position: Position) -> Parts:
        """The parts for the seat to move, as new arrays."""
        ruleset = position.ruleset
        counts = [position.dice.count(face) for face in range(1, ruleset.faces + 1)]
        return {
            "dice": np.array(counts, dtype=np.int8),
            "rolls_left": np.array([position.rolls_left], dtype=np.int32),
            **self.of_card(position.card),
            "action_mask": self.numbers.mask(position),
        }

    def of_card(self, card: ScoreCard) -> Parts:
        """The parts that describe a card."""
        upper = [card.section_total("upper", column) for column in range(len(card.ruleset.columns))]
        return {
            "boxes": np.array([-1 if points is None else points for points in card.boxes], dtype=np.int32),
            "upper": np.array(upper, dtype=np.int32),
            "card": np.array(card.figures, dtype=np.int32),
        }

    def card(self, parts: Mapping[str, Array], *, is_won: bool) -> ScoreCard:
        """The card that the parts `boxes` and `card` describe."""
        boxes = [points if points >= 0 else None for points in parts["boxes"].tolist()]
        return ScoreCard.of(self.numbers.ruleset, boxes, parts["card"].tolist(), won=is_won)

    def flat(self, parts: Mapping[str, Array], names: tuple[str, ...] = ()) -> Array:
        """float32[…, width]: these parts, or all, as one vector."""
        found: list[Array] = []
        for name in names or tuple(self.most):
            values = parts[name]
            if name == "boxes":
                found.append((values >= 0).astype(np.float32))
                values = np.maximum(values, 0)
            found.append(values.astype(np.float32) / self.most[name].astype(np.float32))
        return np.concatenate(found, axis=-1)


def _at_least_one(values: Sequence[int]) -> Array:
    return np.maximum(np.array(values, dtype=np.int32), 1)
