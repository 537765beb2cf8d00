"""`fivedice evaluate`: how well an agent plays."""

from typing import Annotated, Any, Literal

from cyclopts import Parameter

from fivedice.cli.commands.simulate import find_tables
from fivedice.cli.options import Json, Rules, Seed, Whole
from fivedice.cli.progress import shown_step
from fivedice.cli.solutions import solution_of
from fivedice.cli.text.output import prints, show
from fivedice.players.agents import agent_source, load_agent, named_object
from fivedice.rulesets import load_ruleset
from fivedice.simulation.evaluation.evaluate import evaluate as evaluated
from fivedice.simulation.simulate import Experiment
from fivedice.views.evaluation import Evaluation


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
