"""`fivedice rules`: a list of the rulesets, the rules of one, or a report on them."""

from collections.abc import Sequence

from fivedice.analysis.ruleset_report import RulesetReport
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.cli.completed import Rules
from fivedice.cli.language import chosen
from fivedice.cli.text.output import Flag, print_json, prints
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.explanation import explain
from fivedice.rulesets.explanation.page import prose
from fivedice.rulesets.ruleset import Ruleset
from fivedice.views.rules import ExplainedRulesView, RulesetView, explained_rules_view, ruleset_view

GAMES = 6
"""Random games that --check plays."""


@prints(list[RulesetView], ExplainedRulesView, RulesetReport)
def rules(name: Rules | None = None, /, *, check: Flag = False, json: Flag = False) -> None:
    """List the rulesets, or explain the rules of one in full; in German or Swedish with --lang de or --lang sv.

    Parameters
    ----------
    name
        A ruleset, with any options, such as yahtzee[joker=free], or a TOML file.
    check
        Check the rules of one instead: play random games, and say how long a game is, which boxes can score, whether
        the ruleset can be solved here, and which keys of a file have no effect.
    json
        Print JSON.
    """
    if check:
        _check(name, as_json=json)
        return
    if name is not None:
        ruleset = load_ruleset(name)
        if json:
            print_json(explained_rules_view(ruleset, chosen()))
        else:
            print(explain(ruleset, chosen().card_tag), end="")
        return
    rulesets = [load_ruleset(id) for id in ruleset_ids()]
    if json:
        print_json([ruleset_view(ruleset, chosen()) for ruleset in rulesets])
        return
    width = max(len(ruleset.id) for ruleset in rulesets)
    for ruleset in rulesets:
        print(f"{ruleset.id:<{width}}  {prose(ruleset, ruleset.about, chosen()).text}")


def _check(name: str | None, *, as_json: bool) -> None:
    """Print the report on one ruleset."""
    if name is None:
        raise MalformedError("--check needs a ruleset, as in fivedice rules my.toml --check")
    # Imported here, since it loads NumPy and the solver.
    from fivedice.testing.conformance import check_ruleset

    try:
        ruleset = load_ruleset(name)
        report = check_ruleset(ruleset, num_games=GAMES)
    except AssertionError as error:
        raise IllegalError(str(error)) from None
    if as_json:
        print_json(report)
    else:
        print("\n".join(report_lines(ruleset, report)))


def report_lines(ruleset: Ruleset, report: RulesetReport) -> list[str]:
    """One line on each subject, then the warnings."""
    num_boxes, scoring = len(ruleset.boxes), len(report.scoring_boxes)
    lines = [
        f"{ruleset}: the rules are valid, with the digest {ruleset.digest}",
        f"played: {GAMES} random games ended as the rules say, and every worked example scores as stated",
        f"length: a game ends after {report.rounds} turns of each player, of {report.most_rolls} rolls at most",
        f"boxes: {'all' if scoring == num_boxes else scoring} of {num_boxes} can score",
        f"size: up to {report.max_turn_states:,} turn states: {_solvable(report)}",
        f"alike: {_alike(report)}",
    ]
    warnings = [f"warning: {warning}" for warning in report.warnings]
    return [*lines, *(warnings or ["every key has an effect"])]


def _solvable(report: RulesetReport) -> str:
    from fivedice.solver.solve import ANY_COMPUTER  # it loads NumPy

    needed = f"{_bytes(report.num_bytes)} of memory to solve"
    if report.is_solvable:
        return f"solvable here, with {needed}"
    if report.obstacle or report.num_bytes > ANY_COMPUTER:
        return report.obstacle or "more than any computer can solve"
    return f"{needed}, too much for the {_bytes(report.memory_limit)} allowed here"


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
