"""`fivedice rules`: a list of the rulesets, or the rules of one."""

from fivedice.cli.text.output import Flag, print_json
from fivedice.explain import explain
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.views.rules import explained_rules_view, ruleset_view


def rules(name: str | None = None, /, *, json: Flag = False) -> None:
    """List the rulesets, or explain the rules of one in full.

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
            print_json(explained_rules_view(ruleset))
        else:
            print(explain(ruleset), end="")
        return
    rulesets = [load_ruleset(id) for id in ruleset_ids()]
    if json:
        print_json([ruleset_view(ruleset) for ruleset in rulesets])
        return
    width = max(len(ruleset.id) for ruleset in rulesets)
    for ruleset in rulesets:
        print(f"{ruleset.id:<{width}}  {ruleset.about}")
