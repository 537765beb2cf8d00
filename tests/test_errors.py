"""How errors quote what was wrong, and what they suggest."""

import pytest

from fivedice.errors import IllegalError, MalformedError, UnknownError, shown, suggest


@pytest.mark.parametrize("kind", [IllegalError, MalformedError, UnknownError])
def test_every_error_is_a_value_error_and_none_is_another(kind: type[ValueError]) -> None:
    others = {IllegalError, MalformedError, UnknownError} - {kind}
    assert issubclass(kind, ValueError)
    assert not any(issubclass(kind, other) for other in others)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("ones", "'ones'"), (3, "3"), ([1, "a"], "[1, 'a']"), ("a\nb", "'a\\nb'"), ("\x1b[2J\0", "'\\x1b[2J\\x00'")],
)
def test_a_value_is_quoted_on_one_line(value: object, expected: str) -> None:
    assert shown(value) == expected


def test_a_long_value_is_cut() -> None:
    assert shown("a" * 100_000) == "'" + "a" * 58 + "…"
    assert len(shown("a" * 58)) == 60


def test_a_value_that_python_cannot_write_is_named() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert shown(10**5_000) == "int too large to show"
    assert shown(deep) == "list too large to show"


def test_the_nearest_name_is_suggested_before_all_of_them() -> None:
    assert suggest("tows", ["ones", "twos"]) == "did you mean 'twos'? known: ones, twos"
    assert suggest("crag", ["ones", "twos"]) == "known: ones, twos"
    assert suggest("crag", []) == "there are none"
