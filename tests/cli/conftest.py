"""What every test of the command line may rely on: nothing is written outside its own folder."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the test's solutions are saved."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("FIVEDICE_CACHE", str(folder))
    return folder / "solutions"
