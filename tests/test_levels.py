"""Levels: plain Python and kernels decide alike, their strength is exact, and each beats the one below."""

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from benchmarks.tables.ladder import first_places
from fivedice.analysis.advice import advise
from fivedice.base.errors import IllegalError
from fivedice.game.action import Keep
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.players import LEVELS, Available, Level, Optimal, make_player
from fivedice.players.levels import habits_of
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.simulation.mass_games import play_many, play_slowly
from fivedice.simulation.players import beliefs
from fivedice.solver.play.distribution import result_distribution
from fivedice.solver.saved.approximations import shipped_approximation
from fivedice.solver.slips import Habits
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.testing.tiny import TINY
from tests.amount import amount, cases
from tests.solutions import ids_up_to, solution_of

SMALL = ("crag", "generala")


def table_of(solution: Solution, kind: str) -> Solution:
    return beliefs(solution, habits_of(kind, solution.ruleset))


def check_decisions(solution: Solution, kind: str, games: int) -> None:
    """Play games on arrays and in the engine, with the same dice, and compare every decision."""
    fast = play_many(table_of(solution, kind), seed=9, seat=0, first=0, number=games, with_decisions=True)
    level = Level(kind, solution)
    (slow,) = play_slowly(
        solution.ruleset, lambda seat, chance: level, seats=[0], seed=9, first=0, number=games, with_decisions=True
    )
    assert fast.decisions is not None
    assert slow.decisions is not None
    assert np.array_equal(fast.decisions, slow.decisions)


@pytest.mark.parametrize("kind", ["level_1", "level_5", "level_8"])
@pytest.mark.parametrize("name", [name for name in TINY if name != "tiny_pairs"])
def test_a_level_decides_alike_in_kernels_and_in_plain_python(name: str, kind: str) -> None:
    solution = solve(TINY[name])
    if solution.states.has_kernels:
        check_decisions(solution, kind, 20)


@pytest.mark.parametrize("ref", cases(("crag", "generala"), full=ids_up_to("yatzy")))
def test_a_level_decides_alike_in_kernels_and_in_plain_python_under_shipped_rules(ref: str) -> None:
    check_decisions(solution_of(ref), "level_4", amount(15, full=100))


def test_habits_without_fault_play_perfectly() -> None:
    crag = solution_of("crag")
    assert result_distribution(beliefs(crag, Habits()), 0).mean == pytest.approx(crag.expected_score)
    assert habits_of("level_9", crag.ruleset) == Habits()
    assert make_player("level_9", None, lambda: crag) == Optimal(crag)  # type: ignore[arg-type]


@pytest.mark.parametrize("ref", cases(SMALL, full=ids_up_to("yatzy")))
def test_each_level_wins_53_to_62_percent_against_the_one_below(ref: str) -> None:
    scores = [result_distribution(table_of(solution_of(ref), kind), 0) for kind in LEVELS]
    for lower, higher in pairwise(scores):
        assert 0.53 < first_places(higher, lower) < 0.62


@pytest.mark.parametrize("id", ["balut", "triple_yahtzee", "yamb"])
def test_levels_by_approximate_values_decide_repeatably_and_the_best_of_them_as_the_trained_player(id: str) -> None:
    approximation = shipped_approximation(load_ruleset(id))
    assert approximation
    chance, different = random.Random(3), 0
    players = {kind: make_player(kind, chance, lambda: approximation) for kind in LEVELS}
    trained = make_player("trained", chance, None)  # type: ignore[arg-type]
    for position in (
        parse_position(f"{id} - {dice} r{left}") for dice in ("12346", "33356", "22445") for left in (2, 0)
    ):
        for kind, player in players.items():
            action = player.choose(position)
            assert action in position.actions()
            assert action == make_player(kind, chance, lambda: approximation).choose(position)
            different += action != trained.choose(position)
        assert players["level_9"].choose(position) == trained.choose(position)
    assert different > 5
    with pytest.raises(IllegalError, match="'optimal' needs"):
        make_player("optimal", chance, lambda: approximation)


