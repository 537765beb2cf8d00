"""The layout and the colours in terminals of any size, and snapshots of the screen as text.

After a change of the screen, rewrite the snapshots with `pytest tests/cli/terminal/test_layout.py --write-golden`, and
look at the difference.
"""

import json
import os
import sys
from pathlib import Path
from threading import Thread

import pytest

from fivedice.cli.game.session import Session
from fivedice.cli.terminal.board import Board
from fivedice.cli.terminal.card_widget import Card
from fivedice.cli.terminal.dice_widget import GUTTER, MESSAGE_WIDTH, DiceRow, arrange
from fivedice.cli.terminal.palette import DARK, LIGHT, TERMINAL, Palette, _ask_terminal, choose_palette, remember
from fivedice.players import Greedy
from fivedice.rulesets import load_ruleset, ruleset_ids
from tests.amount import cases
from tests.cli.terminal.terminal_game import Played, nearly_over, new_session, playing, with_turns


@pytest.mark.parametrize("rules", [id for id in ruleset_ids() if len(load_ruleset(id).columns) == 1])
def test_card_dice_and_messages_of_two_seats_have_room_in_80_by_24(rules: str) -> None:
    ruleset = load_ruleset(rules)
    width, height = Card(Board(new_session(rules, "Ann=human,greedy"))).natural_size
    layout = arrange(78, 23, width, height, ruleset.dice)
    beside = layout.shape.width + GUTTER + MESSAGE_WIDTH * layout.are_messages_beside
    assert (width + beside if layout.is_beside else max(width, beside)) <= 78
    assert (max(height, layout.shape.height) if layout.is_beside else height + layout.shape.height) <= 23


async def test_the_card_follows_the_cursor_in_a_small_terminal() -> None:
    async with playing(new_session(dice="53213")) as game:
        await game.press("r")
        for size in ((80, 12), (40, 20), (30, 18)):
            await game.pilot.resize_terminal(*size)
            await game.settle()
            assert game.chosen == "Chance"
            assert game.line("Total")
            await game.press("down")
            assert game.chosen == "Ones"
            await game.press("up")


@pytest.mark.parametrize(
    "size", cases([(1, 1), (200, 3), (12, 60)], full=[(1, 1), (5, 3), (20, 5), (200, 3), (12, 60), (300, 100)])
)
async def test_the_game_works_at_any_size(size: tuple[int, int]) -> None:
    async with playing(new_session(seats="Ann=human,greedy,random"), size=size) as game:
        await game.press("r 1 down")
        await game.pilot.resize_terminal(80, 24)
        await game.settle()
        assert game.line("Total")
        await game.pilot.resize_terminal(*size)
        await game.press("enter r shift+right pagedown question_mark q q")


async def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with playing(new_session("kismet", dice="53213"), palette=DARK) as game:
        await game.press("r 1 down")
        styles = [segment.style for strip in game.app.screen._compositor.render_strips() for segment in strip]
        colours = {colour for style in styles if style for colour in (style.color, style.bgcolor) if colour}
        assert all(colour.is_default for colour in colours)
        assert (game.kept, game.chosen) == ("1", "Kismet")
        assert game.line("Fives").split()[-6:] == ["KEPT", "r", "green", "red", "black", "green"]


@pytest.mark.parametrize(
    ("columns", "keys"),
    [
        (80, "r roll 1–5 keep ↑↓ choose Enter score u undo h hint ? help q quit"),
        (40, "r roll Enter score ? help q quit"),
        (9, "? help"),
    ],
)
async def test_a_short_key_line_drops_the_obvious_keys(columns: int, keys: str) -> None:
    async with playing(new_session(), size=(columns, 24)) as game:
        await game.press("r 1")
        assert " ".join(game.screen[-1].split()) == keys


@pytest.mark.parametrize(("width", "is_beside", "has_pips"), [(78, True, True), (64, True, False), (38, False, None)])
def test_dice_have_pips_beside_the_card_and_shrink_if_there_is_no_room(
    width: int, is_beside: bool, has_pips: bool | None
) -> None:
    found = arrange(width, 23, card_width=33, card_height=17, num_dice=5)
    assert found.is_beside == is_beside
    assert has_pips is None or found.shape.has_pips == has_pips
    assert is_beside or not found.are_messages_beside


