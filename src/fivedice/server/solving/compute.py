"""`Compute`: worker processes on the machines of a Dask cluster, for a server without compiler and large tables.

A call is a task of the cluster. It is repeated if the machine that works on it dies, and if the scheduler is replaced.
"""

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import Awaitable, Callable
from contextvars import Context
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from itertools import count
from typing import Any, TypeVar
from uuid import uuid4

from fivedice.base.errors import MalformedError, shown
from fivedice.base.extras import missing_extra
from fivedice.server.config.limits import (
    COMPUTE_CONNECT_SECONDS,
    COMPUTE_LOOK_SECONDS,
    COMPUTE_RETRY_SECONDS,
    COMPUTE_SAME_SECONDS,
    WORKER_ATTEMPTS,
)
from fivedice.server.solving import compute_worker
from fivedice.server.solving.compute_worker import PROGRESS, VERSION, Limits
from fivedice.server.solving.wire import LENGTH_BYTES, Rules, SavedSolution, encode
from fivedice.server.solving.worker_process import LostError, result_of
from fivedice.server.table.state import ruleset_of
from fivedice.solver.saved.saved_table import file_stem
from fivedice.storage.engine.unavailable import UnavailableError

T = TypeVar("T")


class DisconnectedError(LostError):
    """The scheduler went away before the answer."""


