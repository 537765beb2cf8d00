"""The positions of a day: the ten, from easy to hard, and the ladder of a storm, chosen from those of games.

The order among equals is that of HMAC-SHA-256 of their lines, keyed with the secret of the day.
"""

import hmac
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from fivedice.daily.puzzles import PLAYERS, Candidate, GameDice, Puzzle, candidates

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution


_WANTED = (0, 1, 1, 2, 3, 4, 4, 5, 6, 7)
"""How many of the eight levels that err should miss each position of the ten, in order."""

_MOST_AHEAD = 4.0
"""Where the obvious choice is best, the most points by which it is ahead of all others: everybody finds one that is
farther ahead."""

_TEMPTING = (False, False, False, True, False, True, False, True, True, True)
"""Whether the obvious choice must be wrong in each position of the ten; elsewhere it may be."""

_GUEST_PLACES = (1, 4)
"""The places of the guest ruleset on Sundays."""

_SAME_ROLLS = 4
"""The most positions of a ten with the same number of rolls left."""

LADDER = ((-inf, -8.0), (-8.0, -4.0), (-4.0, -2.0), (7.0, inf), (-2.0, 0.0), (2.5, 7.0), (1.0, 2.5), (0.0, 1.0))
"""The rungs of a storm: between which margins (`Candidate.margin`) their positions lie, the lower one included.

The order is that of how many levels miss them, under Yahtzee and Yatzy.
"""

PER_RUNG = 4
"""Positions of each rung in one storm, as long as there are enough."""

POOL = 16
"""The most positions of each rung in a day: enough for four storms without a repetition."""

_NUM_GAMES = {"ten": 1, "ladder": 2}
"""Games of each player from which the positions come."""


def games_of(secret: bytes, kind: str, rules: str) -> list[tuple[str, GameDice]]:
    """The games from which the positions of a ten or a ladder come: each player with its dice."""
    return [
        (player, GameDice(secret, f"{kind}-{rules}-{player}-{number}"))
        for number in range(1, _NUM_GAMES[kind] + 1)
        for player in PLAYERS
    ]


def candidates_of(solution: "Solution", secret: bytes, kind: str) -> list[Candidate]:
    """All candidates for a ten or a ladder under the rules of a solution."""
    games = games_of(secret, kind, solution.ruleset.id)
    return [one for game in games for one in candidates(solution, game[1], game[0], asks_levels=kind == "ten")]


def choose_ten(secret: bytes, found: Sequence[Candidate], guests: Sequence[Candidate] = ()) -> list[Puzzle]:
    """The ten puzzles of a day, from easy to hard; on Sundays some are of the guest ruleset.

    No dice with as many rolls left come twice, and no game gives more than two while others have any. `guests` are the
    candidates of a guest ruleset.
    """
    chosen: list[Candidate] = []
    rolls_left: Counter[int] = Counter()
    games: Counter[str] = Counter()
    dice: set[object] = set()
    own, others = sorted(found, key=_order(secret)), sorted(guests, key=_order(secret))
    for place, wanted in enumerate(_WANTED):

        def cost(one: Candidate, wanted: int = wanted, place: int = place) -> tuple[bool, bool, bool, int]:
            position = one.position
            return (
                (position.dice, position.rolls_left) in dice,
                rolls_left[position.rolls_left] >= _SAME_ROLLS or games[one.game] >= 2,
                (_TEMPTING[place] and one.margin < 0) or one.margin < -_MOST_AHEAD,
                abs(one.missed - wanted),
            )

        pool = others if others and place in _GUEST_PLACES else own
        best = min((one for one in pool if one not in chosen), key=cost)
        chosen.append(best)
        rolls_left[best.position.rolls_left] += 1
        games[best.game] += 1
        dice.add((best.position.dice, best.position.rolls_left))
    return [one.puzzle for one in chosen]


def choose_ladder(secret: bytes, found: Iterable[Candidate]) -> list[Puzzle]:
    """The puzzles of a day for storms and streaks with their rungs, from easy to hard; each line once."""
    rungs: dict[int, list[Puzzle]] = defaultdict(list)
    for one in sorted(found, key=_order(secret)):
        rung = next(number for number, (low, high) in enumerate(LADDER) if low <= one.margin < high)
        same = {(other.position.dice, other.position.rolls_left) for other in rungs[rung]}
        if len(rungs[rung]) < POOL and (one.position.dice, one.position.rolls_left) not in same:
            rungs[rung].append(replace(one.puzzle, rung=rung))
    return [puzzle for rung in range(len(LADDER)) for puzzle in rungs[rung]]


def run_of(rungs: Sequence[int], run: int) -> list[int]:
    """Which positions of a ladder a storm asks in order, as indices, from the rung of each.

    `run` numbers the storms of one person and day from 1. Each takes the next `PER_RUNG` of every rung, in a circle,
    and then the rest of the highest ones.
    """
    by_rung: dict[int, list[int]] = defaultdict(list)
    for index, rung in enumerate(rungs):
        by_rung[rung].append(index)
    asked, rest = [], []
    for _, pool in sorted(by_rung.items()):
        first = (run - 1) * PER_RUNG % len(pool)
        turned = pool[first:] + pool[:first]
        asked += turned[:PER_RUNG]
        rest.append(turned[PER_RUNG:])
    return asked + [index for turned in reversed(rest) for index in turned]


def _order(secret: bytes) -> Callable[[Candidate], bytes]:
    """The order among equals."""
    return lambda one: hmac.digest(secret, str(one.position).encode(), "sha256")