def test_another_seed_is_another_person_with_the_same_habits() -> None:
    crag = solution_of("crag")
    tables = [beliefs(crag, habits_of("level_4", crag.ruleset), seed) for seed in (0, 1)]
    first, second = (result_distribution(table, 0).mean for table in tables)
    assert first != second
    assert abs(first - second) < 5
    position = parse_position("crag - 446 r1")
    chosen = {Level("level_1", crag, seed).choose(position) for seed in range(20)}
    assert len(chosen) > 1
    assert len({Level("level_1", crag, 3).choose(position) for _ in range(3)}) == 1
    with pytest.raises(IllegalError, match="this is the solution of crag, not of yahtzee"):
        Level("level_1", crag).choose(parse_position("yahtzee - 11111 r0"))


def test_a_level_errs_more_where_the_choice_is_close() -> None:
    crag, level = solution_of("crag"), Level("level_6", solution_of("crag"))
    close, clear = list[bool](), list[bool]()

    class Watched:
        def choose(self, position):  # type: ignore[no-untyped-def]
            advice, action = advise(crag, position), level.choose(position)
            if len(advice.actions) > 1 and not 1 < advice.actions[1].loss < 4:
                (close if advice.actions[1].loss <= 1 else clear).append(advice.of(action).loss > 1e-9)
            return action

    play_slowly(crag.ruleset, lambda seat, chance: Watched(), seats=[0], seed=4, first=0, number=60)
    assert np.mean(close) > 2 * np.mean(clear) > 0


@pytest.mark.parametrize(
    ("box", "rolls", "kept", "most"),
    [
        ("large_straight", ("12345", "23456"), 5, 6),
        ("yahtzee", ("22222", "55555"), 5, 0),
        ("yahtzee", ("12222", "45555", "33336"), 4, 8),
    ],
)
def test_no_level_gives_away_what_lies_on_the_table(box: str, rolls: tuple[str, ...], kept: int, most: int) -> None:
    solution, chance = solution_of("yahtzee"), random.Random(31)
    for kind in ("level_1", "level_4", "level_7"):
        level, given = Level(kind, solution), 0
        for number in range(40):
            position = _without(box, number % 11, chance)
            position = position.roll(tuple(map(int, rolls[number % len(rolls)])))
            action = level.choose(position)
            if isinstance(action, Keep):
                alike = max(Counter(action.dice).values(), default=0) if kept == 4 else len(action.dice)
                given += alike < kept and advise(solution, position).of(action).loss > 1
        assert given <= most


def _without(box: str, turns: int, chance: random.Random) -> Position:
    """A position before a roll in which a box is open still, after so many turns of anybody's choices."""
    position = Position.start(load_ruleset("yahtzee"))
    for _ in range(turns):
        position = position.roll(tuple(chance.choices(range(1, 7), k=5)))
        position = position.take(chance.choice([offer for offer in position.offers() if offer.action.box != box]))
    return position


def test_rules_without_figures_of_their_own_have_the_levels_of_yahtzee() -> None:
    custom = parse_ruleset('id = "mine"\nlike = "crag"\n', "mine.toml")
    assert habits_of("level_3", custom) == habits_of("level_3", load_ruleset("yahtzee"))
    assert habits_of("level_3", load_ruleset("yahtzee[joker=free]")) == habits_of("level_3", load_ruleset("yahtzee"))
    assert habits_of("level_3", load_ruleset("crag")) != habits_of("level_3", load_ruleset("yahtzee"))


def test_levels_play_wherever_there_are_exact_or_approximate_values() -> None:
    none = {"solution": "no solution", "chances": "no chances"}
    for kind in LEVELS:
        assert Available().player(kind) == Available(**none).player(kind) == ""
        assert Available(**none, advice="no values").player(kind) == "no values"
    assert Available(**none).player("optimal") == "no solution"
    assert Available(chances="no chances").player("level_2") == ""
