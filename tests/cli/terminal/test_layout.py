"""The layout in terminals of any size, and without colours."""

import pytest

from fivedice.cli.terminal.board import Board
from fivedice.cli.terminal.card_widget import Card
from fivedice.cli.terminal.dice_widget import GUTTER, MESSAGE_WIDTH, DiceRow, arrange
from fivedice.cli.terminal.palette import DARK
from fivedice.rulesets import load_ruleset, ruleset_ids
from tests.amount import cases
from tests.cli.terminal.terminal_game import new_session, playing

ONE_COLUMN = [id for id in ruleset_ids() if len(load_ruleset(id).columns) == 1]


@pytest.mark.parametrize("rules", ONE_COLUMN)
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
