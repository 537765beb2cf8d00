"""A `Review` of a record: the exact luck of every roll and loss of every decision.

For every seat: **value at the end = value at the start + Σ luck − Σ loss**. At the end of a complete game the value is
the score, with what an outright win counts beside it. The luck of a roll is the value after it minus the value before;
the loss of a decision is the best value minus the chosen one. The mean of luck is 0 for every player. Luck and loss of
a game are not independent, though: a bad keep changes what the next roll can bring.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, groupby

import numpy as np

from fivedice.analysis.action_values import turn_state
from fivedice.analysis.advice import BatchAdvice, advise, advise_batch, for_cards, is_compiled
from fivedice.analysis.arguments import checked_solution, require
from fivedice.analysis.reviews.by_advice import Review, Step, by_advice, by_values, reviewed, seat_review, steps_of
from fivedice.analysis.reviews.luck_scale import LuckScale
from fivedice.analysis.reviews.seat_review import EQUAL, DecisionReview, RollReview, SeatReview
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action, Announce, Keep, Score
from fivedice.game.position import Position
from fivedice.game.record import Record
from fivedice.rulesets.dice import Dice, sub_keeps
from fivedice.solver.approximate.approximate_solution import ApproximateSolution
from fivedice.solver.solution import Solution
from fivedice.solver.solve import check_size, solve_rest
from fivedice.solver.tables.dice_tables import roll_indices
from fivedice.solver.tables.states import END_BYTES, REST_BYTES, States, TooLargeError

__all__ = [
    "EQUAL",
    "DecisionReview",
    "Review",
    "RollReview",
    "SeatReview",
    "review",
    "review_all",
    "review_approximately",
    "review_end",
]

BATCH = 20_000
"""Positions evaluated at once: about 15 MB of values."""


def review(solution: Solution, record: Record, scale: LuckScale | None = None) -> Review:
    """The review of a record, finished or not; with a scale it has percentiles of luck.

    Raises `IllegalError` if the solution is that of other rules.
    """
    checked_solution(solution)
    require(record, Record, "a Record, as parse_record() returns")
    return next(review_all(solution, [record], scale))


def review_all(solution: Solution, records: Iterable[Record], scale: LuckScale | None = None) -> Iterator[Review]:
    """Reviews of many records under one ruleset, in order; the positions of several are looked up at once."""
    waiting: list[tuple[Record, list[Step]]] = []
    num_steps = 0
    for record in records:
        if record.ruleset.digest != solution.ruleset.digest:
            raise IllegalError(f"this is the solution of {solution.ruleset}, not of {record.ruleset}")
        steps = steps_of(solution, record.decisions())
        waiting.append((record, steps))
        num_steps += len(steps)
        if num_steps >= BATCH:
            yield from _review_waiting(solution, waiting, scale)
            waiting, num_steps = [], 0
    yield from _review_waiting(solution, waiting, scale)


def review_end(record: Record, memory_limit: int = REST_BYTES) -> Review:
    """The review of the last turns of a game whose rules are too large to solve.

    Each seat is reviewed from `SeatReview.first_turn`, the earliest turn before which all that can follow its card
    takes at most its share of `memory_limit` bytes. Raises `TooLargeError` if no seat has played such a turn.
    """
    limit = memory_limit // len(record.seats)
    found: list[tuple[SeatReview, Solution | None]] = []
    refusal = TooLargeError(f"{record.ruleset} is too large to solve: no turn was played yet")
    for seat in range(len(record.seats)):
        turns = [
            list(steps)
            for _, steps in groupby(
                ((turn, position, action) for turn, position, action in record.decisions() if position.seat == seat),
                key=lambda step: step[0],
            )
        ]
        first, start = len(turns), None
        for number in reversed(range(len(turns))):
            before = turn_state(turns[number][0][1].card)
            try:
                check_size(States(record.ruleset, (before,)), limit)
            except TooLargeError as error:
                refusal = error
                break
            first, start = number, before
        if start is None:
            value = float(record.position.cards[seat].result)
            found.append((seat_review(record, seat, [], [], value, first_turn=first + 1), None))
            continue
        solution = solve_rest(record.ruleset, (start,), limit)
        steps = steps_of(solution, chain(*turns[first:]))
        advice = advise_batch(solution, [step.position for step in steps])
        rolls, decisions = by_advice(solution, zip(steps, advice, strict=True), len(record.seats))[seat]
        found.append((seat_review(record, seat, rolls, decisions, rolls[0].before, first_turn=first + 1), solution))
    if not any(solution for _, solution in found):
        raise refusal
    return Review(record, tuple(seat for seat, _ in found), tuple(solution for _, solution in found))


def review_approximately(solution: ApproximateSolution, record: Record) -> Review:
    """The review of a game whose rules are too large to solve: by approximate values until the turns of `review_end`.

    The value before a roll is that after the seat's last decision, so that luck and loss add up exactly to the score;
    the luck of a roll contains what the values before it were wrong by, so its mean is 0 only about.
    """
    try:
        end = review_end(record, END_BYTES * len(record.seats))
    except TooLargeError:
        end = None
    found = []
    for seat in range(len(record.seats)):
        own = [index for index, turn in enumerate(record.turns) if turn.seat == seat]
        exact = end.seats[seat] if end else None
        learned = set(own[: exact.first_turn - 1] if exact else own)
        steps = [
            (Step(turn, position, action, 0, 0), advise(solution, position))
            for turn, position, action in record.decisions()
            if turn in learned
        ]
        before = solution.expected_score
        rolls, decisions = by_advice(None, steps, len(record.seats), before=before)[seat]
        if exact and exact.rolls:
            joined = decisions[-1].value if decisions else before
            rolls += [replace(exact.rolls[0], before=joined), *exact.rolls[1:]]
            decisions += exact.decisions
        one = seat_review(record, seat, rolls, decisions, before)
        found.append(replace(one, error=solution.decision_error))
    return Review(record, tuple(found), (None,) * len(found))


def _review_waiting(
    solution: Solution, waiting: Sequence[tuple[Record, list[Step]]], scale: LuckScale | None
) -> Iterator[Review]:
    steps = [step for _, record_steps in waiting for step in record_steps]
    if not is_compiled(solution.states):
        for record, record_steps in waiting:
            advised = ((step, advise(solution, step.position)) for step in record_steps)
            yield reviewed(solution, record, by_advice(solution, advised, len(record.seats)), scale)
        return
    places = roll_indices(solution.ruleset.dice, solution.ruleset.faces)
    found = advise_batch(
        solution,
        np.array([step.index for step in steps], dtype=np.int64),
        np.array([places[step.position.dice] for step in steps], dtype=np.int64),
        np.array([step.position.rolls_left for step in steps], dtype=np.int64),
    )
    found = for_cards(solution.states, found, [step.position.card for step in steps])
    start = 0
    for record, record_steps in waiting:
        judged = (_judged(step, found, number) for number, step in enumerate(record_steps, start))
        yield reviewed(solution, record, by_values(solution, judged, len(record.seats)), scale)
        start += len(record_steps)


def _judged(step: Step, found: BatchAdvice, number: int) -> tuple[Step, float, DecisionReview | None]:
    """The value of a position, and the review of the decision in it if one was taken."""
    position, action, best_value = step.position, step.action, step.written + float(found.best[number])
    if action is None:
        return step, best_value, None
    scores, zeros, keeps = found.scores[number], found.zeros[number], found.keeps[number]
    assert not isinstance(action, Announce), "rules with announcements are reviewed without kernels"
    if isinstance(action, Keep):
        value = keeps[_keep_places(position.dice)[action.dice]]
    else:
        box = position.ruleset.box_index[action.box]
        value = zeros[box] if action.is_scratch or np.isnan(scores[box]) else scores[box]
    lowest = np.fmin(np.fmin.reduce(scores), np.fmin(np.fmin.reduce(zeros), np.fmin.reduce(keeps)))
    value = step.written + float(value)
    best = action if best_value - value < EQUAL else _best_action(position, found, number)
    decision = DecisionReview(
        step.turn,
        position,
        action,
        value,
        best,
        max(best_value, value),
        is_unforced=best_value - (step.written + float(lowest)) > EQUAL,
    )
    return step, best_value, decision


def _best_action(position: Position, found: BatchAdvice, number: int) -> Action:
    """The first action with the best value; scores come before keeps."""
    boxes, best = position.ruleset.boxes, found.best[number]
    scores, zeros = found.scores[number], found.zeros[number]
    for box in np.flatnonzero(scores >= best - EQUAL).tolist():
        return Score(boxes[box].id)
    for box in np.flatnonzero(zeros >= best - EQUAL).tolist():
        return Score(boxes[box].id, is_scratch=not np.isnan(scores[box]))
    place = int(np.flatnonzero(found.keeps[number] >= best - EQUAL)[0])
    return Keep(list(_keep_places(position.dice))[place])


@lru_cache(maxsize=50_000)
def _keep_places(roll: Dice) -> Mapping[Dice, int]:
    """Keep of a roll → its index in a batch's keeps."""
    return {keep: place for place, keep in enumerate(sub_keeps(roll))}
