"""Predictable dice: find a nonce with which a seat can roll equal dice.

Tests choose the server's secret, so they can compute its dice with `TableDice`. Keeping a die does not change the
others, so equal dice are possible if every place shows the same face in at least one roll of the turn.
"""

from itertools import count

from fivedice.game.proof import TableDice
from tests.browser.site import SECRET

DICE, FACES, ROLLS = 5, 6, 3


def equal_dice(table: str, turns: int) -> tuple[str, list[int]]:
    """Return a nonce of seat 0 with which the first `turns` turns can end in equal dice, and the face of each turn."""
    for number in count():
        nonce = f"{number:04x}"
        dice = TableDice(SECRET, table, (f"seat 0 {nonce}",))
        faces = [_face(dice, turn) for turn in range(turns)]
        if all(faces):
            return nonce, [face for face in faces if face]
    raise AssertionError("unreachable")


def _face(dice: TableDice, turn: int) -> int | None:
    """Return a face that every place shows in at least one roll of the turn, or None."""
    rolls = [dice.dice(turn, roll, DICE, FACES) for roll in range(ROLLS)]
    common = set(range(1, FACES + 1))
    for place in range(DICE):
        common &= {roll[place] for roll in rolls}
    return min(common, default=None)
