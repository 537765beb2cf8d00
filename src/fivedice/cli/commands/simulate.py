"""`fivedice simulate` and `fivedice evaluate`: what comes of millions of games, and how well an agent plays."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from fivedice.base.errors import MalformedError
from fivedice.cli.files.record_file import check_outputs, check_place
from fivedice.cli.options import Created, Json, Output, Players, Rules, Scheduler, Seed, Several, Whole, Workers
from fivedice.cli.progress import counted_progress, shown_step, warn
from fivedice.cli.solutions import solution_of, values_of
from fivedice.cli.text.output import prints, show, table
from fivedice.players import LEVELS
from fivedice.players.agents import agent_source, load_agent, named_object
from fivedice.rulesets import load_ruleset
from fivedice.simulation.data_set import parse_date
from fivedice.simulation.evaluate import evaluate as evaluated
from fivedice.simulation.players import can_be_judged, is_agent, is_by_table
from fivedice.simulation.simulate import Experiment, prepare
from fivedice.simulation.simulate import simulate as simulated
from fivedice.simulation.tally import Z95, Tally, share_interval
from fivedice.views.evaluation import Evaluation
from fivedice.views.printed import PairView, SimulatedSeatView, SimulationView

SLOW = "these players decide one position after another, so a game may take from a hundredth of a second to seconds"
"""What a simulation that is not on arrays says before it begins."""


@prints(SimulationView)
def simulate(
    rules: Rules,
    /,
    *,
    players: Annotated[Players | None, Parameter(show_default=False)] = None,
    agent: Several = (),
    games: Whole = 1_000_000,
    seed: Seed = 1,
    out: Output = None,
    decisions: Output = None,
    checkpoint: Output = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    date: Created = None,
    json: Json = False,
) -> None:
    """Simulate many games, with every die rolled, and count scores, bonuses and wins.

    The same seed gives the same games, whatever the number of processors. Ctrl-C stops; the same command with --out or
    --checkpoint continues.

    Parameters
    ----------
    players
        Players separated by commas, one at each seat: level_1 to level_9, optimal, greedy, par or
        par_and_bonus play about a million games a second; random or target_300 up to a few hundred, rival some thirty.
        By default optimal, if there is no agent.
    agent
        A player from outside at one more seat, as NAME=module:function.
    games
        How many games.
    out
        Write a row for each game and seat to this file, FILE.parquet, or to several files in a folder of this name.
    decisions
        Write a row for each decision, too; only with --out.
    checkpoint
        Note finished games in this file, so that the same command can continue. Not needed with --out.
    """
    if decisions is not None and out is None:
        raise MalformedError("--decisions needs --out: want a file for the games as well")
    created = parse_date(date)
    check_outputs({"--out": out, "--decisions": decisions})
    if checkpoint is not None:
        check_place(checkpoint, "--checkpoint")
    seats = () if players is None and agent else tuple((players or "optimal").split(","))
    experiment = Experiment(load_ruleset(rules), (*seats, *agent), games, seed)
    find_tables(experiment)
    if not experiment.is_by_table:
        warn(f"{experiment.ruleset.name}: {SLOW}")
    if decisions is not None and can_be_judged(experiment.ruleset):
        solution_of(experiment.ruleset)
    prepare(experiment)
    began, resumed, played = perf_counter(), 0, 0
    try:
        with counted_progress(f"Simulating {experiment.ruleset.name}", games) as count:

            def report(tally: Tally) -> None:
                nonlocal played
                played, first = tally.num_games, tally.seats[0]
                count(played, f"mean {first.mean:.2f} ± {Z95 * first.standard_error:.2f}")

            def resume(tally: Tally) -> None:
                nonlocal resumed
                resumed = tally.num_games
                report(tally)

            tally = simulated(
                experiment,
                out=out,
                decisions=decisions,
                checkpoint=checkpoint,
                workers=workers,
                scheduler=scheduler,
                date=created,
                resumed=resume,
                report=report,
            )
    except KeyboardInterrupt:
        how = "the same command continues" if out or checkpoint else "with --checkpoint FILE, one can continue"
        print(f"fivedice: stopped after {played:,} of {games:,} games; {how}", file=sys.stderr)
        raise
    view = simulation_view(experiment, tally, perf_counter() - began, resumed)
    lines = [*simulation_lines(view, experiment.ruleset.name), *written_lines({"games": out, "decisions": decisions})]
    show(view, lines, json=json)


def written_lines(files: Mapping[str, Path | None]) -> Iterator[str]:
    """Where the rows of a data set are, by what they are."""
    for what, path in files.items():
        if path is not None:
            yield from ("", f"The {what} are in {path}")


def find_tables(experiment: Experiment) -> None:
    """Solve what the players need, with progress, and save it for all processes of this machine."""
    for kind in dict.fromkeys(experiment.players):
        if (
            kind in ("random", "trained")
            or is_agent(kind)
            or (kind == "greedy" and not is_by_table(kind, experiment.ruleset))
        ):
            continue
        (values_of if kind in LEVELS else solution_of)(experiment.ruleset)


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
        yield f"{view.seconds:.1f} s, {_rate(view.games_per_second)}{again}"
    yield ""
    rows: list[tuple[str, ...]] = [("player", "mean", "± 95 %", "deviation", "upper bonus", "extra bonus")]
    for seat in view.seats:
        half = (seat.interval[1] - seat.interval[0]) / 2
        figures = seat.mean, half, seat.standard_deviation, seat.upper_bonus, seat.extra_bonus
        rows.append((seat.player, *(f"{figure:.3f}" for figure in figures)))
    yield from table(rows)
    if len(view.seats) > 1:
        yield ""
        rows = [("player", "wins", "95 %", "shared")]
        for seat in view.seats:
            interval = " – ".join(f"{end:.3%}" for end in seat.won_interval)
            rows.append((seat.player, f"{seat.won:.3%}", interval, f"{seat.shared:.3%}"))
        yield from table(rows)
    if len(view.seats) > 2:
        yield ""
        rows = [("first before second", "wins", "95 %", "ties")]
        for pair in view.pairs:
            interval = " – ".join(f"{end:.3%}" for end in pair.wins_interval)
            names = f"{view.players[pair.first]} before {view.players[pair.second]}"
            rows.append((names, f"{pair.wins:.3%}", interval, f"{pair.ties:.3%}"))
        yield from table(rows)


def _rate(games: float) -> str:
    """Games a second, or under one the seconds of a game."""
    return f"{games:,.0f} games a second" if games >= 1 else f"{1 / games:,.1f} seconds a game"


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


@prints(Evaluation)
def evaluate(
    rules: Rules,
    /,
    *,
    agent: Annotated[str, Parameter(show_default=False)] = "optimal",
    games: Whole = 1_000,
    seed: Seed = 1,
    observation: Literal["position", "dict", "flat"] = "position",
    illegal: Literal["error", "random"] = "error",
    json: Json = False,
) -> None:
    """Evaluate an agent: its mean score, and the exact loss of its decisions, with intervals.

    It also shows in which kind of decision the points are lost, and the costliest decisions with the better action.

    Parameters
    ----------
    agent
        A player, as in fivedice simulate, such as level_5; or NAME=module:function for a Python function, a player or
        a model. By default optimal.
    games
        How many games of one card.
    observation
        What a function is given: one position, or the observations of many environments as a dict or flat.
    illegal
        What an illegal action does: end with an error, or be replaced by a random one and counted.
    """
    ruleset = load_ruleset(rules)
    policy: Any = agent
    name = ""
    if "=" in agent:
        name, source = agent_source(agent)
        policy = named_object(name, source)
        if observation == "position" and not hasattr(policy, "predict") and not hasattr(policy, "choose"):
            policy = load_agent(agent)
    else:
        find_tables(Experiment(ruleset, (agent,), games, seed))
    solution = solution_of(ruleset)
    with shown_step(f"Playing {ruleset.name}") as progress:
        found = evaluated(
            policy,
            ruleset,
            games,
            seed,
            name=name,
            observation=observation,
            illegal=illegal,
            solution=solution,
            progress=progress,
        )
    show(found, [str(found)], json=json)
