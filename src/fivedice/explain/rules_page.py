"""The rules of a ruleset as plain text or as data, and those of all shipped rulesets as a page of Markdown."""

import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby

from fivedice.dice import format_dice
from fivedice.explain.joker import joker_sentences
from fivedice.explain.sections import bonus_sentences, end_sentences, matching_sentences, turn_sentences
from fivedice.explain.words import needs, pays
from fivedice.ruleset import Example, Ruleset, Section
from fivedice.rulesets import load_ruleset, ruleset_ids

WIDTH = 80

GENERIC = {
    "rolls": "rolls=N",
    "rounds": "rounds=N",
    "order": "order=free, down or up",
    "joker": "joker=none, free, forced, wild or lower_first",
    "extra_bonus": "extra_bonus=POINTS",
    "upper_bonus": "upper_bonus=POINTS@TOTAL",
    "voluntary_zero": "voluntary_zero=true or false",
    "saved_rolls": "saved_rolls=true or false",
}
"""The form of each option that every ruleset has."""


def explain(ruleset: Ruleset) -> str:
    """The rules in plain sentences, wrapped at 80 columns."""
    chosen = ", ".join(f"{key}={value}" for key, value in ruleset.options)
    head = [*_wrap(ruleset.name), *_wrap(ruleset.about), *_wrap(f"Played here with {chosen}." if chosen else "")]
    sections = [
        ("Turns", _paragraphs(turn_sentences(ruleset))),
        ("Upper section", [*_boxes(ruleset, "upper"), *_paragraphs(bonus_sentences(ruleset))]),
        ("Lower section", [*_boxes(ruleset, "lower"), *_paragraphs(matching_sentences(ruleset))]),
        ("Extra bonus and joker", _paragraphs(joker_sentences(ruleset))),
        ("The end", _paragraphs(end_sentences(ruleset))),
        ("Options", _options(ruleset)),
        ("Worked examples", _examples(ruleset)),
        ("Interpretations", _paragraphs(ruleset.notes)),
        ("Source", _paragraphs([ruleset.source] if ruleset.source else [])),
        ("In notation", _paragraphs([f"{ruleset}, with the digest {ruleset.digest}"])),
    ]
    blocks = [head, *([title, *lines] for title, lines in sections if lines)]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def rules_page() -> str:
    """`docs/rules.md`: every shipped ruleset, explained."""
    rulesets = [load_ruleset(id) for id in ruleset_ids()]
    lines = ["# The rules of every ruleset", ""]
    lines += ["The output of `fivedice rules NAME` for every shipped ruleset. This page is generated:", ""]
    lines += ["    .venv/bin/python -m fivedice.explain > docs/rules.md", ""]
    lines += ["| ruleset | summary |", "|---|---|"]
    lines += [f"| [`{ruleset.id}`](#{ruleset.id}) | {ruleset.about} |" for ruleset in rulesets]
    for ruleset in rulesets:
        lines += ["", f"## {ruleset.id}", "", "```text", explain(ruleset).rstrip(), "```"]
    return "\n".join(lines) + "\n"


def _paragraphs(sentences: Iterable[str]) -> list[str]:
    return [line for sentence in sentences for line in _wrap(sentence, "- ")]


def _wrap(text: str, first: str = "", width: int = WIDTH) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=" " * len(first))


def _boxes(ruleset: Ruleset, section: Section) -> list[str]:
    """A table of one section: the name of each box, what it needs, and what it pays."""
    rows = [(c.name, needs(c, ruleset), pays(c)) for c in ruleset.categories if c.section == section]
    return _table(rows, 30)


def _table(rows: Sequence[tuple[str, ...]], widest: int) -> list[str]:
    """Rows in columns with wrapped cells; only the second column may be wider than `widest`."""
    if not rows:
        return []
    widths = [min(max(len(row[i]) for row in rows), widest) for i in range(len(rows[0]))]
    others = sum(widths) - widths[1]
    widths[1] = min(max(len(row[1]) for row in rows), WIDTH - others - 2 * len(widths))
    lines = []
    for row in rows:
        cells = [textwrap.wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
        for i in range(max(map(len, cells))):
            parts = ((cell[i] if i < len(cell) else "").ljust(w) for cell, w in zip(cells, widths, strict=True))
            lines.append(f"  {'  '.join(parts)}".rstrip())
    return lines


def _options(ruleset: Ruleset) -> list[str]:
    chosen = dict(ruleset.options)
    rows = []
    for key, choices in ruleset.choices:
        for choice in choices:
            is_played = chosen.get(key, choice.value if choice.is_default else "") == choice.value
            rows.append((f"{key}={choice.value}", choice.about + (" (played here)" if is_played else "")))
    every = f"Every ruleset has the options {'; '.join(GENERIC.values())}."
    how = f"Options follow the name, as in {ruleset.ref}[order=down]."
    return [*_table(rows, 30), *_paragraphs([every, how])]


def _examples(ruleset: Ruleset) -> list[str]:
    lines = []
    for says, examples in groupby(ruleset.examples, lambda example: example.says):
        lines += _wrap(f"“{says}”", "- ")
        lines += [line for example in examples for line in _wrap(_outcome(example, ruleset), "    ")]
    return lines


def _outcome(example: Example, ruleset: Ruleset) -> str:
    box = ruleset.boxes[ruleset.box_index[example.box]].name
    text = f"{format_dice(example.dice)}{' on the first roll' if example.first_roll else ''}"
    if example.points is None:
        text += f" may not go in {box}"
    else:
        text += f" scores {example.points} in {box}" + (f" and a bonus of {example.bonus}" if example.bonus else "")
    card = example.card.replace(",", ", ")
    return f"{text}, on the card {card}." if card != "-" else f"{text}."
