"""No reply of any endpoint has an answer of a daily, a storm or the same dice before the choice or the finish.

What stands in a position that somebody names is answered, as any program answers it.
"""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from fivedice.daily import choice
from fivedice.daily.days import day_secret, parse_day
from fivedice.server.games.drawn_days import DrawnDays
from tests.server.attacks.test_secrets import forms
from tests.server.http.api.test_daily import GUEST, RULES, answer, begin, best, worst
from tests.server.http.api.test_duplicates import entered, opened, play, sees, show
from tests.server.serving import SECRET, Browser, Clock, Serving, serving_with_cache
from tests.solutions import shared_cache, solution_of

pytestmark = pytest.mark.timeout(600)  # drawing a day takes ten seconds, or a minute on a busy machine

CHOICES = {
    "POST /api/daily/tries/{id}/answers",
    "POST /api/daily/tries/{id}/end",
    "POST /api/duplicates/{duplicate}/entries",
    "POST /api/tables/{table}/commands",
    "DELETE /api/me",
}
"""What would change the games; the tests make the choices, and read the replies to these, too."""

VALUES = {
    "advice", "best", "choices", "finding", "is_best", "last", "loss", "lost", "luck", "mark", "odds", "sentence",
    "share", "value",
}  # fmt: skip
"""The names of what says how good an action is."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[Serving]:
    solution_of(RULES), solution_of(GUEST)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(DrawnDays, "draws_early", True)
        patched.setitem(choice._NUM_GAMES, "ladder", 1)
        with serving_with_cache(shared_cache(tmp_path_factory), clock=clock) as running:
            yield running


class Reader:
    """Reads every reply to some browsers, each with the stage of the game at which it came."""

    def __init__(self, *browsers: Browser) -> None:
        self.stage = 0
        self.replies: list[tuple[int, str, int, str]] = []
        """The stage, what was asked, the status and the text."""
        for browser in browsers:
            browser.http.event_hooks["response"].append(self._read)

    def _read(self, reply: httpx.Response) -> None:
        if "event-stream" not in reply.headers.get("content-type", ""):
            reply.read()
            self.note(reply)

    def note(self, reply: httpx.Response, text: str = "") -> None:
        asked = f"{reply.request.method} {reply.request.url}"
        self.replies.append((self.stage, asked, reply.status_code, text or reply.text))

    def has_secret(self, *secrets: bytes) -> bool:
        text = "\n".join(text for *_, text in self.replies)
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
