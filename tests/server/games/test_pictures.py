"""The pictures of links: their size and texts, their cache, and a failure."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from fivedice.base.language import LANGUAGES
from fivedice.server.config.limits import MAX_CACHED_PICTURES
from fivedice.server.games.pictures import Pictures
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
    """Takes the place of the pool: draws, or fails."""

    def __init__(self) -> None:
        self.error: Exception | None = None

    async def run(self, draw: object) -> bytes:
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


async def test_the_number_of_cached_pictures_is_bounded(pictures: Pictures) -> None:
    table = two_players().table
    for number in range(MAX_CACHED_PICTURES + 10):
        await pictures.of_table(_numbered(table, number), LOG, "en")
    assert len(pictures._cache) == MAX_CACHED_PICTURES


async def test_a_picture_that_cannot_be_drawn_is_tried_again(pictures: Pictures, drawing: Drawing) -> None:
    drawing.error = RuntimeError("no memory")
    with pytest.raises(RuntimeError):
        await pictures.of_site("en")
    drawing.error = None
    assert (await pictures.of_site("en")).content == b"png"


def _numbered(table: Table, number: int) -> Table:
    """The table under another id."""
    return replace(table, created=msgspec.structs.replace(table.created, table=f"table-{number}"))
