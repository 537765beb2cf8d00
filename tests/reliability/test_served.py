"""The server process of benchmarks: if it hangs or fails, it is killed and the benchmark reports an error."""

import sys
from pathlib import Path

import pytest

from benchmarks import served

PRINT = "print('fivedice is at http://127.0.0.1:1/ (Ctrl-C stops it)', flush=True)"
IGNORE = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
BLOCK = "import signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])"


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        (f"{IGNORE}; time.sleep(1_000)", "the server did not start within 0.5 s: it was killed"),
        (f"{IGNORE}; {PRINT}; time.sleep(1_000)", "the server did not stop within 0.5 s: it was killed"),
        ("import sys; sys.exit(2)", "the server ended with status 2 before it was ready"),
        # A handler would not run if the signal came just before a long sleep.
        (f"{BLOCK}; {PRINT}; signal.sigwait([signal.SIGTERM]); sys.exit(1)", "the server stopped with status 1"),
    ],
)
def test_a_server_that_hangs_or_fails_is_killed_and_reported(
    program: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{program}"\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    for step in ("start", "stop"):
        if f"not {step}" in sentence:
            monkeypatch.setattr(served, f"{step.upper()}_SECONDS", 0.5)
    pids = []

    def measure() -> None:
        with served.server("sqlite:///unused") as (url, pid):
            assert url == "http://127.0.0.1:1"
            pids.append(pid)

    with pytest.raises(RuntimeError, match=sentence):
        measure()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_a_running_server_is_stopped_at_the_end(tmp_path: Path) -> None:
    with served.server(f"sqlite:///{tmp_path / 'fivedice.db'}") as (url, pid):
        table, cookie = served.create(url)
        assert table
        assert cookie.startswith("fivedice=")
    assert not Path(f"/proc/{pid}").exists()
