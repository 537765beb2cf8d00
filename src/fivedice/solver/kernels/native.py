"""`compiled` makes a function of this folder a `Kernel`: a function of a shared library, called through `ctypes`.

`release/kernels.py` builds the libraries from these functions and all that they call. A kernel takes a *block* of
int64: in the order of its parameters, and of the fields of named tuples, the address and the shape of each array, and
numbers.
"""

from array import array
from collections.abc import Callable, Iterator
from ctypes import CDLL, addressof, c_char, c_int64, c_void_p
from dataclasses import dataclass
from functools import cache, update_wrapper
from inspect import signature, unwrap
from itertools import product
from pathlib import Path
from struct import pack, unpack
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_type_hints

import numpy as np

from fivedice.base.extras import missing_kernels
from fivedice.solver.arrays import Kind
from fivedice.solver.kernels.game_tables import GameTables
from fivedice.solver.kernels.libraries import levels, library_path
from fivedice.solver.tables.dice_tables import DiceTables, KeepLists
from fivedice.solver.tables.rule_tables import RuleTables

NEEDED = {
    "x86-64-v3": ("AVX2", "BMI2", "FMA3"),
    "x86-64-v4": ("AVX512F", "AVX512BW", "AVX512CD", "AVX512DQ", "AVX512VL"),
}
"""What a processor of a level has, among other things, in the words of NumPy. Its word `X86_V4` is not asked, since the
environment can tell NumPy not to use that."""
_MADE_ONCE: set[Any] = {DiceTables, GameTables, KeepLists, RuleTables}
"""Named tuples that are made once for a ruleset or a thread, and whose arrays are never replaced."""
_REMEMBERED = 8
_NO_BYTES: Any = c_char * 0


def usable_levels() -> list[str]:
    """The levels of this processor, the lowest first."""
    features: Any = np._core._multiarray_umath.__cpu_features__  # type: ignore[attr-defined]
    return [name for name in levels() if all(features.get(one) for one in NEEDED.get(name, ()))]


def level(module: str = "layers") -> str | None:
    """The level of the library to use for a module: the greatest one of this processor that was built, or None."""
    return next((name for name in reversed(usable_levels()) if library_path(module, name).exists()), None)


@cache
def _library(path: Path) -> CDLL:
    return CDLL(str(path))


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
    """A kernel of a library, which is looked for when it is first called.

    It checks every argument, so that nothing else reaches native code. `parameter_types` are those of its parameters.
    """

    def __init__(self, function: Callable[..., Any], types: tuple[Any, ...]) -> None:
        update_wrapper(self, function)
        self.parameter_types = types
        self.module = function.__module__.rpartition(".")[2]
        self._name = function.__name__
        self._parameters: list[tuple[str, _Packer, bool]] = []
        self._forms: dict[str, Any] = {}

    @property
    def is_built(self) -> bool:
        """Whether it can be called."""
        return bool(self._forms) or level(self.module) is not None

    def load(self, library: Any = None) -> None:
        """Take it from a library, by default that of this processor; raises `MissingKernelsError` if there is none."""
        if library is None:
            if (found := level(self.module)) is None:
                raise missing_kernels()
            library = _library(library_path(self.module, found))
        function = unwrap(self)
        self._parameters = [
            (name, _packer(get_args(of)[0] if _is_optional(of) else of), _is_optional(of))
            for name, of in zip(signature(function).parameters, self.parameter_types, strict=True)
        ]
        forms_by_ending = {}
        for ending, _ in forms(self.parameter_types):
            form = library[symbol(function, ending)]
            form.argtypes, form.restype = [c_void_p], c_int64
            forms_by_ending[ending] = form
        self._forms = forms_by_ending

    def __call__(self, *arguments: Any) -> int:
        """Run it without the GIL.

        Raises `TypeError` for any argument of another type, and `MissingKernelsError`.
        """
        if not self._forms:
            self.load()
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


def compiled(*types: Any) -> Callable[[Callable[..., Any]], Kernel]:
    """Makes a function with parameters of these types a kernel, which runs without the GIL."""
    return lambda function: Kernel(function, types)


_Function = TypeVar("_Function", bound=Callable[..., Any])


def made_once(type: _Function) -> _Function:
    """Marks a named tuple of arrays of which each thread makes one, and keeps it."""
    _MADE_ONCE.add(type)
    return type


def inlined(function: _Function) -> _Function:
    """Marks a function of whole cards that kernels call: a call would copy their tables, which are passed by value."""
    function.is_inlined = True  # type: ignore[attr-defined]
    return function


@dataclass(frozen=True)
class Instruction:
    """Stands in a kernel for the function of this name in `release/intrinsics.py`."""

    name: str


_Packer = Callable[[Any, "array[int]"], None]
"""Checks an argument and adds what stands for it to a block."""


@cache
def _packer(type: Any) -> _Packer:
    kind = kind_of(type)
    if kind:
        return _array_packer(kind)
    if type in _NUMBERS:
        return _number_packer(*_NUMBERS[type])
    return _remembered(_tuple_packer(type)) if type in _MADE_ONCE else _tuple_packer(type)


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
        # `ctypes.data` is the same, and takes three times as long.
        block.append(addressof(_NO_BYTES.from_buffer(value)) if flags.writeable else value.ctypes.data)
        block.extend(value.shape)

    return pack_array


def _tuple_packer(type: Any) -> _Packer:
    parts = [(name, _packer(of)) for name, of in fields(type).items()]

    def pack_tuple(value: Any, block: "array[int]") -> None:
        is_packed = value.__class__ is Packed
        found = value.type if is_packed else value.__class__
        if found is not type:
            raise TypeError(f"expected {type.__name__}, not {found.__name__}")
        if is_packed:
            block.extend(value.block)
            return
        for (name, packed), of in zip(parts, value, strict=True):
            try:
                packed(of, block)
            except TypeError as error:
                raise TypeError(f"{name}: {error}") from None

    return pack_tuple


class Packed:
    """A named tuple that was packed before, for several calls: none of its arrays may be replaced."""

    def __init__(self, value: Any) -> None:
        self.value, self.type, self.block = value, value.__class__, array("q")
        _packer(self.type)(value, self.block)


def _remembered(packed: _Packer) -> _Packer:
    """A packer that looks at a named tuple only once while it is among the last: that takes most time of a call."""
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
