"""The extras of the distribution, and the sentence that says which of them is missing."""

import re

import pytest

from fivedice.base.extras import MissingExtraError, extra_of, needs_extra


def test_a_module_of_an_extra_that_is_not_installed_is_one_sentence() -> None:
    sentence = 'fivedice fly needs the extra "plot": pip install "fivedice[plot]"'
    with pytest.raises(MissingExtraError, match=f"^{re.escape(sentence)}$"), needs_extra("fivedice fly", "plot"):
        raise ModuleNotFoundError("No module named 'matplotlib.wings'", name="matplotlib.wings")


def test_other_missing_modules_are_not_blamed_on_an_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match="numpy"), needs_extra("fivedice fly", "plot"):
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")
    assert extra_of(ModuleNotFoundError("No module named 'numpy'", name="numpy")) is None
    assert extra_of(ModuleNotFoundError("No module named 'litestar'", name="litestar")) == "serve"
