"""`fivedice rules`, `players` and `legal`: rulesets, who plays under them, and what is legal in a position."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET
from rich.filesize import decimal

from fivedice.analysis.ruleset_report import RulesetReport
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.cli.game.session import available_here
from fivedice.cli.language import chosen, say
from fivedice.cli.options import Flag, Json, PositionText, Rest, Rules
from fivedice.cli.text.output import prints, show
from fivedice.cli.text.read_position import told_position
from fivedice.game.position import Position
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
    check
        Check the rules of one instead: play random games, and say how long a game is, which boxes can score, whether
        the ruleset can be solved here, and which keys of a file have no effect.
    """
    if check:
        _check(name, json=json)
        return
    if name is not None:
        ruleset = load_ruleset(name)
        explained = explain(ruleset, chosen().card_tag).splitlines()
        show(explained_rules_view(ruleset, chosen()), explained, json=json)
        return
    rulesets = [load_ruleset(id) for id in ruleset_ids()]
    width = max(len(ruleset.id) for ruleset in rulesets)
    lines = (f"{ruleset.id:<{width}}  {prose(ruleset, ruleset.about, chosen()).text}" for ruleset in rulesets)
    show([ruleset_view(ruleset, chosen()) for ruleset in rulesets], lines, json=json)


def _check(name: str | None, *, json: bool) -> None:
    if name is None:
        raise MalformedError("--check needs a ruleset, as in fivedice rules my.toml --check")
    # Imported here, since it loads NumPy and the solver.
    from fivedice.testing.conformance import check_ruleset

    try:
        ruleset = load_ruleset(name)
        report = check_ruleset(ruleset, num_games=GAMES)
    except AssertionError as error:
        raise IllegalError(str(error)) from None
    show(report, report_lines(ruleset, report), json=json)


def report_lines(ruleset: Ruleset, report: RulesetReport) -> list[str]:
    """One line on each subject, then the warnings."""
    alike = [f"boxes {', '.join(ids)}" for ids in report.alike_boxes]
    alike += [f"columns {', '.join(ids)}" for ids in report.alike_columns]
    num_boxes, scoring = len(ruleset.boxes), len(report.scoring_boxes)
    lines = [
        f"{ruleset}: the rules are valid, with the digest {ruleset.digest}",
        f"played: {GAMES} random games ended as the rules say, and every worked example scores as stated",
        f"length: a game ends after {report.rounds} turns of each player, of {report.most_rolls} rolls at most",
        f"boxes: {'all' if scoring == num_boxes else scoring} of {num_boxes} can score",
        f"size: up to {report.max_turn_states:,} turn states: {_solvable(report)}",
        f"alike: {'; '.join(alike) or 'no boxes or columns could be exchanged'}",
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


@prints(list[KindView])
def players(name: Rules | None = None, /, *, json: Json = False) -> None:
    """List the players that --seats of fivedice play takes, with a sentence about each.

    Parameters
    ----------
    name
        A ruleset, with any options, such as yahtzee[joker=free], or a TOML file: says which players it does not have.
    """
    found = available_here(load_ruleset(name)) if name is not None else None
    kinds = [
        KindView(
            kind,
            kind_name(kind, chosen()) if kind != "human" else None,
            say(about),
            (found.player(kind) or None) if found else UNSET,
        )
        for kind, about in KINDS.items()
    ]
    show(kinds, _kind_lines(kinds), json=json)


def _kind_lines(kinds: Sequence[KindView]) -> Iterator[str]:
    width = max(map(len, KINDS))
    refused: dict[str, list[str]] = {}
    for one in kinds:
        if one.refusal:
            refused.setdefault(one.refusal, []).append(one.kind)
        else:
            yield f"{one.kind:<{width}}  {f'{one.name}. ' if one.name else ''}{one.about}"
    for refusal, names in refused.items():
        yield from ("", refusal, ", ".join(names))


@prints(LegalView)
def legal(position: PositionText, /, *rest: Rest, json: Json = False) -> None:
    """List every legal action in a position and the points each box would score."""
    parsed = told_position((position, *rest), json=json)
    show(legal_view(parsed), _legal_lines(parsed), json=json)


def _legal_lines(position: Position) -> Iterator[str]:
    for offer in position.offers():
        bonus = f" +{offer.bonus}" if offer.bonus else ""
        mark = "  joker" if offer.is_joker else ""
        yield f"{offer.action!s:<32}{offer.points:>4}{bonus}{mark}"
    yield from map(str, (*position.announcements(), *position.keeps()))
    if position.is_over:
        yield say("The game is over: there is no legal action.")
    elif not position.dice:
        yield say("The turn begins with a roll: there is no legal action before it.")
