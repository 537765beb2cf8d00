"""How often playing to win differs from playing for points in endgames, and what it gains: the tables of
`docs/endgames.md`.

    python benchmarks/endgames.py

Two seats play for points until each has two boxes open, or one. From there one seat goes on for points, and the other
plays to win. Every choice of the first seat is compared with the best choice to win; what it loses is known exactly, so
that the mean loss has little noise. Each simulated game gives two endgames of either size: one with each seat as the
first.
"""

import argparse
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from time import process_time

import numpy as np

from fivedice.analysis.advice import advise
from fivedice.analysis.endgames import EQUAL, advise_to_win
from fivedice.game.action import Keep
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve

SHOWN = 4
"""Example positions printed for each number of boxes."""


@dataclass
class Tally:
    """What the seat that plays for points does in the endgames of one size."""

    losses: list[float] = field(default_factory=list)
    """Of each endgame: the chance to win that its choices lost, a tie counting half. Two of one game are neighbours."""
    num_decisions: int = 0
    num_different: int = 0
    examples: list[tuple[float, str]] = field(default_factory=list)

    def add(self, solution: Solution, position: Position, seat: int, chance: Random) -> None:
        """Play one endgame to its end."""
        lost = 0.0
        while not position.is_over:
            if position.dice:
                to_win = advise_to_win(solution, position)
                action = to_win.best.action
                if position.seat == seat:
                    for_points = advise(solution, position).best.action
                    loss = to_win.of(for_points).loss if for_points != action else 0.0
                    self.num_decisions += len(to_win.actions) > 1
                    if loss > EQUAL:
                        self.num_different += 1
                        lost += loss
                        self.examples.append((loss, f"{position}  {action} {to_win.value:.3f}, not {for_points}"))
                        action = for_points
                position = played(position, action, chance)
            else:
                position = position.roll(rolled(position.ruleset.dice, chance))
        self.losses.append(lost)

    def lines(self, num_open: int) -> Iterator[str]:
        """A row of the table."""
        losses = np.array(self.losses)
        by_game = losses[: losses.size // 2 * 2].reshape(-1, 2).mean(axis=1)
        error = 2.576 * by_game.std() / by_game.size**0.5
        differing = losses[losses > 0]
        yield (
            f"| {num_open} | {losses.size:,} | {self.num_different / self.num_decisions:.1%} | "
            f"{differing.size / losses.size:.1%} | {losses.mean() * 100:.2f} ± {error * 100:.2f} | "
            f"{differing.mean() * 100 if differing.size else 0:.1f} | {losses.max() * 100:.0f} |"
        )


def rolled(num: int, chance: Random) -> tuple[int, ...]:
    """So many dice with six faces."""
    return tuple(sorted(chance.randint(1, 6) for _ in range(num)))


def played(position: Position, action: object, chance: Random) -> Position:
    """The position after an action."""
    if isinstance(action, Keep):
        return position.play(action, rolled(position.ruleset.dice - len(action.dice), chance))
    return position.play(action)  # type: ignore[arg-type]


def endgames(solution: Solution, chance: Random) -> Iterator[tuple[int, Position]]:
    """The positions of one game for points before each round with at most two boxes open on each card."""
    position = Position.start(solution.ruleset, 2)
    while not position.is_over:
        num_open = solution.ruleset.rounds - position.card.num_filled
        if not position.dice:
            if position.seat == 0 and num_open <= 2:
                yield num_open, position
            position = position.roll(rolled(position.ruleset.dice, chance))
        else:
            position = played(position, advise(solution, position).best.action, chance)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="yahtzee")
    parser.add_argument("--games", type=int, default=2_500, help="simulated games (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    solution, chance = solve(load_ruleset(given.rules)), Random(given.seed)
    tallies = {2: Tally(), 1: Tally()}
    began = process_time()
    number = 0
    with contextlib.suppress(KeyboardInterrupt):  # prints what is known so far
        while number < given.games:
            for num_open, position in list(endgames(solution, chance)):
                for seat in range(2):
                    tallies[num_open].add(solution, position, seat, chance)
            number += 1
    print(
        f"{number:,} games of {given.rules}, seed {given.seed}: {process_time() - began:.0f} s of one core\n\n"
        "| boxes open | endgames | decisions that differ | endgames with one | gain, points of % per endgame | "
        "gain where they differ | largest gain |\n|---|---|---|---|---|---|---|"
    )
    for num_open, tally in tallies.items():
        print("\n".join(tally.lines(num_open)))
    for tally in tallies.values():
        print()
        for loss, text in sorted(tally.examples, reverse=True)[:SHOWN]:
            print(f"- {loss:.1%}: {text}")


if __name__ == "__main__":
    main()
