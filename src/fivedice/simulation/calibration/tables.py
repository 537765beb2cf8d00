"""The tables of the calibration in Markdown, for `docs/review.md`."""

from collections.abc import Iterator, Sequence

from fivedice.analysis.reviews.marks import LEVELS
from fivedice.simulation.calibration.calibrate import (
    BOUNDED_BY,
    MARKED_BY,
    THRESHOLDS,
    MemberFigures,
    measured_bounds,
    measured_thresholds,
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
