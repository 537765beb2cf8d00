"""SIMD vectors of eight 64-bit integers, for kernels that process eight games at once.

They complement `simd`, whose vectors hold eight float64 or eight 32-bit integers.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic, models, register_model

from fivedice.solver.tables.states import BLOCK

_INT, _SIZE = ir.IntType(64), ir.IntType(32)
_LONGS = ir.VectorType(_INT, BLOCK)
_FIRST = ir.Constant(ir.VectorType(_SIZE, BLOCK), [0] * BLOCK)
"""The mask that repeats the first element."""
_LOW = ir.Constant(_LONGS, [2**32 - 1] * BLOCK)
_Codegen = tuple[Any, Callable[..., Any]]


class _LongsType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Longs")


_longs = _LongsType()


@register_model(_LongsType)
class _LongsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, type: Any) -> None:
        super().__init__(manager, type, _LONGS)  # type: ignore[no-untyped-call]


def _repeated(builder: Any, number: Any) -> Any:
    first = builder.insert_element(ir.Constant(_LONGS, ir.Undefined), number, _SIZE(0))
    return builder.shuffle_vector(first, ir.Constant(_LONGS, ir.Undefined), _FIRST)


def _data(context: Any, builder: Any, type: Any, array: Any) -> Any:
    return context.make_array(type)(context, builder, array).data


def _binary(name: str) -> Any:
    """An intrinsic of two vectors, which is one instruction."""

    @intrinsic
    def operation(_: Any, a: Any, b: Any) -> _Codegen:
        return _longs(_longs, _longs), lambda context, builder, signature, args: getattr(builder, name)(*args)

    return operation


add_integers = _binary("add")
"""a + b, element by element."""
exclusive_or = _binary("xor")
"""a ^ b, element by element."""


@intrinsic
def broadcast_integer(_: Any, number: Any) -> _Codegen:
    """Eight times the same integer."""
    return _longs(types.int64), lambda context, builder, signature, args: _repeated(builder, args[0])


@intrinsic
def multiply_low(_: Any, a: Any, b: Any) -> _Codegen:
    """The products, of 64 bits, of the low 32 bits of a and b: a single instruction with AVX."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.mul(builder.and_(args[0], _LOW), builder.and_(args[1], _LOW))

    return _longs(_longs, _longs), codegen


@intrinsic
def low_half(_: Any, a: Any) -> _Codegen:
    """The low 32 bits of every element."""
    return _longs(_longs), lambda context, builder, signature, args: builder.and_(args[0], _LOW)


@intrinsic
def high_half(_: Any, a: Any) -> _Codegen:
    """The high 32 bits of every element."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.lshr(args[0], ir.Constant(_LONGS, [32] * BLOCK))

    return _longs(_longs), codegen


@intrinsic
def shift_left(_: Any, a: Any, bits: Any) -> _Codegen:
    """a · 2**bits, element by element, with one number of bits for all."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.shl(args[0], _repeated(builder, args[1]))

    return _longs(_longs, types.int64), codegen


@intrinsic
def shift_right(_: Any, a: Any, bits: Any) -> _Codegen:
    """a / 2**bits, rounded down, element by element, for numbers that are not negative."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.lshr(args[0], _repeated(builder, args[1]))

    return _longs(_longs, types.int64), codegen


@intrinsic
def masked(_: Any, a: Any, mask: Any) -> _Codegen:
    """The bits of every element that are set in the mask."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.and_(args[0], _repeated(builder, args[1]))

    return _longs(_longs, types.int64), codegen


@intrinsic
def where_less(_: Any, a: Any, b: Any, x: Any, y: Any) -> _Codegen:
    """x if a < b else y, element by element."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.icmp_signed("<", *args[:2]), *args[2:])

    return _longs(_longs, _longs, _longs, _longs), codegen


@intrinsic
def load_integers(_: Any, array: Any, offset: Any) -> _Codegen:
    """The vector at element `offset` of a flat int64 array, without a bounds check."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = builder.gep(_data(context, builder, signature.args[0], args[0]), [args[1]])
        return builder.load(builder.bitcast(place, _LONGS.as_pointer()), align=8)

    return _longs(array, types.int64), codegen


@intrinsic
def store_integers(_: Any, array: Any, offset: Any, vector: Any) -> _Codegen:
    """Writes a vector at element `offset` of a flat int64 array, without a bounds check."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = builder.gep(_data(context, builder, signature.args[0], args[0]), [args[1]])
        builder.store(args[2], builder.bitcast(place, _LONGS.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, _longs), codegen


@intrinsic
def gather(_: Any, array: Any, offsets: Any) -> _Codegen:
    """The elements at eight offsets of a flat int32 or int64 array, without a bounds check."""
    bits = array.dtype.bitwidth

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = _data(context, builder, signature.args[0], args[0])
        # llvmlite has no address arithmetic on vectors.
        bytes_in = builder.mul(args[1], ir.Constant(_LONGS, [bits // 8] * BLOCK))
        pointers = ir.VectorType(data.type, BLOCK)
        places = builder.inttoptr(builder.add(_repeated(builder, builder.ptrtoint(data, _INT)), bytes_in), pointers)
        found, flags = ir.VectorType(ir.IntType(bits), BLOCK), ir.VectorType(ir.IntType(1), BLOCK)
        name = f"llvm.masked.gather.v{BLOCK}i{bits}.v{BLOCK}p0"
        function = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(found, [pointers, _SIZE, flags, found]), name=name
        )
        others = ir.Constant(found, [0] * BLOCK)
        numbers = builder.call(function, [places, _SIZE(bits // 8), ir.Constant(flags, [1] * BLOCK), others])
        return numbers if bits == 64 else builder.sext(numbers, _LONGS)

    return _longs(array, _longs), codegen
