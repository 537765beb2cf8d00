"""Environments for reinforcement learning, for Gymnasium and PettingZoo; `docs/environments.md` is the guide.

Importing this package registers `fivedice/Solitaire-v0` and `fivedice/table_v0`. It needs the extra `research`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fivedice.extras import needs_extra

with needs_extra("fivedice.envs", "research"):
    from fivedice.envs.registration import register_environments

    register_environments()

if TYPE_CHECKING:
    from fivedice.envs import table_v0 as table_v0
    from fivedice.envs.action_numbers import ActionNumbers as ActionNumbers
    from fivedice.envs.chance import outcomes as outcomes
    from fivedice.envs.observations import Observations as Observations
    from fivedice.envs.policy import PolicyPlayer as PolicyPlayer
    from fivedice.envs.solitaire import SolitaireEnv as SolitaireEnv
    from fivedice.envs.vector_solitaire import VectorSolitaire as VectorSolitaire
    from fivedice.envs.vector_solitaire import vector as vector

_HOME = {
    "ActionNumbers": "action_numbers",
    "Observations": "observations",
    "PolicyPlayer": "policy",
    "SolitaireEnv": "solitaire",
    "VectorSolitaire": "vector_solitaire",
    "outcomes": "chance",
    "table_v0": "table_v0",
    "vector": "vector_solitaire",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'fivedice.envs' has no attribute {name!r}")
    module = import_module(f"fivedice.envs.{_HOME[name]}")
    value = module if name == "table_v0" else getattr(module, name)
    globals()[name] = value
    return value
