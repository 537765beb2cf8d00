"""Simulated games as text and as a view."""

from collections.abc import Iterator

from fivedice.simulation.experiment import Experiment
from fivedice.simulation.games.tally import Tally, share_interval
from fivedice.views.simulation import PairView, SimulatedSeatView, SimulationView


def simulation_view(experiment: Experiment, tally: Tally, seconds: float, resumed: int) -> SimulationView:
    """The view of an experiment that took so many seconds, without the games of earlier runs."""
    games, first = tally.num_games, tally.seats[0]
    return SimulationView(
        str(experiment.ruleset),
        experiment.ruleset.digest,
        list(experiment.players),
        experiment.seed,
        games,
        resumed,
        seconds,
        (games - resumed) / seconds if seconds else 0.0,
        first.mean,
        first.standard_deviation,
        [_seat(experiment, tally, seat) for seat in range(len(tally.seats))],
        [_pair(tally, first, second) for second in range(len(tally.seats)) for first in range(second)],
    )


def simulation_lines(view: SimulationView, name: str) -> Iterator[str]:
    """The view as lines of text, with the name of the rules."""
    many = " of each player" if len(view.players) > 1 else ""
    yield f"{name} ({view.ruleset}), {view.games:,} games{many}, seed {view.seed}"
    if view.games > view.resumed:
        again = f", {view.resumed:,} games earlier" if view.resumed else ""
        yield f"{view.seconds:.1f} s, {view.games_per_second:,.0f} games a second{again}"
    yield ""
    width = max(6, *map(len, view.players))
    yield f"{'player':<{width}}  {'mean':>9}{'± 95 %':>9}{'deviation':>11}{'upper bonus':>13}{'extra bonus':>13}"
    for seat in view.seats:
        half = (seat.interval[1] - seat.interval[0]) / 2
        yield (
            f"{seat.player:<{width}}  {seat.mean:>9.3f}{half:>9.3f}{seat.standard_deviation:>11.3f}"
            f"{seat.upper_bonus:>13.3f}{seat.extra_bonus:>13.3f}"
        )
    if len(view.seats) > 1:
        yield ""
        yield f"{'player':<{width}}  {'wins':>9}{'95 %':>19}{'shared':>10}"
        for seat in view.seats:
            low, high = seat.won_interval
            yield f"{seat.player:<{width}}  {seat.won:>9.3%}{f'{low:.3%} – {high:.3%}':>19}{seat.shared:>10.3%}"


def _seat(experiment: Experiment, tally: Tally, seat: int) -> SimulatedSeatView:
    own, games = tally.seats[seat], tally.num_games
    won = int(tally.firsts[seat])
    bonuses = [(points, count / games) for points, count in enumerate(own.upper_bonuses.tolist()) if count]
    return SimulatedSeatView(
        seat,
        experiment.players[seat],
        own.mean,
        own.interval,
        own.standard_error,
        own.standard_deviation,
        dict(zip(experiment.ruleset.box_index, own.box_means.tolist(), strict=True)),
        sum(points * share for points, share in bonuses),
        bonuses,
        own.extra_points / games,
        won / games,
        share_interval(won, games),
        int(tally.shared[seat]) / games,
        own.num_won / games,
    )


def _pair(tally: Tally, first: int, second: int) -> PairView:
    games, wins, losses = tally.num_games, int(tally.beaten[first, second]), int(tally.beaten[second, first])
    ties = games - wins - losses
    return PairView(first, second, wins / games, share_interval(wins, games), ties / games, losses / games)
