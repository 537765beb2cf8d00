"""Reading and reviewing many records from files and folders."""

from pathlib import Path

import pytest

from fivedice.cli.files.record_set import read_records, reviews_of
from fivedice.game.record import Record, parse_record
from tests.cli.run_command import fivedice, played

pytestmark = pytest.mark.usefixtures("shared_cache")


def recorded(rules: str, file: Path) -> Record:
    return parse_record(played(file, rules, "Ann=random").read_text())


def test_the_default_is_the_users_own_records(tmp_path: Path) -> None:
    assert read_records([]) == ([], 0)
    own = tmp_path / "data" / "records"
    own.mkdir(parents=True)
    record = recorded("crag", own / "game.txt")
    (own / "notes.md").write_text("no record, and not called one")
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


def test_a_ruleset_too_large_to_solve_is_skipped_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = recorded("triple_yahtzee", tmp_path / "game.txt")
    capsys.readouterr()
    assert list(reviews_of([record], "there is no review of it")) == []
    warning = capsys.readouterr().err
    assert "triple_yahtzee is too large to solve exactly" in warning
    assert warning.endswith("; there is no review of it\n")
