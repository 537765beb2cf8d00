"""`SolitaireEnv`: one card of any ruleset as a Gymnasium environment, `fivedice/Solitaire-v0`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gymnasium
from gymnasium import spaces

from fivedice.analysis.action_arrays import ActionNumbers, ruleset_of
from fivedice.analysis.advice import advise
from fivedice.base.errors import IllegalError
from fivedice.envs.episodes import (
    CHOICES,
    PENALTY,
    Illegal,
    Observation,
    Outcome,
    Reward,
    Values,
    begun,
    card_text,
    check_choices,
    outcomes,
    rendered,
    valued,
)
from fivedice.envs.observations import Observations
from fivedice.game.action import Action, Announce, Keep, Score
from fivedice.game.chance import Rolled
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.tables.states import Array


class SolitaireEnv(gymnasium.Env[Any, Any]):
    """
    ## Description

    One player fills one card under any ruleset of fivedice. An episode is a game. The first roll of a turn happens on
    its own, so that every step is a decision: which dice to keep, or which box to fill. The environment plays by the
    same engine as all of fivedice, and its optimum is known exactly for most rulesets.

    ## Action Space

    `Discrete(n)`: first the boxes of the card, in its order; then, if the ruleset has voluntary zeros, the same boxes
    scratched; then the announcements; then every keep as a multiset of dice, smaller ones first
    and those of equal size in lexicographic order.
    Under `yahtzee` there are 13 boxes and 462 keeps. `ActionNumbers` converts numbers and actions.

    A mask of the legal actions is in every observation, and as a copy in `info["action_mask"]`; `action_masks()` has it
    as booleans, as MaskablePPO wants it. With `observe_mask=False` observations have features only.

    Instead of an illegal action a random legal one is taken, so that every episode ends, and `info["is_illegal"]` says
    so. With `illegal="penalty"` that also takes 10 from the reward; with `illegal="error"` an illegal action raises
    `IllegalError`, which says why.

    ## Observation Space

    With `observation="dict"`, a `Dict` of `dice`, `rolls_left`, `boxes`, `upper`, `card` and `action_mask`; with
    `observation="flat"`, a `Box` of type float32 with the same figures, each divided by the most that it can be.
    `fivedice.envs.observations` describes both.

    ## Rewards

    - `reward="points"`: what the action adds to the result. The sum of an episode is the result.
    - `reward="score"`: the result at the end, 0 before.
    - `reward="regret"`: minus the exact loss of the action, in points; it needs a solution. Optimal play has the sum 0.

    The result is the final score. Under rules with outright wins, such a win counts `Ruleset.outright_points` beside
    the score, as it does in advice; `info["score"]` never includes them.

    ## Starting State

    An empty card and a first roll of all dice by `np_random`, the only source of chance. `reset` takes the option
    `position`, a `Position` or its line of notation, in which the episode begins instead.

    ## Episode End

    The episode terminates when the card is full, or at once after an outright win. The last observation has the exact
    final card, no dice and no legal action. Episodes are never truncated.

    ## Information

    `action_mask`, int8[n]; `position`, the position in notation; `score`, the points on the card; `is_illegal`, whether
    the action was illegal. With a `solution` also `value`, the exact expected result from here on under optimal play,
    and `regret`, the exact loss of the action just taken, both in points. With an approximate solution both are about
    right, and `error` is about what they are wrong by.

    ## Arguments

    ```python
    import gymnasium
    import fivedice.envs

    gymnasium.make("fivedice/Solitaire-v0", ruleset="yahtzee", reward="points", observation="dict", solution=None)
    ```

    `ruleset` is a `Ruleset` or its name in notation, such as `"yahtzee[joker=free]"`; `solution` is that of the rules.

    ## Version History

    - v0: Initial version.
    """

    metadata = {"render_modes": list(CHOICES["render_mode"]), "render_fps": 4}  # noqa: RUF012 # as the base class declares it

    def __init__(
        self,
        ruleset: str | Ruleset = "yahtzee",
        *,
        reward: Reward = "points",
        observation: Observation = "dict",
        solution: Values | None = None,
        illegal: Illegal = "random",
        observe_mask: bool = True,
        render_mode: str | None = None,
    ) -> None:
        """Raises `MalformedError` for an unknown choice, and `IllegalError` for the solution of other rules."""
        self.ruleset = ruleset_of(ruleset)
        chosen = {"reward": reward, "observation": observation, "illegal": illegal, "render_mode": render_mode}
        check_choices(self.ruleset, solution, CHOICES, **chosen)
        self.reward, self.kind, self.illegal, self.solution = reward, observation, illegal, solution
        self.render_mode, self.observe_mask = render_mode, observe_mask
        self.numbers = ActionNumbers(self.ruleset)
        self.observations = Observations(self.numbers)
        self.action_space = spaces.Discrete(self.numbers.size)
        self.observation_space = self.observations.space(observation, mask=observe_mask)
        self._position: Position | None = None
        self._result = 0

    @property
    def position(self) -> Position:
        """The position now; raises `gymnasium.error.ResetNeeded` before the first episode."""
        if self._position is None:
            raise gymnasium.error.ResetNeeded("call reset before the first step")
        return self._position

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; the option `position` says where. Raises `IllegalError` if it is of another game."""
        super().reset(seed=seed)
        start = (options or {}).get("position") or Position.start(self.ruleset)
        self._position = position = begun(start, self.ruleset, 1, self.np_random)
        # What is on the card already is no reward; conversions may begin below zero, and the first reward has that.
        self._result = position.card.result if position.card.num_filled else 0
        self._show()
        return self._observation(), self._info()

    def action_masks(self) -> Array:
        """bool[n]: whether each action is legal, under the name by which sb3-contrib asks for it."""
        return self.numbers.mask(self.position).astype(bool)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """One decision; dice are rolled by `np_random`. Raises `MalformedError` for a number that is no action."""
        chosen, position = self.numbers.action(int(action)), self.position
        if position.is_over:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset")
        is_illegal = bool(position.why_illegal(chosen)) and self.illegal != "error"
        if is_illegal:
            legal = position.actions()
            chosen = legal[int(self.np_random.integers(len(legal)))]
        observation, reward, over, truncated, info = self.play(self.numbers.number(chosen), self.np_random)
        penalty = PENALTY if is_illegal and self.illegal == "penalty" else 0.0
        return observation, reward - penalty, over, truncated, info | {"is_illegal": is_illegal}

    def play(self, action: int, rolled: Rolled = ()) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """As `step`, with given dice: those rolled beside a keep, or the first roll of the turn after a score. Raises
        `IllegalError` if the action is not legal."""
        position, chosen = self.position, self.numbers.action(int(action))
        if why := position.why_illegal(chosen):
            raise IllegalError(f"{chosen} is not legal in {position}: {why}")
        regret = 0.0
        if self.solution is not None:
            regret = advise(self.solution, position).of(chosen).loss
        if isinstance(chosen, Keep):
            after = position.play(chosen, rolled)
        else:
            after = position.play(chosen)
            after = after if after.is_over or after.dice else after.roll(rolled)
        self._position = after
        reward = 0.0
        if self.reward == "regret":
            reward = -regret
        elif self.reward == "score":
            reward = float(after.card.result) if after.is_over else 0.0
        elif isinstance(chosen, Score):
            reward, self._result = float(after.card.result - self._result), after.card.result
        self._show()
        return self._observation(), reward, after.is_over, False, self._info(regret=regret)

    def outcomes(self, action: int) -> tuple[Outcome, ...]:
        """What can follow an action, with exact probabilities: the rolls after a keep, or after a score the first rolls
        of the next turn; none after the last score or an announcement. Raises `IllegalError` if the action is not
        legal."""
        chosen = self.numbers.action(action)
        if isinstance(chosen, Keep):
            self.position.check_keep(chosen)
            return outcomes(self.ruleset, chosen.dice)
        after = self.position.play(chosen)
        return () if isinstance(chosen, Announce) or after.is_over else outcomes(self.ruleset)

    def render(self) -> Any:
        """The position: in notation ("ansi"), or as a picture, uint8[height, width, 3] ("rgb_array"). The mode "human"
        prints the card at every step instead, and this is None."""
        return rendered(self.position, self.render_mode)

    def _show(self) -> None:
        if self.render_mode == "human":
            print(card_text(self.position), end="\n\n")  # noqa: T201 # it is what this mode is for

    def _observation(self) -> Any:
        parts = self.observations.of(self.position)
        return self.observations.returned(parts, self.kind, mask=self.observe_mask)

    def _info(self, *, regret: float = 0.0) -> dict[str, Any]:
        position = self.position
        info: dict[str, Any] = {
            "action_mask": self.numbers.mask(position),
            "position": str(position),
            "score": position.card.total,
            "is_illegal": False,
        }
        return info | valued(self.solution, position, regret)


@dataclass(frozen=True)
class PolicyPlayer:
    """Asks a policy, a function of the observation that returns the number of an action.

    >>> from fivedice import parse_position
    >>> player = PolicyPlayer("crag", lambda observation: int(observation["action_mask"].argmax()))
    >>> str(player.choose(parse_position("crag ones=1 445 r0")))
    'score twos'
    """

    rules: str | Ruleset
    policy: Callable[[Any], int]
    observation: Observation = "dict"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", ruleset_of(self.rules))
        assert isinstance(self.rules, Ruleset)
        check_choices(self.rules, None, CHOICES, observation=self.observation)

    def choose(self, position: Position) -> Action:
        """Its answer; raises `IllegalError` if that is not legal."""
        assert isinstance(self.rules, Ruleset)
        observations = Observations(ActionNumbers(self.rules))
        parts = observations.of(position)
        seen = observations.returned(parts, self.observation)
        action = observations.numbers.action(int(self.policy(seen)))
        if why := position.why_illegal(action):
            raise IllegalError(f"the policy chose '{action}' in {position}, which is not legal: {why}")
        return action
