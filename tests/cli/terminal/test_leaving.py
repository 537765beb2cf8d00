"""Help, leaving the game, and saving its record."""

import asyncio
import signal
from pathlib import Path

import pytest

from fivedice.cli.records.record_file import RecordFile
from fivedice.cli.terminal import TerminalGame, run_terminal
from fivedice.game.record import parse_record
from tests.cli.terminal.terminal_game import Played, nearly_over, new_session, play, play_on


def test_help_opens_on_top_of_the_game() -> None:
    async def test(game: Played) -> None:
        await game.press("question_mark")
        assert "Small Straight 30 and Large Straight 40" in game.text
        await game.press("r question_mark")
        assert "3 rolls left" in game.text
        await game.press("question_mark ctrl+c r")
        assert "2 rolls left" in game.text

    play(new_session(), test)


def test_quitting_a_running_game_asks_once_and_saves_the_record() -> None:
    async def test(game: Played) -> None:
        await game.press("r q")
        assert "Leave this game?" in game.text
        await game.press("escape")
        assert game.records == []
        await game.press("ctrl+c ctrl+c")

    game = play(new_session(dice="53213"), test)
    assert parse_record(game.records[0]).position.dice == (1, 2, 3, 3, 5)


def test_a_closed_window_saves_the_record() -> None:
    async def test(game: Played) -> None:
        await game.press("r")
        signal.raise_signal(signal.SIGTERM)
        # The event loop delivers the signal, so let it run before waiting for messages.
        await asyncio.sleep(0)
        await game.settle()

    assert len(play(new_session(), test).records) == 1


def test_quitting_before_the_first_roll_saves_nothing() -> None:
    async def test(game: Played) -> None:
        await game.press("q")
        assert not game.app.is_running

    assert play(new_session(), test).records == []


def test_the_last_score_can_be_undone_until_the_record_is_saved() -> None:
    async def test(game: Played) -> None:
        await play_on(game)
        assert "Enter saves the record; u undoes the last score." in game.words
        await game.press("u")
        assert not game.session.position.is_over
        await game.press("enter")
        if not game.session.position.is_over:
            await game.press("enter")
        await game.press("enter u q")
        assert game.session.position.is_over

    assert len(play(nearly_over(new_session()), test).records) == 1


def test_the_outcome_and_the_record_are_printed_after_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def roll_and_leave(game: TerminalGame) -> None:
        session.roll()

    monkeypatch.setattr(TerminalGame, "run", roll_and_leave)
    session = new_session()
    run_terminal(session, lambda record: "The record is in /tmp/a-game.txt")
    assert capsys.readouterr().out == "The game is not finished.\nThe record is in /tmp/a-game.txt\n"


def test_a_record_that_could_not_be_saved_is_printed_even_after_a_crash(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(game: TerminalGame) -> None:
        session.roll()
        raise RuntimeError("no terminal")

    monkeypatch.setattr(TerminalGame, "run", fail)
    (tmp_path / "file").write_text("in the way")
    session = new_session()
    with pytest.raises(RuntimeError, match="no terminal"):
        run_terminal(session, RecordFile(tmp_path / "file" / "game.txt").save)
    sentence, _, record = capsys.readouterr().out.partition("Here it is:\n\n")
    assert "The record could not be saved to " in sentence
    assert parse_record(record) == session.record
