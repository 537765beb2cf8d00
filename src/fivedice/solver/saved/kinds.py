"""What the solver computes once and saves: solutions, their breakdowns, and the moments of final scores."""

from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.play.breakdown import Breakdown, find_breakdown, num_columns, rows_of
from fivedice.solver.play.moments import Moments, find_moments, num_moments
from fivedice.solver.saved.saved_table import Layout, solution_layout
from fivedice.solver.saved.store import Artefact
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import States

SOLUTION: Artefact[Ruleset, Solution] = Artefact(
    name="solution",
    find=solve,
    layout=lambda ruleset: solution_layout(States(ruleset)),
    pack=lambda found: ({"turn_states": found.num_turn_states, "seconds": found.seconds}, found.values),
    unpack=lambda ruleset, header, values: Solution(States(ruleset), values, header["turn_states"], header["seconds"]),
)
"""The values of all turn states."""


def _breakdown_layout(solution: Solution) -> Layout:
    rows = int(rows_of(solution).max()) + 1
    return Layout({"rows": rows}, {"seconds": float}, rows * num_columns(solution.ruleset))


BREAKDOWN: Artefact[Solution, Breakdown] = Artefact(
    name="breakdown",
    find=find_breakdown,
    layout=_breakdown_layout,
    pack=lambda found: ({"seconds": found.seconds}, found.parts),
    unpack=lambda solution, header, values: Breakdown(
        solution, values.reshape(-1, num_columns(solution.ruleset)), header["seconds"]
    ),
)

MOMENTS: Artefact[Solution, Moments] = Artefact(
    name="moments",
    find=find_moments,
    layout=lambda solution: Layout({}, {}, num_moments(solution) * solution.values.size),
    pack=lambda found: ({}, found.table),
    unpack=lambda solution, header, values: Moments(solution, values.reshape(num_moments(solution), -1)),
)
