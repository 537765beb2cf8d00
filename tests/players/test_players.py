"""Players: greedy maximises its turn exactly, all play legally, agents from outside too, and a human is asked. Their
strength by decisions, with its intervals on players whose loss is known exactly; and ratings by results."""

import random
import re
import sys
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import comb, exp, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings

from fivedice.analysis.advice import advise
from fivedice.analysis.reviews.estimate import Estimate, estimate
from fivedice.analysis.reviews.player_figures import GameFigures, game_errors, num_decisions, total_figures
from fivedice.analysis.targets import advise_for_target
from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.game.action import Keep, Score
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.players import KINDS, Greedy, Optimal, Player, Rival, make_player
from fivedice.players.agents import FunctionPlayer, load_agent
from fivedice.players.greedy import greedy_work
from fivedice.players.levels import LEVELS, habits_of, losses, share_of
from fivedice.players.rating import MEAN, POINTS, Rating, rate, rating_of_level
from fivedice.players.strength import NUM_GAMES, Strength, over_all, strength_of
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.dice import format_dice, rolls
from fivedice.simulation.judged import judged
from fivedice.simulation.mass_games import play_many
from fivedice.simulation.players import beliefs
from fivedice.solver.play.distribution import result_distribution
from fivedice.solver.saved.approximations import shipped_approximation
from fivedice.solver.solution import Solution
from fivedice.testing import TINY, positions, rulesets
from tests.amount import amount, cases
from tests.repository import ROOT
from tests.solutions import solution_of
from tests.solver.brute_force import Exact

CRAG = load_ruleset("crag")


def rated(lost: float, number: int = 0, *, is_rated: bool = True) -> GameFigures:
    """A game in which so many points were lost, 9 of 10 unforced decisions being best."""
    errors = game_errors(CRAG, {"box": (lost, 10)})
    date = f"2026-11-24T10:{number:02}:00+00:00"
    return GameFigures("Ann", CRAG, 100, 150.0 - lost, 0.0, lost, errors, num_best=9, is_rated=is_rated, date=date)


def strength(*games: GameFigures) -> Strength:
    [figures] = total_figures(games)
    found = strength_of(figures)
    assert found is not None
    return found


def share(one: Estimate) -> Strength:
    """A strength of which only the share counts."""
    found = strength(*(rated(15.0, place) for place in range(3)))
    return replace(found, share=one.mean, share_half_width=one.half_width or 0.0, games=one.num)


@pytest.mark.parametrize("level", cases(["level_2"], full=["level_2", "level_8"]))
def test_the_intervals_of_players_of_known_loss_cover_it_in_93_to_97_of_100_cases(level: str) -> None:
    solution = solution_of("crag")
    table = beliefs(solution, habits_of(level, CRAG))
    known = (solution.expected_score - result_distribution(table, 0).mean) / num_decisions(CRAG)
    number, covered = 20_000, []
    games = play_many(table, seed=7, seat=0, first=0, number=number, with_decisions=True)
    found = judged(solution, games)
    lost = np.bincount(found.game, found.loss, number).reshape(-1, 20)
    for player in lost.tolist():
        one = strength(*(rated(points, place) for place, points in enumerate(player)))
        covered.append(abs(one.lost - known) <= one.half_width)
    assert len(covered) == 1_000
    assert 0.93 <= sum(covered) / len(covered) <= 0.97


def test_intervals_over_several_rulesets_cover_the_share_in_93_to_97_of_100_cases() -> None:
    # Two rulesets whose losses spread differently, with 8 and 20 games; the true share is weighed by games.
    chance, covered = np.random.default_rng(3), 0
    for _ in range(2_000):
        few, many = chance.gamma(9.0, 0.01, 8), chance.gamma(4.0, 0.05, 20)
        one = over_all(share(estimate(losses.tolist())) for losses in (few, many))
        assert one is not None
        covered += abs(one.share - (0.09 * 8 + 0.2 * 20) / 28) <= one.half_width
    assert 0.93 <= covered / 2_000 <= 0.97


def test_the_scale_is_the_mean_score_of_the_best_play() -> None:
    one = strength(*(rated(15.0 + place, place) for place in range(3)))
    assert one.lost == pytest.approx(16 / num_decisions(CRAG))
    assert one.share == pytest.approx(16 / 150)
    assert (one.best, one.unforced_decisions) == (27, 30)


def test_unrated_approximate_and_earlier_games_do_not_count() -> None:
    games = [rated(15.0, place) for place in range(3)]
    others = [rated(90.0, 10, is_rated=False), rated(90.0, 11)._replace(is_approximate=True)]
    found, last = strength(*games, *others), strength(*[rated(90.0)] * 10, *[rated(15.0, 1)] * NUM_GAMES)
    assert (found.games, last.games) == (3, NUM_GAMES)
    assert (found.share, last.share) == pytest.approx((0.1, 0.1))
    assert strength_of(*total_figures([*games[:2], *others])) is None


