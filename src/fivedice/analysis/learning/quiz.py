"""Positions for a quiz: from good play, with a large difference between the obvious choice and the best one.

They come from games that are played optimally, except for an occasional obvious choice: so the cards have a mistake or
two, like those of people, but are not absurd.
"""

from collections import defaultdict
from collections.abc import Callable
from random import Random

from fivedice.analysis.advice import advise
from fivedice.analysis.learning.lessons import Lesson
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.solver.solution import Solution

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


def quiz_lessons(solution: Solution, obvious: Callable[[Position], Action], chance: Random, count: int) -> list[Lesson]:
    """Up to `count` positions with the obvious choice and its loss; fewer if the games have no more.

    They vary in the rolls left and the phase of the game. The same seed gives the same positions.
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


def _one_game(solution: Solution, obvious: Callable[[Position], Action], chance: Random) -> list[Lesson]:
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