@pytest.mark.parametrize("rules", ["yahtzee", "kismet"])
def test_a_rolling_die_shows_other_faces_than_the_one_it_ends_with(rules: str) -> None:
    ruleset = load_ruleset(rules)
    row = DiceRow(ruleset)
    for face in range(1, ruleset.faces + 1):
        row.set_reactive(DiceRow.faces, (face,) * ruleset.dice)
        row._rolling = (True,) * (ruleset.dice - 1) + (False,)
        shown = []
        for step in range(1, ruleset.faces):
            row.set_reactive(DiceRow._tumbled, step)
            shown.append([row._shown_face(place) for place in range(ruleset.dice)])
        for place, faces in enumerate(zip(*shown, strict=True)):
            others = {one for one in range(1, ruleset.faces + 1) if one != face}
            assert set(faces) == (others if row._rolling[place] else {face})


WHITE, BLACK = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?1;2c", "\x1b]11;rgb:1717/1818/1a1a\x07\x1b[?62c"


def colours(game: Played, text: str) -> tuple[str, str]:
    """The colour and the background of the first part of the screen that is this text, or begins with a cursor."""
    for segment in (segment for strip in game.app.screen._compositor.render_strips() for segment in strip):
        if segment.style and (segment.text.strip() == text or segment.text[:1] == text == "▸"):
            assert segment.style.color
            assert segment.style.bgcolor
            return segment.style.color.get_truecolor().hex, segment.style.bgcolor.get_truecolor().hex
    raise AssertionError(text)


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
        assert colours(game, "·5") == (palette.offer, ground)
        assert colours(game, "▸") == (palette.offer, ground)
        await game.press("down")
        assert colours(game, "·14") == (palette.offer, ground)
        assert colours(game, "▸")[1] == palette.cursor.rpartition(" ")[2]
        await game.press("r r down")
        assert colours(game, "·0") == (palette.quiet, ground)
        assert colours(game, "·5") == (palette.offer, ground)
        assert colours(game, "·14") == (palette.best.removeprefix("bold "), ground)
        assert colours(game, "0") == (palette.quiet, ground)


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


FOLDER = Path(__file__).parent / "snapshots"
SIZES = ((80, 24), (120, 40), (160, 50))
TURNS = (("11123", "ones"), ("55566", "full_house"), ("23456", "large_straight"), ("12346", "yahtzee"))


def yahtzee() -> Session:
    return with_turns(new_session(seats="Ann=human,greedy", dice="25545 44"), *TURNS)


def kismet() -> Session:
    return new_session("kismet", "Ann=human,Ben=human", dice="25341 256")


SCREENS = {
    "turn": (yahtzee, "r 2 3 5 r 1"),
    "kismet": (kismet, "r 1 2 r 4"),
    "question": (yahtzee, "r down down enter"),
    "ending": (lambda: nearly_over(new_session(seats="Ann=human,greedy"), 0, Greedy()), ""),
    "help": (yahtzee, "question_mark"),
}


@pytest.mark.parametrize("name", SCREENS)
async def test_the_screen_is_unchanged(name: str, request: pytest.FixtureRequest) -> None:
    begin, keys = SCREENS[name]
    shown: list[str] = []
    async with playing(begin(), palette=DARK) as game:
        await game.press(keys)
        for columns, rows in SIZES:
            await game.pilot.resize_terminal(columns, rows)
            await game.settle()
            assert len(game.screen) == rows
            shown.append(f"{columns}×{rows}")
            shown.extend(f"{number:>2} {line}" for number, line in enumerate(game.screen, start=1) if line)
    file, text = FOLDER / f"{name}.txt", "\n".join(shown) + "\n"
    if request.config.getoption("--write-golden"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def test_every_snapshot_belongs_to_a_screen() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.txt")) == sorted(SCREENS)
