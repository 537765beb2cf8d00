"""The limit of saved solutions, and the commands that list and delete them."""

import os
from pathlib import Path

import pytest

from fivedice.base.errors import MalformedError
from fivedice.rulesets import load_ruleset
from fivedice.solver.saved.saved_table import keep_within_limit, kept_tables, limit_bytes
from fivedice.solver.saved.store import SOLUTION
from tests.solutions import solution_of


def table(folder: Path, digest: str, megabytes: int, used: int) -> Path:
    file = folder / f"{digest}-1.solution"
    with file.open("wb") as opened:
        opened.truncate(megabytes * 10**6)
    os.utime(file, (used, used))
    return file


def test_what_was_used_longest_ago_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEDICE_CACHE_MB", "10")
    old, middle, new = (table(tmp_path, digest, 4, used) for digest, used in (("a", 1), ("b", 2), ("c", 3)))
    moments = tmp_path / "a-1.moments"
    moments.write_bytes(b"belongs to a")
    os.utime(moments, (1, 1))
    unfinished, draft = tmp_path / "d-1.unfinished", tmp_path / ".c-1.solution-draft"
    for file in (unfinished, draft):
        file.touch()
    keep_within_limit(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([draft, middle, new, unfinished])
    assert not old.exists()
    huge = table(tmp_path, "e", 4_000, 0)  # solved on disk
    keep_within_limit(tmp_path)
    assert sorted(tmp_path.glob("[a-z]*.solution")) == sorted([middle, new, huge])


def test_the_solution_in_use_stays_whatever_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEDICE_CACHE_MB", "0")
    table(tmp_path, "a", 1, 1)
    SOLUTION.save(load_ruleset("crag"), solution_of("crag"), tmp_path)
    assert [one.digest for one in kept_tables(tmp_path)] == [load_ruleset("crag").digest]
    assert SOLUTION.load(load_ruleset("crag"), tmp_path)
    monkeypatch.setenv("FIVEDICE_CACHE_MB", "much")
    with pytest.raises(MalformedError, match="FIVEDICE_CACHE_MB='much': want a number of megabytes"):
        limit_bytes()


def test_loading_a_solution_is_a_use(tmp_path: Path) -> None:
    for ref in ("crag", "generala"):  # any two: only the times of their files matter
        os.utime(SOLUTION.save(load_ruleset(ref), solution_of(ref), tmp_path), (1, 1) if ref == "crag" else (2, 2))
    SOLUTION.load(load_ruleset("crag"), tmp_path)
    assert [one.digest for one in kept_tables(tmp_path)] == [load_ruleset(ref).digest for ref in ("crag", "generala")]
