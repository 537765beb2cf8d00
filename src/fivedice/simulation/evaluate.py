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

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from numbers import Integral
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from fivedice.analysis.action_arrays import ActionNumbers
from fivedice.analysis.advice import advise
from fivedice.analysis.arguments import checked_solution
from fivedice.analysis.reviews.estimate import Estimate, estimate, ratio_half_width
from fivedice.analysis.reviews.player_figures import KINDS
from fivedice.analysis.reviews.seat_review import EQUAL
from fivedice.base.errors import IllegalError, MalformedError, shown, suggest, wrong_type
from fivedice.game.action import Action, as_action
from fivedice.game.position import Position
from fivedice.rulesets import as_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.judged import check_judged, decision_of, judged
from fivedice.simulation.players import table_of
from fivedice.simulation.simulate import ENGINE_GAMES, Experiment, play_seat
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import Array
from fivedice.views.evaluation import CostlyDecisionView, Evaluation, KindLossView, MeanView

if TYPE_CHECKING:
    from fivedice.envs.batch_cards import BatchCards  # environments need an extra
    from fivedice.envs.observations import Observations, Parts

Seen: TypeAlias = Literal["position", "dict", "flat"]
SEEN: Sequence[Seen] = ("position", "dict", "flat")
"""What a function is given: one `Position`, or observations of N environments."""

Decider: TypeAlias = "Callable[[BatchCards, Array, Parts], Array]"
"""int64[N]: the numbers of the actions, which need not be legal, in environments, int64[N], where this is observed."""

OnIllegal: TypeAlias = Literal["error", "random"]
MOST_GAMES = 10**7
TABLE_GAMES = 2**14
"""Games of a player by table that are judged at a time, so that little of them is in memory."""
BATCH = 1_024
"""Games that an agent from outside plays at a time."""

DecisionOf: TypeAlias = Callable[[int], tuple[Position, Action]]
"""The position and the action of one of N decisions, by its place."""

WORST = 10
"""The costliest decisions that are kept."""


