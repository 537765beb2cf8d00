"""`in_rules_thread`: reads rules in a thread of its own, so that slow rules delay other rules, but no move at a table.

Only the server itself can read the rules of its tables. All other slow work is for the processes of the `Pool`.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_THREAD = ThreadPoolExecutor(1, "rules")


async def in_rules_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in the thread; returns its result."""
    return await asyncio.get_running_loop().run_in_executor(_THREAD, partial(function, *args, **kwargs))
