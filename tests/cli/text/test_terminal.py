"""Lines for people, on a terminal or in a pipe."""

import os

import pytest

from fivedice.cli.text.terminal import print_lines


def test_a_pipe_that_nobody_reads_is_an_error_that_the_command_line_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, output = os.pipe()
    os.close(reader)
    with os.fdopen(output, "w", buffering=1) as pipe:
        monkeypatch.setattr("sys.stdout", pipe)
        with pytest.raises(BrokenPipeError):
            print_lines(["Ones", "Twos"])
        os.dup2(os.open(os.devnull, os.O_WRONLY), output)  # closing it writes what is left
