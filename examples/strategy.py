"""A strategy of your own against perfect play.

A player chooses an action in each position; the dice come from a seed, so that every run prints the same.

    python examples/strategy.py --games 1000
"""

import argparse
import random
from math import sqrt
from statistics import mean, stdev

from fivedice import Keep, Player, Position, advise, solve
from fivedice.game.action import Action


class KeepPairs:
    """Keeps equal dice while it can roll, and then takes the box with the most points."""

    def choose(self, position: Position) -> Action:
        """One legal action."""
        pairs = [die for die in position.dice if position.dice.count(die) > 1]
        if position.rolls_left and len(pairs) < len(position.dice):
            return Keep(pairs)
        return max(position.offers(), key=lambda offer: offer.points).action


def play(player: Player, seed: int) -> int:
    """The score of a game of Crag."""
    chance, position = random.Random(seed), Position.start("crag")
    while not position.is_over:
        position = position.play(player.choose(position), chance) if position.dice else position.roll(chance)
    return position.card.total


def main() -> None:
    """Print the mean score with its interval, what the strategy gives up, and its choice in one position."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    games = parser.parse_args().games
    player, solution = KeepPairs(), solve("crag")
    scores = [play(player, seed) for seed in range(games)]
    margin = 1.96 * stdev(scores) / sqrt(games)
    print(f"{mean(scores):.1f} ± {margin:.1f} points a game; perfect play scores {solution.expected_score:.1f}")
    position = Position.parse("crag - 445 r1")
    action = player.choose(position)
    print(f"{position}: {action} gives up {advise(solution, position).of(action).loss:.2f} points")


if __name__ == "__main__":
    main()
