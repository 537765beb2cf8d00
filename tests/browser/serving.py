"""The server process of browser tests."""

import os
from pathlib import Path
from unittest.mock import patch

from fivedice.server.config.settings import Settings, SteadyClock
from fivedice.server.games.drawn_days import DrawnDays
from fivedice.server.process.listening import bind
from fivedice.server.process.server import serve
from fivedice.server.solving import worker
from tests import forked


def run(database: Path, port: int, secret: bytes, ahead: float, log: Path) -> None:
    """Serve until the process is killed.

    All tables have the same secret, so tests can compute their dice. Computer players do not pause. The clock is
    `ahead` seconds ahead.
    """
    with log.open("ab") as file:
        for number in (1, 2):
            os.dup2(file.fileno(), number)
    clock = SteadyClock()
    settings = Settings(f"sqlite:///{database}", pace=0, new_secret=lambda: secret, clock=lambda: clock() + ahead)
    # Every test opens the first page, which shows the day: a ten takes ten seconds, and is drawn for who begins one.
    patch.object(DrawnDays, "draws_early", False).start()
    patch.object(worker, "CONTEXT", forked.CONTEXT).start()
    serve(settings, bind("127.0.0.1", port))
