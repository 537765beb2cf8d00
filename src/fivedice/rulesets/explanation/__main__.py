"""Writes the page of all shipped rulesets: `.venv/bin/python -m fivedice.rulesets.explanation > docs/rules.md`."""

import sys

from fivedice.rulesets.explanation.text import rules_markdown

if __name__ == "__main__":
    sys.stdout.buffer.write(rules_markdown().encode())
