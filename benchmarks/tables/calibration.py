"""The calibration of marks and levels on simulated games of the reference population.

The threshold of a mark is a quantile of one member's errors, which are unforced decisions that lose points. The bound
of a level is one member's error rate.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.solo_games import Games, Policy, play_games
from fivedice.analysis.reviews.marks import BLUNDER, INACCURACY, LEVELS, MISTAKE, Mark
from fivedice.analysis.reviews.seat_review import EQUAL
from fivedice.simulation.players import guessing
from fivedice.solver.play.breakdown import Breakdown
from fivedice.solver.solution import Solution

NUM_GAMES, SEED = 50_000, 1
"""The defaults, with which `docs/review.md` was measured."""

THRESHOLDS = {Mark.INACCURACY: INACCURACY, Mark.MISTAKE: MISTAKE, Mark.BLUNDER: BLUNDER}

MARKED_BY = {
    Mark.INACCURACY: ("par and bonus", 0.5),
    Mark.MISTAKE: ("par and bonus", 0.75),
    Mark.BLUNDER: ("optimal, 2 % slips", 0.5),
}
"""Mark → the member, and the quantile of its errors that gives the threshold, rounded to half a point."""

BOUNDED_BY = ("optimal, 1 % slips", "optimal, 2 % slips", "par and bonus", "greedy", "optimal, 20 % slips")
"""The members whose error rates, rounded to two decimals, are the upper bounds of `LEVELS`, best first."""


@dataclass(frozen=True, slots=True)
class MemberFigures:
    """Means over a member's games. `spread` is the standard deviation of the error rate of one game; `marks` has the
    marks per game; `correlation` is that of luck and loss of a game, None for a player without losses; `quantiles` are
    those of the member's errors that `MARKED_BY` lists, in points."""

    name: str
    score: float
    loss: float
    num_unforced: float
    error_rate: float
    spread: float
    marks: dict[Mark, float]
    correlation: float | None
    quantiles: dict[Mark, float]


def calibrate(solution: Solution, breakdown: Breakdown, num_games: int, seed: int) -> Iterator[MemberFigures]:
    """The figures of every member, each from `num_games` games; the dice of all come from the same seed."""
    for member in population(solution, breakdown):
        yield figures_of(member.name, play_games(solution, member, num_games, np.random.default_rng(seed)))


def figures_of(name: str, games: Games) -> MemberFigures:
    """The figures of one member's games."""
    losses, num_unforced = games.losses, games.num_unforced
    errors = games.loss[games.is_unforced & (games.loss > EQUAL)]
    bounds = [*THRESHOLDS.values(), np.inf]
    counts = np.histogram(games.loss, bounds)[0] / games.scores.size
    asked = {mark: share for mark, (member, share) in MARKED_BY.items() if member == name}
    return MemberFigures(
        name=name,
        score=float(games.scores.mean()),
        loss=float(losses.mean()),
        num_unforced=float(num_unforced.mean()),
        error_rate=games.error_rate,
        spread=float(np.std(losses / np.maximum(num_unforced, 1))),
        marks=dict(zip(THRESHOLDS, counts.tolist(), strict=True)),
        correlation=float(np.corrcoef(games.luck, losses)[0, 1]) if errors.size else None,
        quantiles={mark: float(np.quantile(errors, share)) for mark, share in asked.items()},
    )


def measured_thresholds(figures: list[MemberFigures]) -> dict[Mark, float]:
    """Mark → the quantile from which its threshold is rounded."""
    found = {mark: points for one in figures for mark, points in one.quantiles.items()}
    return {mark: found[mark] for mark in THRESHOLDS}


def measured_bounds(figures: list[MemberFigures]) -> list[float]:
    """The error rates from which the upper bounds of `LEVELS` are rounded; the last level has none."""
    rates = {one.name: one.error_rate for one in figures}
    assert len(BOUNDED_BY) == len(LEVELS) - 1
    return [rates[name] for name in BOUNDED_BY]


SLIPS = (0.30, 0.20, 0.10, 0.05, 0.02, 0.01)
"""The shares of random choices of otherwise optimal players."""


def population(solution: Solution, breakdown: Breakdown) -> tuple[Policy, ...]:
    """The members: the random player, the planners, then the optimal player with fewer and fewer slips."""
    pars = breakdown.at(0)[: len(solution.ruleset.boxes)]
    return (
        Policy("random", solution, slips=1.0),
        Policy("greedy", guessing(solution, np.zeros(pars.size), is_bonus_planned=False)),
        Policy("par", guessing(solution, pars, is_bonus_planned=False)),
        Policy("par and bonus", guessing(solution, pars, is_bonus_planned=True)),
        *(Policy(f"optimal, {100 * share:.0f} % slips", solution, share) for share in SLIPS),
        Policy("optimal", solution),
    )


def population_table(figures: Sequence[MemberFigures]) -> Iterator[str]:
    """A row for each member: its means, its error rate, and its marks per game."""
    yield from _head("player", "score", "loss", "unforced", "error rate", "± one game", *THRESHOLDS, "luck ~ loss")
    for one in figures:
        marks = (f"{one.marks[mark]:.2f}" for mark in THRESHOLDS)
        correlation = "" if one.correlation is None else f"{one.correlation:+.2f}".replace("-", "−")
        yield _row(
            one.name,
            f"{one.score:.1f}",
            f"{one.loss:.2f}",
            f"{one.num_unforced:.1f}",
            f"{one.error_rate:.3f}",
            f"{one.spread:.2f}",
            *marks,
            correlation,
        )


def marks_table(figures: Sequence[MemberFigures]) -> Iterator[str]:
    """A row for each mark: the measured quantile, and the threshold in use."""
    yield from _head("mark", "quantile", "of the errors of", "measured", "from")
    for mark, points in measured_thresholds(list(figures)).items():
        member, share = MARKED_BY[mark]
        yield _row(mark, f"{share:g}", member, f"{points:.2f}", f"{THRESHOLDS[mark]:.1f}")


def levels_table(figures: Sequence[MemberFigures]) -> Iterator[str]:
    """A row for each level: the member that bounds it, its measured rate, and the bound in use."""
    yield from _head("level", "loses less than", "measured", "below")
    for level, member, rate in zip(LEVELS, BOUNDED_BY, measured_bounds(list(figures)), strict=False):
        yield _row(level.name, member, f"{rate:.3f}", f"{level.below:.2f}")
    yield _row(LEVELS[-1].name, "", "", "")


def comparison_table(by_ruleset: Sequence[tuple[str, Sequence[MemberFigures]]]) -> Iterator[str]:
    """A row for each ruleset: the same quantiles and error rates under its rules."""
    yield from _head("ruleset", *THRESHOLDS, *BOUNDED_BY)
    for ruleset, figures in by_ruleset:
        points = (f"{found:.1f}" for found in measured_thresholds(list(figures)).values())
        yield _row(f"`{ruleset}`", *points, *(f"{rate:.2f}" for rate in measured_bounds(list(figures))))


def _head(*cells: str) -> Iterator[str]:
    yield _row(*cells)
    yield "|" + "---|" * len(cells)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
