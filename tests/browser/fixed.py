"""Dice known beforehand: a nonce searched for, with which a seat can throw the equal dice that a test needs.

The server's secret is the test's own, so its dice are those that `TableDice` makes of it. What is kept never changes
what a die would have shown: if every place shows the face in one of the turn's rolls, keeping it there brings them all.
"""

from itertools import count

from fivedice.proof import TableDice
from tests.browser.site import SECRET

DICE, FACES, ROLLS = 5, 6, 3


def equal_dice(table: str, turns: int) -> tuple[str, list[int]]:
    """A nonce for seat 0 with which each of the first `turns` turns can end in equal dice, and the faces of these."""
    for number in count():
        nonce = f"{number:04x}"
        dice = TableDice(SECRET, table, (f"seat 0 {nonce}",))
        faces = [_face(dice, turn) for turn in range(turns)]
        if all(faces):
            return nonce, [face for face in faces if face]
    raise AssertionError("count never ends")


def _face(dice: TableDice, turn: int) -> int | None:
    """The face that every place shows in one of the turn's rolls, if there is one."""
    rolls = [dice.dice(turn, roll, DICE, FACES) for roll in range(ROLLS)]
    common = set(range(1, FACES + 1))
    for place in range(DICE):
        common &= {roll[place] for roll in rolls}
    return min(common, default=None)
