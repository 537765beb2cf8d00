"""Translates kernels to object files: the only module, with `intrinsics`, that needs Numba and LLVM, which it brings.

Numba translates each form of each kernel, and LLVM optimises that for each level of processors. A form becomes a
function of C that takes a block, as `fivedice.solver.kernels.native` fills it, by a wrapper that is generated from the
types with which the kernel is decorated. Every machine can build for every target: nothing of what Numba translates
depends on the machine, except layout and triple, which are replaced.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from inspect import isfunction, unwrap
from itertools import count
from types import CodeType, FunctionType, NoneType
from typing import Any

# Numba optimises for any machine of this kind what LLVM then optimises for each level.
os.environ |= {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}

import llvmlite.binding as llvm  # type: ignore[import-untyped]
import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype

from fivedice.solver.arrays import Kind
from fivedice.solver.kernels import native
from release import intrinsics

OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
"""Of all kernels: they never divide by zero, so that nothing checks it. Nor do they allocate or own arrays, so that
nothing counts references to them, which took a third of the time of some kernels, and a quarter of that of building."""
BLOCK = types.CPointer(types.int64)  # type: ignore[no-untyped-call]
WORD = ir.IntType(64)


def objects(kernels: Iterable[native.Kernel], triple: str, levels: Iterable[str]) -> Mapping[str, Mapping[str, bytes]]:
    """The object files of kernels, by level of processors and name; for this machine without a triple."""
    translated = dict(_translated(kernels))
    return {level: _objects(translated, triple or llvm.get_process_triple(), level) for level in levels}


def _processor(level: str) -> str:
    """The name of a level in LLVM."""
    return "generic" if level == "armv8-a" else level


def _translated(kernels: Iterable[native.Kernel]) -> Iterator[tuple[str, str]]:
    """The LLVM code of each form of these kernels, by symbol: only this symbol is for callers."""
    for kernel in kernels:
        for ending, chosen in native.forms(kernel.parameter_types):
            entry = numba.cfunc(types.int64(BLOCK), **OPTIONS)(_entry(kernel, chosen))
            symbol = native.symbol(kernel, ending)
            module = llvm.parse_assembly(entry.inspect_llvm())
            for part in [*module.functions, *module.global_variables]:
                if part.name == entry.native_name:
                    part.name = symbol
                elif not part.is_declaration:
                    part.linkage = "internal"
            yield symbol, str(module)


def _entry(kernel: Any, chosen: tuple[Any, ...]) -> Callable[..., Any]:
    """The function of a block that calls a kernel with arguments of these types."""
    names: dict[str, Any] = {
        "kernel": _dispatcher(unwrap(kernel)),
        "result": _result,
        "integer": _integer,
        "floating": _floating,
    }
    slots = count()

    def argument(type: Any) -> str:
        kind = native.kind_of(type)
        if kind:
            at, *_ = [next(slots) for _ in range(1 + kind.ndim)]
            names[f"array{at}"] = _array(kind)
            return f"array{at}(block, {at})"
        if type in (None, NoneType):
            return "None"
        if type in (int, bool, float):
            call = f"{'floating' if type is float else 'integer'}(block, {next(slots)})"
            return f"{call} != 0" if type is bool else call
        names[type.__name__] = type
        return f"{type.__name__}({', '.join([argument(of) for of in native.fields(type).values()])})"

    exec(f"def entry(block):\n    return result(kernel({', '.join([argument(of) for of in chosen])}))", names)  # noqa: S102
    return names["entry"]  # type: ignore[no-any-return]


@cache
def _dispatcher(function: Callable[..., Any]) -> Any:
    """What Numba compiles a kernel or a function that kernels call with, as all that it calls itself."""
    of_module, codes, called = function.__globals__, [function.__code__], {}
    while codes:
        code = codes.pop()
        codes += [part for part in code.co_consts if isinstance(part, CodeType)]
        for name in {*code.co_names} & of_module.keys():
            value = of_module[name]
            if isinstance(value, native.Instruction):
                called[name] = getattr(intrinsics, value.name)
            elif isfunction(found := unwrap(value) if callable(value) else None):
                called[name] = _dispatcher(found)
    linked = FunctionType(function.__code__, of_module | called, function.__name__, function.__defaults__)
    linked.__module__, linked.__qualname__ = function.__module__, function.__qualname__
    options: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **OPTIONS}
    return numba.njit(forceinline=hasattr(function, "is_inlined"), **options)(linked)


def _slot(builder: Any, block: Any, at: Any) -> Any:
    return builder.load(builder.gep(block, [at]))


@intrinsic
def _integer(_: Any, block: Any, at: Any) -> Any:
    """The integer in a slot of a block."""
    return types.int64(BLOCK, types.intp), lambda context, builder, _, args: _slot(builder, *args)


@intrinsic
def _floating(_: Any, block: Any, at: Any) -> Any:
    """The float in a slot of a block."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(_slot(builder, *args), ir.DoubleType())

    return types.float64(BLOCK, types.intp), codegen