def evaluate(
    policy: Any,
    rules: str | Ruleset,
    games: int = 1_000,
    seed: int = 1,
    *,
    name: str = "",
    observation: Seen = "position",
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
        if not isinstance(number, Integral):
            raise wrong_type(f"a whole number of {what}", number)
        if not 1 <= number <= most:
            raise MalformedError(f"{number} {what}: want 1 to {most:,}")
    if illegal not in ("error", "random"):
        raise MalformedError(f"illegal {shown(illegal)}: {suggest(str(illegal), ('error', 'random'))}")
    experiment = Experiment(ruleset, (policy if isinstance(policy, str) else "random",), games, seed)
    games, seed = experiment.games, experiment.seed
    solution = check_judged(table_of(ruleset, "optimal") if solution is None else checked_solution(solution))
    if solution.ruleset.digest != ruleset.digest:
        raise IllegalError(f"this is the solution of {solution.ruleset}, not of {ruleset}")
    began = perf_counter()
    if isinstance(policy, str):
        name, losses = name or policy, _own(experiment, solution, progress)
    else:
        name = name or getattr(policy, "name", "") or getattr(policy, "__name__", "") or type(policy).__name__
        if observation not in SEEN:
            raise MalformedError(f"observation {shown(observation)}: {suggest(str(observation), SEEN)}")
        # Imported here because the environments need an extra.
        from fivedice.envs.observations import Observations

        decide = _decider(name, policy, Observations(ActionNumbers(ruleset)), observation)
        given: dict[str, Any] = {"games": games, "seed": seed, "batch": batch, "progress": progress}
        losses = _outside(name, decide, solution, is_strict=illegal == "error", **given)
    return losses.evaluation(name, ruleset, solution, seed, perf_counter() - began)


@dataclass
class Losses:
    """The decisions and scores of many games. `illegal` counts illegal actions."""

    illegal: int = 0
    _decisions: list[tuple[Array, Array, Array]] = field(default_factory=list)
    _scores: list[Array] = field(default_factory=list)
    _worst: dict[str, tuple[float, Position, Action]] = field(default_factory=dict)

    def add(self, game: Array, number: Array, is_keep: Array, loss: Array, decision: DecisionOf) -> None:
        """Add N decisions: int64[N], the game and the rolls of the turn before; bool[N], whether dice are kept;
        float64[N], the loss."""
        kind = np.where(is_keep, np.minimum(number, len(KINDS) - 2), len(KINDS) - 1)
        self._decisions.append((game, kind, loss))
        least = min((one[0] for one in self._worst.values()), default=0.0) if len(self._worst) == WORST else 0.0
        for row in np.argsort(-loss, kind="stable")[: 2 * WORST].tolist():
            if loss[row] <= least:
                break
            position, action = decision(row)
            if loss[row] > self._worst.get(str(position), (0.0,))[0]:
                self._worst[str(position)] = (float(loss[row]), position, action)
        if len(self._worst) > WORST:
            kept = sorted(self._worst.items(), key=lambda item: (-item[1][0], item[0]))[:WORST]
            self._worst = dict(kept)

    def add_scores(self, scores: Array) -> None:
        """Add final scores of N games, int64[N]."""
        self._scores.append(scores)

    def evaluation(self, name: str, ruleset: Ruleset, solution: Solution, seed: int, seconds: float) -> Evaluation:
        """The figures of all games, which took so many seconds; the worst of the costliest decisions first."""
        scores = np.concatenate(self._scores).astype(np.float64).tolist()
        game, kind, loss = (np.concatenate(columns) for columns in zip(*self._decisions, strict=True))
        a_game = np.bincount(game, loss, len(scores)).tolist()
        numbers = np.bincount(game, minlength=len(scores)).astype(np.float64).tolist()
        a_decision = Estimate(float(loss.sum()) / loss.size, ratio_half_width(a_game, numbers), len(scores))
        counts, sums = np.bincount(kind, minlength=len(KINDS)), np.bincount(kind, loss, len(KINDS))
        costliest = sorted(self._worst.items(), key=lambda item: (-item[1][0], item[0]))
        return Evaluation(
            name,
            str(ruleset),
            ruleset.digest,
            seed,
            len(scores),
            loss.size,
            solution.expected_score,
            _mean(estimate(scores), -math.inf),
            _mean(estimate(a_game)),
            _mean(a_decision),
            tuple(
                KindLossView(one, int(count), float(total / count), float(total / len(scores)))
                for one, count, total in zip(KINDS, counts, sums, strict=True)
                if count
            ),
            tuple(
                CostlyDecisionView(text, str(action), str(advise(solution, position).best.action), lost)
                for text, (lost, position, action) in costliest
            ),
            self.illegal,
            seconds,
        )


def _mean(found: Estimate, least: float = 0.0) -> MeanView:
    """The mean with its interval, which does not go below the least possible value: a loss is never below 0."""
    half = found.half_width
    return MeanView(found.mean, None if half is None else (max(least, found.mean - half), found.mean + half))


def _own(experiment: Experiment, solution: Solution, progress: Callable[[int, int], None]) -> Losses:
    """The losses of a player of the project, on the dice of `fivedice simulate`."""
    losses = Losses()
    size = TABLE_GAMES if experiment.is_by_table else ENGINE_GAMES // 8
    for first in range(0, experiment.games, size):
        number = min(size, experiment.games - first)
        games = play_seat(experiment, 0, first=first, number=number, with_boxes=True, with_decisions=True)
        found = judged(solution, games)
        losses.add(first + found.game, found.number, found.choice >= 0, found.loss, partial(decision_of, games, found))
        losses.add_scores(games.scores)
        progress(first + number, experiment.games)
    return losses


def _decider(name: str, policy: Any, observations: "Observations", seen: Seen) -> Decider:
    """The decider of an agent from outside; raises `TypeError` for what is none, `MalformedError` for a model of other
    observations."""
    numbers, mask = observations.numbers, True
    choose = getattr(policy, "choose", None)

    def ask(observed: Any, masks: Array) -> Any:
        return policy(observed)

    if not choose and hasattr(policy, "predict"):
        space = getattr(policy, "observation_space", None)
        forms = [(kind, mask) for kind in SEEN[1:] for mask in (True, False)]
        form = next((form for form in forms if observations.space(form[0], mask=form[1]) == space), None)
        if form is None:
            wanted = f"no observation of {numbers.ruleset}"
            raise MalformedError(f"{name} observes {space}, which is {wanted}: pass a function")
        seen, mask = form
        takes_masks = "action_masks" in signature(policy.predict).parameters

        def ask(observed: Any, masks: Array) -> Any:
            given = {"action_masks": masks.astype(np.bool_)} if takes_masks else {}
            return policy.predict(observed, deterministic=True, **given)[0]

    elif not choose and not callable(policy):
        raise wrong_type("the name of a player, a function, or an object with choose or predict", policy)
    elif not choose and seen == "position":
        choose = policy

    def decide(cards: "BatchCards", envs: Array, parts: "Parts") -> Array:
        if choose:
            actions = [as_action(choose(cards.position(env))) for env in envs.tolist()]
            return np.array([numbers.number(action) for action in actions], dtype=np.int64)
        found = np.asarray(ask(observations.returned(parts, seen, mask=mask), parts["action_mask"]))
        if found.shape != envs.shape or found.dtype.kind not in "iu" or found.min() < 0 or found.max() >= numbers.size:
            wanted = f"{envs.size} whole numbers from 0 to {numbers.size - 1}"
            raise MalformedError(f"{name} answered {found.dtype} of the shape {found.shape}: want {wanted}")
        return found.astype(np.int64)

    return decide


def _outside(
    name: str,
    decide: Decider,
    solution: Solution,
    *,
    games: int,
    seed: int,
    batch: int,
    is_strict: bool,
    progress: Callable[[int, int], None],
) -> Losses:
    """So many games, at most `batch` at a time. An illegal action raises `IllegalError` if `is_strict`; else a random
    legal one is taken instead."""
    from fivedice.envs.batch_cards import BatchCards, BatchValues

    losses, chance, numbers = Losses(), np.random.default_rng(seed), ActionNumbers(solution.ruleset)
    size = min(batch, games)
    cards = BatchCards(numbers, size)
    state, values = cards.cards, BatchValues(cards.tables, solution)
    first_keep, first_announcement = numbers.first_keep, numbers.first_announcement
    for first in range(0, games, size):
        cards.seed(chance)
        cards.restart(np.ones(size, dtype=np.bool_))
        parts = cards.observe()
        running = np.arange(min(size, games - first))
        began = state.rolls_left[:, 0].copy()
        while running.size:
            values.values(state)
            actions = np.zeros(size, dtype=np.int64)
            actions[running] = decide(cards, running, {name: array[running] for name, array in parts.items()})
            loss = values.regrets(state, actions)
            wrong = running[np.isnan(loss[running])]
            if wrong.size:
                if is_strict:
                    position, action = cards.position(int(wrong[0])), numbers.action(int(actions[wrong[0]]))
                    why = position.why_illegal(action)
                    raise IllegalError(f"{name} chose '{action}' in {position}, which is not legal: {why}")
                actions[wrong] = cards.random_actions()[wrong]
                loss = values.regrets(state, actions)
            found, chosen = np.where(loss < EQUAL, 0.0, loss)[running], actions[running]
            number = (began - state.rolls_left[:, 0])[running]

            decision = partial(_decision, cards, running, chosen)
            losses.add(first + running, number, chosen >= first_keep, found, decision)
            losses.illegal += wrong.size
            _, over, _, shown = cards.step(actions, is_shown=True)
            parts = shown._asdict()
            is_scored = actions < first_announcement
            began[is_scored] = state.rolls_left[is_scored, 0]
            ended = running[over[running]]
            losses.add_scores(state.card[ended, 4])
            running = running[~over[running]]
        progress(first + min(size, games - first), games)
    cards.close()
    return losses


def _decision(cards: "BatchCards", envs: Array, actions: Array, row: int) -> tuple[Position, Action]:
    return cards.position(int(envs[row])), cards.numbers.action(int(actions[row]))
