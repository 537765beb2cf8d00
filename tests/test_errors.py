"""The quotations and suggestions in error messages, and which missing modules are those of an extra."""

import pytest

from fivedice.base.errors import IllegalError, MalformedError, UnknownError, shown, suggest
from fivedice.base.extras import extra_of, needs_extra


@pytest.mark.parametrize("kind", [IllegalError, MalformedError, UnknownError])
def test_all_errors_are_distinct_value_errors(kind: type[ValueError]) -> None:
    others = {IllegalError, MalformedError, UnknownError} - {kind}
    assert issubclass(kind, ValueError)
    assert not any(issubclass(kind, other) for other in others)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("ones", "'ones'"), (3, "3"), ([1, "a"], "[1, 'a']"), ("a\nb", "'a\\nb'"), ("\x1b[2J\0", "'\\x1b[2J\\x00'")],
)
def test_a_value_is_quoted_on_one_line(value: object, expected: str) -> None:
    assert shown(value) == expected


def test_a_long_value_is_truncated() -> None:
    assert shown("a" * 100_000) == "'" + "a" * 58 + "…"
    assert len(shown("a" * 58)) == 60


def test_a_value_without_a_repr_is_described_by_type() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert shown(10**5_000) == "int too large to show"
    assert shown(deep) == "list too large to show"


def test_the_closest_name_is_suggested_first() -> None:
    assert suggest("tows", ["ones", "twos"]) == "did you mean 'twos'? known: ones, twos"
    assert suggest("crag", ["ones", "twos"]) == "known: ones, twos"
    assert suggest("crag", []) == "there are none"


def test_other_missing_modules_are_not_blamed_on_an_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match="numpy"), needs_extra("fivedice fly", "plot"):
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")
    assert extra_of(ModuleNotFoundError("No module named 'numpy'", name="numpy")) is None
    assert extra_of(ModuleNotFoundError("No module named 'litestar'", name="litestar")) == "serve"
