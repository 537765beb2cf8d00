"""A `Review` of a record: the exact luck of every roll and loss of every decision.

For every seat: **value at the end = value at the start + Σ luck − Σ loss**. At the end of a complete game the value is
the score, with what an outright win counts beside it. The luck of a roll is the value after it minus the value before;
the loss of a decision is the best value minus the chosen one. The mean of luck is 0 for every player. Luck and loss of
a game are not independent, though: a bad keep changes what the next roll can bring.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from typing import Any, TypeAlias

import numpy as np

from fivedice.analysis.action_values import turn_state
from fivedice.analysis.advice import Advice, BatchAdvice, advise, advise_batch, for_cards, settled_points, state_index
from fivedice.analysis.arguments import checked_solution, require
from fivedice.analysis.reviews.perfect_scores import LuckScale
from fivedice.analysis.reviews.seat_review import EQUAL, DecisionReview, RollReview, SeatReview
from fivedice.dice import Dice, sub_keeps
from fivedice.errors import IllegalError
from fivedice.game.action import Action, Announce, Keep, Score
from fivedice.game.position import Position
from fivedice.game.record import Record
from fivedice.solver.approximate.approximate_solution import ApproximateSolution
from fivedice.solver.solution import Solution
from fivedice.solver.solve import check_size, solve_rest
from fivedice.solver.tables.dice_tables import roll_indices
from fivedice.solver.tables.states import REST_BYTES, States, TooLargeError

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


@dataclass(frozen=True, slots=True)
class Review:
    """A record with the review of each of its seats, and the solution from which that is, None without any turn."""

    record: Record
    seats: tuple[SeatReview, ...]
    solutions: tuple[Solution | None, ...] = field(compare=False, repr=False)

    def _repr_html_(self) -> str:
        """The figures of each seat and the five costliest decisions for notebooks."""
        from fivedice.notebook import dice_svg, paragraph, table

        seats = [(one.name, one.score, one.luck, one.loss, one.dice_neutral, one.error_rate) for one in self.seats]
        decisions = [(seat.name, one) for seat in self.seats for one in seat.decisions if one.mark]
        decisions.sort(key=lambda pair: -pair[1].loss)
        rows = [
            (name, one.position.round, dice_svg(one.position.dice), str(one.action), str(one.best), one.loss)
            for name, one in decisions[:5]
        ]
        found = table(["player", "score", "luck", "loss", "dice-neutral score", "loss a decision"], seats)
        if not rows:
            return found + paragraph("No decision lost enough for a mark.")
        costliest = table(["player", "round", "dice", "played", "best", "loss"], rows)
        return found + paragraph("The costliest decisions:") + costliest

    def plot(self, axes: Any = None) -> Any:
        """The value of the game for each seat after every roll and decision, as a Matplotlib figure.
        Turn n ends at time n.

        `axes` are those to draw on, by default new ones. Raises `MissingExtraError` without Matplotlib.
        """
        from fivedice.analysis.reviews.seat_review import turn_reviews
        from fivedice.plots import lines

        named = []
        for number, seat in enumerate(self.seats):
            points = [(seat.first_turn - 1.0, seat.start_value)]
            for time, turn in enumerate(turn_reviews(self.record, number, seat), start=seat.first_turn - 1):
                points += [(time + (step + 1) / len(turn.values), value) for step, value in enumerate(turn.values)]
            named.append((seat.name, points))
        return lines("review.plot()", named, label="expected final score", axes=axes)


_Found: TypeAlias = list[tuple[list[RollReview], list[DecisionReview]]]
"""What each seat rolled and decided."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A position with dice: its index in the table, and the points already on its card."""

    turn: int
    position: Position
    action: Action | None
    index: int
    written: int


def review(solution: Solution, record: Record, scale: LuckScale | None = None) -> Review:
    """The review of a record, finished or not; with a scale it has percentiles of luck.

    Raises `IllegalError` if the solution is that of other rules.
    """
    checked_solution(solution)
    require(record, Record, "a Record, as parse_record() returns")
    return next(review_all(solution, [record], scale))


def review_all(solution: Solution, records: Iterable[Record], scale: LuckScale | None = None) -> Iterator[Review]:
    """Reviews of many records under one ruleset, in order; the positions of several are looked up at once."""
    waiting: list[tuple[Record, list[_Step]]] = []
    num_steps = 0
    for record in records:
        if record.ruleset.digest != solution.ruleset.digest:
            raise IllegalError(f"this is the solution of {solution.ruleset}, not of {record.ruleset}")
        steps = [
            _Step(turn, position, action, state_index(solution, position.card), settled_points(position.card))
            for turn, position, action in record.decisions()
        ]
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
            found.append((_seat(record, seat, [], [], value, first_turn=first + 1), None))
            continue
        solution = solve_rest(record.ruleset, (start,), limit)
        steps = [
            _Step(turn, position, action, state_index(solution, position.card), settled_points(position.card))
            for each in turns[first:]
            for turn, position, action in each
        ]
        advice = advise_batch(solution, [step.position for step in steps])
        rolls, decisions = _by_advice(solution, list(zip(steps, advice, strict=True)), len(record.seats))[seat]
        found.append((_seat(record, seat, rolls, decisions, rolls[0].before, first_turn=first + 1), solution))
    if not any(solution for _, solution in found):
        raise refusal
    return Review(record, tuple(seat for seat, _ in found), tuple(solution for _, solution in found))


