"""Positions for a quiz: met in good play, with a large gap between the obvious choice and the best one.

They come from games in which the best action is played, but now and then the obvious one: cards as people have them,
with a slip or two, and none that only a fool could reach.
"""

from collections import defaultdict
from collections.abc import Callable
from random import Random

from fivedice.analysis.advice import advise
from fivedice.analysis.lessons import Lesson
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.solver.solution import Solution

GAP = 1.0
"""Points that the obvious choice must lose at least: five times what an answer may."""

SLIPS = 1 / 4
"""How often the obvious choice is made although it is not the best."""

SURPLUS = 4
"""Positions found for each that is asked, to choose the most instructive from …"""

MAX_GAMES = 25
"""… as far as so many games have them: where rules are simple, the obvious choice is mostly right."""

PHASES = 3
"""Parts of a game that a quiz tells apart: its beginning, middle and end."""


def quiz_lessons(solution: Solution, obvious: Callable[[Position], Action], chance: Random, count: int) -> list[Lesson]:
    """At most `count` positions with the obvious choice and its loss; fewer where games hold no more.

    They are varied over the rolls left and the phases of the game. The same chance gives the same positions.
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
    """The positions of one game in which the obvious choice loses at least `GAP`."""
    ruleset = solution.ruleset
    found = []

    def rolled(number: int) -> tuple[int, ...]:
        return tuple(chance.randint(1, ruleset.faces) for _ in range(number))

    position = Position.start(ruleset)
    while not position.is_over:
        if not position.dice:
            position = position.roll(rolled(ruleset.dice))
            continue
        advice = advise(solution, position)
        usual = advice.of(obvious(position))
        if usual.loss >= GAP:
            found.append(Lesson(position, usual.action, usual.loss))
        action = usual.action if chance.random() < SLIPS else advice.best.action
        dice = rolled(ruleset.dice - len(action.dice)) if isinstance(action, Keep) else ()
        position = position.play(action, dice)
    return found


def _varied(found: list[Lesson], count: int) -> list[Lesson]:
    """The widest gaps, taken in turn from each pair of rolls left and phase; of equal dice only one, while others are
    left."""
    groups: dict[tuple[int, int], list[Lesson]] = defaultdict(list)
    seen: set[tuple[object, ...]] = set()
    again = []
    for lesson in sorted(found, key=lambda lesson: -lesson.loss):
        position = lesson.position
        if (position.dice, position.rolls_left) in seen:
            again.append(lesson)
            continue
        seen.add((position.dice, position.rolls_left))
        phase = PHASES * position.card.num_filled // position.ruleset.rounds
        groups[position.rolls_left, phase].append(lesson)
    chosen: list[Lesson] = []
    while any(groups.values()):
        chosen += [group.pop(0) for _, group in sorted(groups.items()) if group]
    return [*chosen, *again][:count]
