"""`fivedice rules`: a list of the rulesets, or the rules of one."""

from fivedice.cli.text.language import chosen
from fivedice.cli.text.output import Flag, print_json
from fivedice.explain import explain
from fivedice.explain.page import prose
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.views.rules import explained_rules_view, ruleset_view


def rules(name: str | None = None, /, *, json: Flag = False) -> None:
    """List the rulesets, or explain the rules of one in full; in German or Swedish with --lang de or --lang sv.

    Parameters
    ----------
    name
        A ruleset, with any options, such as yahtzee[joker=free], or a TOML file.
    json
        Print JSON.
    """
    if name is not None:
        ruleset = load_ruleset(name)
        if json:
            print_json(explained_rules_view(ruleset, chosen()))
        else:
            print(explain(ruleset, chosen().tag), end="")
        return
    rulesets = [load_ruleset(id) for id in ruleset_ids()]
    if json:
        print_json([ruleset_view(ruleset, chosen()) for ruleset in rulesets])
        return
    width = max(len(ruleset.id) for ruleset in rulesets)
    for ruleset in rulesets:
        print(f"{ruleset.id:<{width}}  {prose(ruleset, ruleset.about, chosen()).text}")
