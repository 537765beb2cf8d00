"""Reasons in plain Python are those of the kernels, and rounded tables change no figure by more than they may."""

from itertools import islice
from random import Random

import pytest

from fivedice.analysis.action_values import PlainSolution
from fivedice.analysis.advice import advise
from fivedice.analysis.plain_breakdown import PlainBreakdown
from fivedice.analysis.why import why
from fivedice.game.action import Keep
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.solver.saved.portable import read, read_parts
from fivedice.solver.saved.saved_table import UnusableSolutionError
from fivedice.testing import playthrough
from tests.amount import amount, cases
from tests.solutions import breakdown_of, portable_tables, solution_of
from tests.test_package import modules_after, third_party


def plain(id: str, *, is_rounded: bool) -> PlainBreakdown:
    values, parts = portable_tables(id, is_rounded=is_rounded)
    return PlainBreakdown(PlainSolution(solution_of(id).states, read(values).values), read_parts(parts))


def decisions(id: str, num: int) -> list[Position]:
    games = (playthrough(load_ruleset(id), Random(seed)).positions for seed in range(num))
    return list(islice((position for game in games for position in game if position.dice), num))


@pytest.mark.parametrize("id", cases(["crag"], full=["crag", "yahtzee", "kniffel", "generala", "yacht_dice"]))
def test_reasons_are_those_of_the_kernels_and_rounding_changes_a_figure_by_a_hundredth_at_most(id: str) -> None:
    solution, breakdown = solution_of(id), breakdown_of(id)
    exact, rounded = (plain(id, is_rounded=is_rounded) for is_rounded in (False, True))
    num_keeps = 0
    for position in decisions(id, amount(60, full=1_000)):
        best, *others = advise(solution, position).actions
        for other in others[:1]:
            actions = best.action, other.action
            expected = why(solution, position, *actions, breakdown=breakdown)
            assert str(why(exact.solution, position, *actions, breakdown=exact)) == str(expected)
            found = why(rounded.solution, position, *actions, breakdown=rounded)
            assert found.parts == pytest.approx(expected.parts, abs=0.01)
            num_keeps += isinstance(best.action, Keep)
    assert num_keeps > 10


def test_without_parts_a_reason_tells_this_turn_from_later_ones() -> None:
    solution = plain("crag", is_rounded=False).solution
    without = PlainBreakdown(solution, None)
    position = Position.start(solution.ruleset).roll((4, 4, 5))
    found = why(solution, position, "keep 44", "keep 45", breakdown=without)
    assert found.total == pytest.approx(why(solution_of("crag"), position, "keep 44", "keep 45").total)
    scored = why(solution, position, "score crag", "score thirteen", breakdown=without)
    assert scored.sentence.endswith("you gain 24.0 in this turn, and give up 13.3 in later turns.")


def test_an_unusable_file_is_refused() -> None:
    values, parts = portable_tables("crag", is_rounded=True)
    for damaged in (values, parts[:-20], b""):
        with pytest.raises(UnusableSolutionError):
            read_parts(damaged)


def test_explaining_needs_the_standard_library_only() -> None:
    imports = "from fivedice.analysis.why import why; from fivedice.analysis.reviews.luck_scale import LuckScale"
    assert third_party(modules_after(imports)) == set()
