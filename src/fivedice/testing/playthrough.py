"""`Playthrough`: all positions and actions of one game."""

from dataclasses import dataclass
from random import Random

from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Playthrough:
    """`actions[i]` leads from `positions[i]` to `positions[i + 1]`; it is None for the first roll of a turn."""

    positions: tuple[Position, ...]
    actions: tuple[Action | None, ...]


def playthrough(ruleset: Ruleset, generator: Random, num_seats: int = 1, first: int = 0) -> Playthrough:
    """A complete game of random steps."""
    positions = [Position.start(ruleset, num_seats, first)]
    actions: list[Action | None] = []
    while not positions[-1].is_over:
        action, after = random_step(positions[-1], generator)
        positions.append(after)
        actions.append(action)
    return Playthrough(tuple(positions), tuple(actions))


def random_step(position: Position, generator: Random) -> tuple[Action | None, Position]:
    """The first roll of a turn (None) or a random legal action, and the position after it.

    Half of the rolls show a single face, and half of the actions are the score with the most points, so that bonuses
    and extra Yahtzees occur in every game; with fair dice and random actions they would be rare.
    """
    if not position.dice:
        return None, position.roll(_some_dice(position.ruleset, (), generator))
    action: Action
    if generator.random() < 1 / 2 and position.offers():
        action = max(position.offers(), key=lambda offer: offer.points).action
    else:
        action = generator.choice(position.actions())
    if isinstance(action, Keep):
        return action, position.play(action, _some_dice(position.ruleset, action.dice, generator))
    return action, position.play(action)


def _some_dice(ruleset: Ruleset, kept: Dice, generator: Random) -> Dice:
    num_rolled = ruleset.dice - len(kept)
    if generator.random() < 1 / 2:
        face = kept[0] if kept else generator.randint(1, ruleset.faces)
        return (face,) * num_rolled
    return tuple(generator.randint(1, ruleset.faces) for _ in range(num_rolled))
