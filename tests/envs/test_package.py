"""The package `fivedice.envs`: what it needs, and that its environments are documented."""

from pathlib import Path

import pytest

import fivedice.envs
from fivedice.envs import SOLITAIRE, TABLE

DOCS = Path(__file__).parents[2] / "docs/environments.md"


@pytest.mark.parametrize("name", [SOLITAIRE, TABLE, *fivedice.envs.__all__])
def test_every_environment_and_public_name_is_documented(name: str) -> None:
    assert name in DOCS.read_text()
