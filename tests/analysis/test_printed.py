"""What results are in the hand: texts of a few lines, sequences, and short positions."""

import json

import pytest

from fivedice import advise, chances, odds, parse_record, review, simulate, to_dict
from fivedice.simulation.simulate import Experiment
from tests.cli.run_command import fivedice
from tests.repository import ROOT
from tests.solutions import solution_of


def test_advice_is_a_sequence_of_its_actions() -> None:
    advice = advise(solution_of("crag"), "crag - 445 r0")
    assert (advice[0], len(advice)) == (advice.best, len(list(advice)))
    assert [advised.loss for advised in advice] == sorted(advised.loss for advised in advice)
    over = advise(solution_of("crag"), "crag - - r2")
    assert (len(over), bool(over)) == (0, True)


@pytest.mark.parametrize(
    ("short", "line"), [("445", "crag - 445 r1"), ("544", "crag - 445 r1"), ("445 r0", "crag - 445 r0")]
)
def test_dice_alone_are_a_new_game_of_the_rules_of_the_solution(short: str, line: str) -> None:
    assert str(advise(solution_of("crag"), short).position) == line
    assert str(chances(solution_of("crag"), short).position) == line


def test_results_print_as_a_few_lines() -> None:
    crag = solution_of("crag")
    assert str(crag) == "crag: 149.847593 points expected, 8,192 turn states"
    assert str(chances(crag, "445")).startswith("crag - 445 r1: mean 161.77, deviation 25.15\n  ones ")
    lines = str(odds(crag, "crag -/- 445 r1")).splitlines()
    assert lines[:2] == ["crag -/- 445 r1 (independent)", "seat 0: wins 59.1%, ties 1.0%, mean score 161.77"]
    record = parse_record((ROOT / "examples" / "game.txt").read_text(encoding="utf-8"))
    lines = str(review(solution_of(str(record.ruleset)), record)).splitlines()
    assert lines[1] == "random: 50 points, luck +36.11, lost 135.95"
    assert lines[2].startswith("costliest: random crag ")
    assert "<td>greedy</td>" in record._repr_html_()


def test_simulate_takes_rules_and_players() -> None:
    crag = solution_of("crag").ruleset
    found = simulate("crag", games=1_000, players=["greedy"])
    assert found.to_data() == simulate(Experiment(crag, ("greedy",), 1_000, 1)).to_data()
    lines = str(simulate("crag", games=1_000, players=["optimal", "greedy"])).splitlines()
    assert lines[1] == "seat 0: mean 148.29 ± 2.08, deviation 33.61, wins 54.2%"
    assert len(lines) == 3
    with pytest.raises(TypeError, match="want a Ruleset or its name"):
        simulate(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"want a list of players, as in \['optimal', 'greedy'\], not 'greedy'"):
        simulate("crag", players="greedy")
    with pytest.raises(TypeError, match="want a whole number as games, not '10'"):
        simulate("crag", games="10")  # type: ignore[arg-type]


def test_results_become_the_json_of_the_command_line() -> None:
    crag, line = solution_of("crag"), "crag - 445 r1"
    for name, found in (("advise", advise(crag, line)), ("chances", chances(crag, line))):
        assert to_dict(found) == json.loads(fivedice(name, line, "--json").out)
    assert to_dict(odds(crag, "crag -/- 445 r1")) == json.loads(fivedice("odds", "crag -/- 445 r1", "--json").out)
    record = parse_record((ROOT / "examples" / "game.txt").read_text(encoding="utf-8"))
    assert to_dict(review(solution_of(str(record.ruleset)), record))["seats"][1]["score"] == 50
    with pytest.raises(TypeError, match="want a result of fivedice, such as advice or a review, not 3"):
        to_dict(3)
