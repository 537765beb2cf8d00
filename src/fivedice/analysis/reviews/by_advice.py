"""A `Review` of a record from the advice on each of its positions, in plain Python; and which decisions are hard.

`review_plainly` needs no NumPy: it is as exact as `fivedice.analysis.reviews.review`, which does many records at once.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from fivedice.analysis.action_values import PlainSolution
from fivedice.analysis.advice import Advice, advise, settled_points, state_index
from fivedice.analysis.reviews.marks import INACCURACY, SHOWN_LOSS
from fivedice.analysis.reviews.seat_review import EQUAL, DecisionReview, RollReview, SeatReview
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action, Announce, Keep
from fivedice.game.position import Position
from fivedice.game.record import Record

if TYPE_CHECKING:
    from fivedice.analysis.reviews.luck_scale import LuckScale  # these load NumPy
    from fivedice.solver.solution import Solution


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


@dataclass(slots=True)
class Found:
    """What a seat rolled and decided, and in how many hard decisions it found the best action."""

    rolls: list[RollReview] = field(default_factory=list)
    decisions: list[DecisionReview] = field(default_factory=list)
    num_hard: int = 0


def review_plainly(solution: PlainSolution, record: Record, scale: "LuckScale | None" = None) -> Review:
    """The review of a record, finished or not; raises `IllegalError` if the solution is that of other rules."""
    if record.ruleset.digest != solution.ruleset.digest:
        raise IllegalError(f"this is the solution of {solution.ruleset}, not of {record.ruleset}")
    advised = ((one, advise(solution, one[1])) for one in record.decisions())
    return reviewed(solution, record, by_advice(solution, advised, len(record.seats)), scale)


def by_advice(
    solution: "Solution | PlainSolution | None",
    advised: Iterable[tuple[tuple[int, Position, Action | None], Advice]],
    num_seats: int,
    *,
    before: float = 0.0,
) -> list[Found]:
    """What each seat rolled and decided, from decisions as `Record.decisions` has them, each with the advice there.

    Without a solution, the value before a roll is that after the last decision, and `before` at the start.
    """
    seats = [Found() for _ in range(num_seats)]
    for (turn, position, action), advice in advised:
        found = seats[position.seat]
        rolls, decisions = found.rolls, found.decisions
        if not position.follows_announcement:  # an announcement rolls no dice
            if solution and (not rolls or rolls[-1].turn != turn):
                card = position.card
                before = settled_points(card) + float(solution.values[state_index(solution, card)])
            rolls.append(RollReview(turn, position.dice, before, advice.value))
        if action is not None:
            decided = _decision(turn, action, advice)
            decisions.append(decided)
            before = decided.value
            if solution and decided.is_unforced and decided.loss < SHOWN_LOSS:
                found.num_hard += is_hard(advice)
    return seats


def _decision(turn: int, action: Action, advice: Advice) -> DecisionReview:
    chosen, is_unforced = advice.of(action), advice.actions[-1].loss > EQUAL
    best = action if chosen.loss < EQUAL else _first_best(advice)
    values = chosen.value, best, advice.value
    return DecisionReview(turn, advice.position, action, *values, is_unforced, advice.least_mistake)


def reviewed(
    solution: "Solution | PlainSolution", record: Record, seats: list[Found], scale: "LuckScale | None" = None
) -> Review:
    """The review of a record from what its seats rolled and decided."""
    start = solution.expected_score
    reviewed = tuple(seat_review(record, seat, found, start, scale=scale) for seat, found in enumerate(seats))
    return Review(record, reviewed, (solution,) * len(reviewed))


def seat_review(
    record: Record,
    seat: int,
    found: Found,
    start_value: float,
    *,
    scale: "LuckScale | None" = None,
    first_turn: int = 1,
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
