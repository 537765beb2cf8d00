"""`fivedice_yahtzee`: every ruleset as a game of OpenSpiel, which importing this module registers.

It needs `pip install open-spiel` beside the extra `research`. `pyspiel.load_game("fivedice_yahtzee(ruleset=crag,
players=2)")` makes a game. Actions are numbered as in `ActionNumbers`; a chance outcome is the place of a roll in
`outcomes`. Utilities are the results of the seats, at the end.
"""

from typing import Any, NamedTuple

import numpy as np
import pyspiel

from fivedice.analysis.action_arrays import ActionNumbers, ruleset_of
from fivedice.envs.episodes import outcomes
from fivedice.envs.observations import Observations
from fivedice.game.action import Keep
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, format_dice

TYPE = pyspiel.GameType(
    short_name="fivedice_yahtzee",
    long_name="Yahtzee and its family",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_SEATS,
    min_num_players=1,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"ruleset": "yahtzee", "players": 1},
)


class Node(NamedTuple):
    """A position, and the dice that were kept if others are to be rolled beside them."""

    position: Position
    kept: Dice | None

    def __deepcopy__(self, memo: object) -> "Node":
        return self  # it is immutable, and its rules are large


class Game(pyspiel.Game):  # type: ignore[misc]
    """A ruleset with a number of players."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given: dict[str, Any] = {"ruleset": "yahtzee", "players": 1} | (params or {})
        self.numbers = ActionNumbers(ruleset_of(given["ruleset"]))
        self.observations, ruleset = Observations(self.numbers), self.numbers.ruleset
        most = float(self.observations.most["card"][-1])
        outright = ruleset.outright_points(ruleset.rounds - 1) if ruleset.can_be_won_outright else 0
        turns = ruleset.rounds * given["players"]
        saved = (ruleset.rolls - 1) * ruleset.rounds if ruleset.saved_rolls else 0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.numbers.size,
            max_chance_outcomes=len(outcomes(ruleset)),
            num_players=given["players"],
            min_utility=-most,
            max_utility=most + outright,
            max_game_length=turns * (ruleset.rolls + saved + 1),  # one more for an announcement
        )
        super().__init__(TYPE, info, given)

    def new_initial_state(self) -> "State":
        """The state before the first roll."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """What observes states: the position is public."""
        return Observer(self)


class State(pyspiel.State):  # type: ignore[misc]
    """A position; dice that are to be rolled are a chance node."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        ruleset = game.numbers.ruleset
        self.node = Node(Position.start(ruleset, game.num_players()), None)

    def current_player(self) -> int:
        """The seat to move, or that chance moves, or that the game is over."""
        position, kept = self.node
        if position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return position.seat if position.dice and kept is None else int(pyspiel.PlayerId.CHANCE)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The places of all rolls, with their chances."""
        found = outcomes(self.node.position.ruleset, self.node.kept or ())
        return [(place, float(outcome.probability)) for place, outcome in enumerate(found)]

    def _legal_actions(self, player: int) -> list[int]:
        numbers = self.get_game().numbers
        return sorted(numbers.number(action) for action in self.node.position.actions())

    def _apply_action(self, number: int) -> None:
        position, kept = self.node
        if self.current_player() == pyspiel.PlayerId.CHANCE:
            rolled = outcomes(position.ruleset, kept or ())[number].rolled
            self.node = Node(position.roll(rolled) if kept is None else position.play(Keep(kept), rolled), None)
            return
        action = self.get_game().numbers.action(number)
        is_rolling = isinstance(action, Keep)
        self.node = Node(position, action.dice) if is_rolling else Node(position.play(action), None)

    def _action_to_string(self, player: int, number: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"roll {format_dice(outcomes(self.node.position.ruleset, self.node.kept or ())[number].rolled)}"
        return str(self.get_game().numbers.action(number))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.node.position.is_over

    def returns(self) -> list[float]:
        """The result of each seat, 0 before the end."""
        cards = self.node.position.cards
        return [float(card.result) if self.is_terminal() else 0.0 for card in cards]

    def __str__(self) -> str:
        kept = "" if self.node.kept is None else f" keeping {format_dice(self.node.kept)}"
        return f"{self.node.position}{kept}"


class Observer:
    """Observes a state as the flat observation of `fivedice/Solitaire-v0` without its mask, for the card of a seat."""

    def __init__(self, game: Game) -> None:
        self._observations = game.observations
        self._names = tuple(name for name in self._observations.most if name != "action_mask")
        self.dict: dict[str, Any] = {}
        self.set_from(game.new_initial_state(), 0)

    def set_from(self, state: State, player: int) -> None:
        """Observe a state for a player."""
        position = state.node.position
        parts = self._observations.of(position) | self._observations.of_card(position.cards[player])
        self.tensor: np.ndarray[Any, Any] = self._observations.flat(parts, self._names)
        self.dict = {"observation": self.tensor}

    def string_from(self, state: State, player: int) -> str:
        """The state as text, which is the same for all players."""
        return str(state)


pyspiel.register_game(TYPE, Game)
