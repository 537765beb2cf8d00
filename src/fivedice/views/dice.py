"""Dice statistics as JSON: how often each face was rolled, and whether the dice look fair."""

from typing import TYPE_CHECKING

from msgspec import Struct, convert

if TYPE_CHECKING:
    from fivedice.analysis.dice_counts import DiceCounts


class DiceTestView(Struct, frozen=True):
    """One test of the dice.

    `name` identifies the test. `sample` counts dice, or rolls for the test "pairs". `p` is how often fair dice look at
    least as uneven, and `adjusted` is `p` after Holm's correction for the number of tests. The result is unusual if
    `adjusted` is below alpha, which is fixed.
    """

    name: str
    question: str
    sample: int
    statistic: float
    p: float
    adjusted: float
    is_unusual: bool


class FaceCountsView(Struct, frozen=True):
    """How often people and computer players rolled each face, from 1 up, with dice of `faces` faces."""

    faces: int
    people: list[int]
    computers: list[int]


class DiceView(Struct, frozen=True):
    """The number of dice counted, and every test for which the sample is large enough.

    Kept dice are not counted again. In statistics of your own games, the test "seats" compares you with everyone else.
    """

    alpha: float
    dice: int
    faces: list[FaceCountsView]
    tests: list[DiceTestView]


def dice_view(counts: "DiceCounts") -> DiceView:
    """The statistics of counted dice."""
    # Imported here: the tests need SciPy, which a server loads only on request.
    from fivedice.analysis.dice_counts import PERSON
    from fivedice.analysis.fairness import ALPHA, examine

    by_faces: dict[int, FaceCountsView] = {}
    for cell, num in counts.items():
        if cell.table == "faces":
            view = by_faces.setdefault(cell.faces, FaceCountsView(cell.faces, [0] * cell.faces, [0] * cell.faces))
            side = view.people if cell.row.endswith(PERSON) else view.computers
            side[int(cell.column) - 1] += num
    faces = sorted(by_faces.values(), key=lambda view: view.faces)
    return DiceView(
        alpha=ALPHA,
        dice=sum(sum(view.people) + sum(view.computers) for view in faces),
        faces=faces,
        tests=[convert(test, DiceTestView, from_attributes=True) for test in examine(counts)],
    )
