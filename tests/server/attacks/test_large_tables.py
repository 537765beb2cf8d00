"""Large tables with many watchers take no more than their share of what the server sends."""

from pathlib import Path

import pytest

from fivedice.server.config.limits import BURST_SECONDS, MAX_TABLE_BOXES, SENT_BYTES_PER_TOKEN
from fivedice.server.http.handling import endpoints
from fivedice.server.table.answers import Accepted
from fivedice.server.table.verbs.play import Roll
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


def test_requests_for_a_table_pay_for_bytes_of_their_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "SENT_BYTES_PER_TOKEN", 1_000)
    with serving(tmp_path, rate=100 / BURST_SECONDS) as server:
        ann = server.visit()
        path = f"/api/tables/{ann.create()}"
        tokens = 1 + len(ann.http.get(path).content) / 1_000
        statuses = [ann.http.get(path).status_code for _ in range(int(100 / tokens) + 1)]
        assert (statuses[0], statuses[-1]) == (200, 429)


async def test_a_command_waits_until_its_views_are_paid_for(living: Living) -> None:
    live, handler = await living.begin(), living.services.command_handler
    await living.services.tables.subscribe(live, living.eve, 0, "192.0.2.2")
    waits = [0.01, 0.02, 0.0]

    def wait(address: str, tokens: float) -> float:
        assert (address, tokens) == ("192.0.2.1", 2 * live.view_bytes / SENT_BYTES_PER_TOKEN), (
            "its own, and a watcher's"
        )
        return waits.pop(0)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(living.services.budget, "wait", wait)
        answer = await handler.handle(live, living.ann, Roll(id="roll-1", version=1, seat=0, kept=[]), "192.0.2.1")
    assert isinstance(answer, Accepted)
    assert waits == []
