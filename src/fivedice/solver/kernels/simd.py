"""SIMD vectors of eight float64: a 512-bit register where the processor has them, else two or four instructions.

Numba vectorises a loop over eight elements only after checking at run time that its rows do not overlap, which costs
more than the arithmetic. With an explicit vector type a kernel is a plain loop over rows.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic, models, register_model

from fivedice.solver.tables.states import BLOCK, Array

_CACHE_LINE = 64
"""Bytes."""
_VECTOR = ir.VectorType(ir.DoubleType(), BLOCK)
_INTS = ir.VectorType(ir.IntType(32), BLOCK)
_FIRST = ir.Constant(_INTS, [0] * BLOCK)
"""The mask that repeats the first element."""
ALL_LANES = 2**BLOCK - 1
"""Bits for the lanes of a vector, all of them set."""
_Codegen = tuple[Any, Callable[..., Any]]


class _VectorType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Vector")


class _IntsType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Ints")


_vector = _VectorType()
_ints = _IntsType()


@register_model(_VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, type: Any) -> None:
        super().__init__(manager, type, _VECTOR)  # type: ignore[no-untyped-call]


@register_model(_IntsType)
class _IntsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, type: Any) -> None:
        super().__init__(manager, type, _INTS)  # type: ignore[no-untyped-call]


def _pointer(context: Any, builder: Any, type: Any, array: Any, offset: Any, vector: Any = _VECTOR) -> Any:
    data = context.make_array(type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset]), vector.as_pointer())


def _repeated(builder: Any, number: Any, vector: Any) -> Any:
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), number, ir.IntType(32)(0))
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), _FIRST)


def aligned_zeros(size: int) -> Array:
    """float64[size], aligned to cache lines, since a vector across two of them would cost twice."""
    memory = np.zeros(size + _CACHE_LINE // 8)
    start = -memory.ctypes.data % _CACHE_LINE // 8
    return memory[start : start + size]


@intrinsic
def load(_: Any, array: Any, offset: Any) -> _Codegen:
    """The vector at element `offset` of a flat float64 array, without a bounds check."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_pointer(context, builder, signature.args[0], *args), align=8)

    return _vector(array, types.intp), codegen


@intrinsic
def load_int(_: Any, array: Any, index: Any) -> _Codegen:
    """`array[index]` of a flat int32 array, without Numba's check for negative indices, which costs as much as the
    load itself."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.sext(builder.load(builder.gep(data, [args[1]])), ir.IntType(64))

    return types.intp(array, types.intp), codegen


@intrinsic
def store(_: Any, array: Any, offset: Any, vector: Any) -> _Codegen:
    """Writes a vector at element `offset`, without a bounds check."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _pointer(context, builder, signature.args[0], *args[:2]), align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, vector), codegen


@intrinsic
def broadcast(_: Any, number: Any) -> _Codegen:
    """The vector with the same number in every element."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _repeated(builder, args[0], _VECTOR)

    return _vector(types.float64), codegen


@intrinsic
def add(_: Any, a: Any, b: Any) -> _Codegen:
    """a + b, element by element."""
    return _vector(_vector, _vector), lambda context, builder, signature, args: builder.fadd(*args)


@intrinsic
def multiply(_: Any, a: Any, b: Any) -> _Codegen:
    """a · b, element by element."""
    return _vector(_vector, _vector), lambda context, builder, signature, args: builder.fmul(*args)


@intrinsic
def maximum(_: Any, a: Any, b: Any) -> _Codegen:
    """a if a > b else b, element by element: a single instruction, since it has no rule for NaN."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args), *args)

    return _vector(_vector, _vector), codegen


@intrinsic
def where_greater(_: Any, a: Any, b: Any, x: Any, y: Any) -> _Codegen:
    """x if a > b else y, element by element; x and y are both vectors, or both integers."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args[:2]), *args[2:])

    return x(_vector, _vector, x, x), codegen


@intrinsic
def is_positive(_: Any, a: Any) -> _Codegen:
    """Whether any element of a is greater than 0."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bits = builder.fcmp_ordered(">", args[0], ir.Constant(_VECTOR, [0.0] * BLOCK))
        return builder.icmp_unsigned("!=", builder.bitcast(bits, ir.IntType(BLOCK)), ir.IntType(BLOCK)(0))

    return types.boolean(_vector), codegen


@intrinsic
def load_ints(_: Any, array: Any, offset: Any) -> _Codegen:
    """Eight integers at element `offset` of a flat int32 array, without a bounds check."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, offset = args
        return builder.load(_pointer(context, builder, signature.args[0], array, offset, _INTS), align=4)

    return _ints(array, types.intp), codegen


@intrinsic
def store_ints(_: Any, array: Any, offset: Any, ints: Any) -> _Codegen:
    """Writes eight integers at element `offset`, without a bounds check."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, offset, ints = args
        builder.store(ints, _pointer(context, builder, signature.args[0], array, offset, _INTS), align=4)
        return context.get_dummy_value()

    return types.void(array, types.intp, ints), codegen


@intrinsic
def broadcast_int(_: Any, number: Any) -> _Codegen:
    """Eight times the same integer of 32 bits."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _repeated(builder, builder.trunc(args[0], ir.IntType(32)), _INTS)

    return _ints(types.intp), codegen


@intrinsic
def lanes_equal(_: Any, a: Any, number: Any) -> _Codegen:
    """The lanes in which eight integers equal a number, as bits."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wanted = _repeated(builder, builder.trunc(args[1], ir.IntType(32)), _INTS)
        bits = builder.icmp_signed("==", args[0], wanted)
        return builder.zext(builder.bitcast(bits, ir.IntType(BLOCK)), ir.IntType(64))

    return types.intp(_ints, types.intp), codegen


@intrinsic
def in_lanes(_: Any, a: Any, bits: Any) -> _Codegen:
    """a in the lanes with these bits, elsewhere 0."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        mask = builder.bitcast(builder.trunc(args[1], ir.IntType(BLOCK)), ir.VectorType(ir.IntType(1), BLOCK))
        return builder.select(mask, args[0], ir.Constant(_VECTOR, [0.0] * BLOCK))

    return _vector(_vector, types.intp), codegen


@intrinsic
def first_lane(_: Any, bits: Any) -> _Codegen:
    """The first lane of bits of which at least one is set."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.IntType(1)(1))

    return types.intp(types.intp), codegen
