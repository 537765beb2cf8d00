"""`SolveRate`: how many answers to the positions of one rung of the ladder were best, of those that people gave."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fivedice.daily.choice import LADDER, run_of
from fivedice.daily.puzzles import Puzzle, is_best
from fivedice.game.notation import parse_action


@dataclass(frozen=True, slots=True)
class SolveRate:
    """The number of answers, and how many of them were best."""

    answered: int = 0
    solved: int = 0

    def __add__(self, other: "SolveRate") -> "SolveRate":
        return SolveRate(self.answered + other.answered, self.solved + other.solved)


def solve_rates(ladder: Sequence[Puzzle], chosen: Mapping[tuple[int, int, str], int]) -> list[SolveRate]:
    """The rates of one day, by rung.

    `ladder` are the positions of the day, and `chosen` is how many people chose an action, in notation, for a question
    of a run, both numbered from 1.
    """
    rungs = [puzzle.rung or 0 for puzzle in ladder]
    rates = [SolveRate()] * len(LADDER)
    orders: dict[int, list[int]] = {}
    for (run, number, action), num in chosen.items():
        order = orders.setdefault(run, run_of(rungs, run))
        puzzle = ladder[order[number - 1]]
        rates[puzzle.rung or 0] += SolveRate(num, num if is_best(puzzle.loss(parse_action(action))) else 0)
    return rates


def total(days: Iterable[Sequence[SolveRate]]) -> list[SolveRate]:
    """The rates of several days together, by rung."""
    return [sum(rates, SolveRate()) for rates in zip([SolveRate()] * len(LADDER), *days, strict=True)]
