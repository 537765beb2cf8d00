"""`Lesson`: a position in which a decision lost points, to be asked again; `Grade`: the loss of an answer;
`Memory`: the state of FSRS, a spaced-repetition scheduler, for one lesson; and `quiz_lessons` from good play.

Each answer gives the next state and the day on which the lesson is due again. FSRS is given days rather than hours, so
that a lesson answered in the evening is due from the morning of a later day. After a wrong answer it is due at once.

>>> from fivedice import load_ruleset, parse_action, parse_position
>>> from fivedice.solver.solve import solve
>>> crag = solve(load_ruleset("crag"))
>>> given = grade(crag, parse_position("crag - 445 r1"), parse_action("keep 44"))
>>> str(given.best), round(given.loss, 1), given.is_accepted
('score crag', 12.0, False)
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from random import Random
from typing import TYPE_CHECKING

from fivedice.analysis.advice import advise
from fivedice.analysis.reviews.seat_review import EQUAL, TurnReview, solo_position
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.record import Seat

if TYPE_CHECKING:
    from fsrs import Card

    from fivedice.analysis.action_values import PlainSolution
    from fivedice.analysis.reviews.review import Review
    from fivedice.solver.approximate_solution import ApproximateSolution
    from fivedice.solver.solution import Solution

ACCEPTED = 0.2
"""Answers that lose fewer points are accepted: Verhoeff's target for the mean loss of a choice. At this rate a player
loses less than 8 points over the 39 choices of a game."""

PER_GAME = 3
"""Lessons of one game at a seat: those that its review explains."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position to decide again, with the action chosen in the game and its loss in points.

    The position has one seat, since the value of a choice does not depend on the cards of others.
    """

    position: Position
    chosen: Action
    loss: float


@dataclass(frozen=True, slots=True)
class Grade:
    """An answer with its loss in points, and the best action, which is the answer itself if none is better."""

    action: Action
    loss: float
    best: Action
    limit: float = ACCEPTED
    """An answer is accepted if it loses less."""

    @property
    def is_best(self) -> bool:
        """Whether no action is better."""
        return self.loss < EQUAL

    @property
    def is_accepted(self) -> bool:
        """Whether its loss is small enough for the answer to count as right."""
        return self.loss < self.limit


def lessons(reviews: "Iterable[Review]", is_learner: Callable[[Seat], bool], per_game: int = PER_GAME) -> list[Lesson]:
    """The costliest decisions of each game at a learner's seats that would not be accepted as answers, costliest first.

    A position that occurred more than once is one lesson, with the costliest choice made in it.
    """
    found = []
    for review in reviews:
        for who, seat in zip(review.record.seats, review.seats, strict=True):
            if is_learner(who):
                errors = (lesson_of(one.position, one.action, one.loss, one.least_mistake) for one in seat.decisions)
                found += sorted(filter(None, errors), key=_by_loss)[:per_game]
    return each_once(found)


def lesson_of(position: Position, chosen: Action, loss: float, least_mistake: float = 0.0) -> Lesson | None:
    """The lesson from a decision, wherever it was made; None if it would be accepted as an answer."""
    if loss < max(ACCEPTED, least_mistake):
        return None
    return Lesson(solo_position(position), chosen, loss)


def each_once(found: Iterable[Lesson]) -> list[Lesson]:
    """The lessons, costliest first; those of one position are one, with the costliest choice."""
    costliest: dict[Position, Lesson] = {}
    for lesson in found:
        costliest[lesson.position] = min(costliest.get(lesson.position, lesson), lesson, key=_by_loss)
    return sorted(costliest.values(), key=_by_loss)


def grade(solution: "Solution | PlainSolution | ApproximateSolution", position: Position, action: Action) -> Grade:
    """The grade of an action as an answer; raises `IllegalError` like `advise`.

    By approximate values, each answer is accepted that is no mistake for sure.
    """
    advice = advise(solution, position)
    loss = advice.of(action).loss
    best = action if loss < EQUAL else advice.best.action
    return Grade(action, loss, best, max(ACCEPTED, advice.least_mistake))


def _by_loss(error: Lesson) -> float:
    return -error.loss


def best_turn(turns: Sequence[TurnReview]) -> TurnReview | None:
    """The turn whose luck gained most, among those that used it well; None if no such turn gained any."""
    known = [turn for turn in turns if turn.turn.offer and not turn.turn.missing]
    used = [turn for turn in known if turn.loss < ACCEPTED and turn.luck > 0]
    return max(used, key=lambda turn: turn.luck, default=None)


@dataclass(frozen=True, slots=True)
class Memory:
    """A lesson's stability in days, its difficulty from 1 to 10, and the day of the last answer."""

    stability: float
    difficulty: float
    answered: date


