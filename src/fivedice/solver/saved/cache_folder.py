"""`solutions_folder`: where solutions are saved. Separate from `store`, whose import needs NumPy."""

import os
from pathlib import Path

from platformdirs import user_cache_path


def solutions_folder() -> Path:
    """The folder for solutions: in `FIVEDICE_CACHE` if that is set, else in the user's cache folder."""
    chosen = os.environ.get("FIVEDICE_CACHE")
    return (Path(chosen) if chosen else user_cache_path("fivedice", appauthor=False)) / "solutions"
