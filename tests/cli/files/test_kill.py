"""A game killed in the middle of a turn keeps its dice on the table."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fivedice.game.record import parse_record
from tests.cli.run_command import fivedice


class Game:
    """A plain game in another process, killed with SIGKILL."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-u", "-m", "fivedice", "play", "--plain", *arguments]
        self._process = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.lines: list[str] = []

    def type(self, line: str, until: str) -> str:
        """Type a line, and wait for a line that begins with `until`; returns it."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        for answer in self._process.stdout:
            self.lines.append(answer.rstrip("\n"))
            if answer.removeprefix("> ").startswith(until):
                return answer.removeprefix("> ").rstrip("\n")
        raise AssertionError(f"no line {until!r} in {self.lines}")

    def kill(self) -> None:
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.communicate()
        assert self._process.returncode == -signal.SIGKILL


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_kill_9_in_mid_turn_leaves_the_dice_on_the_table(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    game = Game("--seats", "human,greedy", "--record", str(file))
    first = game.type("roll", "Dice: ")
    game.kill()
    assert parse_record(file.read_text()).position.rolls_left == 2

    game = Game("--resume", str(file))
    assert game.type("card", "Dice: ") == first
    second = game.type("keep -", "Dice: ")
    game.kill()
    assert parse_record(file.read_text()).position.rolls_left == 1

    game = Game("--resume", str(file))
    assert game.type("card", "Dice: ") == second
    computers_turn = game.type("chance", "greedy: rolls ")
    game.kill()

    # The score can still be undone, but the dice of the computer player stay the same.
    result = fivedice("play", "--resume", str(file), lines="undo\nchance\nquit\n")
    assert f"\n{computers_turn}\n" in result.out
    assert result.out.index("are taken back") < result.out.index(computers_turn)
