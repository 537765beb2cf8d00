"""The limits of the server are few, and each says its reason."""

import re

from tests.repository import ROOT

LIMIT = re.compile("^[A-Z_]+ +=.*$", re.MULTILINE)


def test_there_are_at_most_forty_limits_each_with_its_reason() -> None:
    lines = LIMIT.findall((ROOT / "src/fivedice/server/config/limits.py").read_text(encoding="utf-8"))
    assert 20 < len(lines) <= 40
    assert [line for line in lines if not re.search(" # .{10}", line)] == []


def test_the_documentation_names_what_requests_cost() -> None:
    text = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    assert "a bucket of 1,200 tokens, which fills by 20 a second" in text
    assert "| 6 more |" in text
    assert "| 60 more |" in text
