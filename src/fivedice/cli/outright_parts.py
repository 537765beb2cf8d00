"""`outright_parts`: the parts of outright wins in the values of a position and its actions, for `fivedice advise`."""

from fivedice.analysis.advice import Advice
from fivedice.analysis.outright import Outright, outright_before, outright_of
from fivedice.cli.solutions import part_of, solution_of
from fivedice.game.action import Action
from fivedice.solver.saved.kinds import BREAKDOWN


def outright_parts(advice: Advice) -> dict[Action | None, Outright] | None:
    """The part of every action, or as that of None the part of the position before its roll.

    None if the breakdown, from which they are read, takes too much memory.
    """
    position = advice.position
    breakdown = part_of(BREAKDOWN, solution_of(position.ruleset))
    if breakdown is None:
        return None
    if not advice.actions:
        return {None: outright_before(breakdown, position)}
    return {advised.action: outright_of(breakdown, position, advised.action) for advised in advice.actions}