@intrinsic
def _result(_: Any, value: Any) -> Any:
    """What a kernel returns; 0 for nothing."""
    if value is types.none:
        return types.int64(value), lambda context, builder, signature, args: WORD(0)
    return types.int64(types.int64), lambda context, builder, signature, args: args[0]


def _array(kind: Kind) -> Any:
    """An intrinsic: the array of a kind whose address and shape are in a block, from a slot on."""
    of = types.Array(from_dtype(kind.dtype), kind.ndim, "C", readonly=kind.is_fixed)

    @intrinsic
    def operation(_: Any, block: Any, at: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            block, at = args
            address, *shape = (_slot(builder, block, builder.add(at, WORD(place))) for place in range(1 + kind.ndim))
            found = context.make_array(of)(context, builder)
            strides = [WORD(kind.dtype.itemsize)]
            for size in reversed(shape[1:]):
                strides.insert(0, builder.mul(strides[0], size))
            data = builder.inttoptr(address, found.data.type)
            populate_array(found, data, shape, strides, WORD(kind.dtype.itemsize), meminfo=None)  # type: ignore[no-untyped-call]
            return found._getvalue()

        return of(BLOCK, types.intp), codegen

    return operation


def _objects(translated: Mapping[str, str], triple: str, level: str) -> dict[str, bytes]:
    """The object files of kernels, by name, optimised for a level of processors."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(triple).create_target_machine(
        cpu=_processor(level), opt=3, reloc="pic", codemodel="small"
    )
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    missing, objects = set[str](), {}

    def add(symbol: str, text: str) -> None:
        module = llvm.parse_assembly(text)
        module.triple, module.data_layout = triple, str(target.target_data)
        builder = llvm.create_pass_builder(target, tuning)
        builder.getModulePassManager().run(module, builder)
        missing.update(part.name for part in [*module.functions, *module.global_variables] if part.is_declaration)
        objects[f"{symbol}.o"] = target.emit_object(module)

    for symbol, text in translated.items():
        add(symbol, text)
    add("stubs", _stubs(missing))
    return objects


def _stubs(missing: set[str]) -> str:
    """What Python and Numba have to report exceptions, none of which any kernel raises."""
    module = ir.Module()
    trap = ir.Function(module, ir.FunctionType(ir.VoidType(), ()), "llvm.trap")
    for name in sorted(missing):
        if name.startswith("PyExc_"):
            ir.GlobalVariable(module, WORD, name).initializer = WORD(0)
        elif name.startswith(("Py", "numba_")):
            function = ir.Function(module, ir.FunctionType(ir.VoidType(), ()), name)
            function.attributes.add("noreturn")
            builder = ir.IRBuilder(function.append_basic_block())
            builder.call(trap, ())
            builder.unreachable()
    return str(module)
