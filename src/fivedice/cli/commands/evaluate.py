"""`fivedice evaluate` and `fivedice league`: how well agents and players play."""

import random
from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from fivedice.analysis.reviews.estimate import Estimate
from fivedice.base.errors import MalformedError
from fivedice.cli.commands.simulate import find_tables
from fivedice.cli.completed import Players, Rules
from fivedice.cli.progress import shown_step
from fivedice.cli.solutions import part_of, solution_of, values_of
from fivedice.cli.text.output import Json, Several, Whole, print_json, prints, within
from fivedice.cli.text.terminal import table
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.players import Optimal, Player, make_player
from fivedice.players.agents import agent_source, load_agent, named_object
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.evaluation.evaluate import evaluate as evaluated
from fivedice.simulation.league import League, play_league
from fivedice.simulation.simulate import Experiment
from fivedice.solver.saved.kinds import BREAKDOWN
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError
from fivedice.views.evaluation import Evaluation


@prints(Evaluation)
def evaluate(
    rules: Rules,
    /,
    *,
    agent: Annotated[str, Parameter(show_default=False)] = "optimal",
    games: Whole = 1_000,
    seed: Whole = 1,
    observation: Literal["position", "dict", "flat"] = "position",
    illegal: Literal["error", "random"] = "error",
    json: Json = False,
) -> None:
    """Evaluate an agent: its mean score, and the exact loss of its decisions, with intervals.

    It also shows in which kind of decision the points are lost, and the costliest decisions with the better action.

    Parameters
    ----------
    rules
        A ruleset, with any options, such as yahtzee[joker=free], or a TOML file.
    agent
        A player, as in fivedice simulate, such as level_5; or NAME=module:function for a Python function, a player or
        a model. By default optimal.
    games
        How many games of one card.
    seed
        The seed of the dice.
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
    if json:
        print_json(found)
    else:
        print(found)


PLAYERS = "random,greedy,par,par_and_bonus,optimal"


@prints(League)
def league(
    ruleset: Rules,
    /,
    *,
    players: Players = PLAYERS,
    agent: Several = (),
    games: Annotated[Whole, within(1, 1_000_000)] = 100,
    seed: Whole = 1,
    json: Json = False,
) -> None:
    """Let every two players play each other, and show their scores, bonuses, exact losses and wins.

    Parameters
    ----------
    ruleset
        The rules, such as "crag" or "yahtzee[joker=free]".
    players
        Kinds of players, separated by commas, as in `fivedice play`; also par and par_and_bonus.
    agent
        A player from outside, as NAME=module:function.
    games
        Games of each pair.
    seed
        The seed of the dice.
    """
    rules = load_ruleset(ruleset)
    found: dict[str, Player] = {}
    for kind in filter(None, players.split(",")):
        found[kind] = _player(kind, rules, seed)
    for text in agent:
        outside = load_agent(text)
        if outside.name in found:
            raise MalformedError(f"two players are named {outside.name}")
        found[outside.name] = outside
    if len(found) < 2:
        raise MalformedError("a league needs two players or more, separated by commas")
    with shown_step(f"Playing {rules.name}") as progress:
        played = play_league(rules, found, num_games=games, seed=seed, solution=_exact(rules), progress=progress)
    if json:
        print_json(played)
    else:
        print("\n".join(league_lines(played)))


def league_lines(league: League) -> Iterator[str]:
    """The standings, then the shares of the first places of each player against each other."""
    rows = [("player", "games", "mean", "deviation", "bonus", "loss a game")]
    for name, one in league.players.items():
        bonus = "" if one.bonus_rate is None else f"{100 * one.bonus_rate:.0f} %"
        mean = f"{one.mean:.1f} ± {one.half_width:.1f}"
        loss = "" if one.loss is None else _loss(one.loss)
        rows.append((name, f"{one.num_games:,}", mean, f"{one.standard_deviation:.1f}", bonus, loss))
    yield from table(rows)
    yield ""
    yield "Share of the first places against each other player in percent; a tie counts half:"
    names, shares = list(league.players), []
    for name, matches in league.matches.items():
        found = {other: f"{100 * one.share:.1f} ± {100 * one.half_width:.1f}" for other, one in matches.items()}
        shares.append((name, *(found.get(other, "") for other in names)))
    yield from table([("", *names), *sorted(shares, key=lambda row: names.index(row[0]))])


def _loss(found: Estimate) -> str:
    """A mean loss with its interval, which does not go below 0."""
    mean, half = found.mean, found.half_width or 0.0
    return f"{mean:.2f} ± {half:.2f}" if half <= mean else f"{mean:.2f} (0 to {mean + half:.2f})"


def _player(kind: str, rules: Ruleset, seed: int) -> Player:
    if kind in ("par", "par_and_bonus"):
        from fivedice.simulation.players import guessing

        solution = solution_of(rules)
        breakdown = part_of(BREAKDOWN, solution)
        if breakdown is None:
            raise TooLargeError(f"{kind} needs the breakdown of {rules} by box, which is too large")
        pars = breakdown.at(0)[: len(rules.boxes)]
        return Optimal(guessing(solution, pars, is_bonus_planned=kind == "par_and_bonus"))
    return make_player(kind, random.Random(f"{seed} {kind}"), _never, partial(values_of, rules))


def _exact(rules: Ruleset) -> Solution | None:
    """The solution by which losses are computed; None if the rules are too large."""
    try:
        return solution_of(rules)
    except TooLargeError:
        return None


def _never(position: Position) -> Action:
    raise MalformedError("no person plays in a league: want players of other kinds than human")
