"""Dice statistics as JSON: how often each face was rolled, and whether the dice look fair."""

from msgspec import Struct

from fivedice.analysis.dice_counts import ALPHA, PERSON, THRESHOLD, DiceCounts, DiceTest, examine


class FaceCountsView(Struct, frozen=True):
    """How often people and computer players rolled each face, from 1 up, with dice of `faces` faces."""

    faces: int
    people: list[int]
    computers: list[int]


class DiceView(Struct, frozen=True):
    """The number of dice counted, and every test with a case.

    However often one looks, fair dice ever come to the `threshold` with a chance of at most `alpha`, all tests
    together. Kept dice are not counted again. In statistics of your own games, the test "seats" takes you apart from
    everyone else.
    """

    alpha: float
    threshold: float
    dice: int
    faces: list[FaceCountsView]
    tests: tuple[DiceTest, ...]


def dice_view(counts: DiceCounts) -> DiceView:
    """The statistics of counted dice."""
    by_faces: dict[int, FaceCountsView] = {}
    for cell, num in counts.items():
        if cell.table == "faces":
            view = by_faces.setdefault(cell.faces, FaceCountsView(cell.faces, [0] * cell.faces, [0] * cell.faces))
            side = view.people if cell.row.endswith(PERSON) else view.computers
            side[int(cell.column) - 1] += num
    faces = sorted(by_faces.values(), key=lambda view: view.faces)
    return DiceView(
        alpha=ALPHA,
        threshold=THRESHOLD,
        dice=sum(sum(view.people) + sum(view.computers) for view in faces),
        faces=faces,
        tests=examine(counts),
    )
