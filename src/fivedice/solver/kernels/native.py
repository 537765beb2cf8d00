"""`Kernel`: a kernel of a shared library that was built beside the sources, called through `ctypes` without a compiler.

`release/kernels.py` builds a library for each level of processors. Its name has a digest of the sources that kernels
are made of, so that none of other sources is ever used. A kernel takes a *block* of int64: in the order of its
parameters, and of the fields of named tuples, the address and the shape of each array, and numbers.
"""

import os
import platform
import sys
from array import array
from collections.abc import Callable, Iterator
from ctypes import CDLL, c_int64, c_void_p
from functools import cache, update_wrapper
from hashlib import blake2b
from inspect import signature
from itertools import product
from pathlib import Path
from struct import pack, unpack
from types import NoneType, UnionType
from typing import Any, get_args, get_type_hints

import numpy as np

from fivedice.solver.arrays import Kind
from fivedice.solver.kernels.game_tables import GameTables
from fivedice.solver.tables.dice_tables import DiceTables, KeepLists
from fivedice.solver.tables.rule_tables import RuleTables

FOLDER = Path(__file__).parent / "built"
"""Where libraries are."""
LEVELS = {"x86_64": ("x86-64-v2", "x86-64-v3"), "aarch64": ("armv8-a",), "arm64": ("apple-m1",)}
"""The levels for which there are libraries, by machine, the lowest first. NumPy itself needs the lowest."""
V3 = ("AVX2", "BMI2", "FMA3")
"""What a processor of level x86-64-v3 has, among other things, in the words of NumPy."""
TABLES = (DiceTables, GameTables, KeepLists, RuleTables)
"""Named tuples that are made once for a ruleset, and never changed."""
_REMEMBERED = 8
SUFFIX = {"darwin": "dylib", "win32": "dll"}.get(sys.platform, "so")


@cache
def digest() -> str:
    """A digest of all sources that kernels are made of."""
    solver = Path(__file__).parents[1]
    sources = [solver / "arrays.py", solver / "slips.py", *solver.glob("kernels/*.py"), *solver.glob("tables/*.py")]
    found = blake2b(digest_size=8)
    for path in sorted(sources):
        found.update(path.read_bytes())
    return found.hexdigest()


def path_of(level: str) -> Path:
    """The library for a level."""
    return FOLDER / f"{level}-{digest()}.{SUFFIX}"


def levels() -> tuple[str, ...]:
    """The levels of this kind of processor."""
    return LEVELS.get(platform.machine().lower().replace("amd64", "x86_64"), ())


def usable_levels() -> list[str]:
    """The levels of this processor, the lowest first."""
    features: Any = np._core._multiarray_umath.__cpu_features__  # type: ignore[attr-defined]
    has_v3 = all(features.get(name) for name in V3)
    return [name for name in levels() if has_v3 or not name.endswith("v3")]


@cache
def level() -> str | None:
    """The level of the library to use: the greatest one of this processor that was built, None if there is none.

    None as well if the environment variable FIVEDICE_COMPILE is set, with which kernels are compiled here.
    """
    if os.environ.get("FIVEDICE_COMPILE"):
        return None
    return next((name for name in reversed(usable_levels()) if path_of(name).exists()), None)


@cache
def library() -> CDLL:
    """The library of `level`."""
    return CDLL(str(path_of(level() or "")))


def symbol(function: Callable[..., Any], ending: str) -> str:
    """The name in a library of a form of a kernel."""
    return f"{function.__module__.rpartition('.')[2]}_{function.__name__}{ending}"


