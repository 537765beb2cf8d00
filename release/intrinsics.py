"""Instructions that Numba does not have: those of SIMD vectors of eight elements, float64 or integers, and a few more.

A vector is a 512-bit register where the processor has them, else two or four. Numba vectorises a loop over eight
elements only after checking at run time that its rows do not overlap, which costs more than the arithmetic. With an
explicit vector type a kernel is a plain loop over rows. There are vectors of float64, of *ints* with 32 bits, such as
offsets, and of *integers* with 64 bits, for kernels that process eight games at once.
"""

from collections.abc import Callable, Iterator
from functools import partial, reduce
from inspect import signature
from itertools import islice
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from fivedice.solver.tables.dice_tables import dice_tables, keep_rows
from fivedice.solver.tables.states import BLOCK

_BIT, _INT, _LONG = ir.IntType(1), ir.IntType(32), ir.IntType(64)
_MOST_HELD = 26
"""Rows that are read into registers before others: of 32, with AVX-512."""
_Codegen = tuple[Any, Callable[..., Any]]


class _VectorType(types.Type):
    """Eight elements of an LLVM type."""

    def __init__(self, name: str, element: Any) -> None:
        super().__init__(name=name)
        self.vector = ir.VectorType(element, BLOCK)


@register_model(_VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, type: Any) -> None:
        super().__init__(manager, type, type.vector)  # type: ignore[no-untyped-call]


_floats = _VectorType("Floats", ir.DoubleType())
_ints = _VectorType("Ints", _INT)
_longs = _VectorType("Longs", _LONG)


def _same(type: Any, number: Any) -> Any:
    """A constant vector with the same number in every element."""
    return ir.Constant(type.vector, [number] * BLOCK)


def _repeated(builder: Any, type: Any, number: Any) -> Any:
    unknown = ir.Constant(type.vector, ir.Undefined)
    first = builder.insert_element(unknown, number, _INT(0))
    return builder.shuffle_vector(first, unknown, _same(_ints, 0))


def _place(context: Any, builder: Any, type: Any, array: Any, offset: Any) -> Any:
    return builder.gep(context.make_array(type)(context, builder, array).data, [offset])


def _operation(result: Any, *parameters: Any) -> Callable[[Callable[..., Any]], Any]:
    """An intrinsic with a result and parameters of these types: of a function of the builder and the values."""

    def decorate(build: Callable[..., Any]) -> Any:
        def operation(_: Any, *given: Any) -> _Codegen:
            return result(*parameters), lambda context, builder, _, args: build(builder, *args)

        operation.__signature__ = signature(build)  # type: ignore[attr-defined]  # Numba reads how many values there are
        return intrinsic(operation)

    return decorate


def _binary(type: Any, name: str) -> Any:
    """An intrinsic of two vectors, which is one instruction."""
    return _operation(type, type, type)(lambda builder, a, b: getattr(builder, name)(a, b))


def _load(type: Any, align: int) -> Any:
    """An intrinsic: the vector at an offset of a flat array, without a bounds check."""

    @intrinsic
    def operation(_: Any, array: Any, offset: Any) -> _Codegen:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = _place(context, builder, signature.args[0], *args)
            return builder.load(builder.bitcast(place, type.vector.as_pointer()), align=align)

        return type(array, types.intp), codegen

    return operation


def _store(type: Any, align: int) -> Any:
    """An intrinsic: writes a vector at an offset of a flat array, without a bounds check."""

    @intrinsic
    def operation(_: Any, array: Any, offset: Any, vector: Any) -> _Codegen:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = _place(context, builder, signature.args[0], *args[:2])
            builder.store(args[2], builder.bitcast(place, type.vector.as_pointer()), align=align)
            return context.get_dummy_value()

        return types.void(array, types.intp, type), codegen

    return operation


load, store = _load(_floats, 8), _store(_floats, 8)
"""Those of a float64 array."""
load_ints, store_ints = _load(_ints, 4), _store(_ints, 4)
"""Those of an int32 array."""
load_integers, store_integers = _load(_longs, 8), _store(_longs, 8)
"""Those of an int64 array."""
add, multiply = _binary(_floats, "fadd"), _binary(_floats, "fmul")
add_integers, exclusive_or = _binary(_longs, "add"), _binary(_longs, "xor")


