"""A server for tests that listens on a port of its own, and `Browser`s that connect to it."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar, cast

import httpx
import msgspec
import pytest
from litestar import Litestar
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection
from websockets.typing import Origin

from fivedice.server.http.app import make_app
from fivedice.server.process.listening import address, bind
from fivedice.server.process.server import Server
from fivedice.server.services import Services
from fivedice.server.settings import Settings
from tests import clients
from tests.storage.empty import empty_sqlite
from tests.waiting import TIMEOUT_SECONDS, wait_for

T = TypeVar("T")

SECRET = bytes(range(32))
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
"""The commitment to `SECRET`, which all tables of a test have."""

TWO: list[dict[str, Any]] = [
    {"kind": "person", "name": "Ann", "here": True},
    {"kind": "person", "name": "Ben", "here": True},
]
"""Seats of two people who share a browser."""

TINY = 'id = "tiny"\ndice = 2\nfaces = 2\n[categories]\nany = { scorer = "any_dice" }\n'
"""The text of a ruleset with one turn for each seat."""

_ids = count(10_000_000)


def new_id() -> str:
    return f"id-{next(_ids)}"


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


_unused: list[Litestar] = []
"""Applications of servers that have stopped; to make one takes most of the time of a server's start."""


class Serving:
    """A server in a thread of this process. `services` are its parts; they must be used in that thread only."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        chosen: dict[str, Any] = {"pace": 0.0, "new_secret": lambda: SECRET, "page": folder / "no page"} | settings
        if "database_url" not in chosen:
            chosen["database_url"] = empty_sqlite(folder)
        self._listening = bind("127.0.0.1", 0)
        self.url = address(self._listening).rstrip("/")
        self.services = Services(Settings(**chosen))
        self._browsers: list[Browser] = []
        started = threading.Event()
        self._application = _unused.pop() if _unused else make_app()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("fivedice.server.process.server.make_app", lambda: self._application)
            self._server = Server(self.services, started.set)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert started.wait(TIMEOUT_SECONDS), "the server did not start"

    def visit(self, like: "Browser | None" = None) -> "Browser":
        """A new browser, which is closed when the server stops; optionally with the cookies of another one."""
        browser = Browser(self.url)
        if like:
            browser.http.cookies.update(like.http.cookies)
        self._browsers.append(browser)
        return browser

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(TIMEOUT_SECONDS)
        assert not self._thread.is_alive(), "the server did not stop"
        _unused.append(self._application)
        for browser in self._browsers:
            browser.close()

    def metric(self, name: str, **labels: str) -> float:
        """The value of a metric; 0 if nothing was counted."""
        return self.services.metrics.registry.get_sample_value(f"fivedice_{name}", labels) or 0.0

    def beat(self) -> None:
        """Record a heartbeat, which in production is done by a timer."""
        self.do(self.services.heartbeat.work())

    def _run(self) -> None:
        asyncio.run(self._serve())

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of work in the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(TIMEOUT_SECONDS)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._server.serve(sockets=self._listening)


@contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[Serving]:
    server = Serving(folder, **settings)
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def serving_with_cache(cache: Path, **settings: Any) -> Iterator[Serving]:
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setenv("FIVEDICE_CACHE", str(cache))
        with serving(Path(folder), **settings) as server:
            yield server


class Browser:
    """A browser: a cookie jar, and the requests of a page, which come from a local address if one is given."""

    def __init__(self, url: str, address: str | None = None) -> None:
        self.url = url
        options = {"transport": httpx.HTTPTransport(local_address=address)} if address else {}
        self.http = clients.Client(base_url=url, **options)

    def close(self) -> None:
        self.http.close()

    def get(self, path: str, **params: Any) -> Any:
        answer = self.http.get(path, params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def until(self, condition: Callable[[Any], bool], path: str) -> Any:
        """The same once a condition holds."""
        return wait_for(lambda: found if condition(found := self.get(path)) else None, f"{path} changes")

    def post(self, path: str, **body: Any) -> Any:
        answer = self.send_import(path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def create(self, seats: Sequence[Mapping[str, Any]] | None = None, **wanted: Any) -> str:
        answer = self.http.post("/api/tables", json={"seats": seats or TWO, **wanted})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["table"])

    def send_import(self, path: str, **body: Any) -> httpx.Response:
        """Post something as the page does: a browser without a cookie gets one first."""
        answer = self.http.post(path, **body)
        return self.http.post(path, **body) if answer.status_code == 401 else answer

    def view(self, table: str) -> Any:
        return self.get(f"/api/tables/{table}")["view"]

    def send(self, table: str, type: str, version: int | None = None, id: str = "", **fields: Any) -> httpx.Response:
        """Send a command over HTTP, made against the newest version unless another is given."""
        made = self.view(table)["version"] if version is None else version
        command = {"type": type, "id": id or new_id(), "version": made, **fields}
        return self.http.post(f"/api/tables/{table}/commands", json=command)

    def do(self, table: str, type: str, **fields: Any) -> Any:
        """Send a command that must be accepted, and return the view after it."""
        answer = self.send(table, type, **fields)
        assert answer.status_code == 200, answer.text
        return self.view(table)

    def turn(self, table: str, seat: int = 0) -> Any:
        """Roll once and fill the first box that is open, and return the view after it."""
        offers = self.do(table, "roll", seat=seat, kept=[])["turn"]["offers"]
        return self.do(table, "score", seat=seat, box=next(offer["box"] for offer in offers if offer["is_open"]))

    def finished(self, **wanted: Any) -> str:
        """A table at which this browser has finished a game alone by such turns, by default of one box."""
        table = self.create([TWO[0]], **(wanted if "rules" in wanted else {"toml": TINY, **wanted}))
        while self.turn(table)["state"] == "playing":
            pass
        return table

    def begin_third_round(self, table: str) -> None:
        """Play a table of one's own up to the first roll of the third round, before which a tutor asks nothing."""
        while (turn := self.view(table)["turn"])["round"] < 3:
            self.turn(table, turn["seat"])
        self.do(table, "roll", seat=turn["seat"], kept=[])

    def socket(self, table: str, since: int = 0, origin: str | None = None, kind: str = "tables") -> "Socket":
        """Open a socket to a table, or to a stream if that is the kind, as a page of that origin does."""
        return Socket(self, f"{kind}/{table}", since, origin)


