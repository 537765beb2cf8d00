"""What an address may do is the same with one worker and with several, to all of which it turns."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from websockets.exceptions import InvalidStatus

from fivedice.server.config.shards import SHARDS, owners
from tests import clients
from tests.amount import cases
from tests.reliability.process import ServerProcess
from tests.server.process.test_listening import has_ipv6
from tests.storage.empty import empty_postgres

NUM = 3

LOCALHOST = "--host", "localhost"

LIMITS = ("--limit", "requests=40/hour", "--limit", "connections=5")


def paths() -> list[str]:
    """Paths of tables that do not exist, of each worker in turn."""
    first = {worker: next(shard for shard in SHARDS if owners(shard, NUM)[0] == worker) for worker in range(NUM)}
    return [f"/api/tables/{first[number % NUM]}aaaaaaaaaaaaaaaa" for number in range(90)]


@pytest.mark.parametrize("num_workers", cases([NUM], full=[1, NUM]))
def test_an_address_that_turns_to_all_workers_gets_as_much_through_as_with_one(postgres: str, num_workers: int) -> None:
    workers = "--workers", str(num_workers)
    with ServerProcess(empty_postgres(postgres), *LOCALHOST, *workers, limits=LIMITS) as server:
        if has_ipv6():
            answer = clients.get(f"http://[::1]:{server.port}/health")
            assert answer.text == "ok\n", "the workers share the sockets of both families"
        seats = [{"kind": "person", "name": "Ann", "here": True}]
        tables = [clients.post(f"{server.url}/api/tables", json={"seats": seats}).json()["table"] for _ in range(8)]
        urls = [f"{server.url.replace('http', 'ws')}/api/tables/{table}/socket" for table in tables]
        num, num_refused = 0, 0
        with ExitStack() as sockets:
            for url in urls:
                try:
                    sockets.enter_context(clients.connect(url))
                    num += 1
                except InvalidStatus:
                    num_refused += 1
                except (OSError, EOFError):  # its connection was refused before it became a request
                    pass
            assert num == 5
        with clients.connect(urls[-1]):
            pass

        def status(path: str) -> int:
            return clients.get(server.url + path).status_code

        # A connection counts until the server has seen its end, so that of four threads more than five may be open.
        with ThreadPoolExecutor(2) as threads:
            found = Counter(threads.map(status, paths()))
        num_left = 40 - len(tables) - num - num_refused - 1
        assert found == {404: num_left, 429: 90 - num_left}
