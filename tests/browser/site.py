"""`Site`: a server in a process of its own, which a test can kill and start again where it was."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from tests.repository import ROOT
from tests.waiting import wait_for

SECRET = bytes(range(32))
LONGEST_START = 30.0


class Site:
    """A server on a port and a database that stay the same from start to start."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it answers."""
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "tests.browser.serving",
                    str(self.folder / "tables.db"),
                    str(self.port),
                    SECRET.hex(),
                ],
                cwd=ROOT,
                env={**os.environ, "FIVEDICE_CACHE": str(self.folder / "cache")},
                stdout=log,
                stderr=log,
            )
        wait_for(self._answers, "the server answers", LONGEST_START)

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self.folder / "server.log").read_text()
        try:
            self.get("/api/players")
        except URLError:
            return False
        return True

    def kill(self) -> None:
        """End it at once, as a crash would."""
        assert self._process is not None, "a site is started first"
        self._process.kill()
        self._process.wait()

    def get(self, path: str) -> Any:
        """What the API answers, read from JSON."""
        with urlopen(self.address + path, timeout=10) as answer:
            return json.load(answer)

    def text(self, path: str) -> str:
        """What the API answers as text."""
        with urlopen(self.address + path, timeout=10) as answer:
            return str(answer.read().decode())

    def create(self, **wanted: object) -> tuple[str, Mapping[str, str]]:
        """A new table, and the cookie of its creator as Playwright takes it."""
        body = json.dumps(wanted).encode()
        request = Request(self.address + "/api/tables", body, {"content-type": "application/json"})
        with urlopen(request, timeout=10) as answer:
            name, value = answer.headers["set-cookie"].split(";")[0].split("=", 1)
            return json.load(answer)["table"], {"name": name, "value": value, "url": self.address}

    def command(self, table: str, cookie: Mapping[str, str], **command: object) -> Any:
        """The answer to a command, made against the table's version now."""
        version = self.get(f"/api/tables/{table}")["view"]["version"]
        body = json.dumps({"id": f"test-{version}-{command['type']}", "version": version, **command}).encode()
        headers = {"content-type": "application/json", "cookie": f"{cookie['name']}={cookie['value']}"}
        request = Request(f"{self.address}/api/tables/{table}/commands", body, headers)
        with urlopen(request, timeout=10) as answer:
            return json.load(answer)
