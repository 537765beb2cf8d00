"""Writes the page of all shipped rulesets: `.venv/bin/python -m fivedice.explain > docs/rules.md`."""

import sys

from fivedice.explain.rules_page import rules_page

if __name__ == "__main__":
    sys.stdout.buffer.write(rules_page().encode())
