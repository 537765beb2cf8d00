"""`/api/dice` and `/api/me/dice`: whether dice look fair: all of this server, and those of one's own games."""

import msgspec
from litestar import get

from fivedice.analysis.dice_counts import PERSON, DiceCounts
from fivedice.server.games.library import dice_of
from fivedice.server.http.api.costs import work
from fivedice.server.http.api.params import TheServices, TheVisitor
from fivedice.server.http.error_responses import documented
from fivedice.server.solving.thread_pools import in_pool


class DiceTestView(msgspec.Struct, frozen=True):
    """One question asked of the dice: `name` is for a program, `sample` the dice (of "pairs": the rolls) that it is
    asked of, `p` how often fair dice look at least as uneven, and `adjusted` the same after Holm's correction for the
    number of questions. It is unusual where that is below the alpha, which never changes."""

    name: str
    question: str
    sample: int
    statistic: float
    p: float
    adjusted: float
    is_unusual: bool


class FaceCountsView(msgspec.Struct, frozen=True):
    """How often each face of dice with so many faces was rolled, from 1 up, by people and by computer players."""

    faces: int
    people: list[int]
    computers: list[int]


class DiceView(msgspec.Struct, frozen=True):
    """Dice that were counted, and the tests that they are large enough a sample for. Dice that were kept do not count
    again. Questions about seats mean, over one's own games, oneself and all others."""

    alpha: float
    dice: int
    faces: list[FaceCountsView]
    tests: list[DiceTestView]


@get("/api/dice", guards=[work], responses=documented(503))
async def show_dice(services: TheServices) -> DiceView:
    """Tests of all dice that were ever rolled at this server's tables, but for those of the last seconds."""
    return await in_pool("games", _view, await services.dice.counts())


@get("/api/me/dice", guards=[work], responses=documented(503))
async def show_my_dice(services: TheServices, visitor: TheVisitor) -> DiceView:
    """The same tests of the dice in this browser's games, imported ones included."""
    games = await services.library.games(visitor.holder)
    return await in_pool("games", lambda: _view(dice_of(game for game in games if game.seats)))


def _view(counts: DiceCounts) -> DiceView:
    # Imported here: the tests bring libraries that a server does without until somebody asks.
    from fivedice.analysis.fairness import ALPHA, examine

    by_faces: dict[int, FaceCountsView] = {}
    for cell, num in counts.items():
        if cell.table == "faces":
            view = by_faces.setdefault(cell.faces, FaceCountsView(cell.faces, [0] * cell.faces, [0] * cell.faces))
            side = view.people if cell.row.endswith(PERSON) else view.computers
            side[int(cell.column) - 1] += num
    tests = [
        DiceTestView(test.name, test.question, test.sample, test.statistic, test.p, test.adjusted, test.is_unusual)
        for test in examine(counts)
    ]
    faces = sorted(by_faces.values(), key=lambda view: view.faces)
    return DiceView(ALPHA, sum(sum(view.people) + sum(view.computers) for view in faces), faces, tests)