def forms(types: tuple[Any, ...]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The forms of a kernel with parameters of these types, each with the ending of its name.

    There is one for each choice from every optional type, given as `float | None`: by `_ending`.
    """
    choices = [get_args(of) if _is_optional(of) else (of,) for of in types]
    optional = [place for place, of in enumerate(types) if _is_optional(of)]
    for chosen in product(*choices):
        yield "".join(_ending(chosen[place] is not NoneType) for place in optional), chosen


def _is_optional(type: Any) -> bool:
    return isinstance(type, UnionType)


def _ending(is_given: bool) -> str:
    return "_given" if is_given else "_none"


def kind_of(type: Any) -> Kind | None:
    """The kind of array that a type hint stands for; None for any other hint."""
    return next((found for found in getattr(type, "__metadata__", ()) if isinstance(found, Kind)), None)


@cache
def fields(of: Any) -> dict[str, Any]:
    """The types of the fields of a named tuple."""
    return get_type_hints(of, include_extras=True)


class Kernel:
    """A kernel of the library. It checks every argument, so that nothing else reaches native code."""

    def __init__(self, function: Callable[..., Any], types: tuple[Any, ...], library: Any) -> None:
        update_wrapper(self, function)
        self._name = function.__name__
        self._parameters = [
            (name, _packer(get_args(of)[0] if _is_optional(of) else of), _is_optional(of))
            for name, of in zip(signature(function).parameters, types, strict=True)
        ]
        self._forms = {}
        for ending, _ in forms(types):
            form = library[symbol(function, ending)]
            form.argtypes, form.restype = [c_void_p], c_int64
            self._forms[ending] = form

    def __call__(self, *arguments: Any) -> int:
        """Run it without the GIL. Raises `TypeError` for any argument of another type."""
        if len(arguments) != len(self._parameters):
            raise TypeError(f"{self._name} has {len(self._parameters)} parameters, not {len(arguments)}")
        block, ending = array("q"), ""
        for (name, packed, is_optional), value in zip(self._parameters, arguments, strict=True):
            if is_optional:
                ending += _ending(value is not None)
                if value is None:
                    continue
            try:
                packed(value, block)
            except TypeError as error:
                raise TypeError(f"{self._name}: {name}: {error}") from None
        return int(self._forms[ending](block.buffer_info()[0]))


_Packer = Callable[[Any, "array[int]"], None]
"""Checks an argument and adds what stands for it to a block."""


@cache
def _packer(type: Any) -> _Packer:
    kind = kind_of(type)
    if kind:
        return _array_packer(kind)
    if type in _NUMBERS:
        return _number_packer(*_NUMBERS[type])
    return _remembered(_tuple_packer(type)) if type in TABLES else _tuple_packer(type)


def _bits(number: float) -> int:
    return int(unpack("q", pack("d", number))[0])


_NUMBERS: dict[Any, tuple[str, Any, Callable[[Any], int] | None]] = {
    int: ("an integer", (int, np.integer), int),
    bool: ("a bool", (bool, np.bool_), int),
    float: ("a float", float, _bits),
    None: ("None", NoneType, None),
}
"""What a parameter that is no array takes, in words and classes, and how it stands in a block."""


def _number_packer(words: str, classes: Any, to_slot: Callable[[Any], int] | None) -> _Packer:
    def pack_number(value: Any, block: "array[int]") -> None:
        if not isinstance(value, classes):
            raise TypeError(f"expected {words}, not {value!r}")
        if to_slot:
            block.append(to_slot(value))

    return pack_number


def _array_packer(kind: Kind) -> _Packer:
    dtype, ndim, is_fixed = kind

    def pack_array(value: Any, block: "array[int]") -> None:
        if not isinstance(value, np.ndarray):
            raise TypeError(f"expected {kind}, not {value!r}")
        flags = value.flags
        if (
            value.dtype != dtype
            or value.ndim != ndim
            or not (flags.carray or (is_fixed and flags.c_contiguous and flags.aligned))
        ):
            layout = ", ".join(name for name in ("contiguous", "aligned", "writeable") if getattr(flags, name))
            raise TypeError(f"expected {kind}, not {value.dtype}{list(value.shape)}, which is {layout}")
        block.append(value.ctypes.data)
        block.extend(value.shape)

    return pack_array


def _tuple_packer(type: Any) -> _Packer:
    parts = [(name, _packer(of)) for name, of in fields(type).items()]

    def pack_tuple(value: Any, block: "array[int]") -> None:
        if value.__class__ is not type:
            raise TypeError(f"expected {type.__name__}, not {value.__class__.__name__}")
        for (name, packed), of in zip(parts, value, strict=True):
            try:
                packed(of, block)
            except TypeError as error:
                raise TypeError(f"{name}: {error}") from None

    return pack_tuple


def _remembered(packed: _Packer) -> _Packer:
    """A packer of tables, which looks at each only once while it is among the last: that takes most time of a call."""
    last: dict[int, tuple[Any, array[int]]] = {}

    def pack_again(value: Any, block: "array[int]") -> None:
        found = last.get(id(value))
        if found is None or found[0] is not value:
            part = array("q")
            packed(value, part)
            if len(last) == _REMEMBERED:
                last.clear()
            last[id(value)] = found = value, part
        block.extend(found[1])

    return pack_again
