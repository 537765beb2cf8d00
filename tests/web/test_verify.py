"""The browser's verifier and ours, two readings of one page, say the same of every record."""

import json
import random
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fivedice.cli.commands.verify import verification_data
from fivedice.game.record import parse_record
from fivedice.game.verification import verify_record
from fivedice.proof import TableDice
from tests.game.table_game import table_game

HERE = Path(__file__).parent
RULESETS = ("yahtzee", "kismet", "crag", "maxi_yatzy[saved_rolls=true]", "triple_yahtzee", "yacht_dice")


def browser(node: str, texts: list[str]) -> list[dict[str, Any]]:
    """What the browser's verifier says of records."""
    done = subprocess.run(  # noqa: S603
        [node, str(HERE / "verify_all.mjs")], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    outcomes: list[dict[str, Any]] = json.loads(done.stdout)
    return outcomes


def ours(text: str) -> dict[str, Any] | None:
    """What our own verifier says of a record; None where there is nothing to check."""
    try:
        return verification_data(verify_record(parse_record(text)))
    except ValueError:
        return None


@cache
def games() -> list[str]:
    """Records of many rulesets, openings and lengths, with secrets, tables and nonces of all kinds."""
    chance = random.Random(6)
    result = []
    for number in range(24):
        nonces = tuple(
            f"{who} {chance.randint(0, 1)} {chance.randbytes(chance.randint(1, 32)).hex()}"
            for who in chance.choices(["seat", "watcher"], k=number % 4)
        )
        record = table_game(
            TableDice(chance.randbytes(32), f"t-{number}_", nonces),
            ruleset_ref=RULESETS[number % len(RULESETS)],
            opening=("first", "random", "highest_roll")[number % 3],
            max_turns=number,
            seed=number,
        )
        result.append(str(record))
    return result


def changed(text: str, chance: random.Random) -> str:
    """The record with one character of its proof left out, doubled, or replaced by another of the proof."""
    at = chance.randrange(text.index("\nproof:") + 1, len(text))
    other = chance.choice(text[text.index("\nproof:") :])
    return text[:at] + chance.choice(["", other, text[at] * 2]) + text[at + 1 :]


def faces_of(text: str) -> str | None:
    """The number of faces that a record's proof gives."""
    found = re.search(r"^  faces: (.*)$", text, re.MULTILINE)
    return found[1] if found else None


def test_the_browsers_verifier_passes_its_own_tests(node: str) -> None:
    done = subprocess.run(  # noqa: S603
        [node, "--test", str(HERE / "verify.test.mjs")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "pass 6" in done.stdout


def test_both_agree_on_games_as_they_were_played(node: str) -> None:
    texts = games()
    expected = [ours(text) for text in texts]
    assert all(outcome and outcome["ok"] and outcome["dice"] >= 5 for outcome in expected)
    assert browser(node, texts) == expected


def test_the_browser_finds_in_a_changed_proof_what_we_find(node: str) -> None:
    chance = random.Random(7)
    games_played = [text for text in games() for _ in range(12)]
    texts = [changed(text, chance) for text in games_played]
    refused = wrong = 0
    for played, text, theirs in zip(games_played, texts, browser(node, texts), strict=True):
        expected = ours(text)
        if expected is not None:
            assert theirs == expected, text
            wrong += not expected["ok"]
        elif faces_of(text) == faces_of(played):
            assert "uncheckable" in theirs, text
            refused += 1
        else:
            # It knows no rules, and so not that the game has another number of faces: to it the dice are wrong.
            assert not theirs.get("ok"), text
    assert refused > 10
    assert wrong > 10


@pytest.mark.parametrize("change", [("turn 0: ", "turn 0: 1"), ("\n0: ", "\n0: 1"), ("proof:", "prof:")])
def test_a_record_that_contradicts_itself_is_uncheckable_to_both(node: str, change: tuple[str, str]) -> None:
    text = games()[0].replace(*change)
    assert ours(text) is None
    assert "uncheckable" in browser(node, [text])[0]
