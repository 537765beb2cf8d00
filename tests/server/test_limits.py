"""The limits of the server: the operator's are documented, and they fit each other."""

from fivedice.server.config import limits
from fivedice.server.config.settings import RATES, RateLimits
from tests.repository import ROOT


def test_every_rate_is_documented_with_its_default() -> None:
    text = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    defaults = RateLimits()
    for name in (*RATES, "connections"):
        assert f"| `{name}` | `{getattr(defaults, name)}` |" in text, name


def test_one_import_fits_in_the_fast_windows_of_its_bytes() -> None:
    defaults = RateLimits()
    for name in ("bytes", "browser_bytes", "all_bytes"):
        assert min(window.amount for window in defaults.windows(name)) > limits.MAX_IMPORT_BYTES
