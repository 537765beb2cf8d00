"""Files of records: unique names, atomic writes, and output of the record if writing fails."""

from pathlib import Path

import pytest

from fivedice.cli.records.record_file import RecordFile
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


def test_a_record_gets_a_name_by_date_and_ruleset(record: Record, data_folder: Path) -> None:
    sentence = RecordFile().save(record).sentence
    path = data_folder / "20261121T100000-yahtzee.txt"
    assert str(path) in sentence
    assert parse_record(path.read_text()) == record


def test_a_second_game_in_the_same_second_gets_a_different_name(record: Record, data_folder: Path) -> None:
    RecordFile().save(record)
    RecordFile().save(record)
    assert sorted(path.name for path in data_folder.iterdir()) == [
        "20261121T100000-yahtzee-2.txt",
        "20261121T100000-yahtzee.txt",
    ]


def test_a_game_is_saved_again_to_the_same_file(record: Record, data_folder: Path) -> None:
    file = RecordFile()
    file.save(record)
    file.save(record)
    assert len(list(data_folder.iterdir())) == 1


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
    assert [path.name for path in tmp_path.iterdir()] == ["game.txt"]


def test_an_unfinished_game_is_resumed_from_its_record(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    first = fivedice("play", "--seats", "Ann=human,greedy", "--record", str(file), lines="roll\nscore chance\nroll\n")
    assert f"fivedice play --resume {file}" in first.out
    before = parse_record(file.read_text())
    second = fivedice("play", "--resume", str(file), lines="score ones\nyes\nquit\n")
    after = parse_record(file.read_text())
    assert second.status == 0
    assert after.seats == before.seats
    assert after.turns[:2] == before.turns[:2]
    assert after.position.cards[0].num_filled == 2


def test_a_finished_game_is_not_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    fivedice("play", "--seats", "random", "--record", str(file))
    assert "this game is over" in fivedice("play", "--resume", str(file)).err
