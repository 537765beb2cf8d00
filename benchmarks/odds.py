"""The time to solve an endgame of two seats with two boxes open each: part of `make bench`.

Each figure is the median of several runs in one process with warm kernels.
"""

from statistics import median
from time import perf_counter

from fivedice.rulesets import load_ruleset
from fivedice.solver.endgame import solve_endgame
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import TurnState

OPEN = {
    "fives and sixes": ("fives", "sixes"),
    "fours, Yahtzee": ("fours", "yahtzee"),
    "straight, chance": ("large_straight", "chance"),
}
"""The boxes open on both cards, with 50 points in the upper section."""
BAR = 1.0
"""Seconds."""
RUNS = 5


def main() -> None:
    ruleset = load_ruleset("yahtzee")
    solution = solve(ruleset)
    print(f"{'yahtzee, two boxes open, s':<28}{'median':>12}{'bar':>10}{'ratio':>8}")
    for name, ids in OPEN.items():
        filled = frozenset(range(len(ruleset.boxes))) - {ruleset.box_index[id] for id in ids}
        index = solution.states.index(TurnState(filled, (50,)))
        solve_endgame(solution, index, index)  # loads the kernels
        took = []
        for _ in range(RUNS):
            began = perf_counter()
            solve_endgame(solution, index, index).before_roll(0)
            took.append(perf_counter() - began)
        print(f"{name:<28}{median(took):>12.3f}{BAR:>10.1f}{median(took) / BAR:>8.2f}")


if __name__ == "__main__":
    main()
