"""A server for browser tests: `python -m tests.browser.serving DATABASE PORT SECRET` runs until it is killed.

All tables have the same SECRET (64 hexadecimal digits), so tests can compute their dice. Computer players do not pause.
"""

import sys
from unittest.mock import patch

from fivedice.server.config.settings import Settings
from fivedice.server.live.seat_addresses import SeatAddresses
from fivedice.server.process.server import bind, serve

if __name__ == "__main__":
    database, port, secret = sys.argv[1:]
    settings = Settings(f"sqlite:///{database}", pace=0, new_secret=lambda: bytes.fromhex(secret))
    # All tests come from one address: the game of one must not withhold advice from another.
    patch.object(SeatAddresses, "tables", return_value=[]).start()
    serve(settings, bind("127.0.0.1", int(port)))
