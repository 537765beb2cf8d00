"""What processes that compute for the servers of tests have imported; it also loads the kernels."""

import gc

from fivedice.analysis.advice import advise
from fivedice.analysis.estimated_odds import OddsEstimator
from fivedice.analysis.why import why
from fivedice.game.position import Position
from fivedice.rulesets import parse_ruleset
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.play.moments import find_moments
from fivedice.solver.solve import solve

TINY = parse_ruleset('id = "tiny"\ndice = 2\nfaces = 2\n[categories]\nany = { scorer = "any_dice" }\n')

solution = solve(TINY)
actions = advise(solution, position := Position.start(TINY).roll((1, 1))).actions
why(solution, position, actions[0].action, actions[-1].action, breakdown=find_breakdown(solution))
OddsEstimator(solution, find_moments(solution)).odds(Position.start(TINY))
gc.collect()
gc.freeze()  # a fork would copy all memory in which it looks for garbage
