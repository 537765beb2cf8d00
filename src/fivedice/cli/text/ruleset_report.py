"""A `RulesetReport` as text and as JSON."""

from collections.abc import Sequence
from dataclasses import fields

from fivedice.analysis.ruleset_report import RulesetReport


def report_lines(report: RulesetReport, num_games: int) -> list[str]:
    """One line on each subject, then the warnings."""
    ruleset, num_boxes = report.ruleset, len(report.ruleset.boxes)
    scoring = len(report.scoring_boxes)
    lines = [
        f"{ruleset}: the rules are valid, with the digest {ruleset.digest}",
        f"played: {num_games} random games ended as the rules say, and every worked example scores as stated",
        f"length: a game ends after {report.rounds} turns of each player, of {report.most_rolls} rolls at most",
        f"boxes: {'all' if scoring == num_boxes else scoring} of {num_boxes} can score",
        f"size: up to {report.max_turn_states:,} turn states, {_bytes(report.num_bytes)} of"
        f" {'disk' if report.is_on_disk else 'memory'} to solve: {_solvable(report)}",
        f"alike: {_alike(report)}",
    ]
    warnings = [f"warning: {warning}" for warning in report.warnings]
    return [*lines, *(warnings or ["every key has an effect"])]


def report_json(report: RulesetReport, num_games: int) -> dict[str, object]:
    """The same for programs."""
    facts = {field.name: getattr(report, field.name) for field in fields(report) if field.name != "ruleset"}
    return {
        "ref": str(report.ruleset),
        "digest": report.ruleset.digest,
        "games": num_games,
        **facts,
        "solvable": report.is_solvable,
    }


def _solvable(report: RulesetReport) -> str:
    if report.is_solvable:
        return "solvable here"
    return report.obstacle or f"too large for the {_bytes(report.memory_limit)} allowed here"


def _alike(report: RulesetReport) -> str:
    groups = [f"boxes {_listed(ids)}" for ids in report.alike_boxes]
    groups += [f"columns {_listed(ids)}" for ids in report.alike_columns]
    return "; ".join(groups) or "no boxes or columns could be exchanged"


def _listed(ids: Sequence[str]) -> str:
    return ", ".join(ids)


def _bytes(number: int) -> str:
    for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if number >= size:
            return f"{number / size:,.1f} {unit}"
    return f"{number} bytes"
