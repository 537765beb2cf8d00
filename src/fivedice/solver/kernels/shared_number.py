"""`take`: threads take numbers from a shared one, each number once."""

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.extending import intrinsic


@intrinsic
def take(_: Any, shared: Any, number: Any) -> tuple[Any, Callable[..., Any]]:
    """The number in a shared int64[1], to which so much is added before any other thread sees it."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.atomic_rmw("add", place, args[1], "monotonic")

    return types.int64(shared, types.int64), codegen
