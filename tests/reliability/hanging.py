"""Parts of a server that hang or stop at the wrong moment, for processes that tests start."""

import asyncio
import os
import signal
import time
from typing import Any

from fivedice.server.config.settings import Settings
from fivedice.server.process.listening import bind
from fivedice.server.process.supervisor import Supervisor


class Waiting:
    """Hangs in a task."""

    async def close(self) -> None:
        """Take the place of `ClusterSync.close`."""
        await asyncio.Event().wait()


class Blocked:
    """Hangs in a call that blocks the event loop."""

    async def close(self) -> None:
        """Take the place of `ClusterSync.close`."""
        time.sleep(1_000)


class EarlyStop(Supervisor):
    """Receives a signal while its first worker starts."""

    def _start(self, number: int) -> Any:
        worker = super()._start(number)
        os.kill(os.getpid(), signal.SIGTERM)
        return worker


def stop_early(database_url: str) -> None:
    """Run two workers, whose supervisor is stopped before they are ready."""
    EarlyStop(2, Settings(database_url), bind("127.0.0.1", 0), lambda: print("ready")).run()
