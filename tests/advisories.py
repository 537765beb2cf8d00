"""`Advisories`: a local service that answers like OSV and the npm registry."""

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Advisories:
    """The known advisories (package → version → id), and the packages that were asked for."""

    python: dict[str, dict[str, str]] = field(default_factory=dict)
    web: dict[str, str] = field(default_factory=dict)
    asked: set[tuple[str, str]] = field(default_factory=set)
    is_refusing: bool = False
    url: str = ""

    @property
    def environment(self) -> dict[str, str]:
        """The environment with which pip-audit and npm ask this service."""
        return {
            "PIP_AUDIT_VULNERABILITY_SERVICE": "osv",
            "PIP_AUDIT_OSV_URL": f"{self.url}/v1/query",
            "npm_config_registry": self.url,
            "npm_config_fetch_retries": "0",
        }

    def answer(self, path: str, asked: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to a request; None for an unknown path."""
        if self.is_refusing:
            return None
        if path == "/v1/query":
            name, version = asked["package"]["name"], asked["version"]
            self.asked.add((name, version))
            known = self.python.get(name, {}).get(version)
            vulnerability: dict[str, Any] = {
                "id": known,
                "summary": "a vulnerability",
                "affected": [],
                "modified": "2026-11-21T00:00:00Z",
            }
            return {"vulns": [vulnerability]} if known else {}
        if path == "/-/npm/v1/security/advisories/bulk":
            self.asked |= {(name, version) for name, versions in asked.items() for version in versions}
            return {name: [_advisory(name, title, self.url)] for name, title in self.web.items() if name in asked}
        return None


def _advisory(name: str, title: str, url: str) -> dict[str, Any]:
    return {"id": 1, "url": f"{url}/{name}", "title": title, "severity": "high", "vulnerable_versions": "*"}


@contextmanager
def serving_advisories() -> Iterator[Advisories]:
    """Serve advisories until the context ends."""
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
