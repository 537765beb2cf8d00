"""The verifiers of the browser and of Python, two implementations of one document, agree on every record."""

import json
import random
import re
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fivedice.cli.commands.verify import verification_data
from fivedice.game.action import Announce, Score
from fivedice.game.record import parse_record
from fivedice.game.undone import UndoneTurn
from fivedice.game.verification import verify_record
from fivedice.proof import TableDice
from tests.amount import amount
from tests.game.table_game import table_game

HERE = Path(__file__).parent
RULESETS = ("yahtzee", "kismet", "crag", "maxi_yatzy[saved_rolls=true]", "triple_yahtzee", "yacht_dice")


def verify_in_browser(node: str, texts: list[str]) -> list[dict[str, Any]]:
    """Return the results of the browser's verifier for records."""
    done = subprocess.run(  # noqa: S603
        [node, str(HERE / "verify_all.mjs")], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    outcomes: list[dict[str, Any]] = json.loads(done.stdout)
    return outcomes


def verify_in_python(text: str) -> dict[str, Any] | None:
    """Return the result of the Python verifier for a record, or None if it cannot be checked."""
    try:
        return verification_data(verify_record(parse_record(text)))
    except ValueError:
        return None


@cache
def games() -> list[str]:
    """Records with various rulesets, openings, lengths, secrets, tables and nonces."""
    rng = random.Random(6)
    result = []
    for number in range(24):
        nonces = tuple(
            f"{role} {rng.randint(0, 1)} {rng.randbytes(rng.randint(1, 32)).hex()}"
            for role in rng.choices(["seat", "watcher"], k=number % 4)
        )
        record = table_game(
            TableDice(rng.randbytes(32), f"t-{number}_", nonces),
            ruleset_ref=RULESETS[number % len(RULESETS)],
            opening=("first", "random", "highest_roll")[number % 3],
            max_turns=number,
            seed=number,
        )
        result.append(str(record))
    return result


def change_proof(text: str, rng: random.Random) -> str:
    """Return the record with one character of its proof deleted, doubled, or replaced by another one of the proof."""
    at = rng.randrange(text.index("\nproof:") + 1, len(text))
    other = rng.choice(text[text.index("\nproof:") :])
    return text[:at] + rng.choice(["", other, text[at] * 2]) + text[at + 1 :]


def num_faces(text: str) -> str | None:
    """Return the number of faces in the proof of a record."""
    found = re.search(r"^  faces: (.*)$", text, re.MULTILINE)
    return found[1] if found else None


def test_the_browsers_verifier_passes_its_own_tests(node: str) -> None:
    done = subprocess.run(  # noqa: S603
        [node, "--test", str(HERE / "verify.test.mjs")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "pass 7" in done.stdout


def test_both_verifiers_agree_on_unchanged_games(node: str) -> None:
    texts = games()
    expected = [verify_in_python(text) for text in texts]
    assert all(outcome and outcome["ok"] and outcome["dice"] >= 5 for outcome in expected)
    assert verify_in_browser(node, texts) == expected


def test_both_verifiers_agree_on_undone_turns(node: str) -> None:
    record = table_game(max_turns=5)
    assert record.proof
    actions = Score("ones"), Score("full_house", is_scratch=True), Announce("twos")
    undone = [UndoneTurn(turn, actions[turn // 2], rolled) for turn in (0, 2, 4) for rolled in ((), (0,), (0, 1), (1,))]
    text = str(record.with_proof(replace(record.proof, undone=tuple(undone))))
    expected = verify_in_python(text)
    assert expected
    assert len(expected["undone"]) == 12
    texts = [text, text.replace("turn 4, announce twos", "turn 6, announce twos")]
    found, refused = verify_in_browser(node, texts)
    assert found == expected
    assert "uncheckable" in refused


def test_both_verifiers_agree_on_faces_that_are_letters(node: str) -> None:
    game = table_game(
        TableDice(random.Random(5).randbytes(32), "t-twelve", ()),
        ruleset_ref=str(HERE / "twelve.toml"),
        opening="highest_roll",
        max_turns=6,
        seed=5,
    )
    text = str(game)
    assert re.search(r"\n0: [1-9]*[abc]", text)
    expected = verify_in_python(text)
    assert expected
    assert expected["ok"]
    found, with_fewer_faces = verify_in_browser(node, [text, text.replace("faces: 12", "faces: 11")])
    assert found == expected
    assert not with_fewer_faces.get("ok")


def test_both_verifiers_agree_on_changed_proofs(node: str) -> None:
    rng = random.Random(7)
    games_played = [text for text in games() for _ in range(amount(3, full=12))]
    texts = [change_proof(text, rng) for text in games_played]
    refused = wrong = 0
    for played, text, result in zip(games_played, texts, verify_in_browser(node, texts), strict=True):
        expected = verify_in_python(text)
        if expected is not None:
            assert result == expected, text
            wrong += not expected["ok"]
        elif num_faces(text) == num_faces(played):
            assert "uncheckable" in result, text
            refused += 1
        else:
            # The browser's verifier has no rules, so it does not notice a wrong number of faces, only wrong dice.
            assert not result.get("ok"), text
    assert refused > amount(3, full=10)
    assert wrong > amount(3, full=10)


@pytest.mark.parametrize("change", [("turn 0: ", "turn 0: 1"), ("\n0: ", "\n0: 1"), ("proof:", "prof:")])
def test_both_verifiers_reject_a_record_that_contradicts_itself(node: str, change: tuple[str, str]) -> None:
    text = games()[0].replace(*change)
    assert verify_in_python(text) is None
    assert "uncheckable" in verify_in_browser(node, [text])[0]
