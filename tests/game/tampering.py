"""Ways to change the record of a game: each line by itself, and forgeries that fit together in several lines."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from fivedice.rulesets import load_ruleset


@dataclass(frozen=True, slots=True)
class Tampering:
    """A changed text: what was changed, whether a verification must notice it, and a line that it must name then."""

    name: str
    text: str
    is_bad: bool = True
    line: int | None = None


TURN = re.compile("([0-9]+: |  turn )")
NAMES = re.compile("(seats|date): ")
"""Nothing proves what these lines say."""

UNPROVED = re.compile("  (opening|undone|help): |.*resign")
"""Nothing proves that these lines are there; a resignation counts from any place between two turns."""


def changes_of_lines(text: str, chance: random.Random) -> Iterator[Tampering]:
    """Each line before the text of rules is dropped, doubled, exchanged with the next, and has another digit."""
    head, rules, own = text.removesuffix("\n").partition("\nrules:\n")
    lines = head.split("\n")

    def with_lines(name: str, new: list[str], line: int | None = None) -> Tampering:
        return Tampering(name, "\n".join(new) + rules + own + "\n", line=line)

    for number, line in enumerate(lines):
        if not line or UNPROVED.match(line):
            continue
        before, after = lines[:number], lines[number + 1 :]
        yield with_lines(f"without {line}", before + after)
        yield with_lines(f"twice {line}", [*before, line, line, *after])
        if after and after[0] and after[0] != line and not UNPROVED.match(after[0]):
            yield with_lines(f"exchanged {line}", [*before, after[0], line, *after[1:]])
        digits = list(re.finditer("(?<![a-z_])[0-9]", line))
        if digits and not NAMES.match(line):
            digit = chance.choice(digits)
            other = chance.choice([one for one in "123456" if one != digit[0]])
            new = line[: digit.start()] + other + line[digit.end() :]
            named = number + 1 if TURN.match(line) else None
            yield with_lines(f"{line} as {new}", [*before, new, *after], line=named)


def forgeries(text: str) -> Iterator[Tampering]:
    """Changes that fit together in several lines, and so betray themselves by the secret, the proof or the points."""
    head, turns, proof = _parts(text)
    placed, rolled = re.search("turn 0: ([1-9a-k]+)", proof), re.search("^[0-9]+: ([1-9a-k]+)", turns, re.MULTILINE)
    if placed and rolled:
        dice = ("2" if placed[1][0] == "1" else "1") + placed[1][1:]
        line = turns[: rolled.start(1)] + "".join(sorted(dice)) + turns[rolled.end(1) :]
        yield Tampering("a die in both", head + line + proof[: placed.start(1)] + dice + proof[placed.end(1) :])
    if "\nrules:\n" not in text:
        other = "crag" if "ruleset: crag" not in text else "yahtzee"
        values = {"ruleset": other, "options": "-", "digest": load_ruleset(other).digest}
        for key, value in values.items():
            text = re.sub(f"^{key}: .*$", f"{key}: {value}", text, count=1, flags=re.MULTILINE)
        yield Tampering("another ruleset with its digest", text)
    if turns.strip():
        yield Tampering("one more seat", re.sub("^seats: .*$", r"\g<0>,greedy", head, flags=re.M) + turns + proof)
        yield Tampering("no proof", head + turns + "".join(proof.partition("rules:\n")[1:]))


def unproved(text: str) -> Iterator[Tampering]:
    """Changes of what nothing proves, or which mean nothing."""
    head, turns, proof = _parts(text)
    for name, old, new in (
        ("another name", "Ann", "Eve"),
        ("another date", r"date: .*", "date: 1999-12-31T23:59:59+00:00"),
        ("no opening", r"  opening: .*\n", ""),
        ("an opening without dice", "opening: .*", "opening: first"),
        ("no undone turns", r"(  undone: .*\n)+", ""),
        ("other help", "help: .*", "help: always"),
        ("the ends of lines as on Windows", r"\n", r"\r\n"),
    ):
        yield Tampering(name, re.sub(old, new, text), is_bad=False)
    spaced = head + turns.replace("\n", " \n\n") + proof.replace("\n  turn 0", "\n\n\t turn 0")
    yield Tampering("empty lines and blanks", spaced, is_bad=False)


def _parts(text: str) -> tuple[str, str, str]:
    head, proof = text.index("\n\n") + 2, text.index("proof:\n")
    return text[:head], text[head:proof], text[proof:]
