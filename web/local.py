"""Pack what the page runs without a server: `python web/local.py FILE` writes fivedice.zip.

The modules are those that `fivedice.local` loads, so that nothing is listed by hand, with rulesets and translations.
The same sources give the same bytes.
"""

import subprocess
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

SOURCES = Path(__file__).resolve().parent.parent / "src"

ENTRY = "fivedice.local.browser"
"""What the page's worker imports."""

LATER = (
    "fivedice.local.ahead",
    "fivedice.analysis.reviews.review",
    "fivedice.analysis.lessons",
    "fivedice.views.review_words",
)
"""What the page imports first, and what functions import when a game is reviewed."""

DATA = ("rulesets/*.toml", "locale/*/LC_MESSAGES/*.mo", "solver/saved/shipped/*.approximate")

EMPTY = ".approximate"
"""Only the names of such files are packed, since playing needs no more than that the server has them."""

LOADED = f"""
import sys, importlib
sys.path.insert(0, {str(SOURCES)!r})  # a build has the sources, but has not installed them
for name in {(ENTRY, *LATER)!r}:
    importlib.import_module(name)
for name, module in sorted(sys.modules.items()):
    if name.split(".")[0] == "fivedice":
        print(module.__file__)
"""


def files() -> list[Path]:
    """The files of fivedice that the page needs, in a fixed order.

    Raises `CalledProcessError` if they cannot be imported, after Python has printed why.
    """
    command = [sys.executable, "-c", LOADED]
    loaded = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    data = [path for pattern in DATA for path in (SOURCES / "fivedice").glob(pattern)]
    return sorted({*(Path(name) for name in loaded if name), *data})


def pack(target: Path) -> None:
    """Write the files as a ZIP, without their times."""
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for path in files():
            info = ZipInfo(path.relative_to(SOURCES).as_posix())
            info.compress_type = ZIP_DEFLATED
            archive.writestr(info, b"" if path.suffix == EMPTY else path.read_bytes())


if __name__ == "__main__":
    pack(Path(sys.argv[1]))
