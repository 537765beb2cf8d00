"""`Ruleset`: the rules of a game as frozen data: categories, columns, bonuses and a joker order.

`fivedice.rulesets` builds rulesets from TOML; nothing here reads a file. `Category.score` is the worth of a roll in a
box at face value, and `Ruleset.digest` identifies exactly these rules.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal, Protocol, get_args

from fivedice.dice import Dice, rolls
from fivedice.scoring import SCORERS

Pays = int | Literal["total", "matched"]
Order = Literal["free", "down", "up"]
Section = Literal["upper", "lower"]
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
class Category:
    """A rule of the card: a scorer with its parameters, and what a match pays.

    `pays` is a fixed number of points, "total" (the sum of all dice) or "matched" (the sum of the dice that match);
    `plus` is added to it. `first_roll_bonus` is added when the first roll of a turn is scored;
    with `first_roll_wins` a match on the first roll ends the game, won by the seat that rolled it.
    """

    id: str
    name: str
    section: Section
    scorer: str
    params: tuple[tuple[str, Any], ...] = ()
    pays: Pays = "total"
    plus: int = 0
    first_roll_bonus: int = 0
    first_roll_wins: bool = False

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """The scorer's keyword arguments."""
        return dict(self.params)

    def score(self, dice: Dice) -> int:
        """Points of a roll at face value, without any first-roll bonus; 0 if it does not match."""
        matched = SCORERS[self.scorer](dice, **self.arguments)
        return self._pay(dice, matched) if matched else 0

    def joker_score(self, dice: Dice) -> int:
        """Points of a roll that counts as a match in any case."""
        return self._pay(dice, SCORERS[self.scorer](dice, **self.arguments) or dice)

    def _pay(self, dice: Dice, matched: Dice) -> int:
        if isinstance(self.pays, int):
            return self.pays + self.plus
        return sum(dice if self.pays == "total" else matched) + self.plus


@dataclass(frozen=True)
class Column:
    """One column of the card. Its boxes and its upper bonus count `multiplier` times.

    `order` is the order in which the boxes are filled: "free", "down" or "up".
    """

    id: str = ""
    multiplier: int = 1
    order: Order = "free"


@dataclass(frozen=True)
class Box:
    """A category's place in one column of the card."""

    id: str
    name: str
    category: Category
    column: int


@dataclass(frozen=True)
class Tier:
    """`points` of upper bonus for an upper total of at least `at`; only the highest tier reached is paid."""

    points: int
    at: int


@dataclass(frozen=True)
class Example:
    """A worked example from the source of the rules: the points of a roll in a box of a card (None if it is closed).

    `card` is in notation; `first_roll` means that the dice are the first roll of the turn.
    """

    says: str
    dice: Dice
    box: str
    points: int | None
    bonus: int = 0
    card: str = "-"
    first_roll: bool = False


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
    voluntary_zero: bool = False
    """Whether a box may be scratched with a roll that would score in it."""
    saved_rolls: bool = False
    """Whether unused rolls of a turn are added to the same seat's next turn."""
    colours: tuple[tuple[str, tuple[int, ...]], ...] = field(default=(), metadata=_PROSE)
    """The faces of each named colour; the categories that use them hold their own copy."""
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
                f"{category.name} ×{column.multiplier}" if column.multiplier != 1 else category.name,
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
        """Section and column → the indices of its boxes."""
        found: dict[tuple[Section, int], list[int]] = {
            (section, column): [] for section in get_args(Section) for column in range(len(self.columns))
        }
        for index, box in enumerate(self.boxes):
            found[box.category.section, box.column].append(index)
        return {key: tuple(indices) for key, indices in found.items()}

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
    def _face_scores(self) -> dict[Dice, tuple[int, ...]]:
        return {}

    def face_scores(self, dice: Dice) -> tuple[int, ...]:
        """Points of a roll in each category, in order, at face value and without any first-roll bonus."""
        scores = self._face_scores.get(dice)
        if scores is None:
            scores = self._face_scores[dice] = tuple(category.score(dice) for category in self.categories)
        return scores

    @cached_property
    def _attainable(self) -> dict[Category, frozenset[int]]:
        return {}

    def attainable(self, category: Category) -> frozenset[int]:
        """The points that a box of a category can hold, including zero."""
        known = self._attainable.get(category)
        if known is None:
            index = self.categories.index(category)
            points = {self.face_scores(roll)[index] for roll in rolls(self.dice, self.faces)}
            takes_jokers = category.section == "lower" and category.id != self.joker_category
            if takes_jokers and self.joker is not Joker.NONE:
                points |= {category.joker_score((face,) * self.dice) for face in range(1, self.faces + 1)}
            if category.first_roll_bonus:
                points |= {value + category.first_roll_bonus for value in points if value}
            known = self._attainable[category] = frozenset(points | {0})
        return known

    @cached_property
    def attainable_by_box(self) -> tuple[frozenset[int], ...]:
        """The points that each box can hold, including zero."""
        return tuple(self.attainable(box.category) for box in self.boxes)

    def bonus_for(self, upper_total: int) -> int:
        """The upper bonus that a column's upper total earns, before the column's multiplier."""
        return max((tier.points for tier in self.upper_bonus if upper_total >= tier.at), default=0)

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

    @property
    def ref(self) -> str:
        """Its name in notation without options: its id, or the path of a file that is not shipped."""
        return self.file.ref if self.file else self.id

    def __str__(self) -> str:
        options = ",".join(f"{key}={value}" for key, value in self.options)
        return f"{self.ref}[{options}]" if options else self.ref

    def __repr__(self) -> str:
        return f"<Ruleset {self} {self.digest}>"


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
