"""`fivedice_yahtzee` in OpenSpiel, which the development environment does not have: it plays by the engine's rules."""

import random
from typing import Any

import pytest

from fivedice.game.action import Keep
from fivedice.game.position import Position


@pytest.fixture(scope="module")
def pyspiel() -> Any:
    found = pytest.importorskip("pyspiel")
    import fivedice.envs.openspiel  # noqa: F401 # registers the game

    return found


@pytest.mark.parametrize("name", ["fivedice_yahtzee(ruleset=crag,players=2)", "fivedice_yahtzee"])
def test_the_game_passes_the_test_of_openspiel(name: str, pyspiel: Any) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=False, verbose=False)


def test_a_game_is_that_of_the_engine(pyspiel: Any) -> None:
    game, chance = pyspiel.load_game("fivedice_yahtzee(ruleset=crag,players=2)"), random.Random(3)
    state, position, kept = game.new_initial_state(), Position.start("crag", 2), None
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            assert sum(weights) == pytest.approx(1)
            outcome = chance.choices(outcomes, weights)[0]
            rolled = state.action_to_string(outcome).removeprefix("roll ")
            position = position.roll(rolled) if kept is None else position.play(kept, rolled)
            kept = None
            state.apply_action(outcome)
            assert str(state) == str(position)
            continue
        assert state.current_player() == position.seat
        number = chance.choice(state.legal_actions())
        assert {state.action_to_string(one) for one in state.legal_actions()} == set(map(str, position.actions()))
        action = game.numbers.action(number)
        if isinstance(action, Keep):
            kept = action
        else:
            position = position.play(action)
        copied = state.clone()
        state.apply_action(number)
        assert not copied.is_chance_node()
    assert state.returns() == [card.result for card in position.cards]
