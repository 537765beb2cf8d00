"""Help, leaving the game, saving its record, and the review of a finished game."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from select import select

import pytest
from rich.text import Text

from fivedice.cli.commands.play import _review
from fivedice.cli.files.record_file import RecordFile
from fivedice.cli.progress import Progress
from fivedice.cli.terminal.app import TerminalGame, run_terminal
from fivedice.game.record import Record, parse_record
from tests.cli.terminal.terminal_game import Played, nearly_over, new_session, play_on, playing
from tests.waiting import wait_for, wait_for_async


async def test_help_opens_on_top_of_the_game_and_quitting_asks_once_and_saves_the_record() -> None:
    async with playing(new_session(dice="53213")) as game:
        await game.press("question_mark")
        assert "Small Straight 30 and Large Straight 40" in game.text
        await game.press("r question_mark")
        assert "3 rolls left" in game.text
        await game.press("question_mark ctrl+c r")
        assert "2 rolls left" in game.text
        await game.press("q")
        assert "Leave this game?" in game.text
        await game.press("escape")
        assert "Leave this game?" not in game.text
        await game.press("ctrl+c ctrl+c")
    assert parse_record(game.records[-1]).position.dice == (1, 2, 3, 3, 5)


async def test_a_game_is_given_up_after_one_question() -> None:
    async with playing(new_session(seats="Ann=human,greedy", dice="53213")) as game:
        await game.press("r g")
        assert "Give up this game?" in game.text
        await game.press("enter")
        assert "Give up this game?" not in game.text
        assert "2 rolls left" in game.text
        await game.press("g g")
        assert "You resigned." in game.text
    record = parse_record(game.records[-1])
    assert record.position.winners == (1,)
    assert record.lines == ["0: 12335, resign"]


async def test_a_closed_window_saves_the_record_unless_nothing_was_rolled() -> None:
    async with playing(new_session()) as game:
        await game.press("q")
        assert not game.app.is_running
    assert game.records == []
    async with playing(new_session()) as game:
        await game.press("r")
        signal.raise_signal(signal.SIGTERM)
        # The event loop delivers the signal, so let it run before waiting for messages.
        await asyncio.sleep(0)
        await game.settle()
        assert not game.app.is_running
    assert len(game.records) == 1


async def test_the_last_score_can_be_undone_after_the_game() -> None:
    async with playing(nearly_over(new_session())) as game:
        await play_on(game)
        assert "u undo" in game.screen[-1]
        await game.press("u")
        assert not game.session.position.is_over
        assert "not finished" not in game.words
        await game.press("enter")
        if not game.session.position.is_over:
            await game.press("enter")
        await game.press("q")
        assert game.session.position.is_over
    assert parse_record(game.records[-1]).position.is_over


@pytest.mark.parametrize(("key", "what"), [("n", "new game"), ("l", "learn"), ("q", "")])
async def test_a_finished_game_is_followed_by_a_new_one_or_by_lessons(key: str, what: str) -> None:
    async with playing(nearly_over(new_session())) as game:
        await game.press(key if key != "q" else "h")
        assert game.app.is_running
        await play_on(game)
        assert "n new game" in game.screen[-1]
        await game.press(key)
        assert not game.app.is_running
    assert game.app.return_value == what


def test_the_outcome_and_the_record_are_printed_after_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def roll_and_leave(game: TerminalGame) -> None:
        session.roll()

    monkeypatch.setattr(TerminalGame, "run", roll_and_leave)
    session, file = new_session(), tmp_path / "game.txt"
    session._write = RecordFile(file).save
    assert run_terminal(session) == ""
    saved = f"The game so far is in {file}; continue with: fivedice play --resume {file}"
    assert capsys.readouterr().out == f"The game is not finished.\n{saved}\n"
    monkeypatch.setattr(TerminalGame, "run", lambda game: session.resign())
    session = new_session()  # and is given up before its first roll
    session._write = RecordFile(tmp_path / "given up.txt").save
    run_terminal(session)
    assert capsys.readouterr().out.endswith(f"The record is in {tmp_path / 'given up.txt'}\n")


def test_a_record_that_could_not_be_saved_is_printed_even_after_a_crash(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(game: TerminalGame) -> None:
        session.roll()
        raise RuntimeError("no terminal")

    monkeypatch.setattr(TerminalGame, "run", fail)
    (tmp_path / "file").write_text("in the way")
    session = new_session()
    session._write = RecordFile(tmp_path / "file" / "game.txt").save
    with pytest.raises(RuntimeError, match="no terminal"):
        run_terminal(session)
    sentence, _, record = capsys.readouterr().out.partition("Here it is:\n\n")
    assert "The record could not be saved to " in sentence
    assert parse_record(record) == session.record


pty = pytest.importorskip("pty", reason="there are no such terminals on this system")


def test_a_closed_terminal_ends_a_game_that_gets_no_signal(tmp_path: Path) -> None:
    outside, inside = pty.openpty()
    command = [sys.executable, "-m", "fivedice", "play", "--rules", "crag"]
    environment = {**os.environ, "HOME": str(tmp_path), "TERM": "xterm-256color", "FIVEDICE_DATA": str(tmp_path)}
    with subprocess.Popen(  # noqa: S603
        command, stdin=inside, stdout=inside, stderr=inside, env=environment, start_new_session=True
    ) as game:
        os.close(inside)
        shown = b""

        def is_playing() -> bool:
            nonlocal shown
            if select([outside], [], [], 0)[0]:
                shown += os.read(outside, 65_536)
            return b"Crag, round 1" in shown

        try:
            wait_for(is_playing, "the game is on the screen")
            os.close(outside)
            wait_for(lambda: game.poll() is not None, "the game ends")
        finally:
            game.kill()


async def reviewed(game: Played) -> None:
    """Play to the end, press v, and wait for the review."""
    await play_on(game)
    await game.press("v")
    for thread in threading.enumerate():
        if thread.name == "review":
            await asyncio.to_thread(thread.join)
    await game.settle()


def numbered_lines(record: Record, width: int, report: Progress) -> list[Text]:
    report("Counting", 0.5)
    return [Text(f"line {number}") for number in range(1, 61)]


@pytest.mark.parametrize("key", ["v", "escape", "q"])
async def test_v_shows_the_review_with_scrolling_and_comes_back_to_the_ended_game(key: str) -> None:
    async with playing(nearly_over(new_session("crag")), review=numbered_lines) as game:
        await reviewed(game)
        assert "line 1" in game.screen[0]
        assert "line 60" not in game.text
        assert "Esc back" in game.screen[-1]
        await game.press("pagedown pagedown pagedown end")
        await wait_for_async(lambda: "line 60" in game.text, "Textual has scrolled, with an animation")
        await game.settle()
        await game.press(key)
        assert "n new game" in game.screen[-1]
        await game.press("v escape n")
        assert game.app.return_value == "new game"


@pytest.mark.usefixtures("shared_cache")
async def test_the_review_is_that_of_the_command_with_every_turn() -> None:
    async with playing(nearly_over(new_session("crag")), review=_review) as game:
        await reviewed(game)
        assert "lost in decisions" in game.text
        assert "Ann" in game.text
        await game.press("escape q")


async def test_a_review_that_fails_says_why_and_leads_back_and_rules_that_cannot_be_solved_have_none() -> None:
    def fail(record: Record, width: int, report: Progress) -> list[Text]:
        raise MemoryError("no room\nand a long story")

    async with playing(nearly_over(new_session("crag")), review=fail) as game:
        await reviewed(game)
        assert "There is no review, because the solver failed: no room" in game.text
        assert "story" not in game.text
        await game.press("escape q")
        assert not game.app.is_running
    async with playing(nearly_over(new_session("triple_yahtzee[rounds=3]")), review=fail) as game:
        await play_on(game)
        assert "v review" not in game.screen[-1]
        await game.press("v")
        assert "n new game" in game.screen[-1]
