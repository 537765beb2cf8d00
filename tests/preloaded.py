# ruff: noqa: E402
"""Imports what processes of `tests.forked` use, and loads the kernels."""

import functools
import gc

import pytest

from tests.wall_clock import install

install()

import fivedice.cli.app
import fivedice.cli.commands.serve
import fivedice.server.http.app
import fivedice.server.process.server
import fivedice.server.solving.pool
import fivedice.simulation.perfect_scores
import fivedice.views.odds
from fivedice.analysis.advice import advise
from fivedice.analysis.odds.estimated_odds import OddsEstimator
from fivedice.analysis.why import why
from fivedice.game.position import Position
from fivedice.rulesets import parse_ruleset
from fivedice.server.config.settings import Settings
from fivedice.server.http.pages import Page
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.play.moments import find_moments
from fivedice.solver.solve import solve

# A process serves once, so that it can have the application of the one that it is a fork of, and its compressed page.
application = fivedice.server.http.app.make_app()
patch = pytest.MonkeyPatch()
patch.setattr("fivedice.server.process.server.make_app", lambda: application)
read = functools.cache(Page.read)
patch.setattr(Page, "read", read)
read(Settings("").page)

TINY = parse_ruleset('id = "tiny"\ndice = 2\nfaces = 2\n[categories]\nany = { scorer = "any_dice" }\n')

solution = solve(TINY)
actions = advise(solution, position := Position.start(TINY).roll((1, 1))).actions
why(solution, position, actions[0].action, actions[-1].action, breakdown=find_breakdown(solution))
OddsEstimator(solution, find_moments(solution)).odds(Position.start(TINY))
gc.collect()
gc.freeze()  # a fork would copy all memory in which it looks for garbage
