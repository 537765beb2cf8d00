"""A Dask cluster for tests: a scheduler and workers, which are started again when they end, as by a service manager."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.waiting import wait_for


class DaskCluster:
    """A scheduler on a port of its own, with workers that have eight threads each. `folder` is their cache."""

    def __init__(self, folder: Path, num_workers: int = 1) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self._folder = folder
        self._is_closed = False
        self._lock = threading.Lock()
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", str(self._port))
        self.workers = [self._start_worker(number) for number in range(num_workers)]
        self._keeper = threading.Thread(target=self._keep, daemon=True)
        self._keeper.start()

    def kill_scheduler(self) -> None:
        """Kill the scheduler, and start another one at its address."""
        self.stop_scheduler()
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", str(self._port))

    def stop_scheduler(self) -> None:
        """Kill the scheduler."""
        self.scheduler.kill()
        self.scheduler.wait()

    def kill_worker(self, number: int = 0) -> None:
        """Kill a worker; another one takes its place."""
        self.workers[number].kill()

    def stop_workers(self) -> None:
        """Kill all workers for good."""
        with self._lock:
            self._is_closed = True
        for worker in self.workers:
            worker.kill()
            worker.wait()

    def close(self) -> None:
        """End it."""
        self.stop_workers()
        self.stop_scheduler()

    def _start_worker(self, number: int) -> "subprocess.Popen[bytes]":
        options = ("--no-nanny", "--nthreads", "8", "--host", "127.0.0.1", "--local-directory", str(self._folder))
        return self._start("worker", self.address, *options, cache=self._folder / f"cache {number}")

    def _start(self, *args: str, cache: Path | None = None) -> "subprocess.Popen[bytes]":
        environment = os.environ | ({"FIVEDICE_CACHE": str(cache)} if cache else {})
        with (self._folder / f"{args[0]}.log").open("ab") as log:
            return subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "dask", *args, "--no-dashboard"], stderr=log, stdout=log, env=environment
            )

    def _keep(self) -> None:
        while not self._is_closed:
            for number, worker in enumerate(self.workers):
                with self._lock:
                    if not self._is_closed and worker.poll() is not None:
                        self.workers[number] = self._start_worker(number)
            threading.Event().wait(0.1)


@contextmanager
def dask_cluster(folder: Path, num_workers: int = 1) -> Iterator[DaskCluster]:
    """A cluster whose workers are connected."""
    cluster = DaskCluster(folder, num_workers)
    try:
        log = folder / "worker.log"
        wait_for(
            lambda: log.exists() and log.read_text().count("Registered to:") == num_workers, "the workers are connected"
        )
        yield cluster
    finally:
        cluster.close()
