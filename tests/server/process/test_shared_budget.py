"""What an address may do is the same with one worker and with several, to all of which it turns."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from websockets.exceptions import InvalidStatus

from fivedice.server.config.shards import SHARDS, owners
from tests import clients
from tests.amount import cases
from tests.reliability.process import ServerProcess
from tests.storage.empty import empty_postgres

NUM = 3

LIMITS = ("--limit", "requests=40/hour", "--limit", "connections=5")


@pytest.fixture(params=cases([NUM], full=[1, NUM]))
def server(request: pytest.FixtureRequest, postgres: str) -> Iterator[ServerProcess]:
    """A server with several workers; in `make test-full` first with one, as in other tests of limits."""
    with ServerProcess(empty_postgres(postgres), "--workers", str(request.param), limits=LIMITS) as running:
        yield running


def paths() -> list[str]:
    """Paths of tables that do not exist, of each worker in turn."""
    first = {worker: next(shard for shard in SHARDS if owners(shard, NUM)[0] == worker) for worker in range(NUM)}
    return [f"/api/tables/{first[number % NUM]}aaaaaaaaaaaaaaaa" for number in range(90)]


def test_an_address_that_turns_to_all_workers_gets_as_much_through_as_with_one(server: ServerProcess) -> None:
    def status(path: str) -> int:
        return clients.get(server.url + path).status_code

    # A connection counts until the server has seen its end, so that of four threads more than five may be open.
    with ThreadPoolExecutor(2) as threads:
        found = Counter(threads.map(status, paths()))
    assert found == {404: 40, 429: 50}


def test_sockets_of_an_address_at_all_workers_are_counted_together(server: ServerProcess) -> None:
    seats = [{"kind": "person", "name": "Ann", "here": True}]
    tables = [clients.post(f"{server.url}/api/tables", json={"seats": seats}).json()["table"] for _ in range(8)]
    url = server.url.replace("http", "ws")
    with ExitStack() as sockets:
        num = 0
        for table in tables:
            try:
                sockets.enter_context(clients.connect(f"{url}/api/tables/{table}/socket"))
                num += 1
            except (InvalidStatus, OSError, EOFError):
                pass
        assert num == 5
    with clients.connect(f"{url}/api/tables/{tables[-1]}/socket"):
        pass
