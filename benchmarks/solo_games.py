"""`play_games`: plays many solo games of one policy at once, on arrays, with the luck and the loss of each.

>>> import numpy as np
>>> from fivedice import load_ruleset
>>> from fivedice.solver.solve import solve
>>> crag = solve(load_ruleset("crag"))
>>> games = play_games(crag, Policy("optimal", crag), 1_000, np.random.default_rng(1))
>>> bool(abs(games.scores.mean() - crag.expected_score) < 4 * games.scores.std() / 1_000**0.5)
True
>>> bool(np.allclose(games.results, crag.expected_score + games.luck))
True
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fivedice.analysis.advice import BatchAdvice, advise_batch
from fivedice.analysis.reviews.seat_review import EQUAL
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat
from fivedice.rulesets.dice import beside, sub_keeps
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.kernels.action_values import score_transitions
from fivedice.solver.solution import Solution
from fivedice.solver.solve import workspace
from fivedice.solver.tables.dice_tables import keep_lists, ordered
from fivedice.solver.tables.states import BLOCK, Array

PORTION = 10_000
"""Games played at a time: their values take about 5 MB."""


@dataclass(frozen=True, eq=False)
class Policy:
    """How a simulated player decides: for the best value in a table, except for a share `slips` of random choices.

    The table is a solution, or has guesses in the form of one.
    """

    name: str
    table: Solution
    slips: float = 0.0


@dataclass(frozen=True, eq=False)
class Games:
    """N games with D decisions. Luck and loss are as in `fivedice.analysis.reviews.review`.

    For each game: `scores`, `results` and `luck`, float64[N]; a result is the score and what advice adds to it after an
    outright win. For each decision, by game and in the order of play: `game`,
    int64[D]; `states`, `rolls` and `rolls_left`, int64[D], as for `advise_batch`; `choices`, int64[D]: the index of
    the option taken, as in `options_of`; `loss`, float64[D]; `is_unforced`, bool[D].
    """

    ruleset: Ruleset
    scores: Array
    results: Array
    luck: Array
    game: Array
    states: Array
    rolls: Array
    rolls_left: Array
    choices: Array
    loss: Array
    is_unforced: Array

    @property
    def losses(self) -> Array:
        """float64[N]: the loss of each game."""
        return np.bincount(self.game, self.loss, self.scores.size)

    @property
    def num_unforced(self) -> Array:
        """int64[N]: the unforced decisions of each game."""
        return np.bincount(self.game, self.is_unforced, self.scores.size).astype(np.int64)

    @property
    def error_rate(self) -> float:
        """Points lost per unforced decision, over all games."""
        return float(self.loss.sum() / max(1, self.is_unforced.sum()))


def play_games(solution: Solution, policy: Policy, num_games: int, chance: np.random.Generator) -> Games:
    """Plays games of a policy under the rules of a solution, by which the loss of every choice is measured."""
    sizes = [min(PORTION, num_games - first) for first in range(0, num_games, PORTION)]
    parts = [_play(solution, policy, size, chance) for size in sizes]
    firsts = np.cumsum([0, *sizes])
    game = np.concatenate([part.game + first for part, first in zip(parts, firsts.tolist(), strict=False)])
    names = ("scores", "results", "luck", "states", "rolls", "rolls_left", "choices", "loss", "is_unforced")
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return Games(solution.ruleset, game=game, **joined)


def options_of(advice: BatchAdvice) -> Array:
    """float64[N, options]: the values of all options, NaN if not legal: scores and zeros, each by box, then keeps."""
    return np.concatenate([advice.scores, advice.zeros, advice.keeps], axis=1)


def _play(solution: Solution, policy: Policy, num_games: int, chance: np.random.Generator) -> Games:
    rules, num_boxes = solution.rules, len(solution.ruleset.boxes)
    states, scores, luck = np.zeros(num_games, dtype=np.int64), np.zeros(num_games), np.zeros(num_games)
    steps: list[tuple[Array, ...]] = []
    lists = keep_lists(solution.ruleset.dice, solution.ruleset.faces)
    for _ in range(solution.ruleset.rounds):
        games = np.flatnonzero(states < solution.states.num_rows * rules.stride)
        left = rules.num_turn_rolls - 1 + solution.saved_rolls(states[games])
        rows, before = np.zeros(games.size, dtype=np.int64), solution.values[states[games]]
        while games.size:
            rolls = _rolled(solution, rows, chance)
            advice = advise_batch(solution, states[games], rolls, left)
            options = options_of(advice)
            choices = _choices(policy, solution, options, states[games], rolls, left, chance)
            chosen = options[np.arange(games.size), choices]
            is_unforced = advice.best - np.nanmin(options, axis=1) > EQUAL
            steps.append((games, states[games], rolls, left, choices, advice.best - chosen, is_unforced))
            luck[games] += advice.best - before

            is_keep = choices >= 2 * num_boxes
            done = ~is_keep
            after, points = np.zeros(done.sum(), dtype=np.int64), np.zeros(done.sum())
            boxes, is_zero = choices[done] % num_boxes, choices[done] >= num_boxes
            work = workspace(solution.dice, rules)
            score_transitions(
                solution.dice, rules, states[games[done]], rolls[done], left[done], boxes, is_zero, work, after, points
            )
            states[games[done]] = after
            scores[games[done]] += points
            kept = lists.begin[rolls[is_keep]] + choices[is_keep] - 2 * num_boxes
            games, rows, left, before = games[is_keep], lists.row[kept] // BLOCK, left[is_keep] - 1, chosen[is_keep]
    game, *others = (np.concatenate(parts) for parts in zip(*steps, strict=True))
    order = np.argsort(game, kind="stable")
    # The values of games won outright include what such a win counts for advice; a score does not.
    is_won = states >= solution.states.num_rows * rules.stride
    bonuses = np.where(is_won, rules.end_values[states % rules.end_values.size], solution.values[states])
    return Games(
        solution.ruleset,
        scores + bonuses,
        scores + solution.values[states],
        luck,
        game[order],
        *(part[order] for part in others),
    )


def _rolled(solution: Solution, rows: Array, chance: np.random.Generator) -> Array:
    """int64[N]: rolls of all dice after keeps, which are given by their rows."""
    dice = solution.dice
    rows = rows.astype(np.int64)  # always this type, so that kernels are compiled once
    for _ in range(solution.ruleset.dice):
        is_short = np.flatnonzero(rows < dice.num_small)
        faces = chance.integers(dice.num_faces, size=is_short.size)
        rows[is_short] = dice.child[rows[is_short] * dice.num_children + faces] // BLOCK
    rows -= dice.num_small
    return rows


def _choices(
    policy: Policy,
    solution: Solution,
    options: Array,
    states: Array,
    rolls: Array,
    left: Array,
    chance: np.random.Generator,
) -> Array:
    guessed = options
    if policy.table is not solution:
        guessed = options_of(advise_batch(policy.table, states, rolls, left))
    best = np.nanmax(guessed, axis=1, keepdims=True)
    choices: Array = (guessed >= best - EQUAL).argmax(
        axis=1
    )  # the first of equal ones, so that rounding does not decide
    slips = np.flatnonzero(chance.random(choices.size) < policy.slips)
    ranks = chance.random((slips.size, options.shape[1]))
    ranks[np.isnan(options[slips])] = -1.0
    choices[slips] = ranks.argmax(axis=1)
    return choices


def records_of(games: Games, seat: Seat, date: str) -> Iterator[Record]:
    """Every game as a one-seat record with this date; the engine checks that each action is legal."""
    ruleset = games.ruleset
    all_rolls = ordered(ruleset.dice, ruleset.faces)
    steps = zip(games.game.tolist(), games.rolls.tolist(), games.choices.tolist(), strict=True)
    record, number, keep = Record.start(ruleset, (seat,), date), 0, None
    for game, roll, choice in steps:
        if game != number:
            yield record
            record, number = Record.start(ruleset, (seat,), date), game
        dice = all_rolls[roll]
        if keep is None:
            record = record.roll(dice)
        else:
            record = record.play(keep, beside(keep.dice, dice))
        action = _action(record.position, choice)
        keep = action if isinstance(action, Keep) else None
        if keep is None:
            record = record.play(action)
    yield record


def _action(position: Position, choice: int) -> Action:
    """The option with this index in `options_of`."""
    boxes = position.ruleset.boxes
    kind, box = divmod(choice, len(boxes))
    if kind > 1:
        return Keep(list(sub_keeps(position.dice))[choice - 2 * len(boxes)])
    for offer in position.offers():
        if offer.action.box == boxes[box].id and (offer.points == 0) == (kind == 1):
            return offer.action
    raise IllegalError(f"{position} offers no score for the simulated choice {choice}")
