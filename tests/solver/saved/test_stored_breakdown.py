"""Saved breakdowns: they load as they were saved, and unusable files are refused with the reason."""

import json
from pathlib import Path

import numpy as np
import pytest

from fivedice.analysis.reviews.perfect_scores import PERFECT_SCORES, perfect_scores
from fivedice.rulesets import load_ruleset
from fivedice.solver.play.breakdown import Breakdown, find_breakdown
from fivedice.solver.saved.kinds import BREAKDOWN, SOLUTION
from fivedice.solver.saved.saved_table import HEADER_BYTES, UnusableSolutionError
from fivedice.solver.solve import solve
from tests.solutions import breakdown_of

CRAG = load_ruleset("crag")


@pytest.fixture(scope="module")
def breakdown() -> Breakdown:
    return breakdown_of("crag")


@pytest.fixture
def path(breakdown: Breakdown, tmp_path: Path) -> Path:
    """The file of crag's breakdown in a new folder."""
    return BREAKDOWN.save(breakdown.solution, breakdown, tmp_path)


def test_a_breakdown_loads_as_it_was_saved(breakdown: Breakdown, path: Path) -> None:
    loaded = BREAKDOWN.load(breakdown.solution, path.parent)
    assert loaded is not None
    assert loaded.seconds == breakdown.seconds
    assert np.array_equal(loaded.parts, breakdown.parts)
    assert loaded.of_keep(0, 0, 2).tolist() == breakdown.of_keep(0, 0, 2).tolist()


def test_a_missing_file_is_none(breakdown: Breakdown, tmp_path: Path) -> None:
    assert BREAKDOWN.load(breakdown.solution, tmp_path / "nowhere") is None


def test_a_solution_and_its_breakdown_are_saved_side_by_side(breakdown: Breakdown, path: Path) -> None:
    SOLUTION.save(CRAG, breakdown.solution, path.parent)
    assert {p.suffix for p in path.parent.iterdir()} == {".solution", ".breakdown"}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (b'"format": 1', b'"format": 9', "is of other rules or another version: its format differs"),
        (CRAG.digest.encode(), b"0" * 16, "its digest differs"),
        (b'"rows": 8191', b'"rows": 8190', "its rows differs"),
        (b'"crc": ', b'"crc":1', "is damaged: its checksum does not match"),
        (b'"seconds": ', b'"minutes": ', "does not start with the header of a saved breakdown"),
        (b"{", b"[", "does not start with the header of a saved breakdown"),
    ],
)
def test_a_file_with_an_unusable_header_is_refused_with_the_reason(
    breakdown: Breakdown, path: Path, old: bytes, new: bytes, sentence: str
) -> None:
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    with pytest.raises(UnusableSolutionError, match=sentence) as caught:
        BREAKDOWN.load(breakdown.solution, path.parent)
    assert str(path) in str(caught.value)


def test_damaged_and_truncated_files_are_refused(breakdown: Breakdown, path: Path) -> None:
    data = bytearray(path.read_bytes())
    path.write_bytes(data[:-8])
    with pytest.raises(UnusableSolutionError, match="it is truncated or of other rules"):
        BREAKDOWN.load(breakdown.solution, path.parent)
    data[HEADER_BYTES + 12_345] ^= 1
    path.write_bytes(data)
    with pytest.raises(UnusableSolutionError, match="its checksum does not match"):
        BREAKDOWN.load(breakdown.solution, path.parent)


def test_a_solution_in_place_of_a_breakdown_is_refused(breakdown: Breakdown, tmp_path: Path) -> None:
    SOLUTION.save(CRAG, breakdown.solution, tmp_path)
    SOLUTION.path(CRAG, tmp_path).rename(BREAKDOWN.path(breakdown.solution, tmp_path))
    with pytest.raises(UnusableSolutionError, match="it is truncated or of other rules"):
        BREAKDOWN.load(breakdown.solution, tmp_path)


def test_files_with_their_former_names_are_still_found(tmp_path: Path) -> None:
    """Users have them on disk: a breakdown was a "table of sources", the distribution of perfect scores nameless."""
    solution = solve(load_ruleset("poker_dice[straight=above]"))
    breakdown, scores = find_breakdown(solution), perfect_scores(solution)
    for file, former, title in (
        (BREAKDOWN.save(solution, breakdown, tmp_path), "sources", "table of sources"),
        (PERFECT_SCORES.save(solution, scores, tmp_path), "distribution", "distribution of scores"),
    ):
        header = json.loads(file.read_bytes()[:HEADER_BYTES]) | {"fivedice": title}
        written = json.dumps(header).encode().ljust(HEADER_BYTES) + file.read_bytes()[HEADER_BYTES:]
        file.with_suffix(f".{former}").write_bytes(written)
        file.unlink()
    loaded = BREAKDOWN.load(solution, tmp_path)
    assert loaded
    assert np.array_equal(loaded.parts, breakdown.parts)
    found = PERFECT_SCORES.load(solution, tmp_path)
    assert found
    assert (found.first, found.chances.tolist()) == (scores.first, scores.chances.tolist())
    assert {path.suffix for path in tmp_path.iterdir()} == {".sources", ".distribution"}, "they are not written again"
    BREAKDOWN.save(solution, breakdown, tmp_path).write_bytes(b"")
    with pytest.raises(UnusableSolutionError, match="does not start with the header of a saved breakdown"):
        BREAKDOWN.load(solution, tmp_path)
