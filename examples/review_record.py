"""The luck and the costliest decisions of each player of a record.

python examples/review_record.py examples/game.txt
"""

import sys
from pathlib import Path

from fivedice import parse_record, review, solve
from fivedice.rulesets.dice import format_dice


def main() -> None:
    """Review the record named on the command line."""
    record = parse_record(Path(sys.argv[1]).read_text(encoding="utf-8"))
    reviewed = review(solve(record.ruleset), record)
    for seat in reviewed.seats:
        print(f"{seat.name}: {seat.score} points, luck {seat.luck:+.1f}, lost {seat.loss:.1f}")
        for decision in sorted(seat.decisions, key=lambda decision: -decision.loss)[:3]:
            card, dice = decision.position.card, format_dice(decision.position.dice)
            print(f"  {card} {dice}: {decision.action} lost {decision.loss:.1f} against {decision.best}")


if __name__ == "__main__":
    main()
