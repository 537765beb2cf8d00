"""Chances of a position, also simulated ones; and targets and utilities, which equal brute force over the engine."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fivedice.analysis.advice import advise, rest_of
from fivedice.analysis.chances import chances
from fivedice.analysis.odds import odds
from fivedice.analysis.simulated_chances import simulated_chances, simulated_odds
from fivedice.analysis.targets import advise_for_target, advise_for_utility, target_curve, utility_against
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.objective import Utility, find_objective
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.solve import TooLargeError, solve
from fivedice.testing import TINY, playthrough, rulesets
from tests.amount import amount, cases
from tests.solutions import shipped, solution_of
from tests.solver.brute_force import Exact

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
    assert resigned == odds(rest_of(three, all_seats=True), three).seats[2], "it fills no more boxes"


def test_a_seed_gives_its_chances_and_other_rules_or_a_single_card_are_refused() -> None:
    position = last_box("chance_x3")
    first, again, other = (simulated_chances(shipped(RULES), position, 256, seed=seed) for seed in (1, 1, 2))
    assert first.distribution.chances.tolist() == again.distribution.chances.tolist()
    assert first.distribution.chances.tolist() != other.distribution.chances.tolist()
    with pytest.raises(IllegalError, match="triple_yahtzee"):
        simulated_chances(shipped(RULES), parse_position("yamb - 12345 r2"))
    with pytest.raises(IllegalError, match="two or more seats"):
        simulated_odds(shipped(RULES), position)


CARD = f"{EARLY},threes=9,fours=12"
"""A card of yahtzee on which fives, sixes, Three of a Kind, Small Straight and Yahtzee are open."""


def tiny_start(ruleset: Ruleset) -> Position:
    """A position before a roll from which brute force takes less than a second."""
    positions = [p for p in playthrough(ruleset, random.Random(3)).positions if not p.dice]
    return positions[2 if len(ruleset.columns) > 1 else ruleset.saved_rolls]


def chance_of(curve: tuple[np.ndarray, np.ndarray], score: int) -> float:
    """The chance of reaching a score, also one beyond the ends of the curve."""
    scores, chances = curve
    return 1.0 if score < scores[0] else 0.0 if score > scores[-1] else float(chances[score - scores[0]])


@pytest.mark.parametrize("id", TINY)
def test_the_best_chance_of_every_score_is_what_brute_force_finds(id: str) -> None:
    ruleset = TINY[id]
    position = tiny_start(ruleset)
    solution = solve(ruleset)
    curve = target_curve(solution, position)
    scores = curve[0].tolist()
    assert scores == list(range(scores[0], scores[-1] + 1))
    ends = {scores[0], scores[0] + 1, scores[-1], scores[-1] + 1}
    for score in cases(sorted(ends | {scores[len(scores) // 2]}), full=range(scores[-1] + 2)):
        if ruleset.can_be_won_outright and score > scores[-1]:
            continue  # only what an outright win counts is greater
        exact = Exact(ruleset, worth=lambda final, score=score: Fraction(final >= score))  # type: ignore[misc]
        brute = exact.before_turn(position.card)
        assert chance_of(curve, score) == pytest.approx(float(brute), abs=1e-13)
        assert advise_for_target(solution, position, score).value == pytest.approx(float(brute), abs=1e-13)
        assert (brute == 1) == (score <= scores[0])
        assert (brute == 0) == (score > scores[-1])


@pytest.mark.parametrize("id", TINY)
def test_every_action_has_the_expected_utility_that_brute_force_finds(id: str) -> None:
    # In `tiny_first_roll` a game can be won outright: it counts with its result.
    ruleset, chance = TINY[id], random.Random(id)
    solution = solve(ruleset)
    first = tiny_start(ruleset)
    utility = Utility(first.card.total + 2, np.array(sorted(chance.random() for _ in range(9))))
    brute = Exact(ruleset, worth=lambda final: float(utility.of(np.array(final))))
    later = [p for seed in range(4) for p in playthrough(ruleset, random.Random(seed)).positions if p.dice]
    for position in [
        first,
        *(p for p in chance.sample(later, min(6, len(later))) if p.card.num_filled >= first.card.num_filled),
    ]:
        advice = advise_for_utility(solution, position, utility)
        values = brute.action_values(position)
        best = max(values.values()) if values else brute.before_turn(position.card)
        assert advice.value == pytest.approx(best, abs=1e-13)
        assert {advised.action for advised in advice.actions} == set(position.actions())
        for advised in advice.actions:
            assert advised.value == pytest.approx(values[advised.action], abs=1e-13)
            assert advised.loss == pytest.approx(advice.value - advised.value, abs=1e-13)


@given(st.booleans().flatmap(lambda orders: rulesets(orders=orders)), st.integers(-50, 50))
@settings(max_examples=amount(10, full=200), deadline=None, suppress_health_check=list(HealthCheck))
def test_the_score_itself_as_utility_gives_back_the_expected_score(ruleset: Ruleset, shift: int) -> None:
    solution = solve(ruleset, threads=1)
    position = Position.start(ruleset)
    most = int(target_curve(solution, position)[0][-1])
    if ruleset.can_be_won_outright:
        most += ruleset.outright_points(ruleset.rounds)
    scores = np.arange(0, most + 1)
    advice = advise_for_utility(solution, position, Utility(0, 2.0 * scores + shift))
    assert advice.value == pytest.approx(2 * solution.expected_score + shift, abs=1e-9)


@pytest.mark.parametrize("score", [-5, 90, 5_000])
def test_actions_equally_likely_to_reach_a_target_are_listed_by_expected_score(score: int) -> None:
    solution = solution_of("yahtzee")
    position = parse_position(f"yahtzee {CARD} 33466 r1")
    advice = advise_for_target(solution, position, score)
    assert {advised.value for advised in advice.actions} == {0.0 if score == 5_000 else 1.0}
    scores = [advised.score or 0.0 for advised in advice.actions]
    assert scores == sorted(scores, reverse=True)
    assert advice.best.action == advise(solution, position).best.action
    # Every keep leads to the same zero in the last box: fewer rerolls come first.
    position = parse_position("tiny_plain ones=2,threes=0 22 r2", TINY["tiny_plain"])
    advice = advise_for_target(solve(TINY["tiny_plain"]), position, 2)
    assert [str(advised.action) for advised in advice.actions[:2]] == ["score pair", "keep 22"]


def test_a_position_with_more_seats_is_that_of_the_seat_to_move() -> None:
    solution = solution_of("yahtzee")
    two = parse_position(f"yahtzee {CARD},sixes=18/{CARD} @1 33466 r2")
    one = parse_position(f"yahtzee {CARD} 33466 r2")
    for of_two, of_one in zip(target_curve(solution, two), target_curve(solution, one), strict=True):
        assert np.array_equal(of_two, of_one)


def test_a_finished_game_has_one_score() -> None:
    ruleset = TINY["tiny_plain"]
    position = playthrough(ruleset, random.Random(1)).positions[-1]
    scores, chances = target_curve(solve(ruleset), position)
    assert (scores.tolist(), chances.tolist()) == ([position.card.total], [1.0])
    assert advise_for_target(solve(ruleset), position, position.card.total).value == 1.0
    advice = advise_for_target(solve(ruleset), position, position.card.total + 1)
    assert advice.value == 0.0
    with pytest.raises(IllegalError, match="has no legal action"):
        _ = advice.best


def test_against_opponents_a_tie_is_a_share_of_the_first_place() -> None:
    one, other = Distribution(3, np.array([0.25, 0.5, 0.25])), Distribution(4, np.array([0.5, 0.0, 0.5]))
    utility = utility_against([one, other])
    for score in range(9):
        share = sum(
            p * q * ((score >= max(3 + i, 4 + j)) / (1 + (score == 3 + i) + (score == 4 + j)))
            for i, p in enumerate(one.chances)
            for j, q in enumerate(other.chances)
        )
        assert utility.of(np.array(score)) == pytest.approx(share, abs=1e-15)


@pytest.mark.parametrize("values", [[], [0.0, np.nan], [1.0, 0.5], [[0.0, 1.0]], [0.0, np.inf]])
def test_a_utility_that_decreases_or_is_not_finite_or_is_against_nobody_is_refused(values: list[float]) -> None:
    with pytest.raises(MalformedError, match="a utility needs finite numbers, one for each score, none less than"):
        Utility(0, np.array(values))
    with pytest.raises(MalformedError, match="needs at least one of them"):
        utility_against([])


def test_progress_ends_with_all_lanes_threads_change_nothing_and_memory_is_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("fivedice.solver.solve.FEW_ROWS", 0)
    solution, seen = solve(TINY["tiny_joker"]), []
    one = find_objective(solution, 0, threads=1, progress=lambda done, lanes: seen.append((done, lanes)))
    many = find_objective(solution, 0, threads=5)
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1] > 0
    assert np.array_equal(one.utilities.values, many.utilities.values)
    with pytest.raises(TooLargeError, match=r"targets of crag are too large .* MB of memory, and 1\.05 MB are"):
        find_objective(solution_of("crag"), 0, memory_limit=2**20)