def review_approximately(solution: ApproximateSolution, record: Record, memory_limit: int = REST_BYTES) -> Review:
    """The review of a game whose rules are too large to solve: by approximate values until the turns of `review_end`.

    The value before a roll is that after the seat's last decision, so that luck and loss add up exactly to the score;
    the luck of a roll contains what the values before it were wrong by, so its mean is 0 only about.
    """
    try:
        end = review_end(record, memory_limit)
    except TooLargeError:
        end = None
    found = []
    for seat in range(len(record.seats)):
        own = [index for index, turn in enumerate(record.turns) if turn.seat == seat]
        exact = end.seats[seat] if end else None
        learned = set(own[: exact.first_turn - 1] if exact else own)
        steps = [
            (_Step(turn, position, action, 0, 0), advise(solution, position))
            for turn, position, action in record.decisions()
            if turn in learned
        ]
        before = solution.expected_score
        rolls, decisions = _by_advice(None, steps, len(record.seats), before=before)[seat]
        if exact and exact.rolls:
            joined = decisions[-1].value if decisions else before
            rolls += [replace(exact.rolls[0], before=joined), *exact.rolls[1:]]
            decisions += exact.decisions
        reviewed = _seat(record, seat, rolls, decisions, before)
        found.append(replace(reviewed, error=solution.decision_error))
    return Review(record, tuple(found), (None,) * len(found))


def _review_waiting(
    solution: Solution, waiting: Sequence[tuple[Record, list[_Step]]], scale: LuckScale | None
) -> Iterator[Review]:
    steps = [step for _, record_steps in waiting for step in record_steps]
    if not solution.states.has_kernels:  # which kernels do not know
        advice = (advise(solution, step.position) for step in steps)
        for record, record_steps in waiting:
            seats = _by_advice(solution, [(step, next(advice)) for step in record_steps], len(record.seats))
            yield _review(solution, record, seats, scale)
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
        seats = [([], []) for _ in record.seats]
        value_before = 0.0
        for number, step in enumerate(record_steps, start):
            rolls, decisions = seats[step.position.seat]
            after = step.written + float(found.best[number])
            is_first = step.position.is_first_roll
            before = step.written + float(solution.values[step.index]) if is_first else value_before
            rolls.append(RollReview(step.turn, step.position.dice, before, after))
            if step.action is not None:
                decision = _decision(step, found, number, after)
                decisions.append(decision)
                value_before = decision.value
        start += len(record_steps)
        yield _review(solution, record, seats, scale)


def _by_advice(
    solution: Solution | None,
    steps: Sequence[tuple[_Step, Advice]],
    num_seats: int,
    *,
    before: float = 0.0,
) -> _Found:
    """What each seat rolled and decided, from the advice on each position.

    Without a solution, the value before a roll is that after the last decision, and `before` at the start.
    """
    seats: _Found = [([], []) for _ in range(num_seats)]
    for step, advice in steps:
        position, (rolls, decisions) = step.position, seats[step.position.seat]
        if not position.follows_announcement:  # an announcement rolls no dice
            if position.is_first_roll and solution:
                before = step.written + float(solution.values[step.index])
            rolls.append(RollReview(step.turn, position.dice, before, advice.value))
        if step.action is not None:
            chosen = advice.of(step.action)
            is_unforced = advice.actions[-1].loss > EQUAL
            best = step.action if chosen.loss < EQUAL else advice.best.action
            decisions.append(
                DecisionReview(
                    step.turn,
                    position,
                    step.action,
                    chosen.value,
                    best,
                    advice.value,
                    is_unforced,
                    advice.least_mistake,
                )
            )
            before = chosen.value
    return seats


def _review(solution: Solution, record: Record, seats: _Found, scale: LuckScale | None) -> Review:
    start = solution.expected_score
    reviewed = tuple(_seat(record, seat, *found, start, scale=scale) for seat, found in enumerate(seats))
    return Review(record, reviewed, (solution,) * len(reviewed))


def _seat(
    record: Record,
    seat: int,
    rolls: list[RollReview],
    decisions: list[DecisionReview],
    start_value: float,
    *,
    scale: LuckScale | None = None,
    first_turn: int = 1,
) -> SeatReview:
    value = start_value
    if rolls:
        is_decided = bool(decisions) and sum(not isinstance(d.action, Announce) for d in decisions) == len(rolls)
        rolls_nothing = bool(decisions) and isinstance(decisions[-1].action, Announce)
        value = decisions[-1].value if is_decided or rolls_nothing else rolls[-1].after
    who = record.seats[seat]
    card = record.position.cards[seat]
    reviewed = SeatReview(
        who.name,
        who.kind,
        card.total,
        start_value,
        value,
        tuple(rolls),
        tuple(decisions),
        outright_points=card.outright_points,
        first_turn=first_turn,
    )
    if scale is None or not (card.is_complete or card.won):
        return reviewed
    return replace(reviewed, luck_percentile=scale.percentile(reviewed.luck))


def _decision(step: _Step, found: BatchAdvice, number: int, best_value: float) -> DecisionReview:
    position, action = step.position, step.action
    assert action is not None, "an open decision is not reviewed"
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
    return DecisionReview(
        step.turn,
        position,
        action,
        value,
        best,
        max(best_value, value),
        is_unforced=best_value - (step.written + float(lowest)) > EQUAL,
    )


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
