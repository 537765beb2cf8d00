"""Saved solutions and breakdowns: they load as they were saved, and unusable files are refused with the reason."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from fivedice.rulesets import load_ruleset
from fivedice.solver.saved.saved_table import HEADER_BYTES, UnusableSolutionError, solutions_folder
from fivedice.solver.saved.store import BREAKDOWN, SOLUTION
from fivedice.solver.solution import Solution
from tests.solutions import breakdown_of, solution_of

CRAG = load_ruleset("crag")


@pytest.fixture(scope="module")
def crag() -> Solution:
    return solution_of("crag")


@pytest.fixture
def path(crag: Solution, tmp_path: Path) -> Path:
    """The file of crag's solution in a new folder."""
    return SOLUTION.save(CRAG, crag, tmp_path)


def test_a_solution_loads_as_it_was_saved(crag: Solution, path: Path) -> None:
    loaded = SOLUTION.load(CRAG, path.parent)
    assert loaded is not None
    assert loaded.num_turn_states == crag.num_turn_states
    assert np.array_equal(loaded.values, crag.values, equal_nan=True)


def test_a_breakdown_is_saved_beside_its_solution_and_loads_as_it_was_saved(crag: Solution, path: Path) -> None:
    breakdown = breakdown_of("crag")
    file = BREAKDOWN.save(crag, breakdown, path.parent)
    assert {file, path} == {*path.parent.iterdir()}
    loaded = BREAKDOWN.load(crag, path.parent)
    assert loaded is not None
    assert loaded.seconds == breakdown.seconds
    assert np.array_equal(loaded.parts, breakdown.parts)
    assert loaded.of_keep(0, 0, 2).tolist() == breakdown.of_keep(0, 0, 2).tolist()
    file.write_bytes(file.read_bytes().replace(b'"rows": 8191', b'"rows": 8190', 1))
    with pytest.raises(UnusableSolutionError, match="its rows differs"):
        BREAKDOWN.load(crag, path.parent)


def test_a_missing_file_is_none(tmp_path: Path) -> None:
    assert SOLUTION.load(CRAG, tmp_path / "nowhere") is None


def test_values_are_read_only_when_solved_and_when_loaded(crag: Solution, path: Path) -> None:
    loaded = SOLUTION.load(CRAG, path.parent)
    assert loaded is not None
    for solution in (crag, loaded):
        with pytest.raises(ValueError, match="read-only"):
            solution.values[0] = 1.0


def test_equal_rules_share_a_file(tmp_path: Path) -> None:
    paths = {SOLUTION.path(load_ruleset(id), tmp_path) for id in ("kniffel", "yahtzee_plain")}
    assert len(paths) == 1


def test_the_header_is_readable_text(path: Path) -> None:
    header = path.read_bytes()[:HEADER_BYTES].decode()
    assert header.endswith(" \n")
    assert json.loads(header)["digest"] == CRAG.digest


def damage(path: Path, how: str) -> None:
    """Damage a file in place."""
    data = bytearray(path.read_bytes())
    match how:
        case "a flipped bit":
            data[HEADER_BYTES + 12_345] ^= 1
        case "cut short":
            data = data[:-8]
        case "another format":
            data = bytearray(bytes(data).replace(b'"format": 1', b'"format": 9', 1))
        case "another digest":
            data = bytearray(bytes(data).replace(CRAG.digest.encode(), b"0" * 16, 1))
        case "another key":
            data = bytearray(bytes(data).replace(b'"seconds": ', b'"minutes": ', 1))
        case "no JSON":
            data[:HEADER_BYTES] = b"\xff" * HEADER_BYTES
        case "JSON nested deeply":
            data[:HEADER_BYTES] = b"[" * HEADER_BYTES
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("a flipped bit", "is damaged: its checksum does not match"),
        ("cut short", "it is truncated or of other rules"),
        ("another format", "is of other rules or another version: its format differs"),
        ("another digest", "its digest differs"),
        ("another key", "does not start with the header of a saved solution"),
        ("no JSON", "does not start with the header of a saved solution"),
        ("JSON nested deeply", "does not start with the header of a saved solution"),
    ],
)
def test_an_unusable_file_is_refused_with_the_reason(path: Path, how: str, sentence: str) -> None:
    damage(path, how)
    with pytest.raises(UnusableSolutionError, match=sentence) as caught:
        SOLUTION.load(CRAG, path.parent)
    assert str(path) in str(caught.value)


def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    SOLUTION.path(CRAG, tmp_path).mkdir(parents=True)
    with pytest.raises(UnusableSolutionError, match="cannot be read: Is a directory"):
        SOLUTION.load(CRAG, tmp_path)


def test_a_full_disk_leaves_the_old_file_and_no_other(
    crag: Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SOLUTION.save(CRAG, crag, tmp_path)
    before = sorted((p.name, p.read_bytes()) for p in tmp_path.iterdir())

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        SOLUTION.save(CRAG, crag, tmp_path)
    assert sorted((p.name, p.read_bytes()) for p in tmp_path.iterdir()) == before


def test_concurrent_saves_do_not_damage_the_file(crag: Solution, tmp_path: Path) -> None:
    def save_then_load(_: int) -> bool:
        SOLUTION.save(CRAG, crag, tmp_path)
        loaded = SOLUTION.load(CRAG, tmp_path)
        return loaded is not None and loaded.expected_score == crag.expected_score

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(save_then_load, range(40)))
    assert [p.name for p in tmp_path.iterdir()] == [SOLUTION.path(CRAG, tmp_path).name]


def test_the_default_folder_is_the_users_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FIVEDICE_CACHE", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *args, **kwargs: Path("/home/ann/.cache/fivedice"))
    assert solutions_folder() == Path("/home/ann/.cache/fivedice/solutions")
    monkeypatch.setenv("FIVEDICE_CACHE", "/elsewhere")
    assert solutions_folder() == Path("/elsewhere/solutions")
