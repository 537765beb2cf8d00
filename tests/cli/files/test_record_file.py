"""Files of records: unique names, atomic writes, and output of the record if writing fails."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from fivedice.cli.files.record_file import RecordFile, Saved
from fivedice.game.action import Score
from fivedice.game.record import Record, Seat, parse_record
from fivedice.rulesets import load_ruleset
from tests.cli.run_command import fivedice


@pytest.fixture
def record() -> Record:
    start = Record.start(load_ruleset("yahtzee"), (Seat("Ann", "human"),), "2026-11-21T10:00:00+00:00")
    return start.roll((1, 2, 3, 4, 5))


@pytest.fixture
def data_folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "records"


def test_a_record_gets_a_name_by_date_and_ruleset_and_keeps_it(record: Record, data_folder: Path) -> None:
    file, path = RecordFile(), data_folder / "20261121T100000-yahtzee.txt"
    for _ in range(2):
        assert str(path) in file.save(record).sentence
    assert parse_record(path.read_text()) == record
    assert list(data_folder.glob("*.txt")) == [path]


def test_games_begun_in_the_same_moment_get_different_files(record: Record, data_folder: Path) -> None:
    barrier, files = Barrier(20), [RecordFile() for _ in range(20)]

    def save(file: RecordFile) -> Saved:
        barrier.wait()
        return file.save(record)

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(save, files))
    assert [answer.problem for answer in answers] == [""] * 20
    assert len({answer.file for answer in answers}) == len(list(data_folder.glob("*.txt"))) == 20


def test_a_game_that_is_open_in_one_window_cannot_be_opened_in_another(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    first = RecordFile(file)
    first.save(record)
    again = fivedice("play", "--resume", str(file), lines="chance\nquit\n")
    assert (again.status, "this game is open in another window" in again.err) == (2, True)
    (tmp_path / "link.txt").symlink_to(file)
    assert "open in another window" in fivedice("play", "--resume", str(tmp_path / "link.txt")).err
    first.close()
    assert fivedice("play", "--resume", str(file), lines="chance\nquit\n").status == 0
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".lock"] == []


def test_a_new_record_belongs_to_the_game_that_was_begun_first(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    first = RecordFile(file)
    first.hold()
    assert "open in another window" in fivedice("play", "--record", str(file), lines="roll\nquit\n").err
    assert not file.exists()


def test_a_record_that_something_else_has_changed_is_not_written_over(record: Record, tmp_path: Path) -> None:
    game, file = RecordFile(tmp_path / "game.txt"), tmp_path / "game.txt"
    game.save(record)
    file.write_text("edited")
    later = record.play(Score("chance"))
    saved = game.save(later)
    assert saved.problem == f"{file} was changed by another program; this game goes on in {tmp_path / 'game-2.txt'}."
    assert file.read_text() == "edited"
    assert parse_record((tmp_path / "game-2.txt").read_text()) == later
    assert game.save(later).problem == ""


def test_a_record_that_cannot_be_written_is_printed_instead(record: Record, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    saved = RecordFile(tmp_path / "file" / "game.txt").save(record)
    assert saved.problem.startswith(f"The record could not be saved to {tmp_path / 'file' / 'game.txt'} (")
    assert saved.sentence == f"{saved.problem} Here it is:\n\n{record}"


def test_a_full_disk_leaves_the_earlier_record_intact(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = RecordFile(tmp_path / "game.txt")
    file.save(record)
    before = (tmp_path / "game.txt").read_text()

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    assert "No space left on device" in file.save(record).problem
    assert (tmp_path / "game.txt").read_text() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [".game.txt.lock", "game.txt"]


def test_a_finished_game_is_not_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    fivedice("play", "--seats", "random", "--record", str(file))
    assert "this game is over" in fivedice("play", "--resume", str(file)).err
