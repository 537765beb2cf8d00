"""`in_turns`: goes through many things in short parts, between which the event loop does other work."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import islice
from typing import TypeVar

from fivedice.server.config.limits import TURN_ITEMS

T = TypeVar("T")


async def in_turns(items: Iterable[T]) -> AsyncIterator[Sequence[T]]:
    """The items in parts of up to `TURN_ITEMS`, each part in another turn of the event loop.

    Without it, one step over all games of a holder would hold up every action at every table for 10 ms.
    """
    rest = iter(items)
    while part := list(islice(rest, TURN_ITEMS)):
        yield part
        await asyncio.sleep(0)
