"""A Dask cluster computes for servers: they need neither compiler nor tables, and lose nothing if parts of it die."""

import asyncio
import os
import pickle
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from fivedice.base.errors import MalformedError
from fivedice.game.notation import parse_position
from fivedice.rulesets import load_ruleset
from fivedice.server.solving import compute as module
from fivedice.server.solving import compute_worker
from fivedice.server.solving.advisor import Advisor
from fivedice.server.solving.compute import Compute, checked_address
from fivedice.server.solving.compute_worker import VERSION, Limits, SavedFile
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import Searches, call_solved
from fivedice.server.solving.wire import LENGTH_BYTES, encode
from fivedice.server.solving.worker_process import result_of
from fivedice.solver.saved.kinds import SOLUTION
from fivedice.storage.engine.unavailable import UnavailableError
from tests.dask_cluster import DaskCluster, dask_cluster
from tests.repository import ROOT
from tests.solutions import solution_of
from tests.waiting import wait_for_async

CRAG = parse_position("crag - 445 r1")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A cluster of two workers, which share no files; the first has a solution."""
    folder = tmp_path_factory.mktemp("dask")
    SOLUTION.save(load_ruleset("crag"), solution_of("crag"), folder / "cache 0" / "solutions")
    with dask_cluster(folder, 2) as cluster:
        yield cluster


@pytest.fixture
async def compute(cluster: DaskCluster) -> AsyncIterator[Compute]:
    """The connection to the cluster."""
    compute = Compute(cluster.address)
    yield compute
    await compute.close()


@pytest.fixture
async def pool(compute: Compute) -> AsyncIterator[Pool]:
    """A pool whose processes are there."""
    pool = Pool(start=compute.start)
    yield pool
    await pool.close()


@pytest.fixture
async def searches(compute: Compute) -> AsyncIterator[Searches]:
    """Searches that are made there."""
    searches = Searches(Path("/nowhere"), compute=compute)
    yield searches
    await searches.close()


_SERVER = """
import sys
from pathlib import Path
from tests.server.serving import serving
from tests.waiting import wait_for

folder, address = sys.argv[1:]
with serving(Path(folder), compute=address) as server:
    ann = server.visit()

    def asked(path, **params):
        return wait_for(lambda: (lambda answer: answer.status_code == 200 and answer.json())(
            ann.http.get(path, params=params)), path)

    played = ann.create([{"kind": "person", "name": "Ann", "here": True}], rules="crag", help="always")
    ann.do(played, "roll", seat=0, kept=[])
    wait_for(lambda: ann.view(played)["advice"], "the solution is found and advice is given")
    assert wait_for(lambda: asked("/api/positions", line="crag - 445 r1")["advice"], "advice on a position")
    while (view := ann.view(played))["state"] == "playing":
        turn = view["turn"] if view["turn"]["dice"] else ann.do(played, "roll", seat=0, kept=[])["turn"]
        box = next(offer["box"] for offer in turn["offers"] if offer["is_open"])
        ann.do(played, "score", seat=0, box=box)
    assert asked(f"/api/tables/{played}/review")["seats"]
    assert asked(f"/api/tables/{played}/lessons")["lessons"]
    assert asked("/api/me/figures")["figures"]
    assert asked("/api/positions/chances", line="crag - 445 r1")
    kinds = "optimal", "cautious", "target_42"
    games = ann.create([{"kind": kind} for kind in kinds], rules="crag", help="none")
    wait_for(lambda: ann.view(games)["state"] == "over", "players by tables play")
