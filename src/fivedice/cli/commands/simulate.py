"""`fivedice simulate`: plays millions of games and counts what comes of them."""

import sys
from pathlib import Path
from time import perf_counter
from typing import Annotated

from cyclopts import Parameter

from fivedice.cli.compiling import without_blas
from fivedice.cli.counted_progress import counted_progress
from fivedice.cli.risk_tables import risk_table_of
from fivedice.cli.solutions import solution_of
from fivedice.cli.text.output import Flag, Whole, print_json
from fivedice.cli.text.simulation import simulation_lines, simulation_view
from fivedice.errors import MalformedError
from fivedice.rulesets import load_ruleset
from fivedice.simulation.experiment import Experiment, prepare
from fivedice.simulation.games.tally import Z95, Tally
from fivedice.simulation.players.simulated_players import RISKS, is_by_table
from fivedice.simulation.simulate import simulate as simulated

File = Annotated[Path | None, Parameter(negative="")]


def simulate(
    rules: str,
    /,
    *,
    players: str = "optimal",
    games: Whole = 1_000_000,
    seed: Whole = 1,
    out: File = None,
    decisions: File = None,
    checkpoint: File = None,
    workers: Whole | None = None,
    scheduler: str | None = None,
    json: Flag = False,
) -> None:
    """Simulate many games, with every die rolled, and count scores, bonuses and wins.

    The same seed gives the same games, whatever the number of processors. Ctrl-C stops; the same command with --out or
    --checkpoint continues.

    Parameters
    ----------
    rules
        A ruleset, with any options, such as yahtzee[joker=free], or a TOML file.
    players
        Players separated by commas, one at each seat: optimal, bold, cautious, greedy, par or par_and_bonus play about
        a million games a second; random or target_300 up to a few hundred, rival some thirty.
    games
        How many games.
    seed
        The seed of the dice, from 0 on.
    out
        Write a row for each game and seat to this file, FILE.parquet, or to several files in a folder of this name.
    decisions
        Write a row for each decision, too; only with --out.
    checkpoint
        Note finished games in this file, so that the same command can continue. Not needed with --out.
    workers
        The number of processors to use; by default all.
    scheduler
        The address of a Dask scheduler, such as tcp://10.0.0.1:8786, or "local" to start one on this machine.
    json
        Print JSON.
    """
    if decisions is not None and out is None:
        raise MalformedError("--decisions needs --out: want a file for the games as well")
    if workers is not None and not 1 <= workers <= 1_024:
        raise MalformedError(f"--workers {workers}: want a number from 1 to 1,024")
    without_blas()
    experiment = Experiment(load_ruleset(rules), tuple(players.split(",")), games, seed)
    _find_tables(experiment)
    prepare(experiment)
    last: list[Tally] = []
    began, resumed = perf_counter(), 0
    try:
        with counted_progress(f"Simulating {experiment.ruleset.name}", games) as count:

            def report(tally: Tally) -> None:
                last.append(tally)
                del last[:-1]
                first = tally.seats[0]
                count(tally.num_games, f"mean {first.mean:.2f} ± {Z95 * first.standard_error:.2f}")

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
                resumed=resume,
                report=report,
            )
    except KeyboardInterrupt:
        number = last[0].num_games if last else 0
        how = "the same command continues" if out or checkpoint else "with --checkpoint FILE, one can continue"
        print(f"fivedice: stopped after {number:,} of {games:,} games; {how}", file=sys.stderr)
        raise
    view = simulation_view(experiment, tally, perf_counter() - began, resumed)
    if json:
        print_json(view)
        return
    print("\n".join(simulation_lines(view, experiment.ruleset.name)))
    for path in (out, decisions):
        if path is not None:
            print(f"\nThe {'games' if path is out else 'decisions'} are in {path}")


def _find_tables(experiment: Experiment) -> None:
    """Solve what the players need, with progress, and save it for all processes of this machine."""
    for kind in dict.fromkeys(experiment.players):
        if kind == "random" or (kind == "greedy" and not is_by_table(kind, experiment.ruleset)):
            continue
        solution_of(experiment.ruleset)
        needed = ("bold", "cautious") if kind.startswith("target_") else (kind,)
        for risk in (RISKS.get(one) for one in needed):
            if risk is not None:
                risk_table_of(experiment.ruleset, risk)
