"""A terminal that is closed ends its game, also where no signal says so."""

import os
import subprocess
import sys
from pathlib import Path
from select import select

import pytest

from tests.waiting import wait_for

pty = pytest.importorskip("pty", reason="there are no such terminals on this system")


def test_a_closed_terminal_ends_a_game_that_gets_no_signal(tmp_path: Path) -> None:
    outside, inside = pty.openpty()
    command = [sys.executable, "-m", "fivedice", "play", "--rules", "crag"]
    environment = {**os.environ, "HOME": str(tmp_path), "TERM": "xterm-256color", "FIVEDICE_DATA": str(tmp_path)}
    with subprocess.Popen(  # noqa: S603
        command, stdin=inside, stdout=inside, stderr=inside, env=environment, start_new_session=True
    ) as game:
        os.close(inside)
        shown = b""

        def is_playing() -> bool:
            nonlocal shown
            if select([outside], [], [], 0)[0]:
                shown += os.read(outside, 65_536)
            return b"Crag, round 1" in shown

        try:
            wait_for(is_playing, "the game is on the screen")
            os.close(outside)
            wait_for(lambda: game.poll() is not None, "the game ends")
        finally:
            game.kill()
