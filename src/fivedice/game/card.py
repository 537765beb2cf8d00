"""`ScoreCard`: the boxes of one seat, and the totals and bonuses that follow from them."""

from dataclasses import dataclass, replace

from fivedice.dice import Dice
from fivedice.ruleset import Box, Ruleset, Section


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """The boxes of one seat, in the order of `ruleset.boxes`: the points in each, None while it is open.

    `extras` counts the extra-Yahtzee bonuses earned, `saved` the rolls carried forward to the next turn,
    and `won` means that this seat won the game outright on a first roll.
    """

    ruleset: Ruleset
    boxes: tuple[int | None, ...]
    extras: int = 0
    saved: int = 0
    won: bool = False

    @classmethod
    def empty(cls, ruleset: Ruleset) -> "ScoreCard":
        """A new card."""
        return cls(ruleset, (None,) * len(ruleset.boxes))

    def points(self, box_id: str) -> int | None:
        """The points in a box, None while it is open."""
        return self.boxes[self.ruleset.box_index[box_id]]

    @property
    def num_filled(self) -> int:
        """The number of filled boxes, which is that of turns taken."""
        return len(self.boxes) - self.boxes.count(None)

    @property
    def is_complete(self) -> bool:
        """Whether this seat has played all its rounds."""
        return self.num_filled == self.ruleset.rounds

    @property
    def rolls(self) -> int:
        """The rolls of this seat's next turn, including saved ones."""
        return self.ruleset.rolls + self.saved

    def playable(self) -> list[int]:
        """The open boxes that the order of their column lets a turn fill, before any joker rule."""
        per_column = len(self.ruleset.categories)
        result: list[int] = []
        for number, column in enumerate(self.ruleset.columns):
            start = number * per_column
            free = [index for index in range(start, start + per_column) if self.boxes[index] is None]
            if column.order == "free":
                result += free
            elif free:
                result.append(free[0] if column.order == "down" else free[-1])
        return result

    def fill(self, box: int, points: int, *, earns_extra: bool, saved: int, won: bool) -> "ScoreCard":
        """The card after a turn that wrote `points` in the box with this index."""
        boxes = (*self.boxes[:box], points, *self.boxes[box + 1 :])
        return replace(self, boxes=boxes, extras=self.extras + earns_extra, saved=saved, won=won)

    def section_total(self, section: Section, column: int = 0) -> int:
        """Points in one section of one column, without bonuses and before the column's multiplier."""
        boxes = self.boxes
        return sum([boxes[index] or 0 for index in self.ruleset.section_boxes[section, column]])

    def upper_bonus(self, column: int = 0) -> int:
        """The upper bonus of one column so far, before its multiplier; it is credited as soon as it is earned."""
        return self.ruleset.bonus_for(self.section_total("upper", column))

    def to_bonus(self, column: int = 0) -> int | None:
        """Upper points that a column lacks for its next bonus; None if it cannot reach another bonus."""
        total = self.section_total("upper", column)
        missing = [tier.at - total for tier in self.ruleset.upper_bonus if tier.at > total]
        to_come = sum(
            max(self.ruleset.attainable(box.category))
            for box, points in zip(self.ruleset.boxes, self.boxes, strict=True)
            if box.column == column and box.category.section == "upper" and points is None
        )
        return missing[0] if missing and missing[0] <= to_come else None

    @property
    def extra_bonus(self) -> int:
        """Points for extra Yahtzees so far."""
        return self.extras * self.ruleset.extra_bonus

    @property
    def total(self) -> int:
        """The score: each column's boxes and upper bonus, times its multiplier, plus the extra-Yahtzee bonuses."""
        columns = sum(
            column.multiplier * (self.section_total("upper", i) + self.section_total("lower", i) + self.upper_bonus(i))
            for i, column in enumerate(self.ruleset.columns)
        )
        return columns + self.extra_bonus

    def is_extra(self, dice: Dice) -> bool:
        """Whether a roll is an extra Yahtzee: all dice equal and every box of the joker category filled."""
        jokers = self.ruleset.joker_boxes
        return bool(jokers) and len(set(dice)) == 1 and all(self.boxes[index] is not None for index in jokers)

    def pays_extra(self, dice: Dice) -> bool:
        """Whether scoring this roll earns the extra-Yahtzee bonus: no box of the joker category holds a zero."""
        return (
            bool(self.ruleset.extra_bonus)
            and self.is_extra(dice)
            and all(self.boxes[index] for index in self.ruleset.joker_boxes)
        )

    def entries(self) -> list[tuple[Box, int]]:
        """The filled boxes with their points, in the order of the card."""
        return [(box, points) for box, points in zip(self.ruleset.boxes, self.boxes, strict=True) if points is not None]

    def __str__(self) -> str:
        """The card in notation: `threes=9,yahtzee=50,+1`, or `-` for a new one."""
        boxes = zip(self.ruleset.box_index, self.boxes, strict=True)
        entries = [f"{id}={points}" for id, points in boxes if points is not None]
        if self.saved:
            entries.append(f"saved={self.saved}")
        if self.won:
            entries.append("won=1")
        if self.extras:
            entries.append(f"+{self.extras}")
        return ",".join(entries) or "-"

    def __repr__(self) -> str:
        return f"<ScoreCard {self.ruleset} {self}>"
