"""Dice statistics as JSON: how often each face was rolled, and whether the dice look fair."""

from msgspec import Struct

from fivedice.analysis.dice_counts import ALPHA, PERSON, THRESHOLD, DiceCounts, examine


class DiceTestView(Struct, frozen=True):
    """One test of the dice.

    `name` identifies the test. `sample` counts dice, or rolls for the test "pairs". `evidence` is what a bet of 1
    against fair dice is worth now, at most
    5e11. The result is unusual if it is `threshold` or more.
    """

    name: str
    question: str
    sample: int
    evidence: float
    is_unusual: bool


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
    tests: list[DiceTestView]


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
        tests=[
            DiceTestView(test.name, test.question, test.sample, test.evidence, test.is_unusual)
            for test in examine(counts)
        ],
    )
