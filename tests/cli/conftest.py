"""What every test of the command line may rely on: nothing is written outside its own folder."""

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the test's solutions are saved; its records and lessons have one of their own too."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("FIVEDICE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("FIVEDICE_CACHE", str(folder))
    return folder / "solutions"


@pytest.fixture(autouse=True)
def few_perfect_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Luck is measured by few games: no test of the command line depends on how exact its percentile is."""
    monkeypatch.setattr("fivedice.cli.solutions.NUM_GAMES", 500)


@pytest.fixture
def shared_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """One folder for all tests that ask for it: they are about what is made of solutions, not about finding them."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # one for all workers: writing is atomic
    monkeypatch.setenv("FIVEDICE_CACHE", str(base / "shared-cache"))
