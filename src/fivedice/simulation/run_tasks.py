"""`run_tasks`: runs independent tasks in threads, in processes, or on a Dask cluster, and gives results as they come.

A task is done again where a worker of a cluster dies, so it must have the same effect when it is done twice.
"""

import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from multiprocessing import get_context, parent_process
from threading import Event, Thread, current_thread, main_thread
from types import FrameType
from typing import Any, TypeVar

from fivedice.base.errors import UnknownError, shown
from fivedice.base.extras import needs_extra

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def _held_interrupts() -> Iterator[Callable[[], None]]:
    """Hold back Ctrl-C until the block ends, or calls the function given to it, which then raises `KeyboardInterrupt`.

    No-op in threads other than the main one, which Ctrl-C does not reach.
    """
    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(before):
        yield lambda: None
        return
    waiting: list[FrameType | None] = []

    def hold(number: int, frame: FrameType | None) -> None:
        waiting[:] = [frame]

    def release() -> None:
        if waiting:
            signal.signal(signal.SIGINT, before)
            before(signal.SIGINT, waiting.pop())

    signal.signal(signal.SIGINT, hold)
    try:
        yield release
        release()
    finally:
        if signal.getsignal(signal.SIGINT) == hold:
            signal.signal(signal.SIGINT, before)


@contextmanager
def blocked(*signals: signal.Signals) -> Iterator[None]:
    """Start processes that these signals do not reach, not even before their first line; not on Windows."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


LOCAL = "local"
"""The scheduler that is started for one run, with workers on this machine."""

WAITING = 3
"""Tasks for each worker that are submitted at a time, so that none waits for the next one."""

TICK = 0.1
"""How many seconds an interrupt waits at most."""

PATIENCE = 60.0
"""How many seconds a scheduler may take to answer, and to have a worker."""


def run_tasks(
    work: Callable[[T], R], tasks: Iterable[T], *, workers: int, scheduler: str | None = None
) -> Generator[R]:
    """The results in processes of this machine, or with a `scheduler` on its workers, in any order.

    `scheduler` is the address of a Dask scheduler, or `LOCAL`. Raises `UnknownError` if it cannot be reached.
    """
    if scheduler is None:
        yield from _in_processes(work, tasks, workers)
        return
    with needs_extra("--scheduler", "cluster"):
        import_module("distributed")
    yield from _on_cluster(work, tasks, workers, scheduler)


def run_in_threads(work: Callable[[T, Callable[[], bool]], R], tasks: Iterable[T], workers: int) -> Generator[R]:
    """The results in threads of this process, for work that mostly runs outside Python.

    The second argument of `work` tells whether to stop.
    """
    stop = Event()
    pool = ThreadPoolExecutor(workers)
    try:
        yield from _submitted(pool, lambda task: work(task, stop.is_set), tasks, workers)
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def _in_processes(work: Callable[[T], R], tasks: Iterable[T], workers: int) -> Iterator[R]:
    # Started anew, since a copy of a process with threads may hang.
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=end_with_parent)
    try:
        yield from _submitted(pool, work, tasks, workers)
    except BaseException:
        for process in list(pool._processes.values()):  # `kill_workers` of Python 3.14
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def end_with_parent() -> None:
    """End this process when its parent does, however that ends."""
    _ignore_interrupts()
    parent = parent_process()
    assert parent

    def end() -> None:
        parent.join()
        os._exit(1)

    Thread(target=end, daemon=True, name="parent").start()


def _ignore_interrupts() -> None:
    """Ctrl-C reaches all processes of a terminal, and their parent ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _submitted(pool: Executor, work: Callable[[T], R], tasks: Iterable[T], workers: int) -> Iterator[R]:
    left = iter(tasks)

    def submit(number: int) -> set[Future[R]]:
        with blocked(signal.SIGINT):
            return {pool.submit(work, task) for task in islice(left, number)}

    with _held_interrupts() as raise_if_interrupted:
        running = submit(WAITING * workers)
        while running:
            done, running = wait(running, TICK, return_when=FIRST_COMPLETED)
            raise_if_interrupted()
            running |= submit(len(done))
            for future in done:
                yield future.result()


def _on_cluster(work: Callable[[T], R], tasks: Iterable[T], workers: int, scheduler: str) -> Iterator[R]:
    import distributed

    as_completed: Any = distributed.as_completed  # it has no type hints
    with _client(scheduler, workers) as client:
        left = iter(tasks)
        size = max(1, sum(client.nthreads().values()))
        found: Any = as_completed(
            [client.submit(work, task, pure=False) for task in islice(left, WAITING * size)], loop=client.loop
        )
        for future in found:
            yield future.result()
            future.release()
            for task in islice(left, 1):
                found.add(client.submit(work, task, pure=False))


@contextmanager
def _client(scheduler: str, workers: int) -> Iterator[Any]:
    """A client of a scheduler that has at least one worker, all with this version of the program."""
    import distributed
    from dask import config
    from distributed.comm.addressing import resolve_address

    client_of: Any = distributed.Client  # it has no type hints
    cluster_of: Any = distributed.LocalCluster

    # Logs of a cluster would run into the lines of the command.
    with config.set({"distributed.comm.timeouts.connect": f"{PATIENCE}s", "distributed.logging.distributed": "error"}):
        if scheduler == LOCAL:
            cluster = cluster_of(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50)
            with cluster, client_of(cluster, set_as_default=False) as client:
                client.run(_ignore_interrupts)
                yield client
            return
        try:
            resolve_address(scheduler)  # here, since half a client prints a traceback
            client = client_of(scheduler, set_as_default=False, timeout=PATIENCE)
        except (OSError, ValueError) as error:
            raise UnknownError(f"--scheduler {shown(scheduler)} cannot be reached: {error}") from None
        with client:
            try:
                client.wait_for_workers(1, timeout=PATIENCE)
            except TimeoutError:
                raise UnknownError(
                    f"--scheduler {shown(scheduler)} has no workers: start some with `dask worker`"
                ) from None
            _check_versions(client)
            yield client


def _check_versions(client: Any) -> None:
    """Raise `UnknownError` for a worker with another version of the program, whose games could differ."""
    own = _version()
    for worker, version in client.run(_version).items():
        if version != own:
            raise UnknownError(f"the worker {worker} has fivedice {version}, and this is {own}: install the same one")


def _version() -> str:
    from importlib.metadata import version

    return version("fivedice")
