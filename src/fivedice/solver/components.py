"""The components of values: what the expected points of a `Breakdown` are split by."""

from fivedice.rulesets.ruleset import Ruleset

UPPER_BONUS, EXTRA_BONUS, OUTRIGHT_WIN = "upper_bonus", "extra_bonus", "outright_win"

THIS_TURN, LATER_TURNS = "this_turn", "later_turns"
"""The components where nothing more is known: what the turn writes, and all that follows."""


def component_names(ruleset: Ruleset) -> tuple[str, ...]:
    """The components of values in order: ids of boxes, the two bonuses, and outright wins if the rules have any."""
    outright = (OUTRIGHT_WIN,) if ruleset.can_be_won_outright else ()
    return (*(box.id for box in ruleset.boxes), UPPER_BONUS, EXTRA_BONUS, *outright)
