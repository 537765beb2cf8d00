"""What is drawn for a day: the same for everybody, from easy to hard, and never decided by less than 0.3 points."""

import hashlib
from datetime import date, timedelta

import pytest

from fivedice.analysis.advice import advise
from fivedice.base.errors import IllegalError
from fivedice.daily.choice import LADDER, PER_RUNG, candidates_of, choose_ladder, choose_ten, games_of, run_of
from fivedice.daily.days import SECOND, open_secret
from fivedice.daily.puzzles import MIN_LOSS, Candidate, candidates, is_best, puzzles
from fivedice.game.action import as_action
from fivedice.game.position import Position
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
    ten = choose_ten(SECRET, SECOND, crag_candidates)
    assert choose_ten(SECRET, SECOND, crag_candidates[::-1]) == ten != choose_ten(bytes(32), SECOND, crag_candidates)
    # The hashes of a set or a mapping, on which it must not depend, differ in each process.
    assert hashlib.sha256("\n".join(map(str, ten)).encode()).hexdigest()[:16] == "9e87588791ad4ed5"


def test_a_ten_gets_harder_and_the_obvious_choice_is_wrong_in_some(crag_candidates: list[Candidate]) -> None:
    by_position = {one.position: one for one in crag_candidates}
    chosen = [by_position[position] for position in choose_ten(SECRET, SECOND, crag_candidates)]
    assert len({one.position for one in chosen}) == 10
    assert chosen[0].missed <= 1 < 5 <= chosen[-1].missed
    assert sum(one.margin > 0 for one in chosen) >= 4
    assert sum(one.margin < 0 for one in chosen) >= 1


def test_no_position_is_trivial_while_others_fit_since_the_second_scheme(crag_candidates: list[Candidate]) -> None:
    by_position = {one.position: one for one in crag_candidates}

    def ahead(day: date) -> list[float]:
        """By how much the obvious choice is ahead where it is best."""
        chosen = [by_position[position] for position in choose_ten(SECRET, day, crag_candidates)]
        return [-one.margin for one in chosen if one.margin < 0]

    assert max(ahead(SECOND)) <= 4 < max(ahead(SECOND - timedelta(1)))


def test_grades_equal_advice_and_no_answer_depends_on_less_than_three_tenths_of_a_point(
    crag_candidates: list[Candidate],
) -> None:
    solution = solution_of("crag")
    for one in crag_candidates:
        advice = advise(solution, one.position)
        losses = [found.loss for found in advice.actions]
        [puzzle] = puzzles(solution, [(None, one.position)], with_levels=False)
        assert [puzzle.loss(found.action) for found in advice.actions] == pytest.approx(losses, abs=1e-6)
        assert all(is_best(loss) or loss >= MIN_LOSS - 1e-6 for loss in losses)
        assert not all(map(is_best, losses))
        tempting = advice.of(Greedy().choose(one.position)).loss
        assert (one.margin < 0) == is_best(tempting)
        assert one.margin == pytest.approx(
            tempting if one.margin > 0 else -min(x for x in losses if not is_best(x)), abs=1e-6
        )


def test_sundays_have_two_positions_of_the_guest(crag_candidates: list[Candidate]) -> None:
    guest = candidates(solution_of("yacht"), *games_of(SECRET, "ten", "yacht")[0][::-1], asks_levels=True)
    chosen = choose_ten(SECRET, SECOND, crag_candidates, guest)
    assert [position.ruleset.id for position in chosen].count("yacht") == 2


def test_an_illegal_answer_is_refused() -> None:
    [puzzle] = puzzles(solution_of("crag"), [(None, Position.parse("crag - 445 r1"))], with_levels=True)
    with pytest.raises(IllegalError):
        puzzle.loss(as_action("keep 6"))
    assert len(puzzle.levels) == 9
    assert is_best(puzzle.levels[-1])


def test_a_ladder_climbs_and_its_runs_share_no_position(crag_ladder: list[Candidate]) -> None:
    ladder = choose_ladder(SECRET, crag_ladder)
    rungs = [rung for rung, _ in ladder]
    margins = {one.position: one.margin for one in crag_ladder}
    for rung, position in ladder:
        low, high = LADDER[rung]
        assert low <= margins[position] < high
    assert rungs == sorted(rungs)
    first, second = run_of(rungs, 1), run_of(rungs, 2)
    assert sorted(first) == sorted(second) == list(range(len(rungs)))
    full = [rung for rung in set(rungs) if rungs.count(rung) >= 2 * PER_RUNG]
    assert full
    for rung in full:
        asked = [[index for index in run if rungs[index] == rung][:PER_RUNG] for run in (first, second)]
        assert not set(asked[0]) & set(asked[1])
