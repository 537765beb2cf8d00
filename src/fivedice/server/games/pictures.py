"""`Pictures`: the pictures of links, drawn in a worker process and cached."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from cachetools import LRUCache

from fivedice.server.config.limits import MAX_CACHED_PICTURES
from fivedice.server.games import computed
from fivedice.server.share.preview import Preview, preview_of, with_result
from fivedice.server.share.words import Words
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import Searches
from fivedice.server.solving.wire import SavedSolution
from fivedice.server.table.state import State, Table
from fivedice.server.table.to_record import TableLog
from fivedice.views.daily import ResultView

if TYPE_CHECKING:
    from fivedice.server.share.typeface import Typeface

_Key: TypeAlias = tuple[str, int, str, int | None, bool]
"""A table or a result and its version, empty and 0 for the site; the language; whether the game is reviewed."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG and its entity tag."""

    content: bytes
    etag: str


class Pictures:
    """Lets the pool draw pictures, and caches them. All methods must be called on the event loop's thread.

    `assets` is the folder of the page's fonts.
    """

    def __init__(self, pool: Pool, searches: Searches, assets: Path) -> None:
        self._pool = pool
        self._searches = searches
        self._assets = assets
        self._cache: LRUCache[_Key, Picture] = LRUCache(MAX_CACHED_PICTURES)

    async def of_table(self, table: Table, log: TableLog, language: str, side: int | None = None) -> Picture:
        """The picture of a table.

        That of a finished game has the figures of its review once the rules are solved.
        """
        preview, saved = preview_of(table, side), None
        if table.state is State.OVER and self._searches.solution(table.ruleset):
            saved = self._searches.saved(table.ruleset)
        key = table.id, table.version, language, preview.side, saved is not None
        result = log if table.state is State.OVER else None
        return await self._of(key, partial(draw_table, preview, result, saved, language, self._assets))

    async def of_site(self, language: str) -> Picture:
        """The picture of all other pages."""
        return await self._of(("", 0, language, None, False), partial(draw_site, language, self._assets))

    async def of_result(self, result: ResultView, language: str) -> Picture:
        """The picture of a result of the daily."""
        key = f"daily {result.id}", result.answered, language, None, False
        return await self._of(key, partial(draw_result, result, language, self._assets))

    async def _of(self, key: _Key, draw: Callable[[], bytes]) -> Picture:
        if key not in self._cache:
            content = await self._pool.run(draw)
            self._cache[key] = Picture(content, f'"{hashlib.sha256(content).hexdigest()[:32]}"')
        return self._cache[key]


def draw_table(preview: Preview, log: TableLog | None, saved: SavedSolution | None, lang: str, assets: Path) -> bytes:
    """The picture of a table; of a finished game if there is its log, and reviewed if there is a solution."""
    # Imported here: the server draws nothing itself.
    from fivedice.server.share.picture import table_picture

    if log:
        record = log.replayed()[1]
        preview = with_result(preview, record, computed.reviewed(record, saved) if saved else None)
    return table_picture(preview, Words(lang), _typeface(assets))


def draw_site(lang: str, assets: Path) -> bytes:
    """The picture of all other pages."""
    from fivedice.server.share.picture import site_picture

    return site_picture(Words(lang), _typeface(assets))


def draw_result(result: ResultView, lang: str, assets: Path) -> bytes:
    """The picture of a result of the daily."""
    from fivedice.server.share.picture import result_picture

    return result_picture(result, Words(lang), _typeface(assets))


@lru_cache(1)
def _typeface(assets: Path) -> "Typeface":
    from fivedice.server.share.typeface import Typeface

    # On another machine the program may be in another folder.
    return Typeface(assets if assets.is_dir() else Path(str(files("fivedice") / "web" / "assets")))