@intrinsic
def load_int(_: Any, array: Any, index: Any) -> _Codegen:
    """`array[index]` of a flat int32 or int64 array, without Numba's check for negative indices, which costs as much as
    the load itself."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.sext(builder.load(_place(context, builder, signature.args[0], *args)), _LONG)

    return types.intp(array, types.intp), codegen


@_operation(_floats, types.float64)
def broadcast(builder: Any, number: Any) -> Any:
    """The vector with the same number in every element."""
    return _repeated(builder, _floats, number)


@_operation(_ints, types.intp)
def broadcast_int(builder: Any, number: Any) -> Any:
    """Eight times the same integer of 32 bits."""
    return _repeated(builder, _ints, builder.trunc(number, _INT))


@_operation(_longs, types.int64)
def broadcast_integer(builder: Any, number: Any) -> Any:
    """Eight times the same integer of 64 bits."""
    return _repeated(builder, _longs, number)


def _maximum(builder: Any, a: Any, b: Any) -> Any:
    name, vector = f"llvm.maxnum.v{BLOCK}f64", _floats.vector
    function = builder.module.globals.get(name) or ir.Function(
        builder.module, ir.FunctionType(vector, [vector, vector]), name=name
    )
    return builder.call(function, [a, b], fastmath=("nnan", "nsz"))


maximum = _operation(_floats, _floats, _floats)(_maximum)
"""The greater of a and b, element by element, without a meaning where either is NaN: so it is a single instruction.
From a selection LLVM would make stores under a mask, for whose results later loads wait longer."""


@intrinsic
def where_greater(_: Any, a: Any, b: Any, x: Any, y: Any) -> _Codegen:
    """x if a > b else y, element by element; x and y are both vectors of floats, or both of ints."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args[:2]), *args[2:])

    return x(_floats, _floats, x, x), codegen


@_operation(types.boolean, _floats)
def is_positive(builder: Any, a: Any) -> Any:
    """Whether any element of a is greater than 0."""
    bits = builder.fcmp_ordered(">", a, _same(_floats, 0.0))
    return builder.icmp_unsigned("!=", builder.bitcast(bits, ir.IntType(BLOCK)), ir.IntType(BLOCK)(0))


@_operation(types.intp, _ints, types.intp)
def lanes_equal(builder: Any, a: Any, number: Any) -> Any:
    """The lanes in which eight ints equal a number, as bits."""
    bits = builder.icmp_signed("==", a, _repeated(builder, _ints, builder.trunc(number, _INT)))
    return builder.zext(builder.bitcast(bits, ir.IntType(BLOCK)), _LONG)


@_operation(_floats, _floats, types.intp)
def in_lanes(builder: Any, a: Any, bits: Any) -> Any:
    """a in the lanes with these bits, elsewhere 0."""
    mask = builder.bitcast(builder.trunc(bits, ir.IntType(BLOCK)), ir.VectorType(_BIT, BLOCK))
    return builder.select(mask, a, _same(_floats, 0.0))


@_operation(types.intp, types.intp)
def first_lane(builder: Any, bits: Any) -> Any:
    """The first lane of bits of which at least one is set."""
    return builder.cttz(bits, _BIT(1))


@_operation(_longs, _longs, _longs)
def multiply_low(builder: Any, a: Any, b: Any) -> Any:
    """The products, of 64 bits, of the low 32 bits of a and b: a single instruction with AVX."""
    low = _same(_longs, 2**32 - 1)
    return builder.mul(builder.and_(a, low), builder.and_(b, low))


@_operation(_longs, _longs)
def low_half(builder: Any, a: Any) -> Any:
    """The low 32 bits of every element."""
    return builder.and_(a, _same(_longs, 2**32 - 1))


@_operation(_longs, _longs)
def high_half(builder: Any, a: Any) -> Any:
    """The high 32 bits of every element."""
    return builder.lshr(a, _same(_longs, 32))


@_operation(_longs, _longs, types.int64)
def shift_left(builder: Any, a: Any, bits: Any) -> Any:
    """a · 2**bits, element by element, with one number of bits for all."""
    return builder.shl(a, _repeated(builder, _longs, bits))


@_operation(_longs, _longs, types.int64)
def shift_right(builder: Any, a: Any, bits: Any) -> Any:
    """a / 2**bits, rounded down, element by element, for numbers that are not negative."""
    return builder.lshr(a, _repeated(builder, _longs, bits))


@_operation(_longs, _longs, types.int64)
def masked(builder: Any, a: Any, mask: Any) -> Any:
    """The bits of every element that are set in the mask."""
    return builder.and_(a, _repeated(builder, _longs, mask))


@_operation(_longs, _longs, _longs, _longs, _longs)
def where_less(builder: Any, a: Any, b: Any, x: Any, y: Any) -> Any:
    """x if a < b else y, element by element."""
    return builder.select(builder.icmp_signed("<", a, b), x, y)


