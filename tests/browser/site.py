"""`Site`: a server process that a browser's test can kill and restart."""

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
from playwright.sync_api import Page

from fivedice.server.games.drawn_days import DrawnDays
from fivedice.server.process.listening import bind
from fivedice.server.process.server import serve
from fivedice.server.settings import Settings, SteadyClock
from tests import clients
from tests.reliability.process import free_port, start_module
from tests.waiting import TEST_SECONDS, wait_for

Cookie = Mapping[str, Any]


class Site:
    """A server that keeps its port and database across restarts. `cache` is the folder of its solutions.

    Its clock is `ahead` seconds ahead of the system's from the next start on. `now` is the time that it has first, in
    seconds since 1970, for pages that depend on the date; by default that of the system.
    """

    def __init__(self, folder: Path, cache: Path, now: float | None = None) -> None:
        self.folder = folder
        self.cache = cache
        self.ahead = 0.0 if now is None else now - time.time()
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self._process = start_module("tests.browser.site", self.folder, self.cache, self.port, self.ahead)
        wait_for(self._answers, "the server answers", 0.75 * TEST_SECONDS)  # the first one loads the kernels

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self.folder / "server.log").read_text()
        try:
            self.get("/api/players")
        except httpx.TransportError:
            return False
        return True

    def kill(self) -> None:
        """Kill the process, as in a crash."""
        assert self._process is not None, "start the site first"
        with self._process:  # until it has ended
            self._process.kill()

    def get(self, path: str, cookie: Cookie | None = None) -> Any:
        """Get JSON from the API. What takes longer than a busy server lets a request wait is asked for again."""

        def answer() -> list[Any]:
            found = clients.get(self.address + path, headers=_headers(cookie))
            return [] if found.status_code == 503 else [found.raise_for_status().json()]

        return wait_for(answer, f"the server answers {path}")[0]

    def events(self, page: Page) -> Sequence[Any]:
        """What has happened at the table of a page."""
        found = self.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}/events?since=1")["events"]
        return [event for event in found if event["type"] != "nonce_added"]

    def create(self, **options: object) -> tuple[str, Mapping[str, str]]:
        """Create a table, and return its id and the creator's cookie in the form that Playwright expects."""
        answer = clients.post(self.address + "/api/tables", json=options).raise_for_status()
        [(name, value)] = answer.cookies.items()
        return answer.json()["table"], {"name": name, "value": value, "url": self.address}

    def command(self, table: str, cookie: Cookie, **command: object) -> Any:
        """Send a command with the current version of the table, and return its response.

        Sends it again if a page was faster: a person's page adds a nonce when it opens.
        """
        version = self.get(f"/api/tables/{table}", cookie)["view"]["version"]
        body = {"id": f"test-{version}-{command['type']}", "version": version, **command}
        answer = clients.post(f"{self.address}/api/tables/{table}/commands", json=body, headers=_headers(cookie))
        if answer.is_error and answer.json()["reason"] == "stale":
            return self.command(table, cookie, **command)
        return answer.raise_for_status().json()

    def play(self, table: str, cookies: Sequence[Cookie], turns: int) -> None:
        """Take turns without a page: each seat, with its cookie, rolls once and scores in its last open box."""
        for number in range(turns * len(cookies)):
            seat, cookie = number % len(cookies), cookies[number % len(cookies)]
            self.command(table, cookie, type="roll", seat=seat, kept=[])
            offers = self.get(f"/api/tables/{table}", cookie)["view"]["turn"]["offers"]
            box = [offer["box"] for offer in offers if offer["is_open"]][-1]
            self.command(table, cookie, type="score", seat=seat, box=box)


def _headers(cookie: Cookie | None) -> dict[str, str]:
    return {"cookie": f"{cookie['name']}={cookie['value']}"} if cookie else {}


def run(folder: Path, cache: Path, port: int, ahead: float) -> None:
    """Serve until the process is killed. Computer players do not pause. The clock is `ahead` seconds ahead."""
    os.environ["FIVEDICE_CACHE"] = str(cache)
    with (folder / "server.log").open("ab") as file:
        for number in (1, 2):
            os.dup2(file.fileno(), number)
    clock = SteadyClock()
    settings = Settings(f"sqlite:///{folder / 'tables.db'}", pace=0, clock=lambda: clock() + ahead)
    # Every test opens the first page, which shows the day: a ten takes ten seconds, and is drawn for who begins one.
    patch.object(DrawnDays, "draws_early", False).start()
    serve(settings, bind("127.0.0.1", port))


if __name__ == "__main__":
    run(*pickle.load(sys.stdin.buffer))  # noqa: S301
