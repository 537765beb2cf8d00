"""The verifiers of the browser and of Python, two implementations of one document, agree on every record."""

import json
import random
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.json import encode

from fivedice.base.errors import line_of_error
from fivedice.cli.commands.records import verification_view
from fivedice.game.record_lines import read_lines
from fivedice.game.verification import verify_lines
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.server.table.state import ruleset_of
from fivedice.views.to_dict import RecordCheckView, record_check_view
from tests.amount import amount
from tests.game.record_grammar import first_bad_line
from tests.game.test_record import REAL_DICE
from tests.web.games import OWN_RULES, short_games, whole_games


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


HERE = Path(__file__).parent
SHARE = amount(10, full=1)
"""One in so many of the changed lines is verified."""


def verify_in_browser(node: str, texts: list[str]) -> list[dict[str, Any]]:
    """Return the results of the browser's verifier for records."""
    done = subprocess.run(  # noqa: S603
        [node, str(HERE / "verify_all.mjs")], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    outcomes: list[dict[str, Any]] = json.loads(done.stdout)
    return outcomes


def verify_in_python(text: str) -> dict[str, Any]:
    """Return the result of the Python verifier for a record, or why it cannot be checked."""
    try:
        lines = read_lines(text)
    except ValueError as error:
        return {"uncheckable": "form", "line": line_of_error(error)}
    if lines.is_real:
        return {"uncheckable": "real_dice", "line": 0}
    if lines.proof is None:
        return {"uncheckable": "no_proof", "line": 0}
    if lines.proof.secret is None:
        return {"uncheckable": "no_secret", "line": 0}
    return json.loads(encode(verification_view(verify_lines(lines))))  # type: ignore[no-any-return]


def check_alike(in_browser: list[dict[str, Any]], texts: list[str]) -> None:
    """Check that the browser found in records what Python does, which alone reads every line as it is documented."""
    for found, text in zip(in_browser, texts, strict=True):
        expected = verify_in_python(text)
        is_form = expected.get("uncheckable") == "form"
        assert first_bad_line(text) == (expected["line"] if is_form else None), text
        if is_form:
            assert found.get("uncheckable") == "form" or not points_of(text).ok, text
        else:
            assert found == expected, text


@cache
def points_of(text: str) -> RecordCheckView:
    """Return what the server says of the points of a record."""
    return record_check_view(text, ruleset_of)


def test_the_browsers_verifier_passes_its_own_tests(node: str) -> None:
    done = subprocess.run(  # noqa: S603
        [node, "--test", str(HERE / "verify.test.mjs")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "pass 7" in done.stdout


def test_the_games_have_every_ruleset_and_every_kind_of_event() -> None:
    texts = "".join([*whole_games(), *short_games()])
    assert {line.removeprefix("ruleset: ") for line in texts.splitlines() if line.startswith("ruleset: ")} == {
        *ruleset_ids(),
        "maxi_yatzy",
        *(f"{name}.toml" for name in OWN_RULES),
    }
    for event in (
        *("keep -", "announce ", "scratch ", "opening: first", "opening: highest_roll", "unfinished", "wins"),
        *("undone: ", "after rolls of seat", "\nrules:\n", '"Cem, the 3rd":human', "1: [0-9]*[abc]"),
        *(r"= [0-9]+ \+100\n", r"options: saved_rolls=true", "[0-9], resign\n", "\n[0-9]: resign\n"),
        *("help: none\n", "help: after\n", "help: always\n", "help: tutor, seat [0-9] asked [1-9]", "changed [1-9]"),
    ):
        assert re.search(event, texts), event
    assert {len(read_lines(text).kinds) for text in short_games()} >= {2, 3, 5, 12}


def test_both_verifiers_and_the_documented_form_accept_every_game(node: str) -> None:
    texts = [*whole_games(), *short_games()]
    texts.append(texts[0].replace("\n  opening:", "\n  source: browser\n  opening:"))
    assert [first_bad_line(text) for text in texts] == [None] * len(texts)
    expected = [verify_in_python(text) for text in texts]
    check_alike(verify_in_browser(node, texts), texts)
    for text, found in zip(texts, expected, strict=True):
        assert found["ok"], text
        assert found["offline"] == ("source: browser" in text)
        assert found["dice"] >= len(read_lines(text).turns)
        assert found["began"] == ("chosen" if "opening: first" in text else "rolled")
        points = points_of(text)
        assert points.ok, points.problem
        assert len(points.undone) == text.count("\n  undone: ")
        assert points.help
        assert f"\n  help: {points.help.kind}" in text
        assert len(points.help.questions) == len(re.findall("seat [0-9]+ asked", text))


def test_both_verifiers_say_that_there_is_nothing_to_verify_of_real_dice(node: str) -> None:
    texts = [REAL_DICE, REAL_DICE.replace("-, -, 1", "-, keep -, 1"), REAL_DICE.replace("dice: real", "dice: loaded")]
    expected = [verify_in_python(text) for text in texts]
    assert [(found["uncheckable"], found["line"]) for found in expected] == [
        ("real_dice", 0),
        ("form", 12),
        ("form", 9),
    ]
    check_alike(verify_in_browser(node, texts), texts)


def test_both_verifiers_say_the_same_of_every_tampering_and_name_a_changed_turn(node: str) -> None:
    chance, changed = random.Random(5), list[Tampering]()
    for number, text in enumerate(short_games()):
        changed += [one for one in (*forgeries(text), *unproved(text)) if one.text != text]
        changed += list(changes_of_lines(text, chance))[number % SHARE :: SHARE]
    assert len(changed) > 10 * len(ruleset_ids())
    results = verify_in_browser(node, [one.text for one in changed])
    check_alike(results, [one.text for one in changed])
    began = set()
    for one, found in zip(changed, results, strict=True):
        points = points_of(one.text)
        assert (bool(found.get("ok")) and points.ok) == (not one.is_bad), (one.name, found, points, one.text)
        named = [found.get("line"), points.line, *(line for one in found.get("problems", ()) for line in one["lines"])]
        assert not one.line or one.line in named, (one.name, found, points, one.text)
        began.add((one.name, found.get("began")))
    for name, expected in (("no opening", "unknown"), ("an opening without dice", "chosen")):
        assert {how for what, how in began if what == name} - {None} == {expected}


def test_both_verifiers_agree_on_random_changes_of_characters(node: str) -> None:
    rng = random.Random(7)
    games = short_games()
    texts = [change_character(rng.choice(games), rng) for _ in range(amount(300, full=3_000))]
    outcomes = verify_in_browser(node, texts)
    check_alike(outcomes, texts)
    assert len({found.get("uncheckable", found.get("ok")) for found in outcomes}) >= 3


def change_character(text: str, rng: random.Random) -> str:
    """Return the record with one character deleted, doubled, or replaced by another one of it."""
    end = text.index("\nrules:") if "\nrules:" in text else len(text)
    at = rng.randrange(end)
    other = rng.choice(text[:end])
    return text[:at] + rng.choice(["", other, text[at] * 2]) + text[at + 1 :]
