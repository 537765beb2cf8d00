"""Chances of a position: the whole final score, with what is on the card already; and those from simulated games,
which agree with exact ones near the end of a game."""

import numpy as np
import pytest

from fivedice.analysis.advice import advise, rest_of
from fivedice.analysis.chances import chances
from fivedice.analysis.odds.odds import odds
from fivedice.analysis.simulated_chances import simulated_chances, simulated_odds
from fivedice.base.errors import IllegalError
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from tests.amount import cases
from tests.solutions import solution_of
from tests.solver.approximate.shipped import shipped

EARLY = "ones=3,twos=6,full_house=25,four_of_a_kind=0,large_straight=40,chance=22"
LATE = "threes=9,fours=12,fives=15,sixes=18,full_house=0,small_straight=30,chance=22,yahtzee=50,+1"


@pytest.mark.parametrize(
    "position",
    [
        *cases([f"{EARLY} 44666 r2"], full=["- - r3", "- 44666 r2", f"{EARLY} 44666 r2"]),
        f"{LATE} - r3",
        f"{LATE} 11125 r0",
        f"{LATE}/{LATE} 22222 r1",
        f"{LATE},ones=1/{LATE} @1 12345 r1",
    ],
)
def test_the_mean_of_the_chances_is_the_value_of_the_position(position: str) -> None:
    solution = solution_of("yahtzee")
    parsed = parse_position(f"yahtzee {position}")
    found = chances(solution, parsed)
    assert found.distribution.mean == pytest.approx(advise(solution, parsed).value, abs=1e-9)
    assert found.distribution.chances.sum() == pytest.approx(1, abs=1e-12)
    for id, points in zip(solution.ruleset.box_index, parsed.card.boxes, strict=True):
        assert points is None or found.boxes[id] == (points > 0)
        assert 0 <= found.boxes[id] <= 1
    assert found.num_extras.first >= parsed.card.extras


def test_a_finished_card_has_its_score_for_certain() -> None:
    *zeros, last = load_ruleset("crag").box_index
    card = ",".join([*(f"{name}=0" for name in zeros), f"{last}=50"])
    found = chances(solution_of("crag"), parse_position(f"crag {card} - r2"))
    assert (found.distribution.first, found.distribution.chances.tolist()) == (50, [1.0])
    assert found.distribution.standard_deviation == found.distribution.skewness == 0
    assert found.boxes == {**dict.fromkeys(zeros, 0.0), last: 1.0}


RULES = "triple_yahtzee"
GAMES = 4_000


def last_box(box: str, dice: str = "12346 r2") -> Position:
    """A position in which one box is open; the Yahtzee boxes hold 50, so that equal dice earn a bonus."""
    held = {"yahtzee": 50, "chance": 20}
    points = {one.id: held.get(one.category.id, 0) for one in load_ruleset(RULES).boxes if one.id != box}
    filled = ",".join(f"{id}={number}" for id, number in points.items())
    return parse_position(f"{RULES} {filled} {dice}")


@pytest.mark.parametrize("box", ["chance_x3", "sixes_x2", "small_straight_x1", "three_of_a_kind_x2"])
def test_shares_in_the_last_turn_are_the_exact_chances(box: str) -> None:
    position = last_box(box)
    exact, found = chances(rest_of(position), position), simulated_chances(shipped(RULES), position, GAMES)
    assert found.games == GAMES
    assert abs(found.distribution.mean - exact.distribution.mean) <= 4 * found.standard_error
    for score, chance in zip(exact.distribution.scores, exact.distribution.chances, strict=True):
        error = np.sqrt(chance * (1 - chance) / GAMES)
        assert abs(found.distribution.at_least(score) - exact.distribution.at_least(score)) <= 4 * error + 0.04
    assert abs(found.boxes[box] - exact.boxes[box]) < 0.04
    assert abs(found.num_extras.mean - exact.num_extras.mean) < 0.04
    assert found.upper_bonus.mean == exact.upper_bonus.mean


def test_a_mean_over_several_turns_is_that_of_exact_play() -> None:
    rules = load_ruleset(RULES)
    filled = ",".join(f"{box.id}=0" for box in rules.boxes if box.category.id != "chance")
    position = parse_position(f"{RULES} {filled}")
    exact, found = chances(rest_of(position), position), simulated_chances(shipped(RULES), position, GAMES)
    assert found.distribution.mean <= exact.distribution.mean + 4 * found.standard_error
    assert found.distribution.mean == pytest.approx(exact.distribution.mean, rel=0.02)


def test_odds_of_the_last_turns_agree_with_the_independent_model() -> None:
    first, second = last_box("chance_x3").card, last_box("chance_x2").card
    position = Position.at_turn(load_ruleset(RULES), (first, second), 0)
    found = simulated_odds(shipped(RULES), position, GAMES)
    exact = odds(rest_of(position, all_seats=True), position)
    assert (found.method, found.games) == ("simulated", GAMES)
    assert sum(seat.win for seat in found.seats) + found.seats[0].tie == pytest.approx(1)
    for one, other in zip(found.seats, exact.seats, strict=True):
        assert one.mean == pytest.approx(other.mean, rel=0.01)
        assert abs(one.win - other.win) < 0.15, "the exact odds are those of seats that play to win"
    three = Position.at_turn(load_ruleset(RULES), (first, first, first), 0).resign(2)
    resigned = simulated_odds(shipped(RULES), three, 256).seats[2]
    assert (resigned.win, resigned.tie) == (0.0, 0.0)


def test_a_seed_gives_its_chances_and_other_rules_or_a_single_card_are_refused() -> None:
    position = last_box("chance_x3")
    first, again, other = (simulated_chances(shipped(RULES), position, 256, seed=seed) for seed in (1, 1, 2))
    assert first.distribution.chances.tolist() == again.distribution.chances.tolist()
    assert first.distribution.chances.tolist() != other.distribution.chances.tolist()
    with pytest.raises(IllegalError, match="triple_yahtzee"):
        simulated_chances(shipped(RULES), parse_position("yamb - 12345 r2"))
    with pytest.raises(IllegalError, match="two or more seats"):
        simulated_odds(shipped(RULES), position)
