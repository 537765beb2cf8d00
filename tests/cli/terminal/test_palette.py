"""The colours of the terminal game: by the terminal, by choice, and without."""

import json
import os
import sys
from pathlib import Path
from threading import Thread

import pytest
from rich.style import Style

from fivedice.cli.terminal.palette import DARK, LIGHT, TERMINAL, Palette, _ask_terminal, choose_palette, remember
from tests.amount import cases
from tests.cli.terminal.terminal_game import Played, new_session, playing, with_turns

WHITE, BLACK = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?1;2c", "\x1b]11;rgb:1717/1818/1a1a\x07\x1b[?62c"


def styles(game: Played, text: str) -> list[Style]:
    """The styles of all parts of the screen that have this text."""
    segments = [segment for strip in game.app.screen._compositor.render_strips() for segment in strip]
    return [segment.style for segment in segments if segment.style and segment.text.strip() == text]


def cursor_style(game: Played) -> Style:
    segments = [segment for strip in game.app.screen._compositor.render_strips() for segment in strip]
    return next(segment.style for segment in segments if segment.style and segment.text.startswith("▸"))


def hexadecimal(style: Style) -> tuple[str, str]:
    assert style.color
    assert style.bgcolor
    return style.color.get_truecolor().hex, style.bgcolor.get_truecolor().hex


def test_the_palette_follows_the_terminal_with_its_colours_until_the_player_chooses_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("COLORFGBG", "NO_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("rich.console.Console.color_system", "standard")
    assert choose_palette(lambda: WHITE) is TERMINAL
    monkeypatch.setattr("rich.console.Console.color_system", "truecolor")
    assert choose_palette(lambda: WHITE) is LIGHT
    assert choose_palette(lambda: BLACK) is DARK
    assert choose_palette(lambda: "") is DARK
    monkeypatch.setenv("COLORFGBG", "0;15")
    assert choose_palette(lambda: "") is LIGHT
    remember(DARK)
    assert json.loads((tmp_path / "data" / "terminal.json").read_text()) == {"palette": "dark"}
    assert choose_palette(lambda: WHITE) is DARK
    monkeypatch.setenv("NO_COLOR", "1")
    assert choose_palette(lambda: WHITE) is TERMINAL


async def test_t_changes_the_colours_and_the_choice_is_remembered(tmp_path: Path) -> None:
    session = new_session(dice="53213")
    session.roll()
    async with playing(session, palette=DARK) as game:
        seen = []
        for _ in range(3):
            seen.append((game.app.theme, "▗▄▄▄▄▄▖" in game.text))
            await game.press("t")
            name = json.loads((tmp_path / "data" / "terminal.json").read_text())["palette"]
            assert name == game.app._palette.name
        assert seen == [("fivedice-dark", True), ("fivedice-light", True), ("ansi-dark", False)]
        assert game.app.theme == "fivedice-dark"


@pytest.mark.parametrize("palette", cases([DARK], full=[DARK, LIGHT]))
async def test_the_colours_are_those_of_the_page_and_only_after_the_last_roll_the_best_box_stands_out(
    palette: Palette,
) -> None:
    session = new_session(dice="532135321353213")
    async with playing(with_turns(session, ("12345", "yahtzee"), ("33345", "threes")), palette=palette) as game:
        ground = palette.theme.background
        await game.press("r")
        assert hexadecimal(styles(game, "·5")[0]) == (palette.offer, ground)
        assert hexadecimal(cursor_style(game)) == (palette.offer, ground)
        await game.press("down")
        assert hexadecimal(styles(game, "·14")[0]) == (palette.offer, ground)
        assert hexadecimal(cursor_style(game))[1] == palette.cursor.rpartition(" ")[2]
        await game.press("r r down")
        assert hexadecimal(styles(game, "·0")[0]) == (palette.quiet, ground)
        assert hexadecimal(styles(game, "·5")[0]) == (palette.offer, ground)
        assert hexadecimal(styles(game, "·14")[0]) == (palette.best.removeprefix("bold "), ground)
        assert hexadecimal(styles(game, "0")[0]) == (palette.quiet, ground)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_terminal_is_asked_for_its_background_and_its_answer_is_not_left_as_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import pty
    import termios

    outside, inside = pty.openpty()
    asked: list[bytes] = []

    def answer() -> None:
        while not asked or not asked[-1].endswith(b"\x1b[c"):
            asked.append(os.read(outside, 100))
        os.write(outside, WHITE.encode())

    terminal = Thread(target=answer)
    terminal.start()
    before = termios.tcgetattr(inside)
    with open(inside, closefd=False) as keys, open(inside, "w", closefd=False) as screen:
        monkeypatch.setattr(sys, "stdin", keys)
        monkeypatch.setattr(sys, "stdout", screen)
        reply = _ask_terminal()
        monkeypatch.undo()
    terminal.join()
    assert reply == WHITE
    assert b"".join(asked).startswith(b"\x1b]11;?")
    assert termios.tcgetattr(inside) == before
    os.close(inside)
    os.close(outside)
