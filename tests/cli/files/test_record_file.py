"""Files of records: unique names, atomic writes, output of the record if writing fails, and reading many of them."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from fivedice.cli.files.record_file import RecordFile, Saved
from fivedice.cli.files.record_set import read_records, reviews_of
from fivedice.game.action import Score
from fivedice.game.record import Record, Seat, parse_record
from fivedice.rulesets import load_ruleset
from tests.cli.run_command import fivedice, played

pytestmark = pytest.mark.usefixtures("shared_cache")


@pytest.fixture
def record() -> Record:
    start = Record.start(load_ruleset("yahtzee"), (Seat("Ann", "human"),), "2026-11-21T10:00:00+00:00")
    return start.roll((1, 2, 3, 4, 5))


def test_a_record_gets_a_name_by_date_and_ruleset_and_keeps_it(record: Record, folder: Path) -> None:
    file, path = RecordFile(), folder / "20261121T100000-yahtzee.txt"
    for _ in range(2):
        assert str(path) in file.save(record).sentence
    assert parse_record(path.read_text()) == record
    assert list(folder.glob("*.txt")) == [path]


def test_games_begun_in_the_same_moment_get_different_files(record: Record, folder: Path) -> None:
    barrier, files = Barrier(20), [RecordFile() for _ in range(20)]

    def save(file: RecordFile) -> Saved:
        barrier.wait()
        return file.save(record)

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(save, files))
    assert [answer.problem for answer in answers] == [""] * 20
    assert len({answer.file for answer in answers}) == len(list(folder.glob("*.txt"))) == 20


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


def recorded(rules: str, file: Path) -> Record:
    return parse_record(played(file, rules, "Ann=random").read_text())


def test_the_default_is_the_users_own_records(folder: Path) -> None:
    assert read_records([]) == ([], 0)
    record = recorded("crag", folder / "game.txt")
    (folder / "notes.md").write_text("no record, and not called one")
    assert read_records([]) == ([record], 0)


def test_an_unreadable_record_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = recorded("crag", tmp_path / "good.txt")
    (tmp_path / "bad.txt").write_text("milk and eggs")
    assert read_records([str(tmp_path)]) == ([record], 1)
    assert "bad.txt, line 1: a record begins with" in capsys.readouterr().err


def test_two_versions_of_a_custom_ruleset_are_reviewed_separately(tmp_path: Path) -> None:
    rules = tmp_path / "house.toml"
    records = []
    for pays in (20, 26):
        rules.write_text(f'like = "crag"\nid = "house"\nabout = "Ours."\n[categories.thirteen]\npays = {pays}\n')
        file = tmp_path / f"{pays}.txt"
        fivedice("play", "--rules", str(rules), "--seats", "Ann=random", "--seed", "1", "--record", str(file))
        records.append(parse_record(file.read_text()))
    assert records[0].ruleset != records[1].ruleset
    assert str(records[0].ruleset) == str(records[1].ruleset)
    reviews = list(reviews_of(records, "unused"))
    assert [review.record for review in reviews] == records
    assert reviews[0].seats[0].start_value < reviews[1].seats[0].start_value
