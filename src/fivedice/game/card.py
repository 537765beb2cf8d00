"""`ScoreCard`: the boxes of one seat, and the totals and bonuses that follow from them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fivedice.rulesets.box import Award, Box, Section
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.ruleset import Ruleset

LATER = 1_000
"""A number of a roll in its turn, greater than any that a rule treats differently."""


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """The boxes of one seat, in the order of `ruleset.boxes`: the points in each, None while it is open.

    `extras` counts the extra-Yahtzee bonuses earned, as often as a column multiplies them, `saved` the rolls carried
    forward to the next turn, and `won` means that this seat won the game outright on a first roll. `elsewhere`, noted
    only if the ruleset `tracks_first`, means that the first equal dice were scored in another box than one of the joker
    category. `announced` is the box that the current turn must fill, empty if none was announced. `resigned` means
    that this seat gave up the game.
    """

    ruleset: Ruleset
    boxes: tuple[int | None, ...]
    extras: int = 0
    saved: int = 0
    won: bool = False
    elsewhere: bool = False
    announced: str = ""
    resigned: bool = False

    def __post_init__(self) -> None:
        if type(self.boxes) is not tuple:
            object.__setattr__(self, "boxes", tuple(self.boxes))

    @classmethod
    def empty(cls, ruleset: Ruleset) -> "ScoreCard":
        """A new card."""
        return cls(ruleset, (None,) * len(ruleset.boxes))

    def points(self, box_id: str) -> int | None:
        """The points in a box, None while it is open."""
        return self.boxes[self.ruleset.box_index[box_id]]

    @property
    def filled(self) -> frozenset[int]:
        """The indices of the filled boxes."""
        return frozenset(index for index, points in enumerate(self.boxes) if points is not None)

    @property
    def num_filled(self) -> int:
        """The number of filled boxes."""
        return len(self.boxes) - self.boxes.count(None)

    @property
    def turns_left(self) -> int:
        """The number of turns until the card is complete."""
        return self.ruleset.rounds - self.num_filled

    @property
    def is_complete(self) -> bool:
        """Whether this seat has played all its rounds."""
        return self.num_filled == self.ruleset.rounds

    @property
    def rolls(self) -> int:
        """The rolls of this seat's next turn, including saved ones."""
        return self.ruleset.rolls + self.saved

    def playable(self) -> list[int]:
        """The open boxes that a turn may fill by the order of their column and by what was announced, before any joker
        rule."""
        return [self.ruleset.box_index[self.announced]] if self.announced else self._next_boxes(is_announced=False)

    def announceable(self, roll: int = 0) -> list[int]:
        """The open boxes that may be announced after a roll, by its number in the turn from 0: after the first one,
        unless one already is."""
        return [] if self.announced or roll else self._next_boxes(is_announced=True)

    @property
    def must_announce(self) -> bool:
        """Whether nothing can be done before an announcement, since no other box is open."""
        return bool(self.ruleset.announceable_boxes) and not self.playable()

    def _next_boxes(self, *, is_announced: bool) -> list[int]:
        """The open boxes that the order of their column lets a turn fill, of the columns that are announced or not."""
        per_column = len(self.ruleset.categories)
        result: list[int] = []
        for number, column in enumerate(self.ruleset.columns):
            if column.announced != is_announced:
                continue
            start = number * per_column
            free = [index for index in range(start, start + per_column) if self.boxes[index] is None]
            if column.order == "free":
                result += free
            elif free:
                result.append(free[0] if column.order == "down" else free[-1])
        return result

    def fill(self, box: int, dice: Dice, points: int, *, bonus: int, saved: int, won: bool) -> "ScoreCard":
        """The card after a turn that wrote `points` for a roll in the box with this index and earned an extra bonus."""
        boxes = (*self.boxes[:box], points, *self.boxes[box + 1 :])
        extras = self.extras + (bonus // self.ruleset.extra_bonus if bonus else 0)
        is_elsewhere = self.elsewhere or (
            self.ruleset.tracks_first
            and len(set(dice)) == 1
            and box not in self.ruleset.joker_boxes
            and not self._has_filled_joker_box
        )
        return ScoreCard(self.ruleset, boxes, extras, saved, won, is_elsewhere)

    def section_total(self, section: Section, column: int = 0) -> int:
        """Points in one section of one column, without bonuses and lines and before the column's multiplier."""
        boxes = self.boxes
        return sum([boxes[index] or 0 for index in self.ruleset.section_boxes[section, column]])

    def upper_bonus(self, column: int = 0) -> int:
        """The upper bonus of one column so far, before its multiplier; it is credited as soon as it is earned."""
        return self.ruleset.bonus_for(self.section_total("upper", column))

    def to_bonus(self, column: int = 0) -> int | None:
        """Upper points that a column lacks for its next bonus; None if it cannot reach another bonus."""
        total = self.section_total("upper", column)
        missing = [tier.at - total for tier in self.ruleset.upper_bonus if tier.at > total]
        boxes, most = self.ruleset.section_boxes["upper", column], self.ruleset.most_by_box
        to_come = sum(most[index] for index in boxes if self.boxes[index] is None)
        return missing[0] if missing and missing[0] <= to_come else None

    def line(self, number: int) -> int | None:
        """The points of the line with this index in `ruleset.line_boxes`, before the column's multiplier; None until
        its boxes are filled."""
        plus, minus, times = (self.boxes[box] for box in self.ruleset.line_boxes[number])
        return None if plus is None or minus is None or times is None else (plus - minus) * times

    def line_total(self, column: int = 0) -> int:
        """The points of all lines of one column, before its multiplier."""
        per_column = len(self.ruleset.lines)
        return sum(self.line(number) or 0 for number in range(column * per_column, (column + 1) * per_column))

    @property
    def extra_bonus(self) -> int:
        """Points for extra Yahtzees so far."""
        return self.extras * self.ruleset.extra_bonus

    @property
    def total(self) -> int:
        """The score: the sum of the card, or the points to which the rules convert it, so far."""
        conversion = self.ruleset.conversion
        return sum(self.award(number) for number in range(len(conversion))) if conversion else self.sum

    def award(self, number: int) -> int:
        """The points so far of the award with this index in the conversion of the rules."""
        award = self.ruleset.conversion[number]
        reached = self.counted_for(award)
        if award.is_of_card:
            reached += self.sum - self.points_written
        return award.points_for(reached)

    def counted_for(self, award: Award) -> int:
        """What the tiers of an award count so far, without upper bonuses."""
        if award.is_of_card:
            return self.points_written
        points = [points for box, points in self.entries() if award.category in ("", box.category.id)]
        return sum(map(bool, points)) if award.of == "boxes" else sum(points)

    @property
    def sum(self) -> int:
        """Each column's boxes, lines and upper bonus, times its multiplier, plus the extra-Yahtzee bonuses."""
        columns = enumerate(self.ruleset.columns)
        return self.points_written + sum(column.multiplier * self.upper_bonus(i) for i, column in columns)

    @property
    def points_written(self) -> int:
        """The sum without the upper bonuses."""
        weights = self.ruleset.weights
        total = sum([points * weight for points, weight in zip(self.boxes, weights, strict=True) if points])
        if self.ruleset.lines:
            total += sum(column.multiplier * self.line_total(i) for i, column in enumerate(self.ruleset.columns))
        return total + self.extra_bonus

    @property
    def figures(self) -> tuple[int, int, bool, int, int]:
        """What arrays hold of a card beside its boxes: extra bonuses, saved rolls, whether the first equal dice went
        elsewhere, the announced box, counted from 1, or 0, and the score so far."""
        announced = self.ruleset.box_index[self.announced] + 1 if self.announced else 0
        return self.extras, self.saved, self.elsewhere, announced, self.total

    @classmethod
    def of(cls, ruleset: Ruleset, boxes: Iterable[int | None], figures: Sequence[int], *, won: bool) -> "ScoreCard":
        """The card with these points in its boxes and these `figures`."""
        extras, saved, elsewhere, place, _ = figures
        announced = ruleset.boxes[place - 1].id if place else ""
        return cls(ruleset, tuple(boxes), extras, saved, won, bool(elsewhere), announced)

    @property
    def _has_filled_joker_box(self) -> bool:
        return any(self.boxes[index] is not None for index in self.ruleset.joker_boxes)

    @property
    def is_spoiled(self) -> bool:
        """Whether no extra bonus can be earned: a joker box holds a zero, unless the rules pay after it, or the first
        equal dice went elsewhere.

        With `wild_while_open` alone the latter matters only until a joker box is filled.
        """
        if self.elsewhere and (self.ruleset.first_in_box or not self._has_filled_joker_box):
            return True
        if self.ruleset.bonus_after_zero:
            return False
        return any(self.boxes[index] == 0 for index in self.ruleset.joker_boxes)

    @property
    def outright_points(self) -> int:
        """What an outright win counts beside the score, by `Ruleset.outright_points`; 0 for a card that has none."""
        return self.ruleset.outright_points(self.turns_left) if self.won else 0

    @property
    def result(self) -> int:
        """What advice maximises the mean of: the score, and what an outright win counts beside it."""
        return self.total + self.outright_points

    def is_extra(self, dice: Dice) -> bool:
        """Whether a roll is an extra Yahtzee: all dice equal and every box of the joker category filled.

        With `wild_while_open`, it is enough that one of them is filled or equal dice were scored elsewhere.
        """
        jokers = self.ruleset.joker_boxes
        if not jokers or len(set(dice)) != 1:
            return False
        if self.ruleset.wild_while_open and (self.elsewhere or self._has_filled_joker_box):
            return True
        return all(self.boxes[index] is not None for index in jokers)

    def pays_extra(self, dice: Dice) -> bool:
        """Whether scoring this roll can earn the extra-Yahtzee bonus: every box of the joker category holds points, or
        is at least filled, if the rules pay after a zero."""
        return (
            bool(self.ruleset.extra_bonus)
            and self.is_extra(dice)
            and all(self.boxes[index] is not None for index in self.ruleset.joker_boxes)
            and not self.is_spoiled
        )

    def extra_points(self, box: int, dice: Dice, points: int) -> int:
        """What a roll that `pays_extra` earns beside these points in the box with this index."""
        ruleset = self.ruleset
        if ruleset.bonus_needs_points and not points:
            return 0
        if ruleset.bonus_in_upper and box not in ruleset.matching_upper[dice[0]]:
            return 0
        column = ruleset.columns[ruleset.boxes[box].column]
        return ruleset.extra_bonus * (column.multiplier if ruleset.bonus_by_column else 1)

    def is_locked(self, box: int) -> bool:
        """Whether every roll scores 0 in the box with this index, since one that it requires holds no points."""
        ruleset = self.ruleset
        required = ruleset.boxes[box].category.requires
        return bool(required) and not self.boxes[ruleset.box_index[required]]

    def is_within_limit(self, box: int, points: int) -> bool:
        """Whether the box with this index can hold these points beside the box that is paired with it, if any."""
        partner = self.ruleset.partners.get(box)
        return partner is None or self.ruleset.is_within_limit(box, points, self.boxes[partner] or 0)

    def written(self, box: int, points: int, roll: int = LATER) -> int:
        """What a roll that is worth these points writes in the box with this index: none if the box is locked or its
        limit forbids them, else what this roll of the turn, counted from 0, pays more than the last one as well."""
        if not points or self.is_locked(box) or not self.is_within_limit(box, points):
            return 0
        return points + self.ruleset.boxes[box].category.early_bonus(roll)

    @property
    def pending(self) -> int:
        """The points in one box of the limited pair while the other is open; 0 if neither or both are filled."""
        partners = self.ruleset.partners.items()
        return next((self.boxes[box] or 0 for box, other in partners if self.boxes[other] is None), 0)

    def entries(self) -> list[tuple[Box, int]]:
        """The filled boxes with their points, in the order of the card."""
        return [(box, points) for box, points in zip(self.ruleset.boxes, self.boxes, strict=True) if points is not None]

    def _repr_html_(self) -> str:
        """The card as a table for notebooks: a row for each category, then bonuses and the score."""
        from fivedice.rulesets.notebook import table

        ruleset, per_column = self.ruleset, len(self.ruleset.categories)
        columns = range(len(ruleset.columns))
        points = ["" if points is None else points for points in self.boxes]
        rows: list[list[object]] = [
            [category.name, *points[place::per_column]] for place, category in enumerate(ruleset.categories)
        ]
        for number, line in enumerate(ruleset.lines):
            found = [self.line(column * len(ruleset.lines) + number) for column in columns]
            rows.append([line.name, *("" if value is None else value for value in found)])
        if ruleset.upper_bonus:
            rows.append(["upper bonus", *map(self.upper_bonus, columns)])
        for name, value in (("extra bonuses", self.extra_bonus), ("saved rolls", self.saved)):
            if value:
                rows.append([name, value])
        rows.append(["score", self.total])
        head = ["", *(column.title for column in ruleset.columns)] if len(ruleset.columns) > 1 else []
        return table(head, rows)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the notation of the card says of its first equal dice and of the turn, as in `elsewhere=1`."""
        if not (self.elsewhere or self.announced):
            return ()
        return (*["elsewhere=1"] * self.elsewhere, *[f"announced={self.announced}"] * bool(self.announced))

    def __str__(self) -> str:
        """The card in notation: `threes=9,yahtzee=50,+1`, or `-` for a new one."""
        boxes = zip(self.ruleset.box_index, self.boxes, strict=True)
        entries = [f"{id}={points}" for id, points in boxes if points is not None]
        if self.saved:
            entries.append(f"saved={self.saved}")
        if self.won:
            entries.append("won=1")
        entries += self.notes
        if self.extras:
            entries.append(f"+{self.extras}")
        if self.resigned:
            entries.append("resigned")
        return ",".join(entries) or "-"

    def __repr__(self) -> str:
        return f"<ScoreCard {self.ruleset} {self}>"
