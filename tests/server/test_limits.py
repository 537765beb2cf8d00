"""All limits stand in one file, or are named there, and the operator's are documented."""

import re
from pathlib import Path

import fivedice
from fivedice.server.config import limits
from fivedice.server.config.settings import RATES, RateLimits
from tests.repository import ROOT

ROOMS = ("dice.py", "proof.py", "game", "rulesets", "server", "storage")
LIMIT = re.compile(r"^((?:MAX|MIN)_\w+|\w+_SECONDS|READERS) *(?:: \w+)? *=", re.MULTILINE)


def test_limits_outside_of_the_file_are_named_in_it() -> None:
    package = Path(str(fivedice.__file__)).parent
    files = [file for room in ROOMS for file in [package / room, *(package / room).rglob("*.py")] if file.is_file()]
    missing = []
    for file in files:
        if file == Path(str(limits.__file__)) or file.parent.name == "versions":  # migrations keep what they once had
            continue
        module = ".".join(file.relative_to(package).with_suffix("").parts).removeprefix("server.")
        for name in LIMIT.findall(file.read_text(encoding="utf-8")):
            # The module is named once for all of its limits.
            if not re.search(rf"`{module}\.[^-]*\b{name}`", limits.__doc__ or ""):
                missing.append(f"{module}.{name}")
    assert missing == []


def test_every_rate_is_documented_with_its_default() -> None:
    text = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    defaults = RateLimits()
    for name in (*RATES, "connections"):
        assert f"| `{name}` | `{getattr(defaults, name)}` |" in text, name


def test_one_import_fits_in_the_fast_windows_of_its_bytes() -> None:
    defaults = RateLimits()
    for name in ("bytes", "browser_bytes", "all_bytes"):
        assert min(window.amount for window in defaults.windows(name)) > limits.MAX_IMPORT_BYTES
