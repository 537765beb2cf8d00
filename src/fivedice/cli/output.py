"""How commands print: JSON for programs, one sentence for what is wrong."""

import json
import sys
from typing import NoReturn


def print_json(value: object) -> None:
    """A value as indented JSON."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def fail(sentence: str) -> NoReturn:
    """Say what is wrong and leave with status 2."""
    print(f"fivedice: {sentence}", file=sys.stderr)
    sys.exit(2)
