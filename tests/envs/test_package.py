"""The package `fivedice.envs`: what it needs, and that its environments are documented."""

import sys
from pathlib import Path

import pytest

import fivedice.envs
from fivedice.base.extras import MissingExtraError
from fivedice.envs import SOLITAIRE, TABLE

DOCS = Path(__file__).parents[2] / "docs/environments.md"


def test_without_gymnasium_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("fivedice.envs", "gymnasium"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.setitem(sys.modules, "gymnasium.envs.registration", None)
    with pytest.raises(MissingExtraError, match=r'^fivedice.envs needs the extra "research": pip install '):
        __import__("fivedice.envs")


@pytest.mark.parametrize("name", [SOLITAIRE, TABLE, *fivedice.envs.__all__])
def test_every_environment_and_public_name_is_documented(name: str) -> None:
    assert name in DOCS.read_text()
