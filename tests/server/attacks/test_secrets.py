"""No reply or log has a secret: that of dice, of browsers and seats, nor an answer before the choice or the finish."""

import base64
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import insert

from fivedice.daily.days import day_secret, parse_day
from fivedice.game.proof import commitment
from fivedice.storage.schema import streams
from tests.server.http.api.test_daily import answer, begin, best, server, worst
from tests.server.http.api.test_duplicates import entered, opened, play, sees, show
from tests.server.log_lines import LogLines, log_lines
from tests.server.serving import SECRET, TWO, Browser, Serving, serving
from tests.waiting import TIMEOUT_SECONDS

__all__ = ["server"]

pytestmark = pytest.mark.timeout(600)  # drawing a day takes ten seconds, or a minute on a busy machine

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


@pytest.fixture
def lines() -> Iterator[LogLines]:
    """All log lines, at the lowest level of the server."""
    with log_lines(level="debug") as found:
        yield found


def test_no_secret_is_in_the_log_and_that_of_dice_in_no_reply_before_the_end(tmp_path: Path, lines: LogLines) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "index.html").write_text("<head></head>")
    with serving(tmp_path, page=tmp_path / "web") as server:
        ann, ben, eve = (server.visit() for _ in range(3))
        table = ann.create([TWO[0], {"kind": "greedy"}, {"kind": "person"}])
        reader = Reader(ann, eve)
        ask_everything(eve, reader, table=table, asked="yahtzee - - r3")
        ben.do(table, "sit", seat=2, name="Ben")
        ann.do(table, "roll", seat=0, kept=[])
        ask_everything(ann, reader, table=table, asked=ann.view(table)["line"])
        for path in ("/", f"/t/{table}", "/health", "/ready", "/metrics", "/..%2f..%2fetc/passwd"):
            eve.http.get(path)
        for browser in (ann, eve):
            with browser.socket(table) as socket:
                for text in ("{}", "[", '{"type":"close","id":"12345678","version":1,"seat":0}', "x" * 9_000):
                    socket.connection.send(text)
                    reader.heard.append(json.dumps(socket.receive()))
                reader.heard.append(json.dumps(socket.update))
        assert len(reader.heard) > 150
        assert commitment(SECRET) in "".join(reader.heard), "the reader hears the commitment"
        assert not reader.has_secret(SECRET)
        link = ann.post(f"/api/tables/{table}/seats/0/link")["secret"]
        claimed = eve.http.post(f"/api/tables/{table}/claim", json={"secret": link})
        assert claimed.json() == {"seat": 0}
        exported = ann.post("/api/me/export")
        assert eve.send_import("/api/me/import", json=exported).status_code == 200
        assert eve.http.post(f"/api/tables/{table}/claim?secret={link}", json={"secret": "A" * 43}).status_code == 403
        assert eve.http.post(f"/api/tables/{table}/claim", content=f'{{"secret":"{link}}}').status_code == 400
        for browser, seat in ((ben, 2), (eve, 0)):
            browser.do(table, "resign", seat=seat)
        assert ann.view(table)["proof"]["secret"] == SECRET.hex(), "it was not the end before"
        keys = [browser.http.cookies["fivedice"] for browser in (ann, ben, eve)]
    logged = lines.getvalue()
    assert table in logged
    assert '"event": "request"' in logged
    assert '"event": "stopped"' in logged
    shown = [*keys, link, exported["key"], *forms(SECRET)]
    assert [secret for secret in shown if secret in logged] == []


def test_internal_errors_reveal_no_secret(tmp_path: Path, lines: LogLines) -> None:
    """A database error names its statement and could name the parameters, including the secret."""
    with serving(tmp_path) as server:
        ann = server.visit()
        table = ann.create()
        row = {"id": table, "kind": "table", "secret": SECRET, "created": 0.0, "active": 0.0}
        failing = server.services.database.write(lambda connection: connection.execute(insert(streams).values(row)))
        error = failing.exception(TIMEOUT_SECONDS)
        assert "UNIQUE" in str(error)
        logging.getLogger("fivedice").error("it failed", exc_info=error)
    assert "UNIQUE" in lines.getvalue()
    assert [form for form in forms(SECRET) if form in f"{error!r} {error} {lines.getvalue()}"] == []


VALUES = {
    "advice", "best", "choices", "finding", "is_best", "last", "loss", "lost", "luck", "mark", "odds", "sentence",
    "share", "value",
}  # fmt: skip
"""The names of what says how good an action is."""


def values_about(data: Any, lines: set[str]) -> set[str]:
    """The names of values in what is about one of these positions."""
    if isinstance(data, list):
        return set().union(*(values_about(one, lines) for one in data))
    if not isinstance(data, dict):
        return set()
    question = data.get("question")
    named = [data.get("line"), data.get("position"), question.get("line") if isinstance(question, dict) else None]
    is_about = any(isinstance(one, str) and one in lines for one in named)
    own = {name for name in VALUES & data.keys() if data[name] not in (None, "", [])} if is_about else set()
    return own.union(*(values_about(one, lines) for one in data.values()))


def test_no_reply_has_an_answer_of_today_before_the_choice(server: Serving) -> None:
    ann, ben = server.visit(), server.visit()
    reader = Reader(ann, ben)
    for kind, num in (("ten", 10), ("storm", 4), ("game", 3)):
        reader.replies, reader.stage = [], 0
        one, lines = begin(ann, kind), []
        while one["question"] and reader.stage < num:
            lines.append(one["question"]["line"])
            if reader.stage in (0, num // 2):
                for browser in (ann, ben):
                    ask_everything(browser, reader, id=one["id"], number=str(reader.stage + 1), asked=lines[-1])
            choose = best if reader.stage else worst
            reader.stage += kind != "game"  # a grade of a game is told at its end
            one = answer(ann, one, choose(one["question"]))
            if kind == "game" and len(lines) == num:
                break
        assert len(lines) == num
        assert len(reader.replies) > 100
        today = parse_day(ann.get("/api/daily")["day"])
        assert not reader.has_secret(SECRET, day_secret(SECRET, today)), kind
        for stage, asked, _, text in reader.replies:
            assert not [line for line in lines[stage + 1 :] if line in text] or kind == "game", asked
            if text.startswith(("{", "[")):
                unknown = set(lines if kind == "game" else lines[stage:])
                assert not values_about(json.loads(text), unknown), (kind, asked)


def test_no_reply_shows_a_game_on_the_same_dice_before_the_finish(server: Serving) -> None:
    ann, ben, eve = server.visit(), server.visit(), server.visit()
    game = opened(ann)
    first, second = entered(ann, game, "Ann"), entered(ben, game, "Ben")
    play(ann, first)
    show(ann, game)
    ben.do(second, "roll", seat=0, kept=[])
    reader = Reader(ben, eve)
    for browser in (ben, eve):
        for table in (first, second):
            line = ben.view(second)["line"]
            ask_everything(browser, reader, table=table, duplicate=game, asked=line)
            assert sees(browser, table) == (browser is ben and table == second)
    assert not reader.has_secret(SECRET)
    for _, asked, status, text in reader.replies:
        assert first not in text or status in (400, 403, 404, 405), asked
        if text.startswith(("{", "[")):
            assert not values_about(json.loads(text), {line}), asked
    ben.do(second, "score", seat=0, box=ben.view(second)["turn"]["offers"][0]["box"])
    play(ben, second)
    assert sees(ben, first)
