"""Builds the libraries of kernels for this kind of processor: `python -m release.kernels`; `here` for this one only.

Numba translates each form of each kernel, and LLVM, which comes with it, optimises that for each level of processors.
A form becomes a function of C that takes a block, as `fivedice.solver.kernels.native` fills it, with a wrapper that is
generated from the types with which the kernel is decorated. It needs Numba, and a C compiler, which only links.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import count
from pathlib import Path
from types import NoneType
from typing import Any

if __name__ == "__main__":
    os.environ["FIVEDICE_COMPILE"] = "1"  # read by what is imported below

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype

from fivedice.solver.arrays import Kind
from fivedice.solver.kernels import native

OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
"""As in `fivedice.solver.kernels.jit`."""
BLOCK = types.CPointer(types.int64)
WORD = ir.IntType(64)
FEATURES = {
    "x86-64-v2": "+cx16,+popcnt,+sahf,+sse4.2",
    "x86-64-v3": "+avx2,+bmi,+bmi2,+cx16,+f16c,+fma,+lzcnt,+movbe,+popcnt,+sahf,+sse4.2",
    "generic": "",
}
OLD_GLIBC = "".join(f'module asm ".symver {name}, {name}@GLIBC_2.2.5"\n' for name in ("exp", "log"))
"""Takes functions from glibc in a version that all have: that of 2.29 differs from it only in leaving `errno` alone."""


def linker() -> str | None:
    """The C compiler, which links, if there is one."""
    return shutil.which(os.environ.get("CC", "cc"))


def build(link: str, levels: Sequence[str]) -> None:
    """Build the libraries for these levels that are missing or older than this file; delete those of other sources."""
    changed = Path(__file__).stat().st_mtime
    missing = [one for one in levels if not (path := native.path_of(one)).exists() or path.stat().st_mtime < changed]
    if not missing:
        return
    # Numba tunes for the lowest level what LLVM then optimises for each.
    numba.config.CPU_NAME, numba.config.CPU_FEATURES = missing[0], FEATURES[missing[0]]
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()
    translated = dict(_translated(_kernels()))
    native.FOLDER.mkdir(exist_ok=True)
    for path in set(native.FOLDER.iterdir()) - {native.path_of(level) for level in native.levels()}:
        path.unlink()
    for level in missing:
        _link(link, level, translated)


def _kernels() -> Iterator[Any]:
    for path in sorted(Path(native.__file__).parent.glob("*.py")):
        module = import_module(f"fivedice.solver.kernels.{path.stem}")
        for found in vars(module).values():
            if hasattr(found, "parameter_types") and found.__module__ == module.__name__:
                yield found


def _translated(kernels: Iterator[Any]) -> Iterator[tuple[str, str]]:
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
        "kernel": numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **OPTIONS)(kernel.py_func),
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
            populate_array(found, data, shape, strides, WORD(kind.dtype.itemsize), meminfo=None)
            return found._getvalue()

        return of(BLOCK, types.intp), codegen

    return operation


def _link(link: str, level: str, translated: dict[str, str]) -> None:
    """Optimise the kernels for a level, and link them to a library."""
    target = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=level, features=FEATURES[level], opt=3, reloc="pic", codemodel="small"
    )
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    with tempfile.TemporaryDirectory() as folder:
        objects, missing = [], set()
        for symbol, text in translated.items():
            module = llvm.parse_assembly(text + OLD_GLIBC if sys.platform == "linux" else text)
            builder = llvm.create_pass_builder(target, tuning)
            builder.getModulePassManager().run(module, builder)
            missing |= {part.name for part in [*module.functions, *module.global_variables] if part.is_declaration}
            objects.append(Path(folder, f"{symbol}.o"))
            objects[-1].write_bytes(target.emit_object(module))
        stubs = llvm.parse_assembly(_stubs(missing))
        objects.append(Path(folder, "stubs.o"))
        objects[-1].write_bytes(target.emit_object(stubs))
        library = native.FOLDER / f".{level}"  # moved into its place, since an older one may be in use
        subprocess.run([link, "-shared", "-s", "-o", library, *objects, "-lm"], check=True)
        library.replace(native.path_of(level))


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


if __name__ == "__main__":
    link = linker()
    if not link:
        sys.exit("There is no C compiler, such as cc, so kernels are compiled when they are called.")
    build(link, native.usable_levels()[-1:] if sys.argv[1:] == ["here"] else native.levels())
