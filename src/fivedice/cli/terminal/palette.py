"""The `Palette`s of the terminal game: the colours of the page, light and dark, and the terminal's own."""

import os
from dataclasses import dataclass

from textual.theme import BUILTIN_THEMES, Theme


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
    pip: str = ""
    pips: tuple[tuple[str, str], ...] = ()

    def pip_colour(self, colour: str) -> str:
        """The colour of the pips of faces of a named colour; the usual one for faces without, or an unknown name."""
        return dict(self.pips).get(colour, self.pip)


LIGHT = Palette(
    name="light",
    theme=Theme(
        name="fivedice-light",
        primary="#1d4f45",
        accent="#1d4f45",
        foreground="#211f1b",
        background="#f4f0e6",
        surface="#fffdf7",
        panel="#f3efe2",
        success="#1d6f3f",
        warning="#a23a12",
        error="#a23a12",
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
    pip="#211f1b",
    pips=(("red", "#b3261e"), ("green", "#1f7a3d")),
)

DARK = Palette(
    name="dark",
    theme=Theme(
        name="fivedice-dark",
        primary="#7fd1bb",
        accent="#7fd1bb",
        foreground="#ece9e2",
        background="#17181a",
        surface="#202225",
        panel="#292c30",
        success="#74d399",
        warning="#ffa07a",
        error="#ffa07a",
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
    pip="#211f1b",
    pips=(("red", "#b3261e"), ("green", "#1f7a3d")),
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
