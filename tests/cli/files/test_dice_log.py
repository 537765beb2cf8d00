"""The log of dice: places, undone turns, and damaged or foreign logs."""

import random
from pathlib import Path

import pytest

from fivedice.cli.files.dice_log import DiceLog, log_of, parse_dice_log
from fivedice.cli.files.record_file import RecordFile
from fivedice.cli.game.session import Session
from fivedice.game.action import Score
from fivedice.game.record import Record, Seat
from fivedice.players import Greedy, Human, Player
from fivedice.rulesets import load_ruleset

PERSON = Human(lambda position: Score("chance"))


def new_session(file: Path, *players: Player, seed: int = 1) -> Session:
    seats = tuple(Seat(f"p{number}", "human") for number in range(len(players)))
    record = Record.start(load_ruleset("yahtzee"), seats, "2026-11-21T10:00:00+00:00")
    return Session(record, players, random.Random(seed), RecordFile(file).save)


def resumed(file: Path, session: Session, seed: int = 99) -> Session:
    """The session after a restart, with other dice from here on."""
    session._write.__self__.close()  # type: ignore[attr-defined]
    saved = RecordFile(file)
    chance = random.Random(seed)
    return Session(session.record, session.players, chance, saved.save, saved.load_log(session.record, chance))


def test_dice_and_marks_are_in_their_places_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    session = new_session(file, PERSON)
    session.roll()
    session.keep([False, True, False, True, False])
    assert session.places != sorted(session.places)
    after = resumed(file, session)
    assert (after.places, after.kept) == (session.places, [False, True, False, True, False])


def test_a_roll_that_is_only_in_the_log_is_made_again_with_the_same_dice(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    session = new_session(file, PERSON)
    session.roll()
    before = session.record
    session.keep([True, False, False, False, False])
    after = Session(
        before, session.players, random.Random(99), log=RecordFile(file).load_log(before, random.Random(99))
    )
    after.keep([True, False, False, False, False])
    assert after.places == session.places


def test_the_log_is_removed_at_the_end_of_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    session = new_session(file, Greedy())
    session.roll()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".game.txt.dice", ".game.txt.lock", "game.txt"]
    while not session.position.is_over:
        session.step()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".game.txt.lock", "game.txt"]


def test_without_a_log_dice_are_sorted_and_equal_dice_keep_their_places() -> None:
    record = Record.start(load_ruleset("yahtzee"), (Seat("Ann", "human"),), "2026-11-21T10:00:00+00:00")
    session = Session(record, (PERSON,), random.Random(1))
    session.roll()
    session.keep([True, True, False, False, False])
    log = log_of(random.Random(2), 6, session.record.turns)
    assert sorted(log.places) == sorted(session.places)
    assert sum(log.kept) == 2
    assert log.turns[0].rolls[0].dice == session.record.turns[0].rolls[0]


def test_a_log_is_parsed_as_it_was_written() -> None:
    log = DiceLog(random.Random(3), 6)
    log.start(5)
    log.reroll([False, True, True, False, False])
    log.start(5)
    log.undo(1, 1)
    text = str(log)
    assert [line.partition(":")[0] for line in text.splitlines()[1:]] == ["turn 0", "undone 0.1", "undone 1.0"]
    record = Record.start(load_ruleset("yahtzee"), (Seat("Ann", "human"),), "2026-11-21T10:00:00+00:00")
    turns = record.roll(tuple(log.places)).turns
    assert str(parse_dice_log(text, random.Random(4), 6, turns)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fivedice dice 2\n",
        "fivedice dice 1\n",
        "fivedice dice 1\nturn 1: 12345\n",
        "fivedice dice 1\nturn 0: 11111\n",
        "fivedice dice 1\nturn 0: 12345\nundone 1.0: 99999\n",
        "fivedice dice 1\nturn 0: 12345\nundone 1.0: x\n",
    ],
)
def test_a_damaged_or_foreign_log_is_reported_and_does_not_stop_a_game(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = Record.start(load_ruleset("yahtzee"), (Seat("Ann", "human"),), "2026-11-21T10:00:00+00:00")
    record = record.roll((5, 4, 3, 2, 1))
    with pytest.raises(ValueError, match=r"."):
        parse_dice_log(text, random.Random(1), 6, record.turns)
    (tmp_path / ".game.txt.dice").write_text(text)
    assert RecordFile(tmp_path / "game.txt").load_log(record, random.Random(1)).places == [1, 2, 3, 4, 5]
    assert ".game.txt.dice cannot be used: " in capsys.readouterr().err
