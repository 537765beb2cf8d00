"""`RulesPage`: the rules of any ruleset as titled sections, from which the text and the page in a browser are made."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from fivedice.base.language import ENGLISH, Language
from fivedice.rulesets.box import Section
from fivedice.rulesets.dice import Dice, format_dice, rolls
from fivedice.rulesets.explanation.boxes import box_title, category_name
from fivedice.rulesets.explanation.dice import faces_text
from fivedice.rulesets.explanation.joker import JokerStep, joker_sentences, joker_steps
from fivedice.rulesets.explanation.sections import (
    bonus_sentences,
    end_sentences,
    hand_sentences,
    line_sentences,
    matching_sentences,
    pair_sentences,
)
from fivedice.rulesets.explanation.turn import announcement, turn_sentences
from fivedice.rulesets.explanation.words import needs, pays
from fivedice.rulesets.file import load_ruleset
from fivedice.rulesets.options import GENERIC_OPTIONS
from fivedice.rulesets.ruleset import Example, Ruleset
from fivedice.rulesets.scoring import SCORERS

SectionId = Literal["turns", "upper", "lower", "joker", "end", "options", "examples", "notes", "source", "notation"]


@dataclass(frozen=True)
class Prose:
    """A text of a ruleset's file, and the language that it is in."""

    text: str
    lang: str


@dataclass(frozen=True)
class BoxRule:
    """The rule of one category: what it needs and pays, and a roll as an example.

    `dice` are in ascending order, `matching` says which of them the box needs, and `points` is what they score there.
    """

    category: str
    name: str
    face: int | None
    needs: str
    pays: str
    dice: Dice
    matching: tuple[bool, ...]
    points: int


@dataclass(frozen=True)
class OptionRule:
    """One choice of an option, such as `five_as_house=true`."""

    option: str
    about: Prose
    is_played: bool


@dataclass(frozen=True)
class ExampleRule:
    """A worked example: what it shows, the options and the card before it in sentences, if any, its dice, and the
    outcome. `line` is its position in notation; empty for options of custom rules, which no position can name."""

    says: Prose
    card: str
    dice: Dice
    outcome: str
    line: str


