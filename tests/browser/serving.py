"""A server of a test's own: `python -m tests.browser.serving DATABASE PORT SECRET` serves until it is killed.

Every table's dice have the same SECRET (64 hexadecimal digits), so that a test which knows the table's id and nonces
knows the dice; computer players take no time.
"""

import sys

from fivedice.server.config.settings import Settings
from fivedice.server.process.server import bind, serve

if __name__ == "__main__":
    database, port, secret = sys.argv[1:]
    settings = Settings(f"sqlite:///{database}", pace=0, new_secret=lambda: bytes.fromhex(secret))
    serve(settings, bind("127.0.0.1", int(port)))
