"""Plots with Matplotlib, which is imported only when one is drawn; it needs the extra `plot`."""

from collections.abc import Sequence
from typing import Any

from fivedice.base.extras import needs_extra


def new_axes(what: str, axes: Any = None) -> Any:
    """The given axes, or those of a new figure. Raises `MissingExtraError`, which begins with `what`."""
    if axes is not None:
        return axes
    with needs_extra(what, "plot"):
        from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.2), layout="constrained")
    pyplot.close(figure)  # a notebook shows the returned figure, and would show an open one again
    return axes


def bars(what: str, places: Sequence[int], shares: Sequence[float], *, mean: float, axes: Any = None) -> Any:
    """Bars of chances by points, and a line at their mean; returns the figure."""
    axes = new_axes(what, axes)
    axes.bar(places, [100 * share for share in shares], width=1.0)
    axes.axvline(mean, color="C1", label=f"mean {mean:.1f}")
    axes.set(xlabel="points", ylabel="chance in %")
    axes.legend()
    return axes.figure


def lines(
    what: str, named: Sequence[tuple[str, Sequence[tuple[float, float]]]], *, label: str, axes: Any = None
) -> Any:
    """A line for each name through its points in time, of which a turn is a unit; returns the figure."""
    axes = new_axes(what, axes)
    for name, points in named:
        axes.plot([time for time, _ in points], [value for _, value in points], label=name)
    axes.set(xlabel="turn", ylabel=label)
    axes.legend()
    return axes.figure
