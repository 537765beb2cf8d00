"""Parts of a server that hang or stop at the wrong moment, for processes that tests start."""

import asyncio
import time


class Waiting:
    """Hangs in a task."""

    async def close(self) -> None:
        """Take the place of `Pool.close`."""
        await asyncio.Event().wait()


class Blocked:
    """Hangs in a call that blocks the event loop."""

    async def close(self) -> None:
        """Take the place of `Pool.close`."""
        time.sleep(1_000)
