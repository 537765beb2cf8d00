"""What is drawn for a day: the same for everybody, from easy to hard, and never decided by less than 0.3 points."""

import hashlib
from datetime import date

import pytest

from fivedice.analysis.advice import advise
from fivedice.base.errors import IllegalError
from fivedice.daily.choice import LADDER, PER_RUNG, candidates_of, choose_ladder, choose_ten, games_of, run_of
from fivedice.daily.days import open_secret
from fivedice.daily.puzzles import MIN_LOSS, Candidate, candidates, is_best
from fivedice.game.action import as_action
from fivedice.players import Greedy
from tests.solutions import solution_of

SECRET = open_secret(date(2026, 11, 25))


@pytest.fixture(scope="module")
def crag_candidates() -> list[Candidate]:
    return candidates_of(solution_of("crag"), SECRET, "ten")


@pytest.fixture(scope="module")
def crag_ladder() -> list[Candidate]:
    return candidates_of(solution_of("crag"), SECRET, "ladder")


def test_the_same_secret_draws_the_same_ten_everywhere(crag_candidates: list[Candidate]) -> None:
    ten = choose_ten(SECRET, crag_candidates)
    assert choose_ten(SECRET, crag_candidates[::-1]) == ten != choose_ten(bytes(32), crag_candidates)
    # The hashes of a set or a mapping, on which it must not depend, differ in each process.
    assert hashlib.sha256("\n".join(str(one.position) for one in ten).encode()).hexdigest()[:16] == "9e87588791ad4ed5"


def test_a_ten_gets_harder_and_the_obvious_choice_is_wrong_in_some(crag_candidates: list[Candidate]) -> None:
    by_position = {one.position: one for one in crag_candidates}
    chosen = [by_position[puzzle.position] for puzzle in choose_ten(SECRET, crag_candidates)]
    assert len({one.position for one in chosen}) == 10
    assert chosen[0].missed <= 1 < 5 <= chosen[-1].missed
    assert sum(one.margin > 0 for one in chosen) >= 4
    assert sum(one.margin < 0 for one in chosen) >= 1
    assert min(one.margin for one in chosen) >= -4, "no position is trivial while others fit"


def test_grades_equal_advice_and_no_answer_depends_on_less_than_0_3_points(crag_candidates: list[Candidate]) -> None:
    solution = solution_of("crag")
    for one in crag_candidates:
        advice = advise(solution, one.position)
        losses = [found.loss for found in advice.actions]
        assert [one.puzzle.loss(found.action) for found in advice.actions] == pytest.approx(losses, abs=1e-6)
        assert all(is_best(loss) or loss >= MIN_LOSS - 1e-6 for loss in losses)
        assert not all(map(is_best, losses))
        tempting = advice.of(Greedy().choose(one.position)).loss
        assert (one.margin < 0) == is_best(tempting)
        assert one.margin == pytest.approx(
            tempting if one.margin > 0 else -min(x for x in losses if not is_best(x)), abs=1e-6
        )


def test_sundays_have_two_positions_of_the_guest(crag_candidates: list[Candidate]) -> None:
    guest = candidates(solution_of("yacht"), *games_of(SECRET, "ten", "yacht")[0][::-1], asks_levels=True)
    chosen = choose_ten(SECRET, crag_candidates, guest)
    assert [puzzle.position.ruleset.id for puzzle in chosen].count("yacht") == 2


def test_an_illegal_answer_is_refused_and_the_perfect_level_loses_nothing(crag_candidates: list[Candidate]) -> None:
    puzzle = crag_candidates[0].puzzle
    with pytest.raises(IllegalError):
        puzzle.loss(as_action("score everything"))
    assert len(puzzle.levels) == 9
    assert is_best(puzzle.levels[-1])


def test_a_grade_shows_the_best_actions_the_next_best_one_and_the_answer(crag_candidates: list[Candidate]) -> None:
    puzzle = next(one.puzzle for one in crag_candidates if len(one.puzzle.losses) > len(one.puzzle.best) + 1)
    actions = list(puzzle.losses)
    shown = puzzle.answered(actions[-1])
    assert list(shown.losses) == [*puzzle.best, actions[len(puzzle.best)], actions[-1]]
    assert (shown.best, shown.loss(actions[-1])) == (puzzle.best, puzzle.loss(actions[-1]))
    assert list(puzzle.answered(actions[0]).losses) == actions[: len(puzzle.best) + 1]


def test_a_ladder_climbs_and_its_runs_share_no_position(crag_ladder: list[Candidate]) -> None:
    ladder = choose_ladder(SECRET, crag_ladder)
    rungs = [puzzle.rung or 0 for puzzle in ladder]
    margins = {one.position: one.margin for one in crag_ladder}
    for rung, puzzle in zip(rungs, ladder, strict=True):
        low, high = LADDER[rung]
        assert low <= margins[puzzle.position] < high
    assert rungs == sorted(rungs)
    first, second = run_of(rungs, 1), run_of(rungs, 2)
    assert sorted(first) == sorted(second) == list(range(len(rungs)))
    full = [rung for rung in set(rungs) if rungs.count(rung) >= 2 * PER_RUNG]
    assert full
    for rung in full:
        asked = [[index for index in run if rungs[index] == rung][:PER_RUNG] for run in (first, second)]
        assert not set(asked[0]) & set(asked[1])
