"""`fivedice stats`: figures of players and tests of the dice over many records."""

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from fivedice.analysis.dice_counts import DiceTest
from fivedice.cli.commands.me import dice_lines
from fivedice.views.evaluation import MeanView
from fivedice.views.figures import DiceView
from tests.cli.run_command import fivedice, played


@pytest.fixture
def records(tmp_path: Path) -> Path:
    folder = tmp_path / "records"
    folder.mkdir()
    for seed in range(6):
        played(folder / f"{seed}.txt", "crag", "Ann=random,optimal", seed)
    return folder


def test_the_text_has_every_player_and_the_dice(records: Path) -> None:
    result = fivedice("stats", str(records))
    assert result.status == 0
    assert "Ann, 6 games of crag" in result.out
    assert "Optimal, 6 games of crag" in result.out
    words = " ".join(result.out.split())
    assert "level master: loses less than 0.12 points per unforced decision" in words
    assert "The dice: nothing unusual in " in result.out
    assert "Does every face come up equally often?" in result.out


def test_few_games_have_no_interval_and_a_loss_is_never_below_0(tmp_path: Path) -> None:
    for number in range(3):
        played(tmp_path / f"{number}.txt", "crag", "greedy,random", number)
    assert "(too few games for an interval)" in fivedice("stats", str(tmp_path)).out
    assert str(MeanView(0.5, (0.0, 2.0))) == "0.50 (0 to 2.00)"
    assert str(MeanView(0.5, (0.2, 0.8))) == "0.50 ± 0.30"


@pytest.mark.parametrize("columns", [80, 60])
def test_the_text_fits_the_terminal(columns: int, records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = fivedice("stats", str(records)).out.splitlines()
    assert columns - 20 < max(map(cell_len, lines)) <= columns


@pytest.mark.parametrize(
    ("evidence", "text", "heading"),
    [
        (0.0004, "    under 0.01  Fair? (252 dice)", "The dice: nothing unusual in 252."),
        (1.5, "          1.50  Fair? (252 dice)", "The dice: nothing unusual in 252."),
        (123_456.0, "       123,456  Fair? (252 dice): unusual", "The dice: unusual."),
    ],
)
def test_the_dice_are_described_as_calmly_as_the_evidence_is(evidence: float, text: str, heading: str) -> None:
    test = DiceTest("faces", "Fair?", 252, evidence, is_unusual=evidence > 7_000)
    lines = list(dice_lines(DiceView(0.001, 7_000.0, 252, [], (test,))))
    assert [line.plain for line in lines[:2]] == [heading, text]
    assert "the chance that this ever happens to any of them is at most 0.1 %" in " ".join(line.plain for line in lines)
    assert not any("red" in str(part) for line in lines for part in (line.style, *(span.style for span in line.spans)))
    assert [line.plain for line in dice_lines(DiceView(0.001, 7_000.0, 0, [], ()))] == ["The dice: none was rolled."]


def test_the_json_has_means_intervals_and_tests(records: Path) -> None:
    data = json.loads(fivedice("stats", str(records), "--json").out)
    ann, optimal = data["figures"]
    assert (ann["player"], ann["ruleset"], ann["ruleset_name"], ann["games"]) == ("Ann", "crag", "Crag", 6)
    assert (ann["level"], optimal["level"]) == ("beginner", "master")
    assert [test["name"] for test in data["dice"]["tests"]] == ["faces", "pairs", "seats", "kept"]


def test_rules_too_large_to_solve_count_for_the_dice_only(tmp_path: Path) -> None:
    result = fivedice("stats", str(played(tmp_path / "game.txt", "triple_yahtzee", "random")))
    assert "its games count for the dice only" in result.err
    assert "There are no figures: no complete game was found." in result.out
    assert "Does every face come up equally often?" in result.out


@pytest.mark.parametrize("argument", ["/no/such/file", "EMPTY"])
def test_without_records_there_is_one_sentence(argument: str, tmp_path: Path) -> None:
    result = fivedice("stats", str(tmp_path) if argument == "EMPTY" else argument)
    assert (result.status, result.out) == (2, "")
    assert "there is no record in" in result.err
