"""The pictures of links: any table can be drawn, in any language, with the names as far as the fonts have them."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import fivedice
from fivedice.base.language import LANGUAGES
from fivedice.server.share.picture import table_picture
from fivedice.server.share.preview import Preview, PreviewSeat, sample_dice
from fivedice.server.share.typeface import Typeface
from fivedice.server.share.words import Words
from fivedice.server.table.state import State

FONTS = Path(fivedice.__file__).parent / "web" / "assets"
SEATS = (PreviewSeat("Ann", "person", 243), PreviewSeat("greedy", "greedy", 319))


def preview(*seats: PreviewSeat, state: State = State.PLAYING, game: str = "Yahtzee", **more: Any) -> Preview:
    """A preview in the seventh round."""
    return Preview(game=game, state=state, seats=seats or SEATS, round=7, rounds=13, dice=sample_dice(5, 6), **more)


def size_of(png: bytes) -> tuple[int, int]:
    """The width and height of a PNG, which is decoded completely."""
    image = Image.open(BytesIO(png))
    assert image.format == "PNG"
    image.load()
    return image.size


@pytest.fixture(params=["page", "pillow"])
def typeface(request: pytest.FixtureRequest, tmp_path: Path) -> Typeface:
    """The font of the page, and that of Pillow, as without a built page."""
    if request.param == "page" and not list(FONTS.glob("figtree*")):
        pytest.skip("the page is not built")
    return Typeface(FONTS if request.param == "page" else tmp_path)


@pytest.mark.parametrize(
    "shown",
    [
        preview(PreviewSeat("", "person", 0), state=State.OPEN),
        preview(*[PreviewSeat("x" * 40, "person", number) for number in range(12)], state=State.OPEN),
        preview(
            PreviewSeat("李小龍", "person", 9), PreviewSeat("👨\u200d👩\u200d👧 دانا", "person", 8), game="骰子 " * 40
        ),
        preview(PreviewSeat("Ann", "person", 243, 1, 15.2, 1.0), state=State.OVER, best=50),
        preview(
            *(PreviewSeat(f"seat {n}", "person", 99_999, 1, -0.4, 0.2) for n in range(5)), state=State.OVER, best=1
        ),
        preview(state=State.CLOSED, game="W" * 80),
        Preview(game="Twelve", state=State.PLAYING, seats=SEATS, round=1, rounds=2, dice=sample_dice(6, 20)),
        preview(state=State.OPENING, game="a word " * 30, colours=(("red", (2, 3)), ("blue", (1,)))),
    ],
)
def test_any_preview_can_be_drawn(shown: Preview, typeface: Typeface) -> None:
    for words in (Words(tag) for tag in LANGUAGES):
        assert size_of(table_picture(shown, words, typeface)) == (1_200, 630)


def test_characters_that_no_font_has_are_left_out(typeface: Typeface) -> None:
    assert typeface.shown("Ann 👨\u200d👩\u200d👧 李 B") == "Ann B"
    assert typeface.shown("李小龍") == ""
    same = [
        table_picture(preview(PreviewSeat(name, "person", 1)), Words("en"), typeface)
        for name in ("Ann 李", "Ann", "李小龍")
    ]
    assert same[0] == same[1] != same[2]
    assert same[2] == table_picture(preview(PreviewSeat("Player 1", "person", 1)), Words("en"), typeface)


def test_the_font_of_the_page_has_the_letters_of_its_languages() -> None:
    if not list(FONTS.glob("figtree*")):
        pytest.skip("the page is not built")
    text = "Zoë Łukasz Ørsted Åsa Öğün Žižka – “Größe” ½"
    assert Typeface(FONTS).shown(text) == text


def test_a_long_text_is_cut_where_it_fits(typeface: Typeface) -> None:
    cut = typeface.fit("W" * 40, 38, 500, 300)
    assert cut.endswith("…")
    assert typeface.width(cut, 38, 500) <= 300
    assert typeface.fit("Ann", 38, 500, 300) == "Ann"
