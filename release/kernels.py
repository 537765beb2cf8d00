"""Builds libraries of kernels: `python -m release.kernels` one for this processor, `… TARGET` those of a target.

Numba translates each form of each kernel, and LLVM, which comes with it, optimises that for each level of processors.
A form becomes a function of C that takes a block, as `fivedice.solver.kernels.native` fills it, with a wrapper that is
generated from the types with which the kernel is decorated. Every machine can build for every target: nothing of what
Numba translates depends on the machine, except layout and triple, which are replaced.

A C compiler links the library for this processor, and Zig those of a target (`requirements/zig.lock`): it brings what
it needs of the target's C library, on Linux in the oldest version that the library shall run with.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import count
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple

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
from release import platforms

OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
"""As in `fivedice.solver.kernels.jit`."""
BLOCK = types.CPointer(types.int64)
WORD = ir.IntType(64)


class Target(NamedTuple):
    """A kind of machine."""

    triple: str
    """In the words of LLVM."""
    zig: str
    """In the words of Zig; on Linux with version 2.17 of glibc, which is older than what NumPy needs."""
    machine: str
    """In the words of `native.LEVELS`."""
    suffix: str = "so"


TARGETS = {
    "linux-x86_64": Target("x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.17", "x86_64"),
    "linux-aarch64": Target("aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.17", "aarch64"),
    "macos-arm64": Target("arm64-apple-macosx11.0", "aarch64-macos.11.0", "arm64", "dylib"),
    "windows-x86_64": Target("x86_64-w64-windows-gnu", "x86_64-windows-gnu", "x86_64", "dll"),
}


def linker() -> str | None:
    """The C compiler, which links, if there is one."""
    return shutil.which(os.environ.get("CC", "cc"))


def build_for_targets(targets: Sequence[str]) -> None:
    """Build the libraries of these targets, each in a folder of its name."""
    translated = dict(_translated(_kernels()))
    for name in targets:
        target = TARGETS[name]
        folder = Path(__file__).parents[1] / platforms.TARGETS / name
        shutil.rmtree(folder, ignore_errors=True)
        link = [sys.executable, "-m", "ziglang", "cc", "-target", target.zig]
        for level in native.LEVELS[target.machine]:
            library = folder / f"{level}-{native.digest()}.{target.suffix}"
            _link(link, library, _objects(translated, target.triple, level))


def build_here(link: str) -> None:
    """Build the library for this processor if it is missing or older than this file; delete those of other sources."""
    *_, level = native.usable_levels()
    library = native.path_of(level)
    if library.exists() and library.stat().st_mtime > Path(__file__).stat().st_mtime:
        return
    for old in native.FOLDER.glob("*"):
        old.unlink()
    _link([link], library, _objects(dict(_translated(_kernels())), llvm.get_process_triple(), level))


def _processor(level: str) -> str:
    """The name of a level in LLVM."""
    return "generic" if level == "armv8-a" else level


def _kernels() -> Iterator[Any]:
    for path in sorted(Path(native.__file__).parent.glob("*.py")):
        module = import_module(f"fivedice.solver.kernels.{path.stem}")
        for found in vars(module).values():
            if hasattr(found, "parameter_types") and found.__module__ == module.__name__:
                yield found


def _translated(kernels: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """The LLVM code of each form of these kernels, by symbol: only this symbol is for callers."""
    # Numba tunes for the lowest level of this machine what LLVM then optimises for each.
    numba.config.CPU_NAME, numba.config.CPU_FEATURES = _processor(native.levels()[0]), ""
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


def _objects(translated: Mapping[str, str], triple: str, level: str) -> dict[str, bytes]:
    """The object files of kernels, by name, optimised for a level of processors."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(triple).create_target_machine(
        cpu=_processor(level), opt=3, reloc="pic", codemodel="small"
    )
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    missing, objects = set(), {}

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


def _link(link: Sequence[str], library: Path, objects: Mapping[str, bytes]) -> None:
    library.parent.mkdir(parents=True, exist_ok=True)
    made = library.with_name(f".{library.name}")  # moved into its place, since an older one may be in use
    with tempfile.TemporaryDirectory() as folder:  # linkers write further files, and into a library where it was made
        for name, content in objects.items():
            Path(folder, name).write_bytes(content)
        subprocess.run([*link, "-shared", "-s", "-o", library.name, *objects, "-lm"], cwd=folder, check=True)
        shutil.copy(Path(folder, library.name), made)
    made.replace(library)


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
    targets = sys.argv[1:]
    if unknown := set(targets) - set(TARGETS):
        sys.exit(f"{', '.join(unknown)}: no such target; there are {', '.join(TARGETS)}")
    if targets:
        build_for_targets(targets)
    elif not native.levels():
        sys.exit("There is no level for this kind of processor, so kernels are compiled when they are called.")
    elif link := linker():
        build_here(link)
    else:
        sys.exit("There is no C compiler, such as cc, so kernels are compiled when they are called.")
