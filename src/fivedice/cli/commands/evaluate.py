"""`fivedice evaluate`: how well an agent plays, by the exact loss of its decisions."""

from contextlib import ExitStack
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from fivedice.base.errors import MalformedError
from fivedice.cli.commands.league import close_agent
from fivedice.cli.commands.simulate import find_tables
from fivedice.cli.completed import Rules
from fivedice.cli.progress import shown_step
from fivedice.cli.solutions import solution_of
from fivedice.cli.text.output import Flag, Whole, print_json, prints
from fivedice.players.agents import SECONDS, ProcessPlayer, agent_source, load_agent, named_object
from fivedice.rulesets import load_ruleset
from fivedice.simulation.evaluation.evaluate import BATCH
from fivedice.simulation.evaluation.evaluate import evaluate as evaluated
from fivedice.simulation.simulate import Experiment
from fivedice.views.evaluation import Evaluation

MOST_RESTARTS = 1_000


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
    batch: Whole = BATCH,
    time_limit: float = SECONDS,
    restarts: Whole = 0,
    json: Flag = False,
) -> None:
    """Evaluate an agent: its mean score, and the exact loss of its decisions, with intervals.

    It also shows in which kind of decision the points are lost, and the costliest decisions with the better action.

    Parameters
    ----------
    rules
        A ruleset, with any options, such as yahtzee[joker=free], or a TOML file.
    agent
        A player, as in fivedice simulate, such as level_5; NAME=module:function for a Python function, a player or a
        model; or NAME=!command for a program that answers JSON lines. By default optimal.
    games
        How many games of one card.
    seed
        The seed of the dice.
    observation
        What a function is given: one position, or the observations of many environments as a dict or flat.
    illegal
        What an illegal action does: end with an error, or be replaced by a random one and counted.
    batch
        How many games are played at a time; a program is asked about so many positions in one line.
    time_limit
        Seconds that a program may take for a line, or a function for a position; the first includes the start of the
        program.
    restarts
        How often a program that is late, or has ended, is started anew.
    json
        Print JSON.
    """
    ruleset = load_ruleset(rules)
    if not 0 < time_limit <= 86_400:
        raise MalformedError(f"--time-limit {time_limit:g}: want more than 0 and up to 86,400 seconds")
    if not 0 <= restarts <= MOST_RESTARTS:
        raise MalformedError(f"--restarts {restarts}: want a number from 0 to {MOST_RESTARTS:,}")
    policy: Any = agent
    name = ""
    with ExitStack() as outsiders:
        if "=" not in agent:
            find_tables(Experiment(ruleset, (agent,), games, seed))
        else:
            name, source = agent_source(agent)
            is_plain = observation == "position" and not source.startswith("!")
            policy = None if source.startswith("!") else named_object(name, source)
            if policy is None or (is_plain and not hasattr(policy, "predict") and not hasattr(policy, "choose")):
                policy = load_agent(agent, time_limit, restarts)
            if isinstance(policy, ProcessPlayer):
                outsiders.push(close_agent(policy))
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
                batch=batch,
                solution=solution,
                progress=progress,
            )
    if json:
        print_json(found)
    else:
        print(found)
