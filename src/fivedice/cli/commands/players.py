"""`fivedice players`: the computer players, and which of them play under some rules."""

from msgspec import UNSET

from fivedice.cli.completed import Rules
from fivedice.cli.game.seats import available_here
from fivedice.cli.language import chosen, say
from fivedice.cli.text.output import Flag, print_json, prints
from fivedice.players import KINDS, kind_name
from fivedice.rulesets import load_ruleset
from fivedice.views.printed import KindView


@prints(list[KindView])
def players(name: Rules | None = None, /, *, json: Flag = False) -> None:
    """List the players that --seats of fivedice play takes, with a sentence about each.

    Parameters
    ----------
    name
        A ruleset, with any options, such as yahtzee[joker=free], or a TOML file: says which players it does not have.
    json
        Print JSON.
    """
    found = available_here(load_ruleset(name), to=chosen()) if name is not None else None
    if json:
        print_json(
            [
                KindView(
                    kind,
                    kind_name(kind, chosen()) if kind != "human" else None,
                    say(about),
                    (found.player(kind) or None) if found else UNSET,
                )
                for kind, about in KINDS.items()
            ]
        )
        return
    width = max(map(len, KINDS))
    refused: dict[str, list[str]] = {}
    for kind, about in KINDS.items():
        if found and (refusal := found.player(kind)):
            refused.setdefault(refusal, []).append(kind)
        else:
            title = "" if kind == "human" else f"{kind_name(kind, chosen())}. "
            print(f"{kind:<{width}}  {title}{say(about)}")
    for refusal, kinds in refused.items():
        print(f"\n{refusal}\n{', '.join(kinds)}")