def after_answer(memory: Memory | None, given: Grade, today: date) -> tuple[Memory, date]:
    """The state after an answer, and the day on which the lesson is due again: today if the answer was not accepted.

    `memory` is None for the first answer. There are no learning steps within a day, and no random fuzz, so that the
    result depends on the arguments alone.
    """
    # Imported here because it is slow and only needed for lessons.
    from fsrs import Card, Rating, Scheduler

    rating = Rating.Again
    if given.is_accepted:
        rating = Rating.Good if given.is_best else Rating.Hard
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    known = _card(memory) if memory else Card(card_id=0, due=_noon(today))
    card = scheduler.review_card(known, rating, _noon(today))[0]
    assert card.stability is not None, "FSRS sets it after every answer"
    assert card.difficulty is not None, "FSRS sets it after every answer"
    return Memory(card.stability, card.difficulty, today), card.due.date() if given.is_accepted else today


def _card(memory: Memory) -> "Card":
    from fsrs import Card, State

    last = _noon(memory.answered)
    return Card(0, State.Review, stability=memory.stability, difficulty=memory.difficulty, due=last, last_review=last)


def _noon(day: date) -> datetime:
    """The moment that represents a day to FSRS, which then counts whole days."""
    return datetime.combine(day, time(12), UTC)


GAP = 1.0
"""The least loss of the obvious choice, in points: five times the accepted loss of an answer."""

SLIPS = 1 / 4
"""The share of decisions in which the obvious choice is made."""

SURPLUS = 4
"""Positions to find for each that is asked, so that the most instructive can be chosen."""

MAX_GAMES = 25
"""The most games to play for them: under simple rules the obvious choice is mostly right."""

PHASES = 3
"""Phases of a game: its beginning, middle and end."""


def quiz_lessons(
    solution: "Solution", obvious: Callable[[Position], Action], chance: Random, count: int
) -> list[Lesson]:
    """Up to `count` positions for a quiz, with the obvious choice and its loss; fewer if the games have no more.

    They come from games that are played optimally, except for an occasional obvious choice: so the cards have a mistake
    or two, like those of people, but are not absurd. They vary in the rolls left and the phase of the game. The same
    seed gives the same positions.
    """
    found: dict[Position, Lesson] = {}
    for _ in range(MAX_GAMES):
        for lesson in _one_game(solution, obvious, chance):
            found.setdefault(lesson.position, lesson)
        if len(found) >= SURPLUS * count:
            break
    chosen = _varied(list(found.values()), count)
    chance.shuffle(chosen)
    return chosen


def _one_game(solution: "Solution", obvious: Callable[[Position], Action], chance: Random) -> list[Lesson]:
    """The positions of one game in which the obvious choice loses at least `GAP` points."""
    found, position = [], Position.start(solution.ruleset)
    while not position.is_over:
        if not position.dice:
            position = position.roll(chance)
            continue
        advice = advise(solution, position)
        usual = advice.of(obvious(position))
        if usual.loss >= GAP:
            found.append(Lesson(position, usual.action, usual.loss))
        position = position.play(usual.action if chance.random() < SLIPS else advice.best.action, chance)
    return found


def _varied(found: list[Lesson], count: int) -> list[Lesson]:
    """Up to `count` positions, taken in turn from each combination of rolls left and phase, the largest loss first;
    dice that are repeated come last."""
    groups: dict[tuple[int, int], list[Lesson]] = defaultdict(list)
    seen: set[tuple[object, ...]] = set()
    repeated = []
    for lesson in sorted(found, key=lambda lesson: -lesson.loss):
        position = lesson.position
        if (position.dice, position.rolls_left) in seen:
            repeated.append(lesson)
            continue
        seen.add((position.dice, position.rolls_left))
        phase = PHASES * position.card.num_filled // position.ruleset.rounds
        groups[position.rolls_left, phase].append(lesson)
    chosen: list[Lesson] = []
    while any(groups.values()):
        chosen += [group.pop(0) for _, group in sorted(groups.items()) if group]
    return [*chosen, *repeated][:count]
