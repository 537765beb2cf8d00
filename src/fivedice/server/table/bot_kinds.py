"""Computer players that a table can have: those that decide in a time that its other players can wait for."""

from fivedice.errors import IllegalError
from fivedice.players import KINDS, greedy_work
from fivedice.ruleset import Ruleset

COMPUTERS = tuple(kind for kind in KINDS if kind != "human")
"""The kinds of computer players, which also act for persons."""

MAX_GREEDY_WORK = 50_000
"""What a greedy player may look at for one choice, which takes it half a second; `maxi_yatzy` with saved rolls has
40,000."""


def require_quick(kind: str, ruleset: Ruleset) -> None:
    """Raises `IllegalError` if a kind of computer player would think for long under these rules.

    The optimal player never does: its rules are solved beside, or refused.
    """
    work = greedy_work(ruleset)
    if kind == "greedy" and work > MAX_GREEDY_WORK:
        raise IllegalError(
            f"greedy would look at {work:,} keeps for each choice under {ruleset}: {MAX_GREEDY_WORK:,} are the most, "
            "so take another computer player"
        )
