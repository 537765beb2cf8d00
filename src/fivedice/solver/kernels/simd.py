"""SIMD vectors of eight float64: a 512-bit register where the processor has them, else two or four instructions.

Numba vectorises a loop over eight elements only after checking at run time that its rows do not overlap, which costs
more than the arithmetic. With an explicit vector type a kernel is a plain loop over rows.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic, models, register_model

from fivedice.solver.states import BLOCK, Array

_CACHE_LINE = 64
"""Bytes."""
_VECTOR = ir.VectorType(ir.DoubleType(), BLOCK)
_Codegen = tuple[Any, Callable[..., Any]]


class _VectorType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Vector")


_vector = _VectorType()


@register_model(_VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, type: Any) -> None:
        super().__init__(manager, type, _VECTOR)  # type: ignore[no-untyped-call]


def _pointer(context: Any, builder: Any, type: Any, array: Any, offset: Any) -> Any:
    data = context.make_array(type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset]), _VECTOR.as_pointer())


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
        index = ir.IntType(32)
        first = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), args[0], index(0))
        mask = ir.Constant(ir.VectorType(index, BLOCK), [0] * BLOCK)
        return builder.shuffle_vector(first, ir.Constant(_VECTOR, ir.Undefined), mask)

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
    """x if a > b else y, element by element."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args[:2]), *args[2:])

    return _vector(_vector, _vector, _vector, _vector), codegen


@intrinsic
def is_positive(_: Any, a: Any) -> _Codegen:
    """Whether any element of a is greater than 0."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _any(builder, builder.fcmp_ordered(">", args[0], ir.Constant(_VECTOR, [0.0] * BLOCK)))

    return types.boolean(_vector), codegen


@intrinsic
def is_uniform(_: Any, a: Any) -> _Codegen:
    """Whether all elements of a are equal."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        mask = ir.Constant(ir.VectorType(ir.IntType(32), BLOCK), [0] * BLOCK)
        first = builder.shuffle_vector(args[0], ir.Constant(_VECTOR, ir.Undefined), mask)
        return builder.not_(_any(builder, builder.fcmp_unordered("!=", args[0], first)))

    return types.boolean(_vector), codegen


def _any(builder: Any, bits: Any) -> Any:
    """Whether any of `BLOCK` bits is set."""
    return builder.icmp_unsigned("!=", builder.bitcast(bits, ir.IntType(BLOCK)), ir.IntType(BLOCK)(0))
