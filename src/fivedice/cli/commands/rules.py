"""`fivedice rules`: a list of the rulesets, or the rules of one."""

from fivedice.cli.language import chosen
from fivedice.cli.text.output import Flag, print_json
from fivedice.cli.text.ruleset_report import report_json, report_lines
from fivedice.errors import IllegalError, MalformedError
from fivedice.explanation import explain
from fivedice.explanation.page import prose
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.views.rules import explained_rules_view, ruleset_view

GAMES = 6
"""Random games that --check plays."""


def rules(name: str | None = None, /, *, check: Flag = False, json: Flag = False) -> None:
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
        report = check_ruleset(load_ruleset(name), num_games=GAMES)
    except AssertionError as error:
        raise IllegalError(str(error)) from None
    if as_json:
        print_json(report_json(report, GAMES))
    else:
        print("\n".join(report_lines(report, GAMES)))
