"""`fivedice advise --target` and `chances --targets`: the best chances of reaching final scores."""

from fivedice.analysis.odds.targets import advise_for_target, target_curve
from fivedice.cli.language import say
from fivedice.cli.progress import shown_progress
from fivedice.cli.solutions import COMPILING, solution_of
from fivedice.cli.text.output import print_json
from fivedice.cli.text.targets import target_advice_lines
from fivedice.game.position import Position
from fivedice.solver.kernels.jit import is_compiled
from fivedice.solver.kernels.objective_layers import fill_rows
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import Array
from fivedice.views.targets import target_advice_view


def targets_of(solution: Solution, position: Position) -> tuple[Array, Array]:
    """The best chance of every final score, as `target_curve` gives it, with progress on standard error."""
    label = "Finding the best chance of every score"
    with shown_progress() as progress:
        progress(label if is_compiled(fill_rows) else say(COMPILING), None)
        return target_curve(solution, position, progress=lambda done, lanes: progress(label, done / lanes))


def show_target_advice(position: Position, target: int, *, top: int | None, json: bool) -> None:
    """Print the legal actions of a position by their chance to reach the target, with progress on standard error."""
    solution = solution_of(position.ruleset)
    label = f"Finding the chance of {target}"
    with shown_progress() as progress:
        progress(label if is_compiled(fill_rows) else say(COMPILING), None)
        advice = advise_for_target(
            solution, position, target, progress=lambda done, lanes: progress(label, done / lanes)
        )
    if json:
        print_json(target_advice_view(advice, target, top))
    else:
        print("\n".join(target_advice_lines(advice, target, top)))
