"""`Ruleset`: the rules of a game as frozen data: categories, columns, bonuses and a joker order.

`fivedice.rulesets` builds rulesets from TOML; nothing here reads a file. `Category.score` is the worth of a roll in a
box at face value, and `Ruleset.digest` identifies exactly these rules.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, Literal, Protocol, SupportsIndex, get_args

from fivedice.rulesets.box import Award, Box, Category, Column, Line, Section, Tier
from fivedice.rulesets.dice import Dice, rolls

Family = Literal["yahtzee", "yatzy", "other"]
Translations = Mapping[str, Mapping[str, str]]
"""Language → English text → the text in that language."""


class Joker(StrEnum):
    """Where an extra Yahtzee may go, that is, a roll of equal dice once every box of the joker category is filled.

    At *joker value*, a lower box pays as if the roll matched. The sources are named in the files in `rulesets/`.
    """

    NONE = "none"
    """Any open box, at face value."""
    FREE = "free"
    """Any open box; lower boxes at joker value only if the matching upper box is filled (Verhoeff)."""
    FORCED = "forced"
    """The matching upper box; else an open lower box at joker value; else any open box (Hasbro)."""
    WILD = "wild"
    """The matching upper box; else any open box, lower ones at joker value."""
    LOWER_FIRST = "lower_first"
    """An open lower box at joker value; only then the upper section (the 1956 booklet)."""


@dataclass(frozen=True)
class Example:
    """A worked example from the source of the rules: the points of a roll in a box of a card (None if it is closed).

    `card` is in notation; `roll` is the number of the roll in its turn, from 1, or 0 for the last; `options` are those
    that it is played with, as in `joker=free`.
    """

    says: str
    dice: Dice
    box: str
    points: int | None
    bonus: int = 0
    card: str = "-"
    roll: int = 0
    options: str = ""


@dataclass(frozen=True)
class Choice:
    """One value of a declared option, with a description."""

    value: str
    about: str
    is_default: bool = False


class RuleSource(Protocol):
    """The file of a ruleset, from which its variants are built: a `fivedice.rulesets.file.RuleFile`."""

    @property
    def ref(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def is_shipped(self) -> bool: ...

    def __hash__(self) -> int: ...

    def build(self, options: Mapping[str, object]) -> "Ruleset": ...


_PROSE = {"prose": True}
"""Marks a field that describes the rules without being one, and is not part of the digest."""


@dataclass(frozen=True, eq=False, repr=False)
class Ruleset:
    """Everything that determines which actions are legal and what they score. `str()` is its name in notation."""

    id: str = field(metadata=_PROSE)
    name: str = field(metadata=_PROSE)
    categories: tuple[Category, ...]
    dice: int = 5
    faces: int = 6
    rolls: int = 3
    rounds: int = 13
    columns: tuple[Column, ...] = (Column(),)
    upper_bonus: tuple[Tier, ...] = ()
    joker: Joker = Joker.NONE
    joker_category: str = ""
    extra_bonus: int = 0
    """Points for each extra Yahtzee while no box of the joker category holds a zero."""
    first_in_box: bool = False
    """Whether that bonus requires that the first equal dice to be scored went in a box of the joker category."""
    wild_while_open: bool = False
    """Whether equal dice are an extra Yahtzee also while a box of the joker category is open, if equal dice were scored
    before or another box of that category is filled."""
    bonus_by_column: bool = False
    """Whether the extra bonus is multiplied by the column of the box that the roll fills."""
    bonus_needs_points: bool = False
    """Whether the extra bonus is earned only if the roll scores points in its box."""
    bonus_in_upper: bool = False
    """Whether the extra bonus is earned only in an upper box that collects the face of the roll."""
    bonus_after_zero: bool = False
    """Whether the extra bonus is earned although a box of the joker category holds a zero."""
    conversion: tuple[Award, ...] = ()
    """If given, the result of a game is the sum of these awards, not that of the boxes and bonuses."""
    lines: tuple[Line, ...] = ()
    voluntary_zero: bool = False
    """Whether a box may be scratched with a roll that would score in it."""
    forced_score: bool = False
    """Whether a zero may be written only with a roll that scores in no box that it may fill."""
    saved_rolls: bool = False
    """Whether unused rolls of a turn are added to the same seat's next turn."""
    colours: tuple[tuple[str, tuple[int, ...]], ...] = field(default=(), metadata=_PROSE)
    """The faces of each named colour; the categories that use them hold their own copy."""
    face_names: tuple[str, ...] = field(default=(), metadata=_PROSE)
    """What the faces show, from the lowest up, if that is not their number."""
    options: tuple[tuple[str, str], ...] = field(default=(), metadata=_PROSE)
    family: Family = field(default="other", metadata=_PROSE)
    about: str = field(default="", metadata=_PROSE)
    source: str = field(default="", metadata=_PROSE)
    notes: tuple[str, ...] = field(default=(), metadata=_PROSE)
    examples: tuple[Example, ...] = field(default=(), metadata=_PROSE)
    choices: tuple[tuple[str, tuple[Choice, ...]], ...] = field(default=(), metadata=_PROSE)
    translations: Translations = field(default_factory=dict, metadata=_PROSE)
    """The prose of its file in other languages: name, about, source, notes, examples, options and names of boxes."""
    file: RuleSource | None = field(default=None, metadata=_PROSE)

    def prose(self, text: str, language: str) -> str | None:
        """A text of its file in a language; None if the file has it in English only."""
        return text if language == "en" else self.translations.get(language, {}).get(text)

    def face_name(self, face: int) -> str:
        """What a face shows: its name, or its number."""
        return self.face_names[face - 1] if face <= len(self.face_names) else str(face)

    def but(self, **options: object) -> "Ruleset":
        """This ruleset with other options: `load_ruleset("yahtzee").but(joker="free")`.

        Raises `UnknownError` for an unknown option and `MalformedError` for an invalid value.
        """
        if self.file is None:
            raise TypeError("this Ruleset was not built from a file: use dataclasses.replace")
        return self.file.build({**dict(self.options), **options})

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """Every box of a card: column by column, in the order of the categories."""
        return tuple(
            Box(
                f"{category.id}_{column.id}" if column.id else category.id,
                f"{category.name} {f'({column.name})' if column.name else column.title}"
                if column.name or column.multiplier != 1
                else category.name,
                category,
                index,
            )
            for index, column in enumerate(self.columns)
            for category in self.categories
        )

    @cached_property
    def box_index(self) -> dict[str, int]:
        """Box id → its index in `boxes` and on every card."""
        return {box.id: index for index, box in enumerate(self.boxes)}

    @cached_property
    def section_boxes(self) -> dict[tuple[Section, int], tuple[int, ...]]:
        """Section and column → the indices of its boxes, without those that count in a line only."""
        found: dict[tuple[Section, int], list[int]] = {
            (section, column): [] for section in get_args(Section) for column in range(len(self.columns))
        }
        in_lines = {id for line in self.lines for id in (line.plus, line.minus)}
        for index, box in enumerate(self.boxes):
            if box.category.id not in in_lines:
                found[box.category.section, box.column].append(index)
        return {key: tuple(indices) for key, indices in found.items()}

    @cached_property
    def line_boxes(self) -> tuple[tuple[int, int, int], ...]:
        """For each column and each line in it, the indices of the boxes whose points it adds, subtracts and multiplies.

        All lines of the first column come first.
        """
        place = {category.id: index for index, category in enumerate(self.categories)}
        starts = range(0, len(self.boxes), len(self.categories))
        return tuple(
            (start + place[line.plus], start + place[line.minus], start + place[line.times])
            for start in starts
            for line in self.lines
        )

    @cached_property
    def counted_boxes(self) -> frozenset[int]:
        """The boxes whose points count in the sum of the card, not only in a line."""
        return frozenset(index for indices in self.section_boxes.values() for index in indices)

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """How often the points of each box count in the sum of the card: as its column says, or 0 if only in a line."""
        columns = [self.columns[box.column] for box in self.boxes]
        return tuple(column.multiplier * (box in self.counted_boxes) for box, column in enumerate(columns))

    @cached_property
    def announceable_boxes(self) -> frozenset[int]:
        """The boxes that can be announced; they can be filled in no other way."""
        return frozenset(index for index, box in enumerate(self.boxes) if self.columns[box.column].announced)

    @cached_property
    def num_early(self) -> int:
        """How many rolls of a turn, from the first, can pay something else than the last."""
        return max(category.num_early for category in self.categories)

    @cached_property
    def matching_upper(self) -> dict[int, frozenset[int]]:
        """Face → the upper boxes that collect it."""
        return {
            face: frozenset(
                index
                for index, box in enumerate(self.boxes)
                if box.category.section == "upper" and box.category.arguments.get("face") == face
            )
            for face in range(1, self.faces + 1)
        }

    @cached_property
    def joker_boxes(self) -> frozenset[int]:
        """The boxes that must be filled before a roll of equal dice is an extra Yahtzee."""
        return frozenset(i for i, box in enumerate(self.boxes) if box.category.id == self.joker_category)

    @cached_property
    def tracks_first(self) -> bool:
        """Whether it matters if the first equal dice to be scored went outside the boxes of the joker category."""
        needs_box = self.first_in_box and self.extra_bonus > 0
        return bool(self.joker_boxes) and (needs_box or (self.wild_while_open and self.joker is not Joker.NONE))

    @cached_property
    def partners(self) -> dict[int, int]:
        """The box that limits the points of another, by that one: both boxes of a pair; most rules have none."""
        pair = self.limited_pair or ()
        return dict(zip(pair, reversed(pair), strict=True))

    @cached_property
    def limited_pair(self) -> tuple[int, int] | None:
        """The indices of the two boxes of which the first must hold more points than the second; None if none must."""
        for index, box in enumerate(self.boxes):
            if box.category.above:
                return index, self.box_index[box.category.above]
        return None

    def writable(self, points: int) -> tuple[int, ...]:
        """What a roll worth these points in a box can write there: the points, and a zero if it may be scratched.

        >>> from fivedice.rulesets import load_ruleset
        >>> load_ruleset("yatzy_american").writable(30), load_ruleset("yatzy").writable(30)
        ((30, 0), (30,))
        """
        return (points, 0) if points and self.voluntary_zero else (points,)

    def is_within_limit(self, box: int, points: int, other_points: int) -> bool:
        """Whether one box of the `limited_pair` can hold these points when the other holds `other_points`.

        A zero sets no limit, and is within every limit.
        """
        if not (self.limited_pair and points and other_points):
            return True
        first, _ = self.limited_pair
        more, fewer = (points, other_points) if box == first else (other_points, points)
        return more > fewer or (self.boxes[first].category.or_equal and more == fewer)

    @cached_property
    def _face_scores(self) -> dict[Dice, tuple[int, ...]]:
        return {}

    def face_scores(self, dice: Dice) -> tuple[int, ...]:
        """Points of a roll, or of the dice for one box, in each category, in order, at face value and without any
        first-roll bonus."""
        scores = self._face_scores.get(dice)
        if scores is None:
            scores = self._face_scores[dice] = tuple(category.score(dice) for category in self.categories)
        return scores

    @cached_property
    def _attainable(self) -> dict[Category, frozenset[int]]:
        return {}

    def attainable(self, category: Category) -> frozenset[int]:
        """The points that a box of a category can hold; zero only if a roll can score it or the box be scratched."""
        known = self._attainable.get(category)
        if known is None:
            index = self.categories.index(category)
            points = {self.face_scores(roll)[index] for roll in rolls(self.dice, self.faces)}
            takes_jokers = category.section == "lower" and category.id != self.joker_category
            if takes_jokers and self.joker is not Joker.NONE:
                points |= {category.joker_score((face,) * self.dice) for face in range(1, self.faces + 1)}
            if category.num_early:
                can_save = self.saved_rolls and self.rolls > 1
                num_rolls = max(self.rolls, category.num_early + 1) if can_save else self.rolls
                early = [category.early_bonus(roll) for roll in range(num_rolls)]
                points = {value and value + bonus for value in points for bonus in early}
            in_pair = {self.boxes[box].category for box in self.limited_pair or ()}
            can_be_zero = self.voluntary_zero or category.requires or category in in_pair
            known = self._attainable[category] = frozenset(points | {0} if can_be_zero else points)
        return known

    @cached_property
    def attainable_by_box(self) -> tuple[frozenset[int], ...]:
        """The points that each box can hold."""
        return tuple(self.attainable(box.category) for box in self.boxes)

    @cached_property
    def most_by_box(self) -> tuple[int, ...]:
        """The most points that each box can hold."""
        return tuple(map(max, self.attainable_by_box))

    def bonus_for(self, upper_total: int) -> int:
        """The upper bonus that a column's upper total earns, before the column's multiplier."""
        return max((tier.points for tier in self.upper_bonus if upper_total >= tier.at), default=0)

    @cached_property
    def can_be_won_outright(self) -> bool:
        """Whether a first roll can win the game at once."""
        return any(category.first_roll_wins for category in self.categories)

    def outright_points(self, turns_left: int) -> int:
        """The points that an outright win counts beside the final score, with so many turns left on the winner's card.

        They are more than the highest final score, and twice the most points of a turn for each turn left. So
        a game that is won now has a greater result than one that is won later or not at all, whatever else happens.
        """
        return self.highest_score + 1 + 2 * self._most_per_turn * turns_left

    @property
    def most_extras(self) -> int:
        """The most extra bonuses that a box earns: the greatest multiplier of a column, where they count times that."""
        return max(column.multiplier for column in self.columns) if self.bonus_by_column else 1

    @cached_property
    def highest_score(self) -> int:
        """A bound on final scores: the best boxes of a card, each with its extra bonuses, and the upper bonuses."""
        if self.conversion:
            return sum(max(tier.points for tier in award.tiers) for award in self.conversion)
        best = sorted((self._most_in(index) for index in self.counted_boxes), reverse=True)[: self.rounds]
        lines = sum(map(self._most_of_line, self.line_boxes))
        return sum(best) + lines + self._most_upper_bonus + self.rounds * self.most_extras * self.extra_bonus

    @cached_property
    def _most_per_turn(self) -> int:
        """A bound on what one turn adds to a total: a box, its extra bonuses, and the upper bonuses."""
        lines = max(map(self._most_of_line, self.line_boxes), default=0)
        most = max(map(self._most_in, range(len(self.boxes)))) + lines + self._most_upper_bonus
        most += self.most_extras * self.extra_bonus
        return max(most, self.highest_score) if self.conversion else most

    @cached_property
    def _most_upper_bonus(self) -> int:
        tier = max((tier.points for tier in self.upper_bonus), default=0)
        return tier * sum(column.multiplier for column in self.columns)

    def _most_in(self, index: int) -> int:
        return self.most_by_box[index] * self.columns[self.boxes[index].column].multiplier

    def _most_of_line(self, boxes: tuple[int, int, int]) -> int:
        plus, minus, times = (self.attainable_by_box[box] for box in boxes)
        return (max(plus) - min(minus)) * max(times) * self.columns[self.boxes[boxes[0]].column].multiplier

    @cached_property
    def digest(self) -> str:
        """The identity of the rules: 16 hexadecimal digits of the SHA-256 of everything that affects scores or choices.

        Prose and default values are excluded, so that a new kind of rule does not change existing digests.
        """
        text = json.dumps(_rules(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and (str(self), self.digest) == (str(other), other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        """A pickle has its file and options, from which each process builds it once; or all of it, without a file."""
        if self.file is not None and _built(self.file, self.options).digest == self.digest:
            return _built, (self.file, self.options)
        return super().__reduce_ex__(protocol)

    @property
    def ref(self) -> str:
        """Its name in notation without options: its id, or the path of a file that is not shipped."""
        return self.file.ref if self.file else self.id

    @property
    def is_shipped(self) -> bool:
        """Whether it is that of a shipped file, perhaps with options."""
        return self.file is not None and self.file.is_shipped

    @property
    def custom_text(self) -> str:
        """The text of its file; empty for a shipped one, and without a file."""
        return "" if self.file is None or self.file.is_shipped else self.file.text

    def __str__(self) -> str:
        options = ",".join(f"{key}={value}" for key, value in self.options)
        return f"{self.ref}[{options}]" if options else self.ref

    def __repr__(self) -> str:
        return f"<Ruleset {self} {self.digest}>"


@lru_cache(maxsize=256)
def _built(file: RuleSource, options: tuple[tuple[str, str], ...]) -> Ruleset:
    """The ruleset of a file with options."""
    return file.build(dict(options))


def _rules(value: Any) -> Any:
    """A frozen dataclass as a JSON tree, without prose and default values."""
    if isinstance(value, tuple | list):
        return [_rules(item) for item in value]
    if not hasattr(value, "__dataclass_fields__"):
        return value
    return {
        f.name: _rules(getattr(value, f.name))
        for f in fields(value)
        if not f.metadata.get("prose") and f.name != "name" and getattr(value, f.name) != f.default
    }