@pytest.mark.parametrize(
    ("num", "spread", "is_provisional"), [(9, 1.0, True), (10, 1.0, False), (10, 40.0, True), (50, 10.0, False)]
)
def test_a_strength_is_provisional_until_there_are_ten_games_and_the_interval_is_narrow(
    num: int, spread: float, is_provisional: bool
) -> None:
    games = (rated(20.0 + spread * (place % 2), place) for place in range(num))
    assert strength(*games).is_provisional == is_provisional


def test_without_a_strength_there_is_none_over_all() -> None:
    assert over_all([]) is None
    assert over_all([None]) is None
    both = over_all([share(Estimate(0.1, 0.0, 3)), None, share(Estimate(0.2, 0.0, 3))])
    assert both is not None
    assert both.share == pytest.approx(0.15)
    assert (both.half_width, both.games) == (0.0, 6)


def level(number: int, rules: str = "yahtzee") -> Rating:
    found = rating_of_level(f"level_{number}", rules)
    assert found is not None
    return found


def chance(one: float, other: float) -> float:
    """The chance to win of one with a mean against another, in the model."""
    return 1 / (1 + exp((other - one) / (MEAN / 6 * sqrt(2))))


def test_each_level_wins_against_the_one_below_as_often_as_on_the_ladder() -> None:
    for rules in ("yahtzee", "poker_dice"):
        means = [level(number, rules).mean for number in range(1, len(LEVELS) + 1)]
        assert [chance(above, below) for below, above in pairwise(means)] == pytest.approx([share_of(rules)] * 8)
        assert level(5, rules).points == 1500
    assert level(9).points > level(9, "poker_dice").points + 100
    assert rating_of_level("greedy", "yahtzee") is None


def test_a_winner_gains_and_a_loser_loses_also_among_several() -> None:
    after = rate([Rating()] * 4, [1, 2, 2, 4])
    points = [one.points for one in after]
    assert points[0] > 1500 > points[3]
    assert points[1] == pytest.approx(points[2])
    assert all(one.deviation < Rating().deviation and one.games == 1 for one in after)


@pytest.mark.parametrize("games", [30, 100])
def test_the_interval_of_a_rating_covers_the_strength_of_simulated_players_as_often_as_it_says(games: int) -> None:
    dice, covered, num = random.Random(5), 0, amount(300, full=3_000)
    for _ in range(num):
        true, mine = dice.uniform(level(1).mean, level(9).mean), Rating()
        for _ in range(games):
            other = level(dice.randint(1, 9))
            has_won = dice.random() < chance(true, other.mean)
            mine = rate([mine, other], [1, 2] if has_won else [2, 1])[0]
        covered += abs(mine.mean - true) <= mine.half_width / POINTS
    assert 0.95 - 3 * (0.95 * 0.05 / num) ** 0.5 <= covered / num <= 0.98
    assert mine.is_provisional == (games == 30)


def test_the_share_of_each_ladder_is_that_of_its_table_in_the_documentation() -> None:
    text = (ROOT / "docs" / "players.md").read_text()
    rows = re.findall(r"^\| `([a-z0-9_]+)` \|.*\| ([0-9.]+) to ([0-9.]+) % \|$", text, re.MULTILINE)
    assert len(rows) > 12
    for rules, least, most in rows:
        assert float(least) <= 100 * share_of(rules) <= float(most), rules


def test_a_level_loses_less_than_the_one_below_and_the_best_play_nothing() -> None:
    found = losses(load_ruleset("yahtzee"))
    assert found is not None
    assert (len(found), found[-1]) == (len(LEVELS), 0.0)
    assert all(lower > higher for lower, higher in pairwise(found))
    assert losses(load_ruleset("yahtzee[joker=free]")) is None


CRAG_OPEN = (
    "crag ones=0,twos=0,threes=0,fours=0,fives=0,sixes=0,"
    "odd_straight=20,even_straight=0,low_straight=0,high_straight=0,three_of_a_kind=0"
)


solve_crag = partial(solution_of, "crag")


def no_solution() -> Solution:
    raise AssertionError("no solution is needed")


@settings(max_examples=amount(100, full=1_000), deadline=None)
@example(parse_position("yahtzee ones=3,twos=6,threes=9,fours=12,fives=15 12666 r0"))  # the sixes earn the bonus
@given(rulesets(announcements=True, by_roll=True).flatmap(positions) | positions())
def test_greedy_maximises_the_points_of_the_turn(position: Position) -> None:
    assume(position.dice and position.rolls_left <= 2)
    points = Exact(position.ruleset, lambda card: Fraction(card.result - position.card.result)).action_values(position)
    assert points.keys() == {*position.actions()}
    assert points[Greedy().choose(position)] == max(points.values())


def test_greedy_takes_the_earlier_of_two_boxes_that_pay_the_same() -> None:
    assert Greedy().choose(parse_position("yahtzee - 16666 r0")) == parse_action("score three_of_a_kind")


