"""`/api/dice` and `/api/me/dice`: statistical tests of the dice of all games, and of one browser's games."""

import msgspec
from litestar import get

from fivedice.analysis.dice_counts import PERSON, DiceCounts
from fivedice.server.games.library import dice_of
from fivedice.server.http.api.costs import rate_limit_work
from fivedice.server.http.api.params import TheServices, TheVisitor
from fivedice.server.http.error_responses import documented
from fivedice.server.solving.thread_pools import in_pool


class DiceTestView(msgspec.Struct, frozen=True):
    """A statistical test of the dice.

    `name` identifies the test for programs. `sample` is the number of dice, or of rolls for "pairs". `p` is the
    probability that fair dice are at least as uneven, and `adjusted` the same after Holm's correction for the number of
    tests. The result is unusual if `adjusted` is below alpha, which is fixed.
    """

    name: str
    question: str
    sample: int
    statistic: float
    p: float
    adjusted: float
    is_unusual: bool


class FaceCountsView(msgspec.Struct, frozen=True):
    """How often people and computer players rolled each face, from 1 up, of dice with `faces` faces."""

    faces: int
    people: list[int]
    computers: list[int]


class DiceView(msgspec.Struct, frozen=True):
    """The counted dice, and the tests for which the sample is large enough.

    A die counts when it is rolled, not when it is kept. In the dice of one browser's games, tests of seats compare its
    own seats with all others.
    """

    alpha: float
    dice: int
    faces: list[FaceCountsView]
    tests: list[DiceTestView]


@get("/api/dice", guards=[rate_limit_work], responses=documented(503))
async def show_dice(services: TheServices) -> DiceView:
    """Tests of all dice rolled at the tables of this server, except for the last minute."""
    return await in_pool("games", _view, await services.dice.counts())


@get("/api/me/dice", guards=[rate_limit_work], responses=documented(503))
async def show_my_dice(services: TheServices, visitor: TheVisitor) -> DiceView:
    """Tests of the dice in this browser's games, including imported ones."""
    games = await services.library.games(visitor.holder)
    return await in_pool("games", lambda: _view(dice_of(game for game in games if game.seats)))


def _view(counts: DiceCounts) -> DiceView:
    # Imported here, because the tests load large libraries.
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
        tests=[msgspec.convert(test, DiceTestView, from_attributes=True) for test in examine(counts)],
    )
