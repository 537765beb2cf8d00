"""All dice of a record computed again from its secret; `docs/fair-dice.md` describes how, byte by byte.

python examples/verify_dice.py examples/game.txt
"""

import sys
from pathlib import Path

from fivedice import verify_record


def main() -> None:
    """Compare every die of the record named on the command line; exit with 1 if one differs."""
    found = verify_record(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for problem in found.problems:
        print(problem)
    print(f"{found.dice} dice compared, {len(found.problems)} problems")
    sys.exit(1 if found.problems else 0)


if __name__ == "__main__":
    main()
