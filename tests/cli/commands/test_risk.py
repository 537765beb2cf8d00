"""`fivedice advise --risk` and games with cautious and bold players."""

import json
from pathlib import Path

import pytest

from fivedice.cli.solutions import risk_table_of
from fivedice.solver.risk import BOLD, CAUTIOUS
from tests.cli.run_command import fivedice, refused
from tests.solutions import solution_of

# Crag pays 50 for 13 with a pair, and Thirteen 26; Chance pays the sum.
LINE = "crag ones=1,twos=2,threes=3,fours=4,fives=5,sixes=6,odd_straight=0,even_straight=0,low_straight=0 355 r1"


@pytest.fixture(autouse=True)
def fresh_tables() -> None:
    risk_table_of.cache_clear()


def test_advice_with_risk_says_the_certainty_equivalent_and_the_best_action() -> None:
    result = fivedice("advise", LINE, "--risk", "bold")
    assert result.status == 0
    first, second, blank, header, *actions = result.out.splitlines()
    assert first.startswith("To a player who seeks risk (+0.02 per point), this position is as good as a sure ")
    assert second == f"Best is to {actions[0].split('  ')[0].strip()}."
    assert (blank, header.split()) == ("", ["value", "loss", "points"])


def test_the_certainty_equivalent_is_below_the_expected_score_for_the_cautious_and_above_it_for_the_bold() -> None:
    values = {}
    for risk in ("cautious", "0", "bold", str(CAUTIOUS), str(BOLD)):
        data = json.loads(fivedice("advise", LINE, "--risk", risk, "--top", "1", "--json").out)
        assert len(data["actions"]) == 1
        assert data["measure"] == "certainty_equivalent"
        assert data["actions"][0]["value"] == data["value"]
        values[risk] = data["value"]
    expected = json.loads(fivedice("advise", LINE, "--json").out)["value"]
    assert values["0"] == expected
    assert values["cautious"] == values[str(CAUTIOUS)] < expected < values["bold"] == values[str(BOLD)]


def test_a_table_for_a_risk_is_saved_and_read_again(own_cache: Path) -> None:
    first = fivedice("advise", LINE, "--risk=-0.01").out
    [file] = own_cache.glob("*.risk-0.01")
    risk_table_of.cache_clear()
    before = file.stat().st_ino  # a new file takes the place of an old one
    assert fivedice("advise", LINE, "--risk=-0.01").out == first
    assert file.stat().st_ino == before
    file.write_bytes(file.read_bytes()[:-8])
    risk_table_of.cache_clear()
    result = fivedice("advise", LINE, "--risk=-0.01")
    assert result.out == first
    assert "it is truncated or of other rules; computing it again" in result.err


def test_advice_with_risk_before_the_roll_and_after_the_end() -> None:
    out = fivedice("advise", "crag - - r2", "--risk", "cautious").out
    assert out.startswith("To a player who avoids risk (-0.02 per point), this position is as good as a sure ")
    assert out.count("\n") == 1
    value = float(out.split()[-1].rstrip("."))
    assert value < solution_of("crag").expected_score


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["crag - 445 r1", "--risk", "brave"], "--risk 'brave': want cautious, bold, or a number per point"),
        (["crag - 445 r1", "--risk", "nan"], "a risk parameter of nan per point: want a number from -1000 to 1000"),
        (["crag - 445 r1", "--risk", "1001"], "a risk parameter of 1001 per point: want a number from -1000 to 1000"),
        (["--batch", "-", "--risk", "bold"], "--risk needs a position"),
        (["triple_yahtzee - 12345 r2", "--risk", "bold"], "triple_yahtzee is too large to solve exactly"),
    ],
)
def test_a_bad_risk_gets_status_2_and_one_sentence(arguments: list[str], sentence: str) -> None:
    assert sentence in refused("advise", *arguments)


def test_cautious_and_bold_play_by_name() -> None:
    data = json.loads(fivedice("play", "--rules", "crag", "--seats", "cautious,bold", "--seed", "1", "--json").out)
    assert [seat["kind"] for seat in data["seats"]] == ["cautious", "bold"]
    assert data["is_over"] is True
