"""What environments share: `outcomes`, so that planners need not sample; the position in which an episode begins; what
one may choose of rewards, observations and answers to illegal actions; and pictures.

>>> from fivedice import load_ruleset, parse_position
>>> found = outcomes(load_ruleset("yahtzee"), (6, 6, 6, 6))
>>> [(outcome.dice, str(outcome.probability)) for outcome in found[-2:]]
[((5, 6, 6, 6, 6), '1/6'), ((6, 6, 6, 6, 6), '1/6')]
>>> len(outcomes(load_ruleset("yahtzee"), ()))
252
>>> print(card_text(parse_position("crag twos=4,crag=50 445 r1")).split("\\n")[0])
crag   dice 4 4 5   rolls left 1   score 54
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from fivedice.analysis.advice import advise
from fivedice.base.errors import IllegalError, MalformedError, shown, suggest
from fivedice.base.extras import needs_extra
from fivedice.game.notation import as_position
from fivedice.game.position import Position
from fivedice.rulesets import as_ruleset
from fivedice.rulesets.dice import Dice, rolls, ways, with_dice
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.approximate_solution import ApproximateSolution
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import Array

Reward: TypeAlias = Literal["points", "score", "regret"]
Observation: TypeAlias = Literal["dict", "flat"]
Illegal: TypeAlias = Literal["random", "penalty", "error"]
CHOICES: dict[str, Sequence[str]] = {
    "reward": ("points", "score", "regret"),
    "observation": ("dict", "flat"),
    "illegal": ("random", "penalty", "error"),
    "render_mode": ("ansi", "human", "rgb_array"),
}
"""What a solitary card allows, by argument."""

PENALTY = 10.0
"""What an illegal action takes from the reward under `illegal="penalty"`."""

Values: TypeAlias = Solution | ApproximateSolution
"""By what actions are valued."""

WIDTH, LINE, DIE, MARGIN = 360, 22, 44, 12
"""Pixels of a picture: its width, the height of a line, the side of a die, and the space around."""
_BACKGROUND, _INK, _OPEN, _DIE = (24, 26, 32), (235, 235, 235), (130, 130, 140), (245, 240, 225)


class Outcome(NamedTuple):
    """A roll of all the dice after a keep, and the faces of the dice that were rolled."""

    dice: Dice
    rolled: Dice
    probability: Fraction


def outcomes(ruleset: Ruleset | str, keep: Dice = ()) -> tuple[Outcome, ...]:
    """Every roll that can follow a keep, each once, as a multiset; after no keep, the first rolls of a turn.

    Probabilities sum to 1. Raises `MalformedError` for impossible dice.
    """
    ruleset = as_ruleset(ruleset)
    if len(keep) > ruleset.dice or not all(1 <= die <= ruleset.faces for die in keep):
        raise MalformedError(f"keep {keep}: want at most {ruleset.dice} dice with faces from 1 to {ruleset.faces}")
    return _outcomes(ruleset.dice, ruleset.faces, tuple(sorted(map(int, keep))))


@lru_cache(maxsize=4_096)
def _outcomes(num_dice: int, num_faces: int, keep: Dice) -> tuple[Outcome, ...]:
    num_rolled = num_dice - len(keep)
    return tuple(
        Outcome(with_dice(keep, rolled), rolled, Fraction(ways(rolled), num_faces**num_rolled))
        for rolled in rolls(num_rolled, num_faces)
    )


def begun(start: Position | str, ruleset: Ruleset, num_cards: int, generator: Any) -> Position:
    """The position in which an episode begins, which may be a line of notation, with a first roll if it has none;
    raises `IllegalError` if it is of another game."""
    position = as_position(start, ruleset)
    if position.ruleset.digest != ruleset.digest or len(position.cards) != num_cards:
        cards = "one card" if num_cards == 1 else f"{num_cards} cards"
        raise IllegalError(f"{position} is not a position of {cards} under {ruleset}")
    if position.dice or position.is_over:
        return position
    return position.roll(generator)


def check_choices(
    ruleset: Ruleset, solution: Values | None = None, among: Mapping[str, Sequence[str]] = CHOICES, **chosen: str | None
) -> None:
    """Raises `MalformedError` for a value that is not among its choices, or if the reward needs a solution, and
    `IllegalError` for the solution of other rules."""
    for name, value in chosen.items():
        if value is not None and value not in among[name]:
            raise MalformedError(f"{name} {shown(str(value))}: {suggest(str(value), among[name])}")
    if solution is None:
        if chosen.get("reward") == "regret":
            raise MalformedError('reward "regret" needs a solution of the rules: pass solution=fivedice.solve(ruleset)')
    elif solution.ruleset.digest != ruleset.digest:
        raise IllegalError(f"this is the solution of {solution.ruleset}, not of {ruleset}")


def valued(solution: Values | None, position: Position, regret: float) -> dict[str, Any]:
    """What `info` says of values: nothing without a solution; with an approximate one also the error of values."""
    if solution is None:
        return {}
    advice = advise(solution, position)
    error = {} if solution.is_exact else {"error": advice.error}
    return {"value": advice.value, "regret": regret, **error}


def rendered(position: Position, mode: str | None) -> Any:
    """What `render` returns in a mode."""
    if mode == "ansi":
        return str(position)
    return picture(position) if mode == "rgb_array" else None


def card_text(position: Position) -> str:
    """The dice, the rolls left and the score, then a line for each box with its points."""
    card = position.card
    dice = " ".join(map(str, position.dice)) or "-"
    head = f"{position.ruleset}   dice {dice}   rolls left {position.rolls_left}   score {card.total}"
    return "\n".join([head, *(f"  {name:<20}{points:>5}" for name, points in _boxes(position))])


def picture(position: Position) -> Array:
    """uint8[height, width, 3]: the dice and the card; needs the extra `plot`."""
    with needs_extra("a picture of an environment", "plot"):
        from PIL import Image, ImageDraw, ImageFont
    boxes = _boxes(position)
    image = Image.new("RGB", (WIDTH, 3 * MARGIN + DIE + LINE * (len(boxes) + 1)), _BACKGROUND)
    draw, font, large = ImageDraw.Draw(image), ImageFont.load_default(14), ImageFont.load_default(24)
    for place, face in enumerate(position.dice):
        left = MARGIN + place * (DIE + MARGIN)
        draw.rounded_rectangle((left, MARGIN, left + DIE, MARGIN + DIE), 8, fill=_DIE)
        draw.text((left + DIE / 2, MARGIN + DIE / 2), str(face), _BACKGROUND, large, anchor="mm")
    lines = [(f"rolls left {position.rolls_left}", str(position.card.total)), *boxes]
    for row, (name, points) in enumerate(lines):
        top, ink = 2 * MARGIN + DIE + row * LINE, _OPEN if points == "-" else _INK
        draw.text((MARGIN, top), name, ink, font)
        draw.text((WIDTH - MARGIN, top), points, ink, font, anchor="ra")
    return np.array(image)


def _boxes(position: Position) -> list[tuple[str, str]]:
    """The id of each box with its points, "-" while it is open."""
    card = position.card
    return [
        (box.id, "-" if points is None else str(points))
        for box, points in zip(position.ruleset.boxes, card.boxes, strict=True)
    ]
