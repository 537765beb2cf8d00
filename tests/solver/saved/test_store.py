"""Saved solutions and breakdowns: they load as they were saved, unusable files are refused with the reason, and those
used longest ago are deleted. Learned approximations are found again, and continued after an interruption."""

import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fivedice.base.errors import MalformedError
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.solver import learn as room
from fivedice.solver.approximate_solution import measure
from fivedice.solver.features import Game
from fivedice.solver.kernels.game_tables import Cards
from fivedice.solver.learn import Learning, learn
from fivedice.solver.saved.approximations import (
    APPROXIMATE,
    known_approximation,
    learn_approximation,
    shipped_approximation,
)
from fivedice.solver.saved.saved_table import (
    HEADER_BYTES,
    SHIPPED,
    UnusableSolutionError,
    has_approximation,
    keep_within_limit,
    kept_tables,
    limit_bytes,
    solutions_folder,
)
from fivedice.solver.saved.store import BREAKDOWN, SOLUTION
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import Array, States
from fivedice.testing import TINY
from tests.solutions import breakdown_of

CRAG = load_ruleset("crag")


@pytest.fixture
def path(crag: Solution, tmp_path: Path) -> Path:
    return SOLUTION.save(CRAG, crag, tmp_path)


def test_a_solution_loads_as_it_was_saved_below_a_readable_header_and_is_read_only(crag: Solution, path: Path) -> None:
    loaded: Any = SOLUTION.load(CRAG, path.parent)
    assert loaded.num_turn_states == crag.num_turn_states
    assert np.array_equal(loaded.values, crag.values, equal_nan=True)
    header = path.read_bytes()[:HEADER_BYTES].decode()
    assert header.endswith(" \n")
    assert json.loads(header)["digest"] == CRAG.digest
    for solution in (crag, loaded):
        with pytest.raises(ValueError, match="read-only"):
            solution.values[0] = 1.0
    assert SOLUTION.load(CRAG, path.parent / "nowhere") is None
    assert SOLUTION.path(load_ruleset("kniffel"), path) == SOLUTION.path(load_ruleset("yahtzee_plain"), path)


def test_a_breakdown_is_saved_beside_its_solution_and_loads_as_it_was_saved(crag: Solution, path: Path) -> None:
    breakdown = breakdown_of("crag")
    file = BREAKDOWN.save(crag, breakdown, path.parent)
    assert {file, path} == {*path.parent.iterdir()}
    loaded: Any = BREAKDOWN.load(crag, path.parent)
    assert loaded.seconds == breakdown.seconds
    assert np.array_equal(loaded.parts, breakdown.parts)
    assert loaded.of_keep(0, 0, 2).tolist() == breakdown.of_keep(0, 0, 2).tolist()
    file.write_bytes(file.read_bytes().replace(b'"rows": 8191', b'"rows": 8190', 1))
    with pytest.raises(UnusableSolutionError, match="its rows differs"):
        BREAKDOWN.load(crag, path.parent)


