"""Chooses the palette of a game: the one the player chose last, or the one that suits the terminal."""

import json
import os
import re
import select
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from rich.console import Console

from fivedice.cli.records.record_file import write_whole
from fivedice.cli.terminal.palette import DARK, LIGHT, PALETTES, TERMINAL, Palette, has_colours
from fivedice.data_folder import data_folder, make_folder

_FEW_COLOURS = (None, "standard", "windows")
"""Colour systems of terminals in which only their own colours look right."""
_SECONDS = 1.0
"""How long to wait for the terminal's answer. Terminals answer in milliseconds, unless the connection is slow."""

_QUESTION = "\x1b]11;?\x1b\\\x1b[c"
"""Asks for the colour of the background and then, because every terminal answers that, for the kind of terminal."""


def choose_palette(ask: Callable[[], str] | None = None) -> Palette:
    """The palette that the player chose last; else light or dark like the terminal, and dark if that is unknown.

    Terminals with few colours, or with `NO_COLOR`, keep their own. `ask` returns the terminal's answer to a question
    about its background.
    """
    if not has_colours():
        return TERMINAL
    if remembered := _remembered():
        return remembered
    if Console().color_system in _FEW_COLOURS:
        return TERMINAL
    return LIGHT if is_light((ask or _ask_terminal)(), os.environ.get("COLORFGBG", "")) else DARK


def remember(palette: Palette) -> None:
    """Save the player's choice for later games; does nothing if the data folder is not writable."""
    with suppress(OSError):
        make_folder(_file().parent)
        write_whole(_file(), json.dumps({"palette": palette.name}) + "\n")


def is_light(answer: str, colorfgbg: str = "") -> bool:
    """Whether a background is light, by the terminal's answer, or else by the variable `COLORFGBG`.

    >>> is_light("\\x1b]11;rgb:ffff/ffff/ffff\\x1b\\\\"), is_light("", "15;0"), is_light("", "0;15")
    (True, False, True)
    """
    found = re.search(r"\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})", answer)
    if found:
        red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
        return bool(0.299 * red + 0.587 * green + 0.114 * blue > 0.5)
    return colorfgbg.rpartition(";")[2] in ("7", "15")


def _remembered() -> Palette | None:
    try:
        name = json.loads(_file().read_text(encoding="utf-8"))["palette"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return PALETTES.get(name) if isinstance(name, str) else None


def _file() -> Path:
    return data_folder() / "terminal.json"


def _ask_terminal() -> str:
    """The terminal's answer to `_QUESTION`; empty if it cannot be asked."""
    try:
        import termios
        import tty
    except ImportError:  # Windows
        return ""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return ""
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    answer = ""
    try:
        tty.setcbreak(number, termios.TCSANOW)
        sys.stdout.write(_QUESTION)
        sys.stdout.flush()
        end = time.monotonic() + _SECONDS
        # The last answer ends with c; to read all of it keeps it from being taken for keys.
        while not re.search(r"\x1b\[\?[0-9;]*c", answer):
            if not select.select([number], [], [], max(0.0, end - time.monotonic()))[0]:
                break
            answer += os.read(number, 1024).decode("ascii", "replace")
    finally:
        termios.tcsetattr(number, termios.TCSANOW, before)
    return answer