def test_greedy_plays_with_more_saved_rolls_than_the_recursion_limit() -> None:
    boxes = "".join(f'a{number} = {{ scorer = "any_dice" }}\n' for number in range(120))
    saving = parse_ruleset(f'id = "x"\ndice = 1\nfaces = 2\nrolls = 10\nsaved_rolls = true\n[categories]\n{boxes}')
    card = ",".join(f"a{number}=2" for number in range(119))
    position = parse_position(f"x {card},saved=1071 1 r1080", saving)
    assert Greedy().choose(position) == Keep(())


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_player(kind: str) -> None:
    player: Player = make_player(kind, random.Random(1), solve_crag, lambda p: p.actions()[-1])
    position = parse_position("yamb - 44566 r1" if kind == "trained" else "crag - 445 r1")
    assert player.choose(position) in (position.actions()[-1:] if kind == "human" else position.actions())


def test_the_trained_player_takes_the_best_action_by_approximate_values_where_there_are_no_exact_ones() -> None:
    approximation = shipped_approximation(load_ruleset("yamb"))
    assert approximation
    position = parse_position("yamb - 44566 r1")
    player = make_player("trained", random.Random(1), no_solution)
    assert player.choose(position) == advise(approximation, position).best.action
    with pytest.raises(IllegalError, match="crag has no approximate solution"):
        player.choose(parse_position("crag - 445 r1"))


def test_a_rival_plays_to_win_in_the_last_turns_and_for_points_alone_and_early_in_a_game() -> None:
    done = "ones=3,twos=6,threes=9,fours=12,fives=15,sixes=18,full_house=25,small_straight=30,large_straight=40"
    own, other = f"{done},yahtzee=0,three_of_a_kind=25,four_of_a_kind=20", f"{done},yahtzee=0,three_of_a_kind=23"
    needs_25 = parse_position(f"yahtzee {own}/{other},four_of_a_kind=22,chance=24 44455 r1")
    assert Optimal(solution_of("yahtzee")).choose(needs_25) == Score("chance")
    assert Rival(solution_of("yahtzee")).choose(needs_25) == Keep((5, 5))
    alone = f"yahtzee {own.replace('sixes=18,', '')} 44666 r2"
    for line in ("yahtzee - 44666 r2", "yahtzee -/- 44666 r2", "yahtzee chance=9/- @1 44666 r2", alone):
        assert Rival(solution_of("yahtzee")).choose(parse_position(line)) == Keep((6, 6, 6))


def test_a_target_player_maximises_its_chance_near_the_end_and_plays_for_points_before() -> None:
    solution, differs = solution_of("crag"), []
    late, early = (make_player(f"target_{target}", random.Random(1), solve_crag) for target in (50, 190))
    for dice in rolls(3, 6):
        position = parse_position(f"{CRAG_OPEN} {format_dice(dice)} r1")
        action = late.choose(position)
        assert action == advise_for_target(solution, position, 50).best.action
        differs.append(action != Optimal(solution).choose(position))
        position = Position.start("crag").roll(dice)
        assert early.choose(position) == Optimal(solution).choose(position)
    assert any(differs)


def test_the_work_of_a_greedy_player_counts_rolls_that_are_saved_for_one_turn() -> None:
    ruleset = load_ruleset("maxi_yatzy[saved_rolls=true]")
    assert greedy_work(ruleset) == comb(6 + 6, 6) * (3 + 2 * ruleset.rounds)


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownError, match="no player 'gredy': did you mean 'greedy'"):
        make_player("gredy", random.Random(1), no_solution)


@pytest.mark.parametrize(
    ("answer", "kind", "why"),
    [
        (lambda _: str(1 // 0), MalformedError, r"x failed in .* 445 r0: ZeroDivisionError: .* \(test_players"),
        (lambda _: None, MalformedError, "x answered 'None': want an action"),
        (lambda _: "score crag", IllegalError, "x chose 'score crag' in crag crag=50 445 r0, which is not legal"),
    ],
)
def test_a_function_that_fails_or_answers_no_legal_action_is_a_sentence(
    answer: Any, kind: type[ValueError], why: str
) -> None:
    with pytest.raises(kind, match=why):
        FunctionPlayer("x", answer).choose(parse_position("crag crag=50 445 r0"))


def test_a_module_in_the_current_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_agent.py").write_text("def f(position):\n    return position.actions()[0]\n\nnumber = 3\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    assert str(load_agent("mine=my_agent:f").choose(parse_position("crag - 445 r0"))) == "score ones"
    with pytest.raises(MalformedError, match=r"want NAME=module:function$"):
        load_agent("mine")
    with pytest.raises(UnknownError, match="agent mine: No module named 'no_such_module'"):
        load_agent("mine=no_such_module:play")
    with pytest.raises(UnknownError, match="agent mine: my_agent:number is no function"):
        load_agent("mine=my_agent:number")
    (tmp_path / "broken_agent.py").write_text("def f(:\n")
    with pytest.raises(UnknownError, match=r"agent mine: .*\(broken_agent.py, line 1\)"):
        load_agent("mine=broken_agent:f")


def test_a_policy_of_the_gymnasium_environment_plays() -> None:
    from fivedice.envs import PolicyPlayer

    ruleset = TINY["tiny_plain"]
    policy = PolicyPlayer(ruleset, lambda seen: int(seen[-13:].argmax()), "flat")
    position = Position.start(ruleset).roll((1,) * ruleset.dice)
    assert policy.choose(position) == position.actions()[0]
