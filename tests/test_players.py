"""Players: greedy maximises its turn exactly, all play legally, agents from outside too, and a human is asked."""

import random
import sys
from fractions import Fraction
from functools import partial
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings

from fivedice.analysis.advice import advise
from fivedice.analysis.odds.targets import advise_for_target
from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.game.action import Keep, Score
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.players import KINDS, Greedy, Optimal, Player, Rival, make_player
from fivedice.players.agents import FunctionPlayer, load_agent
from fivedice.players.greedy import greedy_work
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.dice import format_dice, rolls
from fivedice.solver.saved.approximations import shipped_approximation
from fivedice.solver.solution import Solution
from fivedice.testing import TINY, positions, rulesets
from tests.amount import amount
from tests.solutions import solution_of
from tests.solver.brute_force import Exact

CRAG_OPEN = (
    "crag ones=0,twos=0,threes=0,fours=0,fives=0,sixes=0,"
    "odd_straight=20,even_straight=0,low_straight=0,high_straight=0,three_of_a_kind=0"
)


solve_crag = partial(solution_of, "crag")


def no_solution() -> Solution:
    raise AssertionError("no solution is needed")


@settings(max_examples=amount(100, full=1_000), deadline=None)
@given(rulesets(announcements=True, by_roll=True).flatmap(positions) | positions())
def test_greedy_maximises_the_points_of_the_turn(position: Position) -> None:
    assume(position.dice and position.rolls_left <= 2)
    points = Exact(position.ruleset, lambda card: Fraction(card.result - position.card.result)).action_values(position)
    assert points.keys() == {*position.actions()}
    assert points[Greedy().choose(position)] == max(points.values())


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("yahtzee - 16666 r0", "score three_of_a_kind"),  # the earlier of two boxes that pay the same
        # Alone the straight pays 40; with 57 above, 12 in Sixes bring the bonus of 35 as well.
        ("yahtzee ones=3,twos=6,threes=9,fours=16,fives=20 12366 r0", "score sixes"),
        # 22 points now; one roll in six brings 100 more.
        ("yahtzee yahtzee=50 44446 r1", "keep 4444"),
    ],
)
def test_greedy_takes_the_most_points_that_it_expects_from_the_turn(line: str, action: str) -> None:
    assert Greedy().choose(parse_position(line)) == parse_action(action)


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
    for line in ("yahtzee - 44666 r2", "yahtzee -/- 44666 r2", "yahtzee chance=9/- @1 44666 r2"):
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
