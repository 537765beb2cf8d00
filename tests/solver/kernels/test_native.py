"""Kernels of a library: their arguments are checked before native code sees them, and they do what their code says."""

import ast
from collections.abc import Callable, Iterable, Iterator
from dis import get_instructions
from functools import cache
from importlib import import_module
from inspect import isfunction, unwrap
from pathlib import Path
from types import CodeType, NoneType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fivedice
from fivedice.analysis.advice import advise, advise_batch
from fivedice.base.extras import MissingKernelsError
from fivedice.game.position import Position
from fivedice.solver.arrays import FixedFloats, Floats
from fivedice.solver.kernels import libraries, native
from fivedice.solver.kernels.action_values import action_values
from fivedice.solver.kernels.game_tables import Lanes
from fivedice.solver.kernels.layers import Workspace
from fivedice.solver.solve import solve
from fivedice.testing import TINY
from tests.amount import amount

PACKAGE = Path(fivedice.__file__).parent


class Recorder:
    """Takes the place of a library: notes which functions are called with a block."""

    def __init__(self) -> None:
        self.called: list[str] = []

    def __getitem__(self, name: str) -> Any:
        def form(block: int) -> int:
            self.called.append(name)
            return 0

        return form


@cache
def kernels() -> list[Any]:
    """All kernels, as they are decorated."""
    names = sorted(path.stem for path in Path(native.__file__).parent.glob("*.py"))
    modules = [import_module(f"fivedice.solver.kernels.{name}") for name in names]
    found = [
        kernel
        for module in modules
        for kernel in vars(module).values()
        if isinstance(kernel, native.Kernel) and kernel.__module__ == module.__name__
    ]
    assert len(found) > 30
    return found


def example(of: Any) -> Any:
    """An argument of a type."""
    kind = native.kind_of(of)
    if kind:
        return np.zeros((2,) * kind.ndim, dtype=kind.dtype)
    simple = {int: 3, bool: True, float: 0.5, None: None, NoneType: None}
    return simple[of] if of in simple else of(*map(example, native.fields(of).values()))


def places(of: Any) -> Iterator[tuple[str, ...]]:
    """The fields that lead to each array or number of an argument, and to the argument itself."""
    yield ()
    if native.kind_of(of) is None and of not in (int, bool, float, None, NoneType):
        for name, part in native.fields(of).items():
            yield from ((name, *place) for place in places(part))


def replaced(value: Any, place: tuple[str, ...], change: Callable[[Any], Any]) -> Any:
    """An argument in which what is at this place is changed."""
    if not place:
        return change(value)
    first, *rest = place
    return value._replace(**{first: replaced(getattr(value, first), tuple(rest), change)})


def misaligned(array: Any) -> Any:
    memory = np.zeros(array.nbytes + 1, dtype=np.int8)
    return memory[1:].view(array.dtype).reshape(array.shape)


ARRAYS: list[Callable[[Any], Any]] = [
    lambda array: array[np.newaxis],
    lambda array: array[0],
    lambda array: array.tolist(),
    lambda array: np.zeros(array.shape, np.float32),
    lambda array: array.T if array.ndim > 1 else None,
    lambda array: misaligned(array) if array.dtype.alignment > 1 else None,
    lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
    lambda array: array.ctypes.data,
    memoryview,
    lambda array: None,
]
"""What may stand by mistake instead of an array: other dimensions, elements and layouts, and no array at all."""
OTHERS: list[Callable[[Any], Any]] = [
    lambda value: "3",
    lambda value: np.zeros(1),
    lambda value: 3 + 0j,
    lambda value: (value,),
    lambda value: tuple(value) if isinstance(value, tuple) else [value],
    lambda value: native.Packed(example(Workspace if isinstance(value, Lanes) else Lanes)),
]


def bound(kernel: Any, library: Recorder) -> native.Kernel:
    found = native.Kernel(unwrap(kernel), kernel.parameter_types)
    found.load(library)
    return found


def test_every_form_of_every_kernel_is_called_with_arguments_of_its_types() -> None:
    for kernel in kernels():
        library = Recorder()
        called = bound(kernel, library)
        forms = dict(native.forms(kernel.parameter_types))
        for types in forms.values():
            called(*map(example, types))
        assert library.called == [native.symbol(called, ending) for ending in forms]


