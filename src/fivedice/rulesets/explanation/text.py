"""The rules of a ruleset as plain text, and those of all shipped rulesets as a page of Markdown."""

import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby

from fivedice.base.language import Language, language
from fivedice.rulesets import as_ruleset, load_ruleset, ruleset_ids
from fivedice.rulesets.explanation.page import ExampleRule, OptionRule, RulesSection, rules_page
from fivedice.rulesets.ruleset import Ruleset

WIDTH = 80


def explain(ruleset: Ruleset | str, lang: str = "en") -> str:
    """The rules in plain sentences, wrapped at 80 columns, in English, German ("de") or Swedish ("sv").

    Raises `UnknownError` for another language.
    """
    to = language(lang)
    page = rules_page(as_ruleset(ruleset), to)
    head = [*_wrap(page.name.text), *_wrap(page.about.text), *_wrap(page.played_with)]
    blocks = [head, *([section.title, *_lines(section, to)] for section in page.sections)]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def rules_markdown() -> str:
    """`docs/rules.md`: every shipped ruleset, explained."""
    rulesets = [load_ruleset(id) for id in ruleset_ids()]
    lines = ["# The rules of every ruleset", ""]
    lines += ["The output of `fivedice rules NAME` for every shipped ruleset. This page is generated:", ""]
    lines += ["    make rules", ""]
    lines += ["| ruleset | summary |", "|---|---|"]
    lines += [f"| [`{ruleset.id}`](#{ruleset.id}) | {ruleset.about} |" for ruleset in rulesets]
    for ruleset in rulesets:
        lines += ["", f"## {ruleset.id}", "", "```text", explain(ruleset).rstrip(), "```"]
    return "\n".join(lines) + "\n"


def _lines(section: RulesSection, to: Language) -> list[str]:
    return [
        *_table([(box.name, box.needs, box.pays) for box in section.boxes]),
        *_table([_option_row(option, to) for option in section.options]),
        *_paragraphs(section.sentences),
        *_example_lines(section.examples, to),
        *_paragraphs(prose.text for prose in section.prose),
    ]


def _paragraphs(sentences: Iterable[str]) -> list[str]:
    return [line for sentence in sentences for line in _wrap(sentence, "- ")]


def _wrap(text: str, first: str = "") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first))


def _option_row(option: OptionRule, to: Language) -> tuple[str, ...]:
    about = option.about.text
    return option.option, to.say("{choice} (played here)", choice=about) if option.is_played else about


def _table(rows: Sequence[tuple[str, ...]], widest: int = 30) -> list[str]:
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


def _example_lines(examples: Iterable[ExampleRule], to: Language) -> list[str]:
    lines = []
    for says, alike in groupby(examples, lambda example: example.says.text):
        lines += _wrap(to.say("“{text}”", text=says), "- ")
        for example in alike:
            lines += _wrap(f"{example.card} {example.outcome}".strip(), "    ")
    return lines
