"""The PostgreSQL server of the tests does not outlive them."""

import os
import signal
import subprocess
from pathlib import Path

from tests import forked
from tests.postgres import removing
from tests.waiting import wait_for


def wait_in(folder: Path) -> None:
    with removing(folder):
        (folder / "entered").touch()
        signal.pause()


def test_the_server_is_stopped_when_the_tests_are_killed(tmp_path: Path) -> None:
    folder = tmp_path / "postgres"
    folder.mkdir()
    with subprocess.Popen(["sleep", "1000"]) as server:  # noqa: S607
        (folder / "postmaster.pid").write_text(f"{server.pid}\nmore\n")
        tests = forked.start(wait_in, folder, streams={})
        wait_for((folder / "entered").exists, "the tests run")
        assert server.poll() is None
        assert tests.pid is not None
        os.kill(tests.pid, signal.SIGKILL)
        assert server.wait() == -signal.SIGQUIT
        wait_for(lambda: not folder.exists(), "its folder is removed")
        tests.join()


def test_a_folder_without_a_server_is_removed_at_the_end(tmp_path: Path) -> None:
    folder = tmp_path / "postgres"
    folder.mkdir()
    with removing(folder):
        assert folder.exists()
    assert not folder.exists()
