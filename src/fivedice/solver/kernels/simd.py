"""Lanes: eight float64 that kernels handle as one value, a whole 512-bit register where the processor has them.

Numba vectorises a loop over lanes only after proving at run time that its rows do not overlap, which costs more than
eight lanes of arithmetic. This type says it outright, so that a kernel is a plain loop over rows. Narrower processors
get two or four instructions for each of these.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic, models, register_model

from fivedice.solver.states import BLOCK

_VECTOR = ir.VectorType(ir.DoubleType(), BLOCK)
_Codegen = tuple[Any, Callable[..., Any]]


class _LanesType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Lanes")


_lanes = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, type: Any) -> None:
        super().__init__(manager, type, _VECTOR)  # type: ignore[no-untyped-call]


def _pointer(context: Any, builder: Any, type: Any, array: Any, offset: Any) -> Any:
    data = context.make_array(type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset]), _VECTOR.as_pointer())


@intrinsic
def load(_: Any, array: Any, offset: Any) -> _Codegen:
    """The lanes that begin at element `offset` of a flat float64 array; nothing checks the bounds."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_pointer(context, builder, signature.args[0], *args), align=8)

    return _lanes(array, types.intp), codegen


@intrinsic
def at(_: Any, array: Any, index: Any) -> _Codegen:
    """`array[index]` of a flat int32 array, without Numba's care for negative indices: it costs as much as the load."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.sext(builder.load(builder.gep(data, [args[1]])), ir.IntType(64))

    return types.intp(array, types.intp), codegen


@intrinsic
def store(_: Any, array: Any, offset: Any, lanes: Any) -> _Codegen:
    """Writes lanes from element `offset` on."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _pointer(context, builder, signature.args[0], *args[:2]), align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), codegen


@intrinsic
def splat(_: Any, number: Any) -> _Codegen:
    """The same number in every lane."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        index = ir.IntType(32)
        first = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), args[0], index(0))
        mask = ir.Constant(ir.VectorType(index, BLOCK), [0] * BLOCK)
        return builder.shuffle_vector(first, ir.Constant(_VECTOR, ir.Undefined), mask)

    return _lanes(types.float64), codegen


@intrinsic
def add(_: Any, a: Any, b: Any) -> _Codegen:
    """a + b, lane by lane."""
    return _lanes(_lanes, _lanes), lambda context, builder, signature, args: builder.fadd(*args)


@intrinsic
def times(_: Any, a: Any, b: Any) -> _Codegen:
    """a · b, lane by lane."""
    return _lanes(_lanes, _lanes), lambda context, builder, signature, args: builder.fmul(*args)


@intrinsic
def larger(_: Any, a: Any, b: Any) -> _Codegen:
    """a if a > b else b, lane by lane: one instruction, with no rule for NaN to honour."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args), *args)

    return _lanes(_lanes, _lanes), codegen
