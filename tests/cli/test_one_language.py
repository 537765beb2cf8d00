"""The terminal game speaks one language: whole games in a made-up one, in which every message is in another script.

A word in Latin letters on the screen is then one that no catalogue can translate, whatever it says.
"""

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from itertools import product
from pathlib import Path

import pytest

from fivedice.base.language import Language
from fivedice.cli import language as cli_language
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.explanation.boxes import BOXES
from fivedice.rulesets.ruleset import Ruleset
from tests.amount import cases
from tests.catalogues import OTHERS, SOURCE, extracted
from tests.cli.run_command import fivedice

GREEK = str.maketrans("abcdefghijklmnopqrstuvwxyz", "αβψδεφγηιξκλμνοπθρστυϝωχυζ")


class Greek(NullTranslations):
    """Translates every message by writing it in Greek letters, except its placeholders."""

    def gettext(self, message: str) -> str:
        return "".join(
            part if part.startswith("{") else part.lower().translate(GREEK) for part in re.split(r"(\{\w+\})", message)
        )

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@contextmanager
def greek(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Commands speak the made-up language, which has the decimal point of German and no card language."""
    made_up = Language("de", Greek(), "xx")
    monkeypatch.setattr(cli_language, "language_for", lambda option, environ: made_up)
    token = cli_language._chosen.set(made_up)
    try:
        yield
    finally:
        cli_language._chosen.reset(token)


NAMES = {"Ann", "Ben", "greedy", "Enter", "Esc"}
"""Names of players and of keys."""


def latin(text: str, ruleset: Ruleset) -> list[str]:
    """The words of at least two Latin letters, without names, what was typed, and paths and commands to copy."""
    text = "\n".join(line for line in text.splitlines() if not line.startswith("> "))
    copied = r"\S*/\S*|\w+\[\S*\]|\S+\.txt|fivedice play --resume( [0-9]\S*)?|--\w+|'[^']*'"
    text = re.sub(copied, "", text)
    names = [ruleset.name, *(line.name for line in ruleset.lines), *(column.name for column in ruleset.columns)]
    names += [box.name for box in ruleset.boxes if box.category.id not in BOXES]
    own = {*NAMES, *re.findall(r"\w+", " ".join(names).lower()), *re.findall(r"\w+", " ".join(names))}
    return [
        word
        for word in re.findall(r"[A-Za-z]{2,}", text)
        if not any(name.startswith(word) for name in own)  # a heading may be cut short
    ]


LINES = (
    "?/help/dance//boxes/roll/roll/card/undo/h/hint/keep 9/keep x/keep/score/c/score o/score nothing/scratch ones/"
    "announce ones/-/resign/no/ones/no/ones/yes/undo/ones/yes/roll/ones/resign/yes/undo/v/n/roll/quit/"
).replace("/", "\n")
"""Lines that reach every command, and every answer to what is typed wrongly."""


SEATS = ("human", "human,greedy", "Ann=human,Ben=human")
RULES = ("crag", "kismet[rounds=2]", "yamb", "triple_yahtzee")
"""One of each kind of rules with sentences of its own: a plain card, bonuses in steps, announcements, two boxes a turn,
and columns. All names of boxes and categories are checked elsewhere, and a game takes seconds."""


@pytest.mark.parametrize(
    ("rules", "seats"),
    cases(
        [*zip(RULES, SEATS * 2, strict=False), ("crag", SEATS[1]), ("crag", SEATS[2])], full=[*product(RULES, SEATS)]
    ),
)
@pytest.mark.usefixtures("shared_cache")
def test_a_plain_game_has_no_word_of_its_own(rules: str, seats: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with greek(monkeypatch):
        result = fivedice("play", "--plain", "--rules", rules, "--seats", seats, "--name", "Ann", lines=LINES)
    assert "θυιτ" in result.out
    assert latin(result.out + result.err, load_ruleset(rules)) == []


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.usefixtures("shared_cache")
def test_a_game_is_played_with_the_words_of_the_language(lang: str) -> None:
    words = {
        "de": "würfeln, 1 behalten, crag eintragen, ja, zurück, tipp, felder, block, hilfe, aufgeben, nein, beenden",
        "sv": "kasta, spara 1, skriv in crag, ja, ångra, råd, rutor, protokoll, hjälp, ge upp, nej, sluta",
    }[lang].split(", ")
    result = fivedice(
        *("play", "--plain", "--rules", "crag", "--seats", "human", "--seed", "1", "--lang", lang),
        lines="".join(f"{word}\n" for word in words),
    )
    assert {"de": "weder ein Befehl", "sv": "varken ett kommando"}[lang] not in result.out
    assert {"de": "Das Spiel bis hierher ist in", "sv": "Spelet hittills är sparat i"}[lang] in result.out
    assert result.status == 0


ROOMS = ("game", "terminal")
SAYS = ("say", "numbered", "count", "marked", "Binding", "Palette")
"""Functions whose arguments are messages of the catalogues, or never shown."""

TWO_WORDS = r"[a-z]{2,} [a-z]{2,}"


def sentences(path: Path) -> Iterator[str]:
    """The literals of a file that read like a sentence, and are neither a docstring nor said through a catalogue."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    said = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in SAYS
        for part in ast.walk(node)
    }
    docs |= {id(node.msg) for node in ast.walk(tree) if isinstance(node, ast.Assert)}
    # Such as "new game", by which the program also knows what follows a game. Sentences are never names.
    messages = {form for message in extracted() for form in message if not form.endswith((".", "?", ":"))}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            continue
        if id(node) not in docs | said and node.value not in messages and re.search(TWO_WORDS, node.value):
            yield f"{path.name}:{node.lineno}: {node.value}"


def test_every_sentence_of_these_rooms_is_said_through_the_catalogues() -> None:
    files = [file for room in ROOMS for file in sorted((SOURCE / "cli" / room).glob("*.py"))]
    assert {file.parent.name for file in files} == {*ROOMS}
    assert [sentence for file in files for sentence in sentences(file)] == []
