"""What a worker of a Dask cluster does for servers: it calls functions in processes of its own, and passes files on.

The processes are those that a server without a cluster has, with the same limits. Dask selects the machine, and finds
out that one has died.
"""

import asyncio
import os
import tempfile
from collections import defaultdict
from importlib.metadata import version
from typing import Any, NamedTuple

from fivedice.server.solving.wire import LENGTH_BYTES, encode
from fivedice.server.solving.worker_process import LostError, WorkerProcess
from fivedice.solver.saved.kept_tables import keep_within_limit, solutions_folder
from fivedice.storage.engine.unavailable import UnavailableError

VERSION = version("fivedice")

PROGRESS = "fivedice-progress"
"""The topic of (name of a search, its worker's address, progress from 0 to 1)."""

SHIPPED, CUSTOM = "solutions", "custom"
"""The folders of saved files on each machine, beside each other. Each is kept within the limit of `FIVEDICE_CACHE_MB`,
so that custom rules do not displace shipped ones."""


class Limits(NamedTuple):
    """The priority of a process, the most bytes of its memory, and how long a call may last, in seconds."""

    niceness: int
    most_bytes: int
    stuck_seconds: float | None


_idle: defaultdict[Limits, list[WorkerProcess]] = defaultdict(list)
"""Processes that have no call."""

_searching: dict[str, WorkerProcess] = {}
"""Processes that work for one search alone, by its name."""


async def call(wanted: str, limits: Limits, message: bytes, *_: "SavedFile") -> tuple[str, bytes]:
    """This worker's address, and the outcome of a call. The files that it needs are here by now."""
    from distributed import get_worker

    _check_version(wanted)
    idle = _idle[limits]

    def end(lost: LostError | None) -> None:
        if process in idle:
            idle.remove(process)

    try:
        process = idle.pop() if idle else await WorkerProcess.start(limits.niceness, limits.most_bytes, end, limits[2])
        outcome = await process.send(message)
    except LostError as lost:
        return get_worker().address, encode((lost, None))[LENGTH_BYTES:]
    idle.append(process)
    return get_worker().address, outcome


def search(wanted: str, limits: Limits, message: bytes, name: str, *_: "SavedFile") -> tuple[str, bytes]:
    """As `call`, in a process of its own, which `tell` pauses. It takes no thread from calls, as it may last long."""
    from distributed import get_worker, secede

    _check_version(wanted)
    worker: Any = get_worker()
    secede()  # type: ignore[no-untyped-call]
    loop: asyncio.AbstractEventLoop = worker.loop.asyncio_loop
    outcome = asyncio.run_coroutine_threadsafe(_search(worker, limits, message, name), loop).result()
    return worker.address, outcome


async def _search(worker: Any, limits: Limits, message: bytes, name: str) -> bytes:
    def on_progress(share: float) -> None:
        worker.log_event(PROGRESS, (name, worker.address, share))

    try:
        process = _searching[name] = await WorkerProcess.start(*limits[:2])
        on_progress(0.0)
        return await process.send(message, on_progress)
    except LostError as lost:
        return encode((lost, None))[LENGTH_BYTES:]
    finally:
        if name in _searching:
            await _searching.pop(name).close()


async def tell(name: str, what: str) -> None:
    """Let the process of a search "pause", "resume" or "close", if it is here."""
    process = _searching.get(name)
    if process and what == "close":
        await process.close()
    elif process:
        (process.pause if what == "pause" else process.resume)()


def _check_version(wanted: str) -> None:
    if wanted != VERSION:
        raise UnavailableError(f"a Dask worker has fivedice {VERSION}, and this server {wanted}")


def saved_names(stem: str) -> list[str]:
    """The saved files about some rules on this machine, by folder and name."""
    root = solutions_folder().parent
    return [f"{kind}/{file.name}" for kind in (SHIPPED, CUSTOM) for file in (root / kind).glob(f"{stem}.*")]


class SavedFile:
    """A saved file on this machine; Dask sends it to the other workers that need it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._path = solutions_folder().parent / name

    def __sizeof__(self) -> int:
        """For Dask, which takes work to where large things are."""
        return self._path.stat().st_size if self._path.exists() else 0

    def __reduce__(self) -> tuple[Any, ...]:
        # Empty if it was deleted since; the function that needs it says so.
        return _received, (self.name, self._path.read_bytes() if self._path.exists() else b"")


def _received(name: str, content: bytes) -> SavedFile:
    file, path = SavedFile(name), solutions_folder().parent / name
    if content and not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as draft:
            draft.write(content)
        os.replace(draft.name, path)
        keep_within_limit(path.parent)
    return file
