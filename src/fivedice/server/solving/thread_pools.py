"""`in_pool`: what takes a server long is done in threads of its own, so that no table waits for a thread behind it.

Whoever brings dear records or rules makes others wait who bring the same, but no move, and no table that is read.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Literal, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

Kind = Literal["imports", "rules", "games"]
"""Records from elsewhere, up to twenty seconds; rules of one's own, up to one; games read, reviewed and summed up."""

_POOLS: dict[Kind, ThreadPoolExecutor] = {
    "imports": ThreadPoolExecutor(1, "imports"),
    "rules": ThreadPoolExecutor(1, "rules"),
    "games": ThreadPoolExecutor(2, "games"),
}


async def in_pool(kind: Kind, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of a function, called in a thread for work of this kind as soon as one is free."""
    return await asyncio.get_running_loop().run_in_executor(_POOLS[kind], partial(function, *args, **kwargs))
