"""Snapshots of the screen as text, with the numbers of its lines, in terminals of 80×24, 120×40 and 160×50.

After a change of the screen, rewrite them with `pytest tests/cli/terminal/test_snapshots.py --write-golden`, and look
at the difference.
"""

from pathlib import Path

import pytest

from fivedice.cli.game.session import Session
from fivedice.cli.terminal.palette import DARK
from fivedice.players import Greedy
from tests.cli.terminal.terminal_game import nearly_over, new_session, playing, with_turns

FOLDER = Path(__file__).parent / "snapshots"
SIZES = ((80, 24), (120, 40), (160, 50))
TURNS = (("11123", "ones"), ("55566", "full_house"), ("23456", "large_straight"), ("12346", "yahtzee"))


def yahtzee() -> Session:
    return with_turns(new_session(seats="Ann=human,greedy", dice="25545 44"), *TURNS)


def kismet() -> Session:
    return new_session("kismet", "Ann=human,Ben=human", dice="25341 256")


def ended() -> Session:
    return nearly_over(new_session(seats="Ann=human,greedy"), 0, Greedy())


SCREENS = {
    "turn": (yahtzee, "r 2 3 5 r 1"),
    "kismet": (kismet, "r 1 2 r 4"),
    "question": (yahtzee, "r down down enter"),
    "ending": (ended, ""),
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
