"""`fivedice advise`, with batches, a target and a rival, `fivedice chances` and `fivedice odds`."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from fivedice.cli.text.advice import chance_text, target_lines
from fivedice.rulesets import load_ruleset
from tests.cli.run_command import fivedice, refused

pytestmark = pytest.mark.usefixtures("shared_cache")

DONE = "ones=3,twos=6,threes=9,fours=12,fives=15,sixes=18,yahtzee=0,chance=20,full_house=25,small_straight=30"
LATE = f"yahtzee {DONE},three_of_a_kind=20/{DONE},three_of_a_kind=20 44455 r1"


def test_a_rival_plays_to_win_late_in_a_game_and_for_points_early() -> None:
    found = json.loads(fivedice("advise", LATE, "--rival", "--json").out)
    assert found["chance"] == max(action["chance"] for action in found["actions"])
    assert found["measure"] == "chance_to_win"
    lines = fivedice("advise", LATE, "--rival", "--top", "2").out.splitlines()
    assert lines[0].startswith("Best chance to win: ")
    assert lines[-1].endswith("percentage points below the best")
    early = "crag -/- 256 r1"
    rival, points = (json.loads(fivedice("advise", early, *more, "--json").out) for more in (["--rival"], []))
    assert rival == points
    assert rival["measure"] == "expected_score"
    assert fivedice("advise", early, "--rival").out.startswith("With more than 6 turns left, a rival plays for points:")


POSITION = (
    "crag ones=3,twos=6,threes=6,fours=8,fives=10,sixes=12,odd_straight=20,even_straight=20,low_straight=20,"
    "high_straight=20,three_of_a_kind=25 466 r1"
)
"""Thirteen and Crag are open, and 150 points are written."""


def test_advise_gives_the_chance_of_a_target_for_every_action() -> None:
    lines = fivedice("advise", POSITION, "--target", "180").out.splitlines()
    assert lines[0].startswith("Best chance of 180 or more: ")
    assert lines[1].split() == ["chance", "loss", "expected", "points"]
    assert len(lines) == 2 + 2 + 6
    data = json.loads(fivedice("advise", POSITION, "--target", "180", "--json", "--top", "3").out)
    assert data["position"] == POSITION
    assert (data["measure"], data["target"]) == ("chance_of_target", 180)
    assert lines[0] == f"Best chance of 180 or more: {100 * data['chance']:.1f} %."
    assert (len(data["actions"]), data["actions"][0]["loss"]) == (3, 0.0)
    assert data["chance"] == data["actions"][0]["chance"]
    last = fivedice("advise", POSITION, "--target", "180", "--top", "3").out.splitlines()[-1]
    assert last.startswith("and 5 more, each at least ")
    assert last.endswith(" percentage points below the best")


def test_a_target_before_the_roll_and_after_the_end_is_one_sentence() -> None:
    before = fivedice("advise", POSITION.replace("466 r1", "- r2"), "--target", "150").out
    assert before == "Before the roll: the best chance of 150 or more is 100.0 %.\n"
    over = POSITION.replace("three_of_a_kind=25 466 r1", "three_of_a_kind=25,thirteen=26,crag=0 - r2")
    assert fivedice("advise", over, "--target", "177").out == "The game is over: the score is 176, less than 177.\n"
    assert "at least 176" in fivedice("advise", over, "--target", "176").out


def test_the_table_has_the_ends_of_the_curve_and_round_numbers_where_chances_change() -> None:
    scores = np.arange(18, 619)
    chances = np.clip(1.2 - scores / 400, 1e-9, 1.0)
    lines = list(target_lines(scores, chances))
    assert lines[0].split("  ") == ["at least", "best chance"]
    assert [line.split()[0] for line in lines[1:4]] == ["18", "100", "120"]
    assert lines[1].split()[1:] == ["100.0", "%"]
    assert lines[-1].split() == ["618", "<", "0.0001", "%"]
    assert len(lines) <= 26
    assert len(set(map(len, lines))) == 1


def test_chances_are_in_percent_with_two_digits_where_they_are_small() -> None:
    chances = (1.0, 0.99999, 0.312, 0.00047, 1e-9, 0)
    shown = ["100.0 %", "> 99.9 %", "31.2 %", "0.047 %", "< 0.0001 %", "0.0 %"]
    assert [chance_text(chance) for chance in chances] == shown


def test_top_limits_the_actions_shown_which_are_named_as_on_the_card_in_aligned_columns() -> None:
    lines = fivedice("advise", "crag - 445 r1", "--top", "2").out.splitlines()
    assert lines[0].split() == ["value", "loss", "points"]
    assert lines[1].split()[:2] == ["score", "Crag"]
    assert len(lines) == 4
    assert lines[3].startswith("and 17 more, each at least ")
    lines = fivedice("advise", "kniffel yahtzee=50 33345 r0").out.splitlines()
    assert any(line.startswith("score Dreierpasch ") for line in lines)
    assert any(line.startswith("scratch Große Straße ") for line in lines)
    assert len({line.index(".") for line in lines[1:]}) == 1


OVER = "crag " + ",".join(f"{box.id}=0" for box in load_ruleset("crag").boxes) + " - r2"


@pytest.mark.parametrize(
    ("position", "why", "value"),
    [
        ("crag - - r2", "The turn begins with a roll", "Before the roll: the expected final score is"),
        (OVER, "The game is over", "The game is over: the score is 0."),
        ("generala[first_roll_generala=wins] - - r3", "begins with a roll", "the expected final score is 148.7."),
    ],
)
def test_without_a_decision_advice_is_the_value_and_legal_says_why_there_is_no_action(
    position: str, why: str, value: str
) -> None:
    assert value in fivedice("advise", position).out
    assert json.loads(fivedice("advise", position, "--json").out)["actions"] == []
    assert why in fivedice("legal", position).out


def test_a_bad_line_of_a_batch_with_any_line_endings_gets_an_error_and_status_1(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_bytes(b"crag - 445 r1\r\nnonsense\n\n\xff\xfe\r\ntriple_yahtzee - 33456 r2\ncrag - 123 r0")
    result = fivedice("advise", "--batch", str(file), "--top", "1")
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert (result.status, result.err) == (1, "")
    assert ["error" in answer for answer in answers] == [False, True, True, True, False, False]
    assert answers[1]["position"] == "nonsense"
    assert "there is no ruleset 'nonsense'" in answers[1]["error"]
    assert (answers[4]["exact"], len(answers[0]["actions"])) == (False, 1)
    piped = fivedice("advise", "--batch", "-", "--top", "1", lines="crag - 123 r0")
    assert (piped.status, piped.out.splitlines()) == (0, result.out.splitlines()[-1:])


def test_advice_on_rules_without_any_values_says_how_to_learn_them(tmp_path: Path) -> None:
    rules = tmp_path / "two.toml"
    rules.write_text('like = "yahtzee"\nid = "two"\n[columns.a]\nname = "1"\n[columns.b]\nname = "2"\n')
    sentence = refused("advise", f"{rules} - 12346 r2")
    assert f'`fivedice solve --approximate "{rules}"` learns approximate values' in sentence


def test_a_person_sees_a_histogram_and_the_chances_of_bonuses_and_boxes() -> None:
    result = fivedice("chances", "kniffel ones=3,twos=6,threes=9,fours=12,fives=15 14666 r1")
    lines = result.out.splitlines()
    assert (result.status, result.err) == (0, "")
    assert lines[0].endswith("the final score with best play")
    rows = [line for line in lines if re.search(r"\d %  +[<>]?\d", line)]
    shares = [float(re.search(r"([\d.]+) %", row)[1]) for row in rows]  # type: ignore[index]
    assert sum(shares) == pytest.approx(100, abs=0.1 * len(rows))
    assert max(len(line) for line in lines) <= 80
    assert len(lines) <= 24
    assert any(line.startswith("Upper bonus: ") for line in lines)
    assert "Ones" not in result.out.partition("More than zero")[2]
    (first, *between, last) = (re.match(r" *(under \d+|\d+–\d+|\d+ up)  ", row)[1] for row in rows)  # type: ignore[index]
    ends = [int(end) for text in (first, *between, last) for end in re.findall(r"\d+", text)]
    assert (first.startswith("under "), last.endswith(" up")) == (True, True)
    assert ends[0] == ends[1]
    assert all(after == before + 1 for before, after in zip(ends[2::2], ends[3::2], strict=True))


def test_a_certain_score_is_one_sentence_and_each_score_has_its_best_chance() -> None:
    upper = "ones=1,twos=2,threes=3,fours=4,fives=5,sixes=6"
    result = fivedice("chances", f"generala {upper},straight=20,full_house=30,poker=40,generala=0 - r3")
    assert (result.out, result.err) == ("The final score is 111: no choice and no roll can change it.\n", "")
    late = "generala poker=40,generala=0,ones=1,twos=2,threes=3,sixes=6 11556 r1"
    targets = dict(json.loads(fivedice("chances", late, "--targets", "--json").out)["targets"])
    assert targets[min(targets)] == 1


def test_a_game_too_large_to_solve_has_chances_and_odds_from_simulated_games() -> None:
    shown = fivedice("chances", "triple_yahtzee - 12346 r2", "--games", "16")
    assert shown.status == 0, shown.err
    assert " ".join(shown.out.split()).startswith("≈ Triple Yahtzee: the final score in 16 simulated games by learned")
    found = json.loads(fivedice("chances", "triple_yahtzee - 12346 r2", "--games", "16", "--json").out)
    assert (found["exact"], found["games"]) == (False, 16)
    assert found["standard_error"] == pytest.approx(found["standard_deviation"] / 4)
    assert sum(chance for _, chance in found["distribution"]) == pytest.approx(1)
    position = "triple_yahtzee -/- @0 12346 r2"
    odds = json.loads(fivedice("odds", position, "--games", "16", "--json").out)
    assert (odds["method"], odds["exact"], odds["games"]) == ("simulated", False, 16)
    said = fivedice("odds", position, "--games", "16").out.splitlines()[-1]
    assert said.startswith("≈ From 16 simulated games of each seat by learned values")


FILLED = (
    "ones=1,twos=2,threes=3,fours=4,fives=5,sixes=6,odd_straight=0,even_straight=0,low_straight=0,high_straight=20,"
    "three_of_a_kind=25,thirteen=26"
)
LAST_TURN = f"crag {FILLED},crag=50/{FILLED} @1 166 r1"


def test_the_last_turn_is_exact_and_odds_say_what_is_assumed_of_the_seats() -> None:
    result = fivedice("odds", LAST_TURN)
    assert result.status == 0, result.err
    lines = [" ".join(line.split()) for line in result.out.splitlines()]
    assert lines[1:] == [
        "seat 0 0.0 % 100.0 % 142",
        "▸seat 1 0.0 % 100.0 % 142",
        "",
        "Exact: only seat 1 has choices left, and it plays to win.",
        "The expected scores are those of playing for points.",
    ]
    assert "Each seat is assumed to play for the highest expected score" in fivedice("odds", "crag -/- - r2").out
