"""`Reader`: reads every reply of a server, and `ask_everything`, which asks every endpoint."""

import base64

import httpx

from tests.server.serving import Browser

RULES = "kniffel"

CHOICES = {
    "POST /api/daily/tries/{id}/answers",
    "POST /api/daily/tries/{id}/end",
    "POST /api/duplicates/{duplicate}/entries",
    "POST /api/tables/{table}/commands",
    "DELETE /api/me",
}
"""What would change the games; the tests make the choices, and read the replies to these, too."""


def forms(secret: bytes) -> list[str]:
    """The encodings of a secret."""
    encoded = [base64.b64encode(secret).decode(), base64.urlsafe_b64encode(secret).decode()]
    hexadecimal, numbers = secret.hex(), repr(list(secret))[1:-1]
    texts = [hexadecimal, hexadecimal.upper(), repr(secret)[2:-1], numbers, str(int.from_bytes(secret)), *encoded]
    return [text.rstrip("=") for text in texts]


class Reader:
    """Reads every reply to some browsers, each with the stage of the game at which it came."""

    def __init__(self, *browsers: Browser) -> None:
        self.stage = 0
        self.replies: list[tuple[int, str, int, str]] = []
        """The stage, what was asked, the status and the text."""
        self.heard: list[str] = []
        """Every text with its headers, and what a test adds."""
        for browser in browsers:
            browser.http.event_hooks["response"].append(self._read)

    def _read(self, reply: httpx.Response) -> None:
        if "event-stream" not in reply.headers.get("content-type", ""):
            reply.read()
            self.note(reply)

    def note(self, reply: httpx.Response, text: str = "") -> None:
        asked = f"{reply.request.method} {reply.request.url}"
        self.replies.append((self.stage, asked, reply.status_code, text or reply.text))
        self.heard.append(f"{reply.headers} {text or reply.text}")

    def has_secret(self, *secrets: bytes) -> bool:
        text = "\n".join(self.heard)
        return any(form in text for secret in secrets for form in forms(secret))


def ask_everything(browser: Browser, reader: Reader, **named: str) -> None:
    """Ask every endpoint about what is named, by the names of parameters."""
    day = browser.get("/api/daily")["day"]
    named = {"day": day, "line": "crag - 445 r0", "ref": "crag", "kind": "streak", "since": "0", **named}
    named |= {"answers": "true", "action": "score crag", "instead": "keep 44", "first": "1", "second": "2"}
    for path, operations in browser.get("/api/schema")["paths"].items():
        for method, operation in operations.items():
            if f"{method.upper()} {path}" in CHOICES:
                continue
            address, query = path, {}
            for one in operation.get("parameters", ()):
                name = one["name"]
                value = named.get(name, "0" if name == "seat" else "unknown")
                address = address.replace(f"{{{name}}}", value)
                if one["in"] == "query" and name in named:
                    query[name] = day if (path, name) == ("/api/me/lessons", "since") else value
            body = {
                "/api/lessons": {"line": named["asked"], "action": "keep -", "table": named.get("table", "")},
                "/api/daily/archive/{day}": {"rules": RULES, "number": 1, "action": "keep -"},
            }.get(path, {})
            if path.endswith("/stream"):
                with browser.http.stream(method, address, params=query) as reply:
                    is_stream = reply.status_code == 200
                    first = (line for line in reply.iter_lines() if line.startswith("data: "))
                    reader.note(reply, next(first).removeprefix("data: ") if is_stream else reply.read().decode())
            else:
                browser.http.request(method, address, params=query, json=body if method == "post" else None)
