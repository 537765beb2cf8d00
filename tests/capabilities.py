"""`obeying_permissions`: lets file permissions hold for a test that runs as root."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_VERSION = 0x20080522
_DAC_OVERRIDE = 1 << 1
_DAC_READ_SEARCH = 1 << 2


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


@contextmanager
def obeying_permissions() -> Iterator[None]:
    """In this thread, and in those that it starts, root may not use files either whose permissions forbid it."""
    if os.name != "posix" or os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        pytest.skip("permissions do not hold for root")
    libc, header, sets = ctypes.CDLL(None, use_errno=True), _Header(_VERSION, 0), (_Sets * 2)()
    assert libc.capget(ctypes.byref(header), sets) == 0
    before = sets[0].effective
    sets[0].effective = before & ~(_DAC_OVERRIDE | _DAC_READ_SEARCH)
    assert libc.capset(ctypes.byref(header), sets) == 0
    try:
        yield
    finally:
        sets[0].effective = before
        assert libc.capset(ctypes.byref(header), sets) == 0
