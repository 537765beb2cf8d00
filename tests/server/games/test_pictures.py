"""The pictures of links: their size and texts, their cache, and what a flood of requests costs."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from fivedice.language import LANGUAGES
from fivedice.server.config.limits import MAX_CACHED_PICTURES, MAX_QUEUED_PICTURES
from fivedice.server.games.pictures import Pictures
from fivedice.server.ops.rate_limits import TooFastError
from fivedice.server.share.preview import preview_of
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import Searches
from fivedice.server.table.create import NewTable
from fivedice.server.table.state import Table
from fivedice.server.table.to_record import TableLog
from tests.server.scripted import Live, people
from tests.server.serving import TINY, Browser
from tests.server.share.test_picture import size_of
from tests.server.table.two_players import two_players
from tests.waiting import wait_for

LOG = TableLog((), b"")
OPEN: list[dict[str, Any]] = [{"kind": "person", "name": "Ann", "here": True}, {"kind": "person"}]


def test_the_picture_of_a_table_is_a_png_of_the_usual_size(ann: Browser) -> None:
    table = ann.create(OPEN)
    answer = ann.http.get(f"/pictures/{table}.png?v=1")
    assert answer.headers["content-type"] == "image/png"
    assert size_of(answer.content) == (1_200, 630)
    assert 5_000 < len(answer.content) < 60_000
    assert answer.headers["cache-control"] == "public, max-age=300"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin", "sites that show the link embed it"
    again = ann.http.get(f"/pictures/{table}.png", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = ann.http.head(f"/pictures/{table}.png")
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", answer.headers["etag"])
    site = ann.http.get("/pictures/site.png?lang=de")
    assert size_of(site.content) == (1_200, 630)


def test_the_picture_changes_with_the_table_and_the_language(ann: Browser, ben: Browser) -> None:
    table = ann.create(OPEN)
    pictures = [ann.http.get(f"/pictures/{table}.png?lang={language}").content for language in LANGUAGES]
    ben.do(table, "sit", seat=1, name="Ben")
    pictures.append(ann.http.get(f"/pictures/{table}.png").content)
    assert len(set(pictures)) == 4
    assert ann.http.get(f"/pictures/{table}.png?lang=xx").content == pictures[-1]


def test_the_picture_of_a_finished_game_has_the_figures_once_the_rules_are_solved(ann: Browser) -> None:
    table = ann.create(rules="x", toml=TINY)
    for seat in (0, 1):
        ann.do(table, "roll", seat=seat, kept=[])
        ann.do(table, "score", seat=seat, box="any")
    first = ann.http.get(f"/pictures/{table}.png").content
    assert size_of(first) == (1_200, 630)

    def is_reviewed() -> bool:
        return ann.http.get(f"/pictures/{table}.png").content != first

    wait_for(is_reviewed, "the picture has luck and loss")


def test_a_long_name_of_rules_is_shortened() -> None:
    game = Live(NewTable(rules="x", toml=f'name = "{"W" * 2_000}"\n{TINY}', seats=people("Ann")))
    assert preview_of(game.table).game == "W" * 59 + "…"


def test_an_unknown_table_has_no_picture(ann: Browser) -> None:
    for path in ("/pictures/none.png", "/pictures/", "/pictures/a/b.png"):
        assert ann.http.get(path).status_code == 404


def test_only_the_first_request_draws_a_picture(ann: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    table = ann.create(OPEN)
    first = ann.http.get(f"/pictures/{table}.png").content
    monkeypatch.setattr(Pool, "run", lambda *_: pytest.fail("it is drawn again"))
    assert ann.http.get(f"/pictures/{table}.png?v=7").content == first


class Drawing:
    """Takes the place of the pool: draws when it may, or fails; `drawn` are the calls."""

    def __init__(self) -> None:
        self.may_draw = asyncio.Event()
        self.error: Exception | None = None
        self.drawn: list[object] = []

    async def run(self, draw: object) -> bytes:
        await self.may_draw.wait()
        self.drawn.append(draw)
        if self.error:
            raise self.error
        return b"png"


@pytest.fixture
def drawing() -> Drawing:
    """The pool of `pictures`."""
    return Drawing()


@pytest.fixture
def pictures(drawing: Drawing, tmp_path: Path) -> Pictures:
    """Pictures of tables that are not over."""
    return Pictures(cast("Pool", drawing), cast("Searches", None), tmp_path)


def test_a_flood_of_requests_draws_each_picture_once_and_is_refused_beyond_the_queue(
    pictures: Pictures, drawing: Drawing
) -> None:
    tables = [_numbered(two_players().table, number) for number in range(MAX_QUEUED_PICTURES + 5)]

    async def flood() -> list[object]:
        waiting = [asyncio.create_task(pictures.of_table(table, LOG, "en")) for table in tables for _ in range(3)]
        while sum(task.done() for task in waiting) < 15:
            await asyncio.sleep(0.01)
        drawing.may_draw.set()
        return await asyncio.gather(*waiting, return_exceptions=True)

    outcomes = asyncio.run(flood())
    assert sum(isinstance(outcome, TooFastError) for outcome in outcomes) == 3 * 5
    assert len(drawing.drawn) == MAX_QUEUED_PICTURES


def test_the_number_of_cached_pictures_is_bounded(pictures: Pictures, drawing: Drawing) -> None:
    table = two_players().table
    drawing.may_draw.set()

    async def many() -> None:
        for number in range(MAX_CACHED_PICTURES + 10):
            await pictures.of_table(_numbered(table, number), LOG, "en")

    asyncio.run(many())
    assert len(pictures._cache) == MAX_CACHED_PICTURES
    assert not pictures._pending


def test_a_picture_that_cannot_be_drawn_is_tried_again(pictures: Pictures, drawing: Drawing) -> None:
    async def ask() -> bytes:
        return (await pictures.of_site("en")).content

    drawing.may_draw.set()
    drawing.error = RuntimeError("no memory")
    with pytest.raises(RuntimeError):
        asyncio.run(ask())
    drawing.error = None
    assert asyncio.run(ask()) == b"png"


def _numbered(table: Table, number: int) -> Table:
    """The table under another id."""
    return replace(table, created=msgspec.structs.replace(table.created, table=f"table-{number}"))
