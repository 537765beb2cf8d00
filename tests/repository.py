"""The folder of the repository, for tests that read its documents."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