@intrinsic
def gather(_: Any, array: Any, offsets: Any) -> _Codegen:
    """The elements at eight offsets of a flat int32 or int64 array, without a bounds check."""
    bits = array.dtype.bitwidth

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        # llvmlite has no address arithmetic on vectors.
        bytes_in = builder.mul(args[1], _same(_longs, bits // 8))
        pointers = ir.VectorType(data.type, BLOCK)
        first = _repeated(builder, _longs, builder.ptrtoint(data, _LONG))
        places = builder.inttoptr(builder.add(first, bytes_in), pointers)
        found, flags = ir.VectorType(ir.IntType(bits), BLOCK), ir.VectorType(_BIT, BLOCK)
        name = f"llvm.masked.gather.v{BLOCK}i{bits}.v{BLOCK}p0"
        function = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(found, [pointers, _INT, flags, found]), name=name
        )
        others = ir.Constant(found, [0] * BLOCK)
        numbers = builder.call(function, [places, _INT(bits // 8), ir.Constant(flags, [1] * BLOCK), others])
        return numbers if bits == 64 else builder.sext(numbers, _longs.vector)

    return _longs(array, _longs), codegen


@intrinsic
def take(_: Any, shared: Any, number: Any) -> _Codegen:
    """The number in a shared int64[1], to which so much is added before any other thread sees it."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.atomic_rmw("add", place, args[1], "monotonic")

    return types.int64(shared, types.int64), codegen


@intrinsic
def copy_rows(_: Any, source: Any, first: Any, number: Any, target: Any, to: Any) -> _Codegen:
    """Copies elements of a contiguous array, from `first` on, to the place `to` of another of the same type."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source, first, number, target, to = args
        from_data = context.make_array(signature.args[0])(context, builder, source).data
        to_data = context.make_array(signature.args[3])(context, builder, target).data
        size = source_type.dtype.bitwidth // 8
        cgutils.raw_memcpy(builder, builder.gep(to_data, [to]), builder.gep(from_data, [first]), number, size)  # type: ignore[no-untyped-call]
        return context.get_dummy_value()

    source_type = source
    return types.void(source, types.intp, types.intp, target, types.intp), codegen


@intrinsic
def reroll_five(_: Any, x: Any) -> _Codegen:
    """`average` and `best_keeps` of `layers`, for five six-sided dice: without loops, and with all offsets in the
    instructions, they take half the time."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = _floats.vector.as_pointer()
        function = ir.Function(builder.module, ir.FunctionType(ir.VoidType(), [pointer]), "reroll_five")
        function.attributes.add("noinline")
        _write_reroll(ir.IRBuilder(function.append_basic_block()), function.args[0])
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        builder.call(function, [builder.bitcast(data, pointer)])
        return context.get_dummy_value()

    return types.void(x), codegen


def _write_reroll(builder: Any, x: Any) -> None:
    dice, keeps = dice_tables(5, 6), keep_rows(5, 6)
    parents = iter(dice.parent.tolist())
    within = {row: list(islice(parents, num)) for first, end, num in dice.run.tolist() for row in range(first, end)}
    children = dice.child.reshape(dice.num_small, -1).tolist()
    by_size = [[row for keep, row in keeps.items() if len(keep) == size] for size in range(6)]

    def place(offset: int) -> Any:
        return builder.gep(x, [_LONG(offset // BLOCK)])

    def load(offset: int) -> Any:
        return builder.load(place(offset), align=8)

    def mean(row: int) -> Any:
        a, b, c, d, e, f = map(load, children[row])
        total = builder.fadd(builder.fadd(builder.fadd(a, b), c), builder.fadd(builder.fadd(d, e), f))
        return builder.fmul(total, _same(_floats, 1.0 / dice.num_faces))

    def best(row: int) -> Any:
        return reduce(partial(_maximum, builder), map(load, [row * BLOCK, *within[row]]))

    def write(rows: list[int], of: Callable[[int], Any], read: Any) -> None:
        for group in _groups(rows, read):
            for row in group:
                builder.store(of(row), place(row * BLOCK), align=8)
            builder.asm(ir.FunctionType(ir.VoidType(), []), "", "~{memory}", [], side_effect=True)

    for rows in by_size[4::-1]:
        write(rows, mean, children)
    for rows in by_size[1:]:
        write(rows, best, within)
    builder.ret_void()


def _groups(rows: list[int], read: Any) -> Iterator[list[int]]:
    """Rows in groups that read much of the same, which fits into registers. Between groups LLVM is told that memory
    changes, or else it would keep more than that."""
    left = list(rows)
    while left:
        group, held = [], set[int]()
        while left:
            row = min(left, key=lambda row: len(held.union(read[row])) - len(read[row]))
            if len(held.union(read[row])) > _MOST_HELD:
                break
            left.remove(row)
            group.append(row)
            held.update(read[row])
        yield group
