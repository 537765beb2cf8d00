"""Large tables with many watchers take no more than their share of what the server sends."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from fivedice.server.config.limits import MAX_TABLE_BOXES
from fivedice.server.config.settings import RateLimits
from fivedice.server.ops.rate_limits import RateLimiter
from fivedice.server.table.answers import Accepted
from fivedice.server.table.verbs import Roll, Score
from tests.server.live.living import Living
from tests.server.serving import Browser, Serving, serving

BOXES = "".join(f'c{number} = {{ scorer = "any_dice" }}\n' for number in range(12))
LARGE = f'id = "large"\n[categories]\n{BOXES}[columns]\n' + "".join(f"k{number} = {{}}\n" for number in range(10))


def test_a_table_with_too_many_boxes_is_refused(ann: Browser, server: Serving) -> None:
    most = MAX_TABLE_BOXES // 120
    refused = ann.http.post("/api/tables", json={"toml": LARGE, "seats": [{"kind": "person"}] * (most + 1)})
    assert refused.status_code == 400
    assert refused.json()["error"] == (
        f"{most + 1} seats with 120 boxes each are too large a table: want at most {most} seats under these rules"
    )
    ann.create([{"kind": "person"}] * most, toml=LARGE)


async def test_updates_beyond_the_bytes_of_an_address_come_later_as_one(living: Living) -> None:
    live, services = await living.begin(), living.services
    limited = RateLimiter(RateLimits(sent="30000/second"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(services.tables, "_rate_limiter", limited)
        watching = await services.tables.subscribe(live, living.eve, 0, "192.0.2.1")
    begun = live.table.version
    for number, box in enumerate(live.table.ruleset.boxes[:10]):
        for command in (
            Roll(id=f"roll-{number:02}", version=live.table.version, seat=number % 2, kept=[]),
            Score(id=f"score-{number:02}", version=live.table.version + 1, seat=number % 2, box=box.id),
        ):
            answer = await services.command_handler.handle(live, living.ann, command, "192.0.2.2")
            assert isinstance(answer, Accepted)
    updates: list[Any] = []
    async for message in watching.messages():
        updates += [update for update in [msgspec.json.decode(message)] if update["type"] == "update"]
        if updates[-1]["view"]["version"] == live.table.version:
            break
    events = sum(len(update["events"]) for update in updates[1:])
    assert events == live.table.version - begun == 20, "no event is lost, and none comes twice"
    assert len(updates[1:]) < events, "some came as one"


def test_requests_for_a_table_count_the_bytes_of_their_answers(tmp_path: Path) -> None:
    with serving(tmp_path, limits=RateLimits(sent="20000/hour")) as server:
        ann = server.visit()
        table = ann.create()
        size = len(ann.http.get(f"/api/tables/{table}").content)
        answers = [ann.http.get(f"/api/tables/{table}/events?since=1") for _ in range(20_000 // size + 10)]
        refused = answers[-1]
        assert answers[0].status_code == 200
        assert (refused.status_code, refused.json()["code"]) == (429, "too_fast")
        assert "too many bytes of tables sent to this address" in refused.json()["error"]


async def test_a_command_waits_until_its_view_may_be_made(living: Living) -> None:
    live, handler = await living.begin(), living.services.command_handler
    waits = [0.01, 0.02, 0.0]

    def wait(name: str, key: str, amount: int = 1) -> float:
        if name != "sent":
            return 0.0
        assert (key, amount) == ("192.0.2.1", live.view_bytes)
        return waits.pop(0)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(living.services.rate_limiter, "wait", wait)
        answer = await handler.handle(live, living.ann, Roll(id="roll-1", version=1, seat=0, kept=[]), "192.0.2.1")
    assert isinstance(answer, Accepted)
    assert waits == []
