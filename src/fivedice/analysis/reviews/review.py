"""A `Review` of a record: the exact luck of every roll and loss of every decision; and which decisions are hard.

For every seat: **value at the end = value at the start + Σ luck − Σ loss**. At the end of a complete game the value is
the score, with what an outright win counts beside it. The luck of a roll is the value after it minus the value before;
the loss of a decision is the best value minus the chosen one. The mean of luck is 0 for every player. Luck and loss of
a game are not independent, though: a bad keep changes what the next roll can bring.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from fivedice.analysis.action_values import PlainSolution, turn_state
from fivedice.analysis.advice import Advice, advise, advise_batch, settled_points, state_index
from fivedice.analysis.arguments import checked_solution
from fivedice.analysis.reviews.marks import INACCURACY, SHOWN_LOSS, LuckScale
from fivedice.analysis.reviews.seat_review import EQUAL, DecisionReview, RollReview, SeatReview
from fivedice.base.errors import IllegalError, wrong_type
from fivedice.game.action import Action, Announce, Keep
from fivedice.game.position import Position
from fivedice.game.record import Record
from fivedice.solver.tables.states import END_BYTES, REST_BYTES, States, TooLargeError

if TYPE_CHECKING:
    # These load NumPy, which a `PlainSolution` does not need.
    from fivedice.solver.approximate_solution import ApproximateSolution
    from fivedice.solver.solution import Solution

BATCH = 1_000
"""Turns whose positions are advised on at once: about 15 MB of values."""

Step: TypeAlias = tuple[int, Position, Action | None]
"""A decision, as `Record.decisions` has it."""


@dataclass(frozen=True, slots=True)
class Review:
    """A record with the review of each of its seats, and the solution from which that is, None without any turn."""

    record: Record
    seats: tuple[SeatReview, ...]
    solutions: tuple["Solution | PlainSolution | None", ...] = field(compare=False, repr=False)

    def __repr__(self) -> str:
        seats = ", ".join(f"{one.name} lost {one.loss:.2f}, luck {one.luck:+.2f}" for one in self.seats)
        return f"<Review {self.record.ruleset}: {seats}>"

    def _repr_html_(self) -> str:
        """The figures of each seat and the five costliest decisions for notebooks."""
        from fivedice.rulesets.notebook import dice_svg, paragraph, table

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

    def __str__(self) -> str:
        """A line for each seat: its score, luck and loss; then the costliest decision."""
        lines = [f"{one.name}: {one.score} points, luck {one.luck:+.2f}, lost {one.loss:.2f}" for one in self.seats]
        decisions = [(one.loss, seat.name, one) for seat in self.seats for one in seat.decisions if one.loss >= EQUAL]
        if decisions:
            loss, name, one = max(decisions, key=itemgetter(0))
            lines.append(f"costliest: {name} {one.position}: {one.action} lost {loss:.2f}; better {one.best}")
        return "\n".join(lines)

    def plot(self, axes: Any = None) -> Any:
        """The value of the game for each seat after every roll and decision, as a Matplotlib figure.
        Turn n ends at time n.

        `axes` are those to draw on, by default new ones. Raises `MissingExtraError` without Matplotlib.
        """
        from fivedice.analysis.reviews.seat_review import turn_reviews
        from fivedice.base.plots import lines

        named = []
        for number, seat in enumerate(self.seats):
            points = [(seat.first_turn - 1.0, seat.start_value)]
            for time, turn in enumerate(turn_reviews(self.record, number, seat), start=seat.first_turn - 1):
                points += [(time + (step + 1) / len(turn.values), value) for step, value in enumerate(turn.values)]
            named.append((seat.name, points))
        return lines("review.plot()", named, label="expected final score", axes=axes)


def review(solution: "Solution | PlainSolution", record: Record, scale: LuckScale | None = None) -> Review:
    """The review of a record, finished or not; with a scale it has percentiles of luck.

    Raises `IllegalError` if the solution is that of other rules.
    """
    if not isinstance(record, Record):
        raise wrong_type("a Record, as parse_record() returns", record)
    return next(review_all(solution, [record], scale))


def review_all(
    solution: "Solution | PlainSolution", records: Iterable[Record], scale: LuckScale | None = None
) -> Iterator[Review]:
    """Reviews of many records under one ruleset, in order; the positions of several are looked up at once."""
    if not isinstance(solution, PlainSolution):
        checked_solution(solution)
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


def _review_waiting(
    solution: "Solution | PlainSolution", records: Sequence[Record], scale: LuckScale | None
) -> Iterator[Review]:
    steps = [list(record.decisions()) for record in records]
    advice = iter(_advised(solution, [position for own in steps for _, position, _ in own]))
    for record, own in zip(records, steps, strict=True):
        advised = list(zip(own, islice(advice, len(own)), strict=True))
        seats = []
        for seat in range(len(record.seats)):
            found = by_advice(solution, (one for one in advised if one[0][1].seat == seat))
            seats.append(seat_review(record, seat, found, solution.expected_score, scale=scale))
        yield Review(record, tuple(seats), (solution,) * len(seats))


def _advised(solution: "Solution | PlainSolution", positions: list[Position]) -> Iterable[Advice]:
    if isinstance(solution, PlainSolution):
        return (advise(solution, position) for position in positions)
    return advise_batch(solution, positions)


def review_end(record: Record, memory_limit: int = REST_BYTES) -> Review:
    """The review of the last turns of a game whose rules are too large to solve.

    Each seat is reviewed from `SeatReview.first_turn`, the earliest turn before which all that can follow its card
    takes at most its share of `memory_limit` bytes. Raises `TooLargeError` if no seat has played such a turn.
    """
    from fivedice.solver.solve import check_size, solve_rest

    limit = memory_limit // len(record.seats)
    found: list[tuple[SeatReview, Solution | None]] = []
    refusal = TooLargeError(f"{record.ruleset} is too large to solve: no turn was played yet")
    for seat in range(len(record.seats)):
        own = (step for step in record.decisions() if step[1].seat == seat)
        turns = [list(steps) for _, steps in groupby(own, key=itemgetter(0))]
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
        played = by_advice(
            solution, zip(steps, _advised(solution, [position for _, position, _ in steps]), strict=True)
        )
        found.append((seat_review(record, seat, played, played.rolls[0].before, first_turn=first + 1), solution))
    if not any(solution for _, solution in found):
        raise refusal
    return Review(record, tuple(seat for seat, _ in found), tuple(solution for _, solution in found))


def review_approximately(solution: "ApproximateSolution", record: Record) -> Review:
    """The review of a game whose rules are too large to solve: by approximate values until the turns of `review_end`.

    The value before a roll is that after the seat's last decision, so that luck and loss add up exactly to the score;
    the luck of a roll contains what the values before it were wrong by, so its mean is 0 only about.
    """
    try:
        end = review_end(record, END_BYTES * len(record.seats))
    except TooLargeError:
        end = None
    found, before = [], solution.expected_score
    for seat in range(len(record.seats)):
        own = [index for index, turn in enumerate(record.turns) if turn.seat == seat]
        exact = end.seats[seat] if end else None
        learned = set(own[: exact.first_turn - 1] if exact else own)
        steps = (step for step in record.decisions() if step[0] in learned)
        played = by_advice(None, ((step, advise(solution, step[1])) for step in steps), before=before)
        if exact and exact.rolls:
            joined = played.decisions[-1].value if played.decisions else before
            played.rolls += [replace(exact.rolls[0], before=joined), *exact.rolls[1:]]
            played.decisions += exact.decisions
            played.num_hard = exact.num_hard
        one = seat_review(record, seat, played, before)
        found.append(replace(one, error=solution.decision_error))
    return Review(record, tuple(found), (None,) * len(found))


@dataclass(slots=True)
class Found:
    """What a seat rolled and decided, and in how many hard decisions it found the best action."""

    rolls: list[RollReview] = field(default_factory=list)
    decisions: list[DecisionReview] = field(default_factory=list)
    num_hard: int = 0


def by_advice(
    solution: "Solution | PlainSolution | None", advised: Iterable[tuple[Step, Advice]], *, before: float = 0.0
) -> Found:
    """What a seat rolled and decided, from its decisions, each with the advice there.

    Without a solution, the value before a roll is that after the last decision, and `before` at the start.
    """
    found = Found()
    for (turn, position, action), advice in advised:
        rolls = found.rolls
        if not position.follows_announcement:  # an announcement rolls no dice
            if solution and (not rolls or rolls[-1].turn != turn):
                card = position.card
                before = settled_points(card) + solution.float_values[state_index(solution, card)]
            rolls.append(RollReview(turn, position.dice, before, advice.value))
        if action is not None:
            chosen, is_unforced = advice.of(action), advice.actions[-1].loss > EQUAL
            best = action if chosen.loss < EQUAL else _first_best(advice)
            values = chosen.value, best, advice.value
            decided = DecisionReview(turn, advice.position, action, *values, is_unforced, advice.least_mistake)
            found.decisions.append(decided)
            before = decided.value
            if solution and is_unforced and decided.loss < SHOWN_LOSS:
                found.num_hard += is_hard(advice)
    return found


def seat_review(
    record: Record, seat: int, found: Found, start_value: float, *, scale: LuckScale | None = None, first_turn: int = 1
) -> SeatReview:
    """The review of a seat of a record from its rolls and decisions."""
    value, rolls, decisions = start_value, found.rolls, found.decisions
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
        missing=sum(turn.seat == seat and turn.missing > 0 for turn in record.turns),
        num_hard=found.num_hard,
    )
    if scale is None or reviewed.missing or not (card.is_complete or card.won):
        return reviewed
    return replace(reviewed, luck_percentile=scale.percentile(reviewed.luck))


def _first_best(advice: Advice) -> Action:
    """The first of the best actions: scores come before zeros, and these before keeps."""
    order = {action: place for place, action in enumerate(advice.position.actions())}
    best = [one for one in advice.actions if one.loss < EQUAL]
    return min(best, key=lambda one: (isinstance(one.action, Keep), not one.points, order[one.action])).action


def is_hard(advice: Advice) -> bool:
    """Whether both obvious actions, the most points at once and the largest group of equal dice, are inaccuracies."""
    obvious: list[Action] = [_most_at_once(advice)]
    if advice.position.rolls_left:
        counts = Counter(advice.position.dice)
        face = max(counts, key=lambda face: (counts[face], face))
        obvious.append(Keep((face,) * counts[face]))
    losses = {advised.action: advised.loss for advised in advice.actions}
    return all(losses.get(action, INACCURACY) >= INACCURACY for action in obvious)


def _most_at_once(advice: Advice) -> Action:
    """The action that leads to the most points without another roll; where none can be scored, an announcement."""
    position = advice.position
    scores = [advised for advised in advice.actions if advised.points is not None]
    if scores:
        return max(scores, key=lambda advised: advised.points or 0).action
    called = [advised.action for advised in advice.actions if isinstance(advised.action, Announce)]
    return max(called, key=lambda action: max(offer.points for offer in position.announce(action).offers()))