def changed(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    return lambda data: data.replace(old, new, 1)


DAMAGES: list[tuple[Callable[[bytes], bytes], str]] = [
    (lambda data: data[:-100] + bytes([data[-100] ^ 1]) + data[-99:], "is damaged: its checksum does not match"),
    (lambda data: data[:-8], "it is truncated or of other rules"),
    (changed(b'"format": 1', b'"format": 9'), "is of other rules or another version: its format differs"),
    (changed(CRAG.digest.encode(), b"0" * 16), "its digest differs"),
    (changed(b'"seconds": ', b'"minutes": '), "does not start with the header of a saved solution"),
    (lambda data: b"\xff" * HEADER_BYTES + data[HEADER_BYTES:], "does not start with the header of a saved solution"),
    (lambda data: b"[" * HEADER_BYTES + data[HEADER_BYTES:], "does not start with the header of a saved solution"),
]


@pytest.mark.parametrize(("damage", "sentence"), DAMAGES)
def test_an_unusable_file_is_refused_with_the_reason(
    path: Path, damage: Callable[[bytes], bytes], sentence: str
) -> None:
    path.write_bytes(damage(path.read_bytes()))
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


def test_the_solution_in_use_stays_whatever_the_limit(
    crag: Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIVEDICE_CACHE_MB", "0")
    table(tmp_path, "a", 1, 1)
    SOLUTION.save(CRAG, crag, tmp_path)
    assert [one.digest for one in kept_tables(tmp_path)] == [CRAG.digest]
    assert SOLUTION.load(CRAG, tmp_path)
    monkeypatch.setenv("FIVEDICE_CACHE_MB", "much")
    with pytest.raises(MalformedError, match="FIVEDICE_CACHE_MB='much': want a number of megabytes"):
        limit_bytes()


def test_loading_a_solution_is_a_use(path: Path) -> None:
    os.utime(path, (1, 1))
    table(path.parent, "b", 1, 2)
    SOLUTION.load(CRAG, path.parent)
    assert [one.digest for one in kept_tables(path.parent)] == [CRAG.digest, "b"]


SMALL = Learning(seed=2, games=512, rounds=2)
TWO = TINY["tiny_columns"]


class StoppedError(Exception):
    """Stands for Ctrl-C."""


def learned(folder: Path, stop_at: int = 10**9) -> bytes:
    """Learn until a layer, and the bytes of the file."""

    def progress(done: int, number: int) -> None:
        if done == stop_at:
            raise StoppedError

    learn_approximation(TWO, folder, SMALL, progress=progress)
    return APPROXIMATE.path(TWO, folder).read_bytes()


def test_what_is_learned_is_saved_and_found_again(tmp_path: Path) -> None:
    assert not has_approximation(TWO, tmp_path)
    assert not has_approximation(TWO, tmp_path / ("x" * 300)), "no error if the folder cannot be read"
    assert known_approximation(TWO, tmp_path) is None
    learned(tmp_path)
    found: Any = known_approximation(TWO, tmp_path)
    assert has_approximation(TWO, tmp_path)
    assert (found.learning, found.measured.games) == (SMALL, SMALL.games // 2)
    (file,) = tmp_path.iterdir()
    assert file.suffix == ".approximate"
    game = Game(TWO)
    weights = learn(game, SMALL)
    assert (found.weights.tobytes(), found.measured) == (weights.tobytes(), measure(game, weights, SMALL.games // 2))


@pytest.mark.parametrize("stop_at", [1, TWO.rounds + 1])
def test_learning_continues_where_it_was_interrupted(
    stop_at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, fitted, fit = learned(tmp_path / "whole"), list[Game](), room.fit
    with pytest.raises(StoppedError):
        learned(tmp_path / "parts", stop_at)

    def counted(game: Game, cards: Cards, weights: Array) -> Array:
        fitted.append(game)
        return fit(game, cards, weights)

    monkeypatch.setattr(room, "fit", counted)
    assert learned(tmp_path / "parts") == whole
    assert 0 < len(fitted) < SMALL.rounds * (TWO.rounds - 1)


@pytest.mark.parametrize("damage", [b"", b"nothing", None])
def test_a_damaged_or_foreign_unfinished_file_is_not_continued(damage: bytes | None, tmp_path: Path) -> None:
    whole = learned(tmp_path / "whole")
    with pytest.raises(StoppedError):
        learned(tmp_path / "parts", 1)
    (unfinished,) = (tmp_path / "parts").glob("*.unfinished")
    if damage is None:  # of another seed
        kept = room._kept(unfinished, Game(TWO), Learning(seed=3, games=512, rounds=2))
        assert np.isnan(kept).all()
    else:
        unfinished.write_bytes(damage)
    assert learned(tmp_path / "parts") == whole


def test_what_comes_with_the_program_is_usable_and_of_rules_that_cannot_be_solved() -> None:
    shipped = [ruleset for ruleset in map(load_ruleset, ruleset_ids()) if has_approximation(ruleset)]
    assert len(shipped) == len(list(SHIPPED.glob("*.approximate"))) > 0
    assert all(file.stat().st_size <= 1_000_000 for file in SHIPPED.iterdir()), "the files are small"
    for ruleset in shipped:
        states = States(ruleset)
        assert states.obstacle or states.num_bytes > 2**31, ruleset
        solution: Any = shipped_approximation(ruleset)
        assert solution.measured.games >= 40_000
        assert abs(solution.expected_score / solution.measured.mean - 1) < 0.03, ruleset
        assert solution.decision_error >= abs(solution.expected_score - solution.measured.mean)
