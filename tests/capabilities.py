"""`obeying_permissions`: lets file permissions hold for a test that runs as root."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_VERSION = 0x20080522
_DAC_OVERRIDE, _DAC_READ_SEARCH = 1 << 1, 1 << 2


@contextmanager
def obeying_permissions() -> Iterator[None]:
    """In this thread, and in those that it starts, root may not use files either whose permissions forbid it."""
    if os.name != "posix" or os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        pytest.skip("permissions do not hold for root")
    # The version of the interface and this thread; twice the effective, the permitted and the inherited capabilities.
    libc, header, sets = ctypes.CDLL(None), (ctypes.c_uint32 * 2)(_VERSION, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(header, sets) == 0
    before = sets[0]
    sets[0] = before & ~(_DAC_OVERRIDE | _DAC_READ_SEARCH)
    assert libc.capset(header, sets) == 0
    try:
        yield
    finally:
        sets[0] = before
        assert libc.capset(header, sets) == 0
