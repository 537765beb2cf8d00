"""The `Palette`s of the terminal game: the colours of the page, light and dark, and the terminal's own; which one is
used is the one that the player chose last, or the one that suits the terminal.
"""

import json
import os
import re
import select
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from textual.theme import BUILTIN_THEMES, Theme

from fivedice.base.data_folder import data_folder, make_folder
from fivedice.cli.files.record_file import write_whole


@dataclass(frozen=True, slots=True)
class Palette:
    """Textual styles for what the game shows. `name` is for people; `theme` has the colours of text and ground.

    `die` and `kept` are colours of dice drawn as tiles, with pips in `pip`, or in `pips` by the name of the face's
    colour; empty if dice are drawn as outlines.
    """

    name: str
    theme: Theme
    quiet: str
    offer: str
    best: str
    cursor: str
    mover: str
    warning: str
    die: str = ""
    kept: str = ""
    pip: str = "#211f1b"
    pips: tuple[tuple[str, str], ...] = (("red", "#b3261e"), ("green", "#1f7a3d"))

    def pip_colour(self, colour: str) -> str:
        """The colour of the pips of faces of a named colour; the usual one for faces without, or an unknown name."""
        return dict(self.pips).get(colour, self.pip)


LIGHT = Palette(
    name="light",
    theme=Theme(
        name="fivedice-light",
        primary="#1d4f45",
        foreground="#211f1b",
        background="#f4f0e6",
        surface="#fffdf7",
        panel="#f3efe2",
        dark=False,
    ),
    quiet="#5e594f",
    offer="#1d4f45",
    best="bold #1d6f3f",
    cursor="bold #ffffff on #1d4f45",
    mover="bold #1d4f45",
    warning="#a23a12",
    die="#ffffff",
    kept="#b9d8c8",
)

DARK = Palette(
    name="dark",
    theme=Theme(
        name="fivedice-dark",
        primary="#7fd1bb",
        foreground="#ece9e2",
        background="#17181a",
        surface="#202225",
        panel="#292c30",
        dark=True,
    ),
    quiet="#8f8a80",
    offer="#7fd1bb",
    best="bold #74d399",
    cursor="bold #10211c on #7fd1bb",
    mover="bold #7fd1bb",
    warning="#ffa07a",
    die="#f1ede3",
    kept="#9fd3bd",
)

TERMINAL = Palette(
    name="terminal",
    theme=BUILTIN_THEMES["ansi-dark"],
    quiet="dim",
    offer="ansi_green",
    best="bold ansi_green",
    cursor="bold reverse",
    mover="bold",
    warning="bold ansi_yellow",
    pip="",
    pips=(("red", "ansi_red"), ("green", "ansi_green")),
)
"""The terminal's own 16 colours, for terminals with no more, and without any colour if `NO_COLOR` is set."""

PALETTES = {palette.name: palette for palette in (DARK, LIGHT, TERMINAL)}


def next_palette(palette: Palette) -> Palette:
    """The palette after this one, in turn."""
    names = list(PALETTES)
    return PALETTES[names[(names.index(palette.name) + 1) % len(names)]]


def has_colours() -> bool:
    """Whether the environment allows colours."""
    return "NO_COLOR" not in os.environ


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