@dataclass(frozen=True)
class RulesSection:
    """A titled part of the rules. Only some have boxes, joker steps, options or examples; `prose` is from the file."""

    id: SectionId
    title: str
    sentences: tuple[str, ...] = ()
    boxes: tuple[BoxRule, ...] = ()
    steps: tuple[JokerStep, ...] = ()
    options: tuple[OptionRule, ...] = ()
    examples: tuple[ExampleRule, ...] = ()
    prose: tuple[Prose, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is below its title."""
        return not (self.sentences or self.boxes or self.options or self.examples or self.prose)


@dataclass(frozen=True)
class RulesPage:
    """The rules of one ruleset in one language. `played_with` says which options are in effect; it may be empty."""

    ruleset: Ruleset
    name: Prose
    about: Prose
    played_with: str
    sections: tuple[RulesSection, ...]


def rules_page(ruleset: Ruleset, to: Language = ENGLISH) -> RulesPage:
    """The rules of a ruleset in a language."""
    chosen = ", ".join(f"{key}={value}" for key, value in ruleset.options)
    sections = (
        RulesSection("turns", to.say("Turns"), tuple(turn_sentences(ruleset, to))),
        RulesSection(
            "upper", to.say("Upper section"), tuple(bonus_sentences(ruleset, to)), _boxes(ruleset, "upper", to)
        ),
        RulesSection(
            "lower",
            to.say("Lower section"),
            (
                *matching_sentences(ruleset, to),
                *pair_sentences(ruleset, to),
                *hand_sentences(ruleset, to),
                *line_sentences(ruleset, to),
            ),
            _boxes(ruleset, "lower", to),
        ),
        RulesSection(
            "joker",
            to.say("Extra bonus and joker"),
            tuple(joker_sentences(ruleset, to)),
            steps=tuple(joker_steps(ruleset, to)),
        ),
        RulesSection("end", to.say("The end"), tuple(end_sentences(ruleset, to))),
        RulesSection("options", to.say("Options"), _how_to_choose(ruleset, to), options=_options(ruleset, to)),
        RulesSection("examples", to.say("Worked examples"), examples=_examples(ruleset, to)),
        RulesSection("notes", to.say("Where rule books differ"), prose=tuple(_proses(ruleset, ruleset.notes, to))),
        RulesSection("source", to.say("Source"), prose=tuple(_proses(ruleset, [ruleset.source], to))),
        RulesSection(
            "notation",
            to.say("In notation"),
            (to.say("{name}, with the digest {digest}", name=ruleset, digest=ruleset.digest),),
        ),
    )
    return RulesPage(
        ruleset,
        prose(ruleset, ruleset.name, to),
        prose(ruleset, ruleset.about, to),
        to.say("Played here with {options}.", options=chosen) if chosen else "",
        tuple(section for section in sections if not section.is_empty),
    )


def prose(ruleset: Ruleset, text: str, to: Language) -> Prose:
    """A text of a ruleset's file in a language, or in English if the file has no other."""
    translated = ruleset.prose(text, to.card_tag)
    return Prose(text, "en") if translated is None else Prose(translated, to.card_tag)


def _proses(ruleset: Ruleset, texts: Iterable[str], to: Language) -> Iterable[Prose]:
    return (prose(ruleset, text, to) for text in texts if text)


def _boxes(ruleset: Ruleset, section: Section, to: Language) -> tuple[BoxRule, ...]:
    by_category = samples(ruleset)
    return tuple(
        BoxRule(
            category.id,
            category_name(category, ruleset, to),
            category.arguments.get("face"),
            needs(category, ruleset, to),
            pays(category, ruleset, to),
            *by_category[category.id],
        )
        for category in ruleset.categories
        if category.section == section
    )


def _options(ruleset: Ruleset, to: Language) -> tuple[OptionRule, ...]:
    chosen = dict(ruleset.options)
    return tuple(
        OptionRule(
            f"{key}={choice.value}",
            prose(ruleset, choice.about, to),
            chosen.get(key, choice.value if choice.is_default else "") == choice.value,
        )
        for key, choices in ruleset.choices
        for choice in choices
    )


def _how_to_choose(ruleset: Ruleset, to: Language) -> tuple[str, ...]:
    options = "; ".join(f"{key}={form}" for key, (_, form) in GENERIC_OPTIONS.items())
    return (
        to.say("Every ruleset has these options: {options}.", options=options),
        to.say("Options follow the name, as in {example}.", example=f"{ruleset.ref}[order=down]"),
    )


def _examples(ruleset: Ruleset, to: Language) -> tuple[ExampleRule, ...]:
    return tuple(
        ExampleRule(
            prose(ruleset, example.says, to),
            _card(example, ruleset, to),
            example.dice,
            _outcome(example, ruleset, to),
            example_line(example, ruleset),
        )
        for example in ruleset.examples
    )


def example_line(example: Example, ruleset: Ruleset) -> str:
    """The position of a worked example in notation; empty for options of rules that are not shipped."""
    if example.options and not ruleset.is_shipped:
        return ""
    played = load_ruleset(f"{ruleset.ref}[{example.options}]") if example.options else ruleset
    rolls_left = played.rolls - example.roll if example.roll else 0
    return f"{played} {example.card} {format_dice(example.dice)} r{rolls_left}"


def _card(example: Example, ruleset: Ruleset, to: Language) -> str:
    """The options and the card that an example is played with, in sentences."""
    played = [to.say("Played here with {options}.", options=example.options)] if example.options else []
    if example.card == "-":
        return " ".join(played)
    pairs = [entry.partition("=") for entry in example.card.split(",")]
    entries = [
        f"{box_title(ruleset, box, to) if box in ruleset.box_index else box} {points}"
        for box, _, points in pairs
        if points not in ruleset.box_index
    ]
    if entries:
        played.append(to.say("The card already held {entries}.", entries=to.listed(entries)))
    noted = [box_title(ruleset, box, to) for _, _, box in pairs if box in ruleset.box_index]
    played += [announcement(title, to) for title in noted]
    return " ".join(played)


def _outcome(example: Example, ruleset: Ruleset, to: Language) -> str:
    dice, box = faces_text(ruleset, example.dice), box_title(ruleset, example.box, to)
    points, bonus = example.points, example.bonus
    if points is None:
        return to.say("{dice} may not go in {box}.", dice=dice, box=box)
    if example.roll > 1 and not bonus:
        return to.say(
            "{dice} on roll {number} scores {points} in {box}.", dice=dice, number=example.roll, points=points, box=box
        )
    if example.roll == 1:
        if bonus:
            return to.say(
                "{dice} on the first roll scores {points} in {box} and a bonus of {bonus}.",
                dice=dice,
                points=points,
                box=box,
                bonus=bonus,
            )
        return to.say("{dice} on the first roll scores {points} in {box}.", dice=dice, points=points, box=box)
    if bonus:
        return to.say(
            "{dice} scores {points} in {box} and a bonus of {bonus}.", dice=dice, points=points, box=box, bonus=bonus
        )
    return to.say("{dice} scores {points} in {box}.", dice=dice, points=points, box=box)


def samples(ruleset: Ruleset) -> dict[str, tuple[Dice, tuple[bool, ...], int]]:
    """The most typical roll for each category, by its id, which of its dice the box needs, and its points there.

    It fits few other lower boxes, shows many faces and has an ordinary total; for an upper box, half of it is the face.
    """
    categories = ruleset.categories
    lower = [index for index, category in enumerate(categories) if category.section == "lower"]
    typical: dict[str, tuple[tuple[int, int, int], Dice]] = {}
    for roll in rolls(ruleset.dice, ruleset.faces):
        scores = ruleset.face_scores(roll)
        num_lower = sum(scores[index] > 0 for index in lower)
        extreme = abs(2 * sum(roll) - ruleset.dice * (ruleset.faces + 1))
        for category, points in zip(categories, scores, strict=True):
            if not points:
                continue
            is_face = category.scorer == "sum_of_face"
            oddity = abs(roll.count(category.arguments["face"]) - (ruleset.dice + 1) // 2) if is_face else num_lower
            candidate = ((oddity, -len(set(roll)), extreme), roll)
            typical[category.id] = min(typical.get(category.id, candidate), candidate)
    found = {}
    for category in categories:
        _, roll = typical[category.id]
        needed = list(SCORERS[category.scorer](roll, **category.arguments))
        matching = []
        for die in roll:
            matching.append(die in needed)
            if die in needed:
                needed.remove(die)
        found[category.id] = roll, tuple(matching), category.score(roll)
    return found
