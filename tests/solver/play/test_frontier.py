"""The frontier: the scores of a player with a risk parameter are those of the best actions in the engine."""

import pytest

from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.solver.play.distribution import frontier, scores_of
from fivedice.testing import TINY
from tests.solutions import solution_of
from tests.solver.followed import Followed
from tests.solver.play.test_distribution import approximately, as_chances
from tests.solver.test_risk import certain


@pytest.mark.parametrize("id", TINY)
@pytest.mark.parametrize("risk", [-1.0, -0.01, 1.0, 30.0])
def test_the_scores_of_a_risk_equal_those_of_the_best_actions_in_the_engine(id: str, risk: float) -> None:
    [point] = frontier(TINY[id], [risk])
    followed = Followed(certain(id, risk), lambda position: position.card.total)
    chances = followed.chances(Position.start(TINY[id]))
    assert as_chances(point.scores) == approximately(chances)


def test_a_risk_of_zero_gives_the_scores_of_optimal_play() -> None:
    crag = solution_of("crag")
    cautious, neutral, bold = frontier(load_ruleset("crag"), (-0.03, 0.0, 0.03))
    optimal = scores_of(crag)
    assert neutral.scores.first == optimal.first
    assert neutral.scores.chances == pytest.approx(optimal.chances, abs=1e-15)
    assert neutral.certain == crag.expected_score
    # Avoiding or seeking risk costs points.
    assert max(cautious.scores.mean, bold.scores.mean) < optimal.mean
    deviations = [each.scores.standard_deviation for each in (cautious, neutral, bold)]
    assert deviations == sorted(deviations)
    assert len(set(deviations)) == 3
