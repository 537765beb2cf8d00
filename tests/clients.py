"""Clients whose timeouts guard against hangs and allow for a busy machine. Ruff refuses those with shorter defaults."""

from functools import partial
from typing import Any

import httpx
import websockets.asyncio.client
import websockets.sync.client

from tests.waiting import TIMEOUT_SECONDS

_CERTIFICATES = httpx.create_ssl_context()
"""Those of this machine. Each client would read them again, which takes longer than most requests."""

get = partial(httpx.get, timeout=TIMEOUT_SECONDS, verify=_CERTIFICATES)
post = partial(httpx.post, timeout=TIMEOUT_SECONDS, verify=_CERTIFICATES)


class Client(httpx.Client):
    """An HTTP client that keeps connections and cookies."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"timeout": TIMEOUT_SECONDS, "verify": _CERTIFICATES, **options})


connect = partial(
    websockets.sync.client.connect, open_timeout=TIMEOUT_SECONDS, ping_timeout=TIMEOUT_SECONDS, proxy=None
)
"""Open a WebSocket of a thread."""

connect_async = partial(
    websockets.asyncio.client.connect, open_timeout=TIMEOUT_SECONDS, ping_timeout=TIMEOUT_SECONDS, proxy=None
)
"""Open a WebSocket of an event loop."""
