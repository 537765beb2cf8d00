"""Child processes of the server: modules of `fivedice` that run at low priority with pipes to the server."""

import asyncio
import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


async def start_child(module: str, *args: str, longest_line: int = 2**16) -> asyncio.subprocess.Process:
    """Start `python -m MODULE ARGS` with pipes for standard input, output and error; a line that is read from it has at
    most `longest_line` bytes."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, *args),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=longest_line,
    )


async def stop_child(child: asyncio.subprocess.Process) -> None:
    """Kill a child unless it has ended, and wait for its end."""
    if child.returncode is None:
        child.kill()
        await child.wait()


def last_line(errors: bytes) -> str:
    """The last line of what a child wrote to standard error, which names the exception that ended it."""
    return errors.decode(errors="replace").strip().rpartition("\n")[2]


def end_with_parent() -> None:
    """Let the system kill this process when its parent dies, on Linux: a paused process cannot end itself."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def lower_priority(niceness: int) -> None:
    """Lower the priority of this process, which is a child, so that it does not slow down tables."""
    os.nice(niceness)
