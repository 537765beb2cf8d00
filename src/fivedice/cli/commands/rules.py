"""`fivedice rules`: lists the rulesets, or explains one."""

from fivedice.cli.text.output import Flag, print_json
from fivedice.explain import explain, explain_data
from fivedice.rulesets import load_ruleset, ruleset_ids


def rules(name: str | None = None, /, *, json: Flag = False) -> None:
    """List the rulesets, or explain one so that a family could play from it.

    Parameters
    ----------
    name
        A ruleset's id with any options, as in yahtzee[joker=free], or a TOML file.
    json
        Print JSON.
    """
    if name is not None:
        ruleset = load_ruleset(name)
        if json:
            print_json(explain_data(ruleset))
        else:
            print(explain(ruleset), end="")
        return
    rulesets = [load_ruleset(id) for id in ruleset_ids()]
    if json:
        print_json([{"id": r.id, "name": r.name, "digest": r.digest, "about": r.about} for r in rulesets])
        return
    width = max(len(r.id) for r in rulesets)
    for ruleset in rulesets:
        print(f"{ruleset.id:<{width}}  {ruleset.about}")
