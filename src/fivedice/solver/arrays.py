"""The kinds of arrays that kernels take, as type hints: `Floats2` is a float64 array of two dimensions.

Kernels are compiled for these kinds before they are called, and the arguments of a call are checked against them.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np


class Kind(NamedTuple):
    """Contiguous arrays with this element type, a structured one too, and so many dimensions."""

    dtype: Any
    ndim: int = 1
    is_fixed: bool = False
    """Whether kernels only read them, so that they need not be writable."""

    def __str__(self) -> str:
        """What it takes, for an error message."""
        shape = ", ".join("·" * self.ndim)
        return f"a contiguous {'' if self.is_fixed else 'writeable '}array {self.dtype}[{shape}]"


Bytes = Annotated[Any, Kind(np.dtype(np.uint8))]
Flags = Annotated[Any, Kind(np.dtype(np.bool_))]
Flags2 = Annotated[Any, Kind(np.dtype(np.bool_), 2)]
Floats = Annotated[Any, Kind(np.dtype(np.float64))]
FixedFloats = Annotated[Any, Kind(np.dtype(np.float64), is_fixed=True)]
Floats2 = Annotated[Any, Kind(np.dtype(np.float64), 2)]
Integers = Annotated[Any, Kind(np.dtype(np.int64))]
Integers2 = Annotated[Any, Kind(np.dtype(np.int64), 2)]
Ints = Annotated[Any, Kind(np.dtype(np.int32))]
Ints2 = Annotated[Any, Kind(np.dtype(np.int32), 2)]
Ints3 = Annotated[Any, Kind(np.dtype(np.int32), 3)]
Shorts = Annotated[Any, Kind(np.dtype(np.int16))]
Tinies2 = Annotated[Any, Kind(np.dtype(np.int8), 2)]
