"""Advice for a seat that plays to win before the endgame."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from fivedice.analysis.advice import state_index
from fivedice.analysis.odds.endgames import advise_rival, final_scores
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.rulesets.dice import rolls, ways
from fivedice.solver.solve import solve
from fivedice.testing.tiny import TINY


def test_a_rival_maximises_its_share_of_the_first_place_against_a_player_for_points() -> None:
    ruleset = TINY["tiny_plain"]
    solution = solve(ruleset)
    opponent = final_scores(solution, Position.start(ruleset).card)
    scores = list(enumerate(opponent.chances.tolist(), opponent.first))

    @cache
    def best(position: Position) -> float:
        if position.is_over:
            total = position.card.total
            return float(sum(chance * ((score < total) + (score == total) / 2) for score, chance in scores))
        if not position.dice:
            return sum(ways(roll) * best(position.roll(roll)) for roll in rolls(2, 3)) / 9
        return max(worth(position, action) for action in position.actions())

    def worth(position: Position, action: Action) -> float:
        if not isinstance(action, Keep):
            return best(position.play(action))
        num = 2 - len(action.dice)
        return sum(ways(roll) * best(position.play(action, roll)) for roll in rolls(num, 3)) / float(3**num)

    advice = advise_rival(solution, Position.start(ruleset, 2).roll((1, 3)))
    alone = Position.start(ruleset).roll((1, 3))
    assert [each.value for each in advice.actions] == pytest.approx(
        [worth(alone, each.action) for each in advice.actions], abs=1e-9
    )
    assert advice.value == pytest.approx(best(alone), abs=1e-9)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_card_to_which_no_game_leads_is_refused(seat: int) -> None:
    ruleset = TINY["tiny_plain"]
    solution = solve(ruleset)
    position = Position.start(ruleset, 2).roll((1, 3))
    position = position.play(position.offers()[0].action).roll((2, 2))  # the second seat has three boxes open
    values = solution.values.copy()
    values[state_index(solution, position.cards[seat])] = np.nan
    with pytest.raises(IllegalError, match="cannot arise in a game of tiny_plain"):
        advise_rival(replace(solution, values=values), position)
