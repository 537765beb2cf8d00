"""`fivedice rules`, `players` and `legal`: rulesets, who plays under them, and what is legal in a position."""

from collections.abc import Sequence

from msgspec import UNSET
from rich.filesize import decimal

from fivedice.analysis.ruleset_report import RulesetReport
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.cli.completed import Rules
from fivedice.cli.game.seats import available_here
from fivedice.cli.language import chosen, say
from fivedice.cli.text.output import Flag, Json, Rest, print_json, prints
from fivedice.cli.text.read_position import read_position
from fivedice.players import KINDS, kind_name
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.explanation import explain
from fivedice.rulesets.explanation.page import prose
from fivedice.rulesets.ruleset import Ruleset
from fivedice.views.printed import KindView
from fivedice.views.rules import ExplainedRulesView, RulesetView, explained_rules_view, ruleset_view
from fivedice.views.to_dict import LegalView, legal_view

GAMES = 6
"""Random games that --check plays."""


@prints(list[RulesetView], ExplainedRulesView, RulesetReport)
def rules(name: Rules | None = None, /, *, check: Flag = False, json: Json = False) -> None:
    """List the rulesets, or explain the rules of one in full; in German or Swedish with --lang de or --lang sv.

    Parameters
    ----------
    name
        A ruleset, with any options, such as yahtzee[joker=free], or a TOML file.
    check
        Check the rules of one instead: play random games, and say how long a game is, which boxes can score, whether
        the ruleset can be solved here, and which keys of a file have no effect.
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

    needed = f"{decimal(report.num_bytes)} of memory to solve"
    if report.is_solvable:
        return f"solvable here, with {needed}"
    if report.obstacle or report.num_bytes > ANY_COMPUTER:
        return report.obstacle or "more than any computer can solve"
    return f"{needed}, too much for the {decimal(report.memory_limit)} allowed here"


def _alike(report: RulesetReport) -> str:
    groups = [f"boxes {_listed(ids)}" for ids in report.alike_boxes]
    groups += [f"columns {_listed(ids)}" for ids in report.alike_columns]
    return "; ".join(groups) or "no boxes or columns could be exchanged"


def _listed(ids: Sequence[str]) -> str:
    return ", ".join(ids)


@prints(list[KindView])
def players(name: Rules | None = None, /, *, json: Json = False) -> None:
    """List the players that --seats of fivedice play takes, with a sentence about each.

    Parameters
    ----------
    name
        A ruleset, with any options, such as yahtzee[joker=free], or a TOML file: says which players it does not have.
    """
    found = available_here(load_ruleset(name), to=chosen()) if name is not None else None
    kinds = [
        KindView(
            kind,
            kind_name(kind, chosen()) if kind != "human" else None,
            say(about),
            (found.player(kind) or None) if found else UNSET,
        )
        for kind, about in KINDS.items()
    ]
    if json:
        print_json(kinds)
        return
    width = max(map(len, KINDS))
    refused: dict[str, list[str]] = {}
    for one in kinds:
        if one.refusal:
            refused.setdefault(one.refusal, []).append(one.kind)
        else:
            print(f"{one.kind:<{width}}  {f'{one.name}. ' if one.name else ''}{one.about}")
    for refusal, names in refused.items():
        print(f"\n{refusal}\n{', '.join(names)}")


@prints(LegalView)
def legal(position: str, /, *rest: Rest, json: Json = False) -> None:
    """List every legal action in a position and the points each box would score.

    Parameters
    ----------
    position
        A position in notation, such as "yahtzee - 33456 r2". What is missing is taken from a new game of yahtzee
        after its first roll, so 33456 means the same; dice may be in any order.
    """
    parsed = read_position((position, *rest)).told(json=json)
    if json:
        print_json(legal_view(parsed))
        return
    for offer in parsed.offers():
        bonus = f" +{offer.bonus}" if offer.bonus else ""
        mark = "  joker" if offer.is_joker else ""
        print(f"{offer.action!s:<32}{offer.points:>4}{bonus}{mark}")
    for action in (*parsed.announcements(), *parsed.keeps()):
        print(action)
    if parsed.is_over:
        print(chosen().say("The game is over: there is no legal action."))
    elif not parsed.dice:
        print(chosen().say("The turn begins with a roll: there is no legal action before it."))