print(*sorted(sys.modules))
"""


def test_a_server_with_a_cluster_loads_neither_the_compiler_nor_a_solution(
    cluster: DaskCluster, tmp_path: Path
) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "FIVEDICE_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", _SERVER, str(tmp_path), cluster.address],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-2_000:]
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "fivedice.analysis.learning.lessons" in loaded, "the server gave lessons"
    assert not {"numba", "llvmlite", "fivedice.solver.solution", "fivedice.solver.solve"} & loaded
    assert not (tmp_path / "cache").exists(), "it has no solutions"


async def test_a_killed_worker_and_a_killed_scheduler_lose_no_call(
    pool: Pool, searches: Searches, cluster: DaskCluster
) -> None:
    assert await pool.run(os.getpid)
    for kill in (cluster.kill_worker, cluster.kill_scheduler):
        calls = [asyncio.create_task(pool.run(pow, 2, number)) for number in range(3)]
        slow = asyncio.create_task(pool.run(time.sleep, 1.5))
        await asyncio.sleep(0.5)
        await asyncio.to_thread(kill)
        assert await asyncio.gather(*calls, slow) == [1, 2, 4, None]
    advisor = Advisor(searches, pool)
    found = await wait_for_async(lambda: advisor.advice(CRAG), "the new scheduler finds the solution")
    assert str(found.best.action) == "score crag"


async def test_a_solution_reaches_every_worker_that_needs_it(compute: Compute, searches: Searches) -> None:
    await wait_for_async(lambda: searches.solution(CRAG.ruleset), "the solution is found where it is saved")
    client, saved = await compute.connected(), searches.saved(CRAG.ruleset)
    workers = await client.scheduler.ncores()
    assert len(workers) == 2
    for number, worker in enumerate(workers):
        files = (await compute.files(client, saved)).values()
        message = encode((call_solved, ("advised", saved, [CRAG])))[LENGTH_BYTES:]
        task = compute_worker.call, VERSION, Limits(5, 0, 60.0), message
        future = client.submit(*task, *files, key=f"here-{number}", workers=[worker], pure=False)
        assert (await future)[0] == worker
        assert str(result_of((await future)[1])[0].best.action) == "score crag"


def test_a_file_that_is_sent_is_saved_unless_it_was_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    path = SOLUTION.save(load_ruleset("crag"), solution_of("crag"), here / "solutions")
    monkeypatch.setenv("FIVEDICE_CACHE", str(here))
    file = SavedFile(f"solutions/{path.name}")
    assert sys.getsizeof(file) >= path.stat().st_size, "Dask knows what it costs to send"
    sent = pickle.dumps(file)
    monkeypatch.setenv("FIVEDICE_CACHE", str(there))
    pickle.loads(sent)  # noqa: S301
    assert (there / "solutions" / path.name).read_bytes() == path.read_bytes()
    for one in (path, there / "solutions" / path.name):
        one.unlink()
    pickle.loads(pickle.dumps(file))  # noqa: S301
    assert not (there / "solutions" / path.name).exists()


async def test_a_search_is_paused_and_ended_on_its_machine(compute: Compute, cluster: DaskCluster) -> None:
    def states() -> list[str]:
        """The states of the processes of the workers, as Linux tells them; "T" is stopped."""
        found = []
        for worker in cluster.workers:
            for child in Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split():
                if "\0" + "17" + "\0" in Path(f"/proc/{child}/cmdline").read_text():  # its priority
                    found.append(Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0])
        return found

    process = await compute.start(17)
    began = asyncio.Event()
    search = asyncio.create_task(process.call(time.sleep, 60, on_progress=lambda _: began.set()))
    await began.wait()
    for tell, state in ((process.pause, "T"), (process.resume, "S")):
        tell()
        await wait_for_async(lambda state=state: states() == [state], f"its state is {state}")  # type: ignore[misc]
    await process.close()
    with pytest.raises(UnavailableError, match="stopping"):
        await search
    await wait_for_async(lambda: not states(), "its process has ended")


async def test_another_version_is_refused_in_one_sentence(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "VERSION", "0.0.1")

    for _ in range(2):
        sentence = rf"the Dask worker tcp://\S+ has fivedice {VERSION}, and this server 0.0.1$"
        with pytest.raises(UnavailableError, match=sentence):
            await pool.run(os.getpid)


async def test_a_worker_refuses_the_calls_of_another_version() -> None:
    with pytest.raises(UnavailableError, match=f"a Dask worker has fivedice {VERSION}, and this server 0.0.1"):
        await compute_worker.call("0.0.1", Limits(0, 0, None), b"")


# The last one: it stops the cluster.
async def test_without_scheduler_or_workers_calls_fail_with_the_reason(
    pool: Pool, searches: Searches, cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "COMPUTE_CONNECT_SECONDS", 3.0)
    monkeypatch.setattr(module, "COMPUTE_LOOK_SECONDS", 0.5)
    monkeypatch.setattr(module, "COMPUTE_RETRY_SECONDS", 0.0)

    assert await pool.run(os.getpid)
    call = asyncio.create_task(pool.run(time.sleep, 60))
    await asyncio.sleep(0.5)
    await asyncio.to_thread(cluster.stop_workers)
    with pytest.raises(UnavailableError, match="has no workers: start some with `dask worker`"):
        await call
    await asyncio.to_thread(cluster.stop_scheduler)
    with pytest.raises(UnavailableError, match=rf"scheduler at {cluster.address} cannot be reached: repeat"):
        await pool.run(os.getpid)
    advisor = Advisor(searches, pool)
    assert advisor.advice(CRAG) is None
    await wait_for_async(lambda: searches.refusal(CRAG.ruleset), "the search is postponed")
    assert "cannot be solved at the moment" in searches.refusal(CRAG.ruleset)


@pytest.mark.parametrize("address", ["10.0.0.1:8786", "tcp://10.0.0.1", "http://10.0.0.1:8786", "local"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(MalformedError, match=r"want tcp://HOST:PORT or tls://HOST:PORT"):
        checked_address(address)