@settings(max_examples=amount(300, full=20_000))
@given(st.data())
def test_no_argument_of_another_type_reaches_native_code(data: st.DataObject) -> None:
    def chosen(choices: Iterable[Any]) -> Any:
        return data.draw(st.sampled_from([*choices]))

    kernel, library = chosen(kernels()), Recorder()
    _, types = chosen(native.forms(kernel.parameter_types))
    arguments = [*map(example, types)]
    number = chosen(n for n, of in enumerate(types) if of is not NoneType)
    place = chosen(places(types[number]))
    at = arguments[number]
    for name in place:
        at = getattr(at, name)
    change = chosen(ARRAYS if isinstance(at, np.ndarray) else OTHERS)
    arguments[number] = replaced(arguments[number], place, change)
    with pytest.raises(TypeError, match=kernel.__name__):
        bound(kernel, library)(*arguments)
    assert library.called == []


def globals_of(function: Any) -> Iterator[tuple[str, Any]]:
    """The names of its module that a function uses, also in functions inside it."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [part for part in code.co_consts if isinstance(part, CodeType)]
        used = {step.argval for step in get_instructions(code) if step.opname == "LOAD_GLOBAL"}
        yield from ((name, function.__globals__[name]) for name in used & function.__globals__.keys())


@cache
def imported(file: str) -> dict[str, str]:
    """The names that a file imports from modules of the program."""
    found = [one for one in ast.walk(ast.parse(Path(file).read_bytes())) if isinstance(one, ast.ImportFrom)]
    return {
        alias.name: one.module
        for one in found
        for alias in one.names
        if one.module and one.module.startswith("fivedice")
    }


def test_the_name_of_a_library_depends_on_every_file_that_kernels_are_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """So no library of other sources is ever used."""
    read: list[Path] = []

    def note(path: Path) -> bytes:
        read.append(path)
        return b""

    monkeypatch.setattr(Path, "read_bytes", note)
    libraries.digest.__wrapped__()
    monkeypatch.undo()
    sources = {f"fivedice.{'.'.join(path.relative_to(PACKAGE).with_suffix('').parts)}" for path in read}
    waiting, seen = [unwrap(kernel) for kernel in kernels()], set[Any]()
    while waiting:
        function = waiting.pop()
        seen.add(function)
        assert function.__module__ in sources
        origins = imported(function.__code__.co_filename)
        for name, value in globals_of(function):
            assert origins.get(name, function.__module__) in sources, (function, name)
            if callable(value) and isfunction(helper := unwrap(value)) and helper not in seen:
                waiting.append(helper)
    assert len(seen) > 100


def one_array(values: Any) -> Any:
    """A function with one parameter, for a kernel of the test."""


def test_only_arrays_that_a_kernel_reads_may_be_read_only() -> None:
    fixed, library = np.zeros(4), Recorder()
    fixed.flags.writeable = False
    bound(native.Kernel(one_array, (FixedFloats,)), library)(fixed)
    expected = r"one_array: values: expected a contiguous writeable array float64\[·\], not float64\[4\], which is"
    with pytest.raises(TypeError, match=expected):
        bound(native.Kernel(one_array, (Floats,)), library)(fixed)
    assert len(library.called) == 1


def test_a_kernel_is_taken_from_a_library_once_there_is_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Until then, advice and reviews come from plain Python, to the same bit."""
    solution, built = solve(TINY["tiny_joker"]), libraries.FOLDER
    position = Position.start(solution.ruleset).roll((1,) * solution.ruleset.dice)
    expected = advise(solution, position)
    kernel = native.Kernel(unwrap(action_values), action_values.parameter_types)
    monkeypatch.setattr("fivedice.solver.kernels.action_values.action_values", kernel)
    monkeypatch.setattr(libraries, "FOLDER", tmp_path)
    assert not kernel.is_built
    assert advise(solution, position) == expected
    assert advise_batch(solution, [position]) == [expected]
    with pytest.raises(MissingKernelsError, match="run `make kernels` in a checkout"):
        kernel()
    monkeypatch.setattr(libraries, "FOLDER", built)
    assert kernel.is_built
    assert advise(solution, position) == expected
    with pytest.raises(TypeError, match="parameters, not 0"):
        kernel()
