"""A `Review` of a record: the exact luck of every roll and loss of every decision.

For every seat: **value at the end = value at the start + Σ luck − Σ loss**. At the end of a complete game the value is
the score, with what an outright win counts beside it. The luck of a roll is the value after it minus the value before;
the loss of a decision is the best value minus the chosen one. The mean of luck is 0 for every player. Luck and loss of
a game are not independent, though: a bad keep changes what the next roll can bring.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice

from fivedice.analysis.action_values import turn_state
from fivedice.analysis.advice import advise, advise_batch
from fivedice.analysis.arguments import checked_solution, require
from fivedice.analysis.reviews.by_advice import Found, Review, by_advice, reviewed, seat_review
from fivedice.analysis.reviews.luck_scale import LuckScale
from fivedice.analysis.reviews.seat_review import EQUAL, DecisionReview, RollReview, SeatReview
from fivedice.base.errors import IllegalError
from fivedice.game.record import Record
from fivedice.solver.approximate.approximate_solution import ApproximateSolution
from fivedice.solver.solution import Solution
from fivedice.solver.solve import check_size, solve_rest
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

BATCH = 1_000
"""Turns whose positions are advised on at once: about 15 MB of values."""


def review(solution: Solution, record: Record, scale: LuckScale | None = None) -> Review:
    """The review of a record, finished or not; with a scale it has percentiles of luck.

    Raises `IllegalError` if the solution is that of other rules.
    """
    checked_solution(solution)
    require(record, Record, "a Record, as parse_record() returns")
    return next(review_all(solution, [record], scale))


def review_all(solution: Solution, records: Iterable[Record], scale: LuckScale | None = None) -> Iterator[Review]:
    """Reviews of many records under one ruleset, in order; the positions of several are looked up at once."""
    waiting: list[Record] = []
    num_turns = 0
    for record in records:
        if record.ruleset.digest != solution.ruleset.digest:
            raise IllegalError(f"this is the solution of {solution.ruleset}, not of {record.ruleset}")
        waiting.append(record)
        num_turns += len(record.turns)
        if num_turns >= BATCH:
            yield from _review_waiting(solution, waiting, scale)
            waiting, num_turns = [], 0
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
            found.append((seat_review(record, seat, Found(), value, first_turn=first + 1), None))
            continue
        solution = solve_rest(record.ruleset, (start,), limit)
        steps = [step for turn in turns[first:] for step in turn]
        advised = zip(steps, advise_batch(solution, [position for _, position, _ in steps]), strict=True)
        own = by_advice(solution, advised, len(record.seats))[seat]
        found.append((seat_review(record, seat, own, own.rolls[0].before, first_turn=first + 1), solution))
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
        steps = (step for step in record.decisions() if step[0] in learned)
        before, advised = solution.expected_score, ((step, advise(solution, step[1])) for step in steps)
        played = by_advice(None, advised, len(record.seats), before=before)[seat]
        if exact and exact.rolls:
            joined = played.decisions[-1].value if played.decisions else before
            played.rolls += [replace(exact.rolls[0], before=joined), *exact.rolls[1:]]
            played.decisions += exact.decisions
        one = seat_review(record, seat, played, before)
        found.append(replace(one, error=solution.decision_error))
    return Review(record, tuple(found), (None,) * len(found))


def _review_waiting(solution: Solution, records: Sequence[Record], scale: LuckScale | None) -> Iterator[Review]:
    steps = [list(record.decisions()) for record in records]
    advice = iter(advise_batch(solution, [position for own in steps for _, position, _ in own]))
    for record, own in zip(records, steps, strict=True):
        advised = zip(own, islice(advice, len(own)), strict=True)
        yield reviewed(solution, record, by_advice(solution, advised, len(record.seats)), scale)
