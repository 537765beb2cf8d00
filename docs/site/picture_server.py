"""A server for pictures: `python -m docs.site.picture_server FOLDER PORT` runs until it is killed.

Its tables have fixed ids and one secret, so their dice are the same each time. Computer players do not pause.
"""

import sys
from itertools import count
from unittest.mock import patch

from fivedice.server.process.listening import bind
from fivedice.server.process.server import serve
from fivedice.server.settings import Settings

if __name__ == "__main__":
    folder, port = sys.argv[1:]
    settings = Settings(f"sqlite:///{folder}/tables.db", pace=0, new_secret=lambda: bytes(range(1, 33)))
    numbers = count(1)
    with patch("fivedice.server.http.api.tables.new_id", lambda: f"picture-{next(numbers)}"):
        serve(settings, bind("127.0.0.1", int(port)))
