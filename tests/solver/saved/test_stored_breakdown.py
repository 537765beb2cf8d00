"""Saved breakdowns: they load as they were saved, and unusable files are refused with the reason."""

from pathlib import Path

import numpy as np
import pytest

from fivedice.rulesets import load_ruleset
from fivedice.solver.play.breakdown import Breakdown
from fivedice.solver.saved.store import (
    HEADER_BYTES,
    UnusableSolutionError,
    breakdown_path,
    load_breakdown,
    save_breakdown,
    save_solution,
    solution_path,
)
from tests.solutions import breakdown_of

CRAG = load_ruleset("crag")


@pytest.fixture(scope="module")
def breakdown() -> Breakdown:
    return breakdown_of("crag")


@pytest.fixture
def path(breakdown: Breakdown, tmp_path: Path) -> Path:
    """The file of crag's breakdown in a new folder."""
    return save_breakdown(breakdown, tmp_path)


def test_a_breakdown_loads_as_it_was_saved(breakdown: Breakdown, path: Path) -> None:
    loaded = load_breakdown(breakdown.solution, path.parent)
    assert loaded is not None
    assert loaded.seconds == breakdown.seconds
    assert np.array_equal(loaded.parts, breakdown.parts)
    assert loaded.of_keep(0, 0, 2).tolist() == breakdown.of_keep(0, 0, 2).tolist()


def test_a_missing_file_is_none(breakdown: Breakdown, tmp_path: Path) -> None:
    assert load_breakdown(breakdown.solution, tmp_path / "nowhere") is None


def test_a_solution_and_its_breakdown_are_saved_side_by_side(breakdown: Breakdown, path: Path) -> None:
    save_solution(breakdown.solution, path.parent)
    assert {p.suffix for p in path.parent.iterdir()} == {".solution", ".sources"}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (b'"format": 1', b'"format": 9', "is of other rules or another version: its format differs"),
        (CRAG.digest.encode(), b"0" * 16, "its digest differs"),
        (b'"rows": 8191', b'"rows": 8190', "its rows differs"),
        (b'"crc": ', b'"crc":1', "is damaged: its checksum does not match"),
        (b'"seconds": ', b'"minutes": ', "does not start with the header of a saved table of sources"),
        (b"{", b"[", "does not start with the header of a saved table of sources"),
    ],
)
def test_a_file_with_an_unusable_header_is_refused_with_the_reason(
    breakdown: Breakdown, path: Path, old: bytes, new: bytes, sentence: str
) -> None:
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    with pytest.raises(UnusableSolutionError, match=sentence) as caught:
        load_breakdown(breakdown.solution, path.parent)
    assert str(path) in str(caught.value)


def test_damaged_and_truncated_files_are_refused(breakdown: Breakdown, path: Path) -> None:
    data = bytearray(path.read_bytes())
    path.write_bytes(data[:-8])
    with pytest.raises(UnusableSolutionError, match="it is truncated or of other rules"):
        load_breakdown(breakdown.solution, path.parent)
    data[HEADER_BYTES + 12_345] ^= 1
    path.write_bytes(data)
    with pytest.raises(UnusableSolutionError, match="its checksum does not match"):
        load_breakdown(breakdown.solution, path.parent)


def test_a_solution_in_place_of_a_breakdown_is_refused(breakdown: Breakdown, tmp_path: Path) -> None:
    save_solution(breakdown.solution, tmp_path)
    solution_path(CRAG, tmp_path).rename(breakdown_path(CRAG, tmp_path))
    with pytest.raises(UnusableSolutionError, match="it is truncated or of other rules"):
        load_breakdown(breakdown.solution, tmp_path)
