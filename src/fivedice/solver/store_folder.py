"""Where solutions are saved; asking needs none of the solver's libraries."""

import os
from pathlib import Path

from platformdirs import user_cache_path


def solutions_folder() -> Path:
    """The folder: in `FIVEDICE_CACHE` if that is set, else in the user's cache folder."""
    chosen = os.environ.get("FIVEDICE_CACHE")
    return (Path(chosen) if chosen else user_cache_path("fivedice", appauthor=False)) / "solutions"
