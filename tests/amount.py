"""The amount of work of expensive tests: part of it in `make test`, all of it in `make test-full`."""

import os
from collections.abc import Sequence
from typing import TypeVar

IS_FULL = os.environ.get("FIVEDICE_TESTS") == "full"

T = TypeVar("T")


def amount(quick: int, *, full: int) -> int:
    """A number of examples, games or kills."""
    return full if IS_FULL else quick


def cases(quick: Sequence[T], *, full: Sequence[T]) -> Sequence[T]:
    """Cases of a parametrized test."""
    return full if IS_FULL else quick
