"""The results of a sweep as Parquet."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from fivedice.simulation.runs.parquet import write_table
from fivedice.simulation.sweeps.variant_figures import VariantFigures

TYPES: dict[str, Any] = {"variant": pa.int64(), "turn_states": pa.int64()}
"""The types of columns that are neither text nor float64."""

OPENING = pa.schema([("variant", pa.int64()), ("dice", pa.string()), ("action", pa.string()), ("value", pa.float64())])


def write_variants(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a row of figures for each variant."""
    figures = [name for name in VariantFigures._fields if name not in TYPES]
    kinds = {name: pa.float64() for name in figures} | TYPES
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in rows[0]])
    write_table(path, pa.Table.from_pylist(list(rows), schema))


def write_openings(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a row for each variant and first roll."""
    write_table(path, pa.Table.from_pylist(list(rows), OPENING))
