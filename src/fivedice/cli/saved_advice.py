"""`advice_on`: advice on one position, at once if its rules are solved: with a saved solution, nothing is compiled."""

from fivedice.analysis.advice import Advice, advise, advise_plainly
from fivedice.game.position import Position
from fivedice.solver.cache_folder import solutions_folder
from fivedice.solver.saved_table import UnusableSolutionError, read_values
from fivedice.solver.states import States


def advice_on(position: Position) -> Advice:
    """Advice on a position; raises `IllegalError` if it is unreachable, `TooLargeError` if its rules are too large.

    Without a usable saved solution, the rules are solved and saved.
    """
    states = States(position.ruleset)
    try:
        saved = read_values(states, solutions_folder())
    except UnusableSolutionError:
        saved = None  # `solution_of` finds the same fault, and prints a warning
    if saved:
        _, values = saved
        return advise_plainly(states, values, position)
    # Imported here, because it loads the compiler.
    from fivedice.cli.solutions import solution_of

    return advise(solution_of(position.ruleset), position)
