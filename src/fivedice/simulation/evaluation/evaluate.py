"""`evaluate`: how well an agent plays, by the exact loss of each of its decisions.

A mean of losses needs far fewer games than a mean of scores, because the luck of the dice is not in it.

>>> found = evaluate("level_5", "crag", games=2_000, seed=1)
>>> 18 < found.loss.mean < 20, 128 < found.score.mean < 132
(True, True)
>>> evaluate("optimal", "crag", games=100).loss.mean
0.0
>>> first = evaluate(lambda position: position.actions()[0], "crag", games=100)
>>> first.worst[0].action
'score three_of_a_kind'
"""

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, Literal, TypeAlias

import numpy as np

from fivedice.base.errors import IllegalError, MalformedError, shown, suggest
from fivedice.rulesets import as_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.evaluation.losses import Losses
from fivedice.simulation.games.judged import check_judged, decision_of, judged
from fivedice.simulation.players import table_of
from fivedice.simulation.simulate import ENGINE_GAMES, Experiment, play_seat
from fivedice.solver.solution import Solution
from fivedice.views.evaluation import Evaluation

OnIllegal: TypeAlias = Literal["error", "random"]
MOST_GAMES = 10**7
TABLE_GAMES = 2**14
"""Games of a player by table that are judged at a time, so that little of them is in memory."""
BATCH = 1_024
"""Games that an agent from outside plays at a time."""


def evaluate(
    policy: Any,
    rules: str | Ruleset,
    games: int = 1_000,
    seed: int = 1,
    *,
    name: str = "",
    observation: Literal["position", "dict", "flat"] = "position",
    illegal: OnIllegal = "error",
    batch: int = BATCH,
    solution: Solution | None = None,
    progress: Callable[[int, int], None] = lambda done, games: None,
) -> Evaluation:
    """The score and the exact loss of an agent in so many games of one card.

    `policy` is one of

    - the name of a player, such as `"level_5"`, as `fivedice simulate` takes them;
    - a function of a `Position` that returns an action; with `observation="dict"` or `"flat"`, a function of N
      observations of `fivedice/Solitaire-v0` that returns the numbers of N actions, int[N];
    - an object with `choose(position)`, as all players have it;
    - an object with `predict(observations, deterministic=True)`, and with `action_masks` if it takes them, as models
      of Stable-Baselines3 and sb3-contrib; its `observation_space` says what it observes.

    All but names need the extra `research`. `batch` is the number of games at a time. An illegal action raises
    `IllegalError`; with `illegal="random"` a random legal action is taken instead, and counted. The dice depend on
    the seed, and for agents from outside on `batch`. `solution` is that of the rules, by default found here; without
    one, or under rules whose turns have no kernels, `TooLargeError` or `IllegalError` is raised.
    """
    ruleset = as_ruleset(rules)
    for what, number, most in (("games", games, MOST_GAMES), ("positions at a time", batch, 2**16)):
        if not 1 <= number <= most:
            raise MalformedError(f"{number} {what}: want 1 to {most:,}")
    if illegal not in ("error", "random"):
        raise MalformedError(f"illegal {shown(illegal)}: {suggest(str(illegal), ('error', 'random'))}")
    if isinstance(policy, str):
        experiment = Experiment(ruleset, (policy,), games, seed)
    solution = check_judged(solution or table_of(ruleset, "optimal"))
    if solution.ruleset.digest != ruleset.digest:
        raise IllegalError(f"this is the solution of {solution.ruleset}, not of {ruleset}")
    began = perf_counter()
    if isinstance(policy, str):
        name, losses = name or policy, _own(experiment, solution, progress)
    else:
        name = name or getattr(policy, "name", "") or getattr(policy, "__name__", "") or type(policy).__name__
        # Imported here because the environments need an extra.
        from fivedice.analysis.action_numbers import ActionNumbers
        from fivedice.envs.observations import Observations
        from fivedice.simulation.evaluation.outside import SEEN, decider, play_outside

        if observation not in SEEN:
            raise MalformedError(f"observation {shown(observation)}: {suggest(str(observation), SEEN)}")
        numbers = ActionNumbers(ruleset)
        decide = decider(name, policy, Observations(numbers), observation)
        given: dict[str, Any] = {"games": games, "seed": seed, "batch": batch, "progress": progress}
        losses = play_outside(name, decide, solution, numbers, is_strict=illegal == "error", **given)
    seconds = perf_counter() - began
    loss, loss_a_decision = losses.means()
    return Evaluation(
        name,
        str(ruleset),
        ruleset.digest,
        seed,
        games,
        losses.num_decisions,
        solution.expected_score,
        losses.score(),
        loss,
        loss_a_decision,
        tuple(losses.kinds()),
        tuple(losses.worst(solution)),
        losses.illegal,
        seconds,
    )


def _own(experiment: Experiment, solution: Solution, progress: Callable[[int, int], None]) -> Losses:
    """The losses of a player of the project, on the dice of `fivedice simulate`."""
    losses = Losses()
    size = TABLE_GAMES if experiment.is_by_table else ENGINE_GAMES // 8
    for first in range(0, experiment.games, size):
        number = min(size, experiment.games - first)
        games = play_seat(experiment, 0, first=first, number=number, with_boxes=True, with_decisions=True)
        found = judged(solution, games)
        losses.add(first + found.game, found.number, found.choice >= 0, found.loss, partial(decision_of, games, found))
        losses.add_scores(first + np.arange(number), games.scores)
        progress(first + number, experiment.games)
    return losses