class Compute:
    """The connection to a Dask scheduler, made when it is first needed. Use it on the event loop's thread."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._client: Any = None
        self._connection: object = None
        self._connecting: asyncio.Task[Any] | None = None
        self._refusal = ""
        self._refused_until = 0.0
        self._files: dict[str, dict[str, Any]] = {}
        """By rules and name, a future of each saved file, which says where it is."""
        self.on_progress: dict[str, Callable[[str, float], None]] = {}
        """What is told the worker of a search and its progress, by name."""

    async def start(
        self,
        niceness: int,
        most_bytes: int = 0,
        on_end: Callable[[LostError | None], None] = lambda lost: None,
        stuck_seconds: float | None = None,
    ) -> "ComputeProcess":
        """As `WorkerProcess.start`. Without `stuck_seconds`, its one call has a process of its own."""
        return ComputeProcess(self, Limits(niceness, most_bytes, stuck_seconds), on_end)

    async def connected(self) -> Any:
        """The client; raises `UnavailableError`, at once if another attempt has just failed."""
        # After it has connected again by itself, the scheduler knows nothing of this server.
        client = self._client
        if client is not None and client.status == "running" and client.scheduler_comm is self._connection:
            return client
        if self._connecting is None:
            if time.monotonic() < self._refused_until:
                raise UnavailableError(self._refusal)
            self._connecting = asyncio.create_task(self._connect(), context=Context())  # it outlives this request
        return await asyncio.shield(self._connecting)

    async def is_saved(self, saved: SavedSolution, name: str) -> bool:
        """Whether an artefact is saved on a machine of the cluster."""
        self.forget(saved)
        return f"{saved.folder}/{_stem(saved.rules)}.{name}" in await self.files(await self.connected(), saved)

    def forget(self, saved: SavedSolution) -> None:
        """Look for the files of a solution anew when they are next needed."""
        self._files.pop(_stem(saved.rules), None)

    async def files(self, client: Any, saved: SavedSolution) -> dict[str, Any]:
        """A future of each file of a solution, by name, as an argument of a task that needs them."""
        stem = _stem(saved.rules)
        if stem not in self._files:
            places: dict[str, list[str]] = {}
            for worker, names in (await self._run(client, compute_worker.saved_names, stem)).items():
                for name in names:
                    places.setdefault(name, []).append(worker)
            self._files[stem] = {
                name: client.submit(
                    compute_worker.SavedFile, name, key=f"fivedice-{name}-{uuid4().hex}", workers=workers, pure=False
                )
                for name, workers in places.items()
            }
        return self._files[stem]

    async def check(self, client: Any) -> None:
        """Raise `UnavailableError` if the scheduler does not answer, or has no workers."""
        if client.status == "running" and not await self._answered(client.scheduler.ncores()):
            raise UnavailableError(self._no_workers)

    async def tell(self, name: str, what: str, worker: str) -> None:
        """Tell the worker of a search to pause, resume or end it."""
        with contextlib.suppress(UnavailableError):  # then its process ends as well
            await self._run(await self.connected(), compute_worker.tell, name, what, workers=[worker])

    async def close(self) -> None:
        """Disconnect."""
        if self._connecting:
            self._connecting.cancel()
        await self._disconnect()

    @property
    def _scheduler(self) -> str:
        return f"the Dask scheduler at {self.address}"

    @property
    def _no_workers(self) -> str:
        return f"{self._scheduler} has no workers: start some with `dask worker`"

    async def _answered(self, asked: Awaitable[T]) -> T:
        """The answer of the scheduler or its workers; raises `UnavailableError` if they do not answer in time."""
        with contextlib.suppress(OSError):
            return await _within(COMPUTE_CONNECT_SECONDS, asked)
        self._connection = None  # the next call connects anew
        raise UnavailableError(f"{self._scheduler} does not answer: repeat the request in a minute")

    async def _connect(self) -> Any:
        try:
            await self._disconnect()
            distributed = await asyncio.to_thread(import_module, "distributed")
            for name in ("distributed", "distributed.client"):  # the sentences here say what happened
                logging.getLogger(name).setLevel(logging.CRITICAL)
            client = self._client = await _within(
                2 * COMPUTE_CONNECT_SECONDS,
                distributed.Client(
                    self.address, asynchronous=True, set_as_default=False, timeout=COMPUTE_CONNECT_SECONDS
                ),
            )
            try:
                await client.wait_for_workers(1, timeout=COMPUTE_CONNECT_SECONDS)
            except TimeoutError:
                raise UnavailableError(self._no_workers) from None
            await self._check_versions(client)
            client.subscribe_topic(PROGRESS, self._pass_on)
            self._connection = client.scheduler_comm
            return client
        except OSError as error:  # TimeoutError is one
            self._refusal = f"{self._scheduler} cannot be reached: repeat the request in a minute ({error})"
        except UnavailableError as error:
            self._refusal = str(error)
        finally:
            self._connecting = None
        self._refused_until = time.monotonic() + COMPUTE_RETRY_SECONDS
        raise UnavailableError(self._refusal)

    async def _disconnect(self) -> None:
        client, self._client, self._connection = self._client, None, None
        self._files.clear()
        if client is not None:
            with contextlib.suppress(OSError):
                await _within(COMPUTE_RETRY_SECONDS, client._close(fast=True))

    async def _check_versions(self, client: Any) -> None:
        found = await self._run(client, version, "fivedice")
        for worker, has in found.items():
            if has != VERSION:
                raise UnavailableError(f"the Dask worker {worker} has fivedice {has}, and this server {VERSION}")

    async def _run(self, client: Any, function: Callable[..., Any], *args: object, **where: Any) -> dict[str, Any]:
        """The results of a function on all workers that answer, or on those given as `workers`."""
        if client.status != "running":
            raise DisconnectedError("the Dask scheduler was lost: repeat the request in a minute")
        found: dict[str, Any] = await self._answered(client.run(function, *args, on_error="ignore", **where))
        return found

    def _pass_on(self, event: tuple[float, tuple[str, str, float]]) -> None:
        name, worker, share = event[1]
        if name in self.on_progress:
            self.on_progress[name](worker, share)


class ComputeProcess:
    """Takes the place of a `WorkerProcess`, and has its methods."""

    def __init__(self, compute: Compute, limits: Limits, on_end: Callable[[LostError | None], None]) -> None:
        self._compute = compute
        self._limits = limits
        self._on_end = on_end
        self._name = uuid4().hex if limits.stuck_seconds is None else ""
        self._worker = ""
        self._answered = 0.0
        self._is_paused = False
        self._closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._telling: set[asyncio.Task[None]] = set()

    async def call(
        self, function: Callable[..., object], *args: object, on_progress: Callable[[float], None] = lambda share: None
    ) -> Any:
        """The result of a function; raises what it raises, `LostError` if its process ends first, and
        `UnavailableError` if the cluster cannot be used."""
        found: list[SavedSolution] = []
        message = encode((function, args), found)[LENGTH_BYTES:]

        def follow(worker: str, share: float) -> None:
            self._worker = worker
            if self._is_paused and not share:
                self._tell("pause")  # it began meanwhile, perhaps anew on another machine
            on_progress(share)

        if self._name:
            self._compute.on_progress[self._name] = follow
        try:
            return result_of(await self._outcome(message, found))
        except LostError as lost:
            self._on_end(None if self._closed.done() else lost)
            raise
        finally:
            self._compute.on_progress.pop(self._name, None)

    def pause(self) -> None:
        """Stop it in the middle of its work."""
        self._is_paused = True
        self._tell("pause")

    def resume(self) -> None:
        """Let it go on after a pause."""
        self._is_paused = False
        self._tell("resume")

    async def close(self) -> None:
        """End the process of its search, if it has one; its calls raise `LostError`."""
        if not self._closed.done():
            self._closed.set_result(None)
        self._tell("close")
        await asyncio.gather(*self._telling)

    def _tell(self, what: str) -> None:
        if self._name and self._worker:
            task = asyncio.create_task(self._compute.tell(self._name, what, self._worker), context=Context())
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    async def _outcome(self, message: bytes, found: list[SavedSolution]) -> bytes:
        for attempt in count(1):
            client = await self._compute.connected()
            key = f"fivedice-{uuid4().hex}"
            task = (
                (compute_worker.search, VERSION, self._limits, message, self._name)
                if self._name
                else (compute_worker.call, VERSION, self._limits, message)
            )
            # What was called there a moment ago is still in memory there.
            is_recent = time.monotonic() - self._answered < COMPUTE_SAME_SECONDS
            where = {"workers": [self._worker], "allow_other_workers": True} if is_recent else {}
            future = None
            try:
                files = [file for saved in found for file in (await self._compute.files(client, saved)).values()]
                future = client.submit(*task, *files, key=key, pure=False, **where)
                self._worker, outcome = await self._answer(client, future)
                self._answered = time.monotonic()
                return outcome
            except DisconnectedError:
                if attempt == WORKER_ATTEMPTS:
                    raise
            finally:
                if future is not None:
                    future.release()
        raise AssertionError

    async def _answer(self, client: Any, future: Any) -> tuple[str, bytes]:
        from distributed.client import FutureCancelledError
        from distributed.scheduler import KilledWorker

        began = time.monotonic()
        waiting = asyncio.ensure_future(future.result())
        try:
            while not waiting.done():
                await asyncio.wait(
                    (waiting, self._closed), timeout=COMPUTE_LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                if self._closed.done():
                    raise LostError("the server is stopping")
                if not waiting.done():
                    await self._compute.check(client)
                    stuck = self._limits.stuck_seconds
                    if stuck and time.monotonic() - began > 2 * stuck:  # the worker itself ends a call that is stuck
                        raise LostError("the machine that computes this does not answer: repeat the request later")
            answer: tuple[str, bytes] = waiting.result()
            return answer
        except (FutureCancelledError, OSError):
            raise DisconnectedError("the Dask scheduler was lost: repeat the request in a minute") from None
        except KilledWorker as error:
            sentence = "the machines that computed this have died: repeat the request later"
            raise LostError(sentence, reason=str(error)) from None
        finally:
            waiting.cancel()


async def _within(seconds: float, awaited: Awaitable[T]) -> T:
    """As `asyncio.wait_for`, but at once even if what is cancelled goes on, as Dask's client does."""
    task = asyncio.ensure_future(awaited)
    if not (await asyncio.wait((task,), timeout=seconds))[0]:
        task.cancel()
        raise TimeoutError
    return task.result()


@lru_cache(256)
def _stem(rules: Rules) -> str:
    return file_stem(ruleset_of(rules.ref, rules.toml))


def checked_address(address: str) -> str:
    """The address of a scheduler, empty for none; raises `MalformedError` or `MissingExtraError`."""
    if address and not re.fullmatch(r"(tcp|tls)://\S+:\d+", address):
        raise MalformedError(f"compute {shown(address)}: want tcp://HOST:PORT or tls://HOST:PORT")
    if address and not find_spec("distributed"):
        raise missing_extra("Computing on other machines", "cluster")
    return address
