"""The odds between policies, for `docs/players.md`, in Markdown."""

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from fivedice.simulation.matches.last_turn import last_turn_matches
from fivedice.simulation.matches.match_odds import interval, match_odds
from fivedice.solver.play.frontier import scores_of
from fivedice.solver.risk import BOLD, CAUTIOUS
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve


def matches_table(solution: Solution) -> Iterator[str]:
    """The odds of every pair of the policies that ignore the other card."""
    tables = {"optimal": solution}
    tables |= {name: solve(solution.ruleset, risk=risk) for name, risk in (("cautious", CAUTIOUS), ("bold", BOLD))}
    scores = {name: scores_of(table) for name, table in tables.items()}
    yield "| player | against | wins | ties | loses | margin |"
    yield "|---|---|---|---|---|---|"
    for first, second in combinations(scores, 2):
        odds = match_odds(scores[first], scores[second])
        cells = " | ".join(f"{100 * share:.2f} %" for share in odds)
        yield f"| {first} | {second} | {cells} | {100 * odds.margin:+.2f} % |".replace("-", "−")


def rival_line(solution: Solution, num_pairs: int, seed: int, progress: Callable[[int, int], None]) -> str:
    """The margin of play to win in the last turn, and its shares of the first place by order."""
    found = last_turn_matches(solution, num_pairs, np.random.default_rng(seed), progress)
    first, second = (interval(2 * (found.share[order] - found.optimal[order])) for order in range(2))
    changed = (found.share - found.optimal > 1e-9).mean()
    return (
        f"{2 * num_pairs:,} games: margin {interval(found.margins)} (moving first {first}, second {second});"
        f" the best last turn differs in {100 * changed:.1f} % of the games"
    )
