"""The kinds of computer players at tables, which must be fast enough for the other players to wait for."""

from fivedice.errors import IllegalError
from fivedice.players import greedy_work
from fivedice.ruleset import Ruleset
from fivedice.server.config.limits import MAX_GREEDY_WORK

COMPUTERS = ("greedy", "optimal", "random")
"""The kinds of computer players at tables. Each can also stand in for a person.

The other kinds play in the terminal only: each needs further tables, or sometimes takes seconds for a choice.
"""


def require_quick(kind: str, ruleset: Ruleset) -> None:
    """Raise `IllegalError` if a kind of computer player is slow under these rules.

    The optimal player is always fast: its rules are solved in the background or refused.
    """
    work = greedy_work(ruleset)
    if kind == "greedy" and work > MAX_GREEDY_WORK:
        raise IllegalError(
            f"greedy would examine {work:,} keeps for each choice under {ruleset}, and the limit is "
            f"{MAX_GREEDY_WORK:,}; choose another computer player"
        )
