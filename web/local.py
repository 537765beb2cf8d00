"""Write the program as a zip archive for Python in the browser: `python web/local.py OUT`.

It has the modules that a table needs, and their data. The same sources give the same bytes.
"""

import sys
import zipfile
from importlib import import_module
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "src"

ROOTS = (
    "fivedice.analysis.action_values",
    "fivedice.server.table.apply",
    "fivedice.server.table.create",
    "fivedice.server.table.decide",
    "fivedice.server.table.view",
    "fivedice.solver.saved.portable",
)

DATA = ("rulesets/*.toml", "locale/*/LC_MESSAGES/*.mo")


def write(out: Path) -> None:
    """Write the archive."""
    sys.path.insert(0, str(SOURCES))
    for name in ROOTS:
        import_module(name)
    own = [module for name, module in sys.modules.items() if name.partition(".")[0] == "fivedice"]
    files = {Path(module.__file__) for module in own if module.__file__}
    files |= {path for pattern in DATA for path in (SOURCES / "fivedice").glob(pattern)}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(files):
            info = zipfile.ZipInfo(path.relative_to(SOURCES).as_posix(), (1980, 1, 1, 0, 0, 0))
            archive.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
