"""`Pictures`: the pictures of links, drawn in a thread, cached, and refused while too many wait."""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from cachetools import LRUCache

from fivedice.server.config.limits import MAX_CACHED_PICTURES, MAX_QUEUED_PICTURES
from fivedice.server.ops.rate_limits import TooFastError
from fivedice.server.share.picture import site_picture, table_picture
from fivedice.server.share.preview import preview_of, with_result
from fivedice.server.share.typeface import Typeface
from fivedice.server.share.words import Words
from fivedice.server.solving.queue import SolutionQueue
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.event import Event
from fivedice.server.table.state import State, Table
from fivedice.server.table.to_record import record_of

_Key: TypeAlias = tuple[str, int, str, int | None, bool]
"""A table and its version, empty and 0 for the site; the language; whether the game is reviewed."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG and its entity tag."""

    content: bytes
    etag: str


class Pictures:
    """Draws and caches pictures. All methods must be called on the event loop's thread.

    `assets` is the folder of the page's fonts.
    """

    def __init__(self, solutions: SolutionQueue, assets: Path) -> None:
        self._solutions = solutions
        self._typeface = Typeface(assets)
        self._cache: LRUCache[_Key, Picture] = LRUCache(MAX_CACHED_PICTURES)
        self._pending: dict[_Key, asyncio.Task[Picture]] = {}

    async def of_table(
        self, table: Table, events: Iterable[Event], secret: bytes, language: str, side: int | None = None
    ) -> Picture:
        """The picture of a table whose events are `events`; raises `TooFastError`.

        That of a finished game has the figures of its review once the rules are solved.
        """
        preview, words = preview_of(table, side), Words(language)
        if table.state is not State.OVER:
            return await self._of(
                (table.id, table.version, language, side, False),
                partial(table_picture, preview, words, self._typeface),
            )
        solution = self._solutions.solution(table.ruleset)

        def draw() -> bytes:
            record, reviewed = record_of(table, events, secret), None
            if solution:
                # Imported here: analysis needs NumPy, which a server without advice never loads.
                from fivedice.analysis.reviews.review import review

                reviewed = review(solution, record)
            return table_picture(with_result(preview, record, reviewed), words, self._typeface)

        return await self._of((table.id, table.version, language, preview.side, solution is not None), draw)

    async def of_site(self, language: str) -> Picture:
        """The picture of all other pages; raises `TooFastError`."""
        return await self._of(("", 0, language, None, False), partial(site_picture, Words(language), self._typeface))

    async def _of(self, key: _Key, draw: Callable[[], bytes]) -> Picture:
        if key in self._cache:
            return self._cache[key]
        if key not in self._pending:
            if len(self._pending) >= MAX_QUEUED_PICTURES:
                raise TooFastError("too many pictures are being drawn: wait a second", 1.0)
            task = self._pending[key] = asyncio.create_task(self._draw(draw))
            task.add_done_callback(lambda done: self._finish(key, done))
        return await asyncio.shield(self._pending[key])  # others may wait for it too

    async def _draw(self, draw: Callable[[], bytes]) -> Picture:
        content = await in_pool("pictures", draw)
        return Picture(content, f'"{hashlib.sha256(content).hexdigest()[:32]}"')

    def _finish(self, key: _Key, done: "asyncio.Task[Picture]") -> None:
        del self._pending[key]
        if done.cancelled():
            return
        if error := done.exception():
            _log.error("a picture cannot be drawn", exc_info=error)
        else:
            self._cache[key] = done.result()
