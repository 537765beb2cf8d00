"""`Player`: the protocol of what decides at a seat; and those who need no tables, people and chance."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from fivedice.game.action import Action
from fivedice.game.position import Position


class Player(Protocol):
    """Decides at one seat. A player does not roll the dice."""

    def choose(self, position: Position) -> Action:
        """One legal action in a position that has dice and is not over."""
        ...


@dataclass(frozen=True)
class Human:
    """A person, asked for each action."""

    ask: Callable[[Position], Action]

    def choose(self, position: Position) -> Action:
        """The person's answer."""
        return self.ask(position)


@dataclass(frozen=True)
class Random:
    """Takes legal actions at random, each with the same chance."""

    chance: random.Random

    def choose(self, position: Position) -> Action:
        """A random legal action."""
        return self.chance.choice(position.actions())