class Socket:
    """A browser's socket to a table; `update` is the last update received."""

    def __init__(self, browser: Browser, path: str, since: int, origin: str | None) -> None:
        url = f"{browser.url.replace('http', 'ws')}/api/{path}/socket?since={since}"
        key = browser.http.cookies.get("fivedice")
        headers = {"cookie": f"fivedice={key}"} if key else {}
        self._connecting = clients.connect(
            url, additional_headers=headers, compression=None, origin=cast("Origin | None", origin)
        )
        self.connection: ClientConnection = self._connecting.__enter__()
        if not key and self.connection.response and "set-cookie" in self.connection.response.headers:
            browser.http.cookies.set("fivedice", cookie_value(self.connection.response.headers))
        self.update: Any = None

    def __enter__(self) -> "Socket":
        return self

    def __exit__(self, *_: object) -> None:
        self._connecting.__exit__(None, None, None)

    def receive(self) -> Any:
        message = msgspec.json.decode(self.connection.recv(timeout=TIMEOUT_SECONDS))
        if message["type"] == "update":
            self.update = message
        return message

    def until(self, version: int) -> Any:
        """Wait until the table has reached a version, and return its view."""
        while self.update is None or self.update["view"]["version"] < version:
            self.receive()
        return self.update["view"]

    def closing(self) -> tuple[int | None, str | None]:
        """Wait until the server closes the connection, and return its code and reason."""
        with suppress(ConnectionClosed):
            while True:
                self.receive()
        return self.connection.close_code, self.connection.close_reason

    def send(self, type: str, version: int | None = None, id: str = "", **fields: Any) -> Any:
        """Send a command, and return its answer."""
        if version is None:
            version = self.until(1)["version"]
        self.connection.send(
            msgspec.json.encode({"type": type, "id": id or new_id(), "version": version, **fields}).decode()
        )
        while (message := self.receive())["type"] != "answer":
            pass
        return message["answer"]


def cookie_value(headers: Any) -> str:
    return str(headers["set-cookie"].partition(";")[0].partition("=")[2])
