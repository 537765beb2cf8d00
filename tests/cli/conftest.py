"""Fixtures for tests of the command line, which write only to their own folder."""

from pathlib import Path

import pytest

from fivedice.cli.solutions import solution_of
from tests import solutions


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for the test's solutions; records and lessons also get a temporary folder."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("FIVEDICE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("FIVEDICE_CACHE", str(folder))
    return folder / "solutions"


@pytest.fixture
def cache(own_cache: Path) -> Path:
    """The same folder, while no solution is in memory."""
    solution_of.cache_clear()
    return own_cache


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The user's folder of records."""
    folder = tmp_path / "data" / "records"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def shared_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """One folder of solutions for all tests that use this fixture, so that each ruleset is solved once."""
    monkeypatch.setenv("FIVEDICE_CACHE", str(solutions.shared_cache(tmp_path_factory)))
