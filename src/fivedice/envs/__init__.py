"""Environments for reinforcement learning, for Gymnasium and PettingZoo; `docs/environments.md` is the guide.

Importing this package registers `fivedice/Solitaire-v0` with Gymnasium and, if it is installed, `fivedice/table_v0`
with PettingZoo. No entry point does that, for then every `import gymnasium` would import parts of fivedice. The package
needs the extra `research`.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from fivedice.base.extras import needs_extra

with needs_extra("fivedice.envs", "research"):
    from gymnasium.envs.registration import register, registry

SOLITAIRE, TABLE = "fivedice/Solitaire-v0", "fivedice/table_v0"

if SOLITAIRE not in registry:
    register(
        SOLITAIRE,
        entry_point="fivedice.envs.solitaire:SolitaireEnv",
        vector_entry_point="fivedice.envs.vector_solitaire:VectorSolitaire",
    )
if find_spec("pettingzoo"):
    from pettingzoo.env_registry.registration import aec_registry
    from pettingzoo.env_registry.registration import register as register_table

    if TABLE.replace("_v", "-v") not in aec_registry:
        register_table("aec", TABLE, "fivedice.envs.table_v0:env")

if TYPE_CHECKING:
    from fivedice.analysis.action_arrays import ActionNumbers as ActionNumbers
    from fivedice.envs import table_v0 as table_v0
    from fivedice.envs.episodes import outcomes as outcomes
    from fivedice.envs.observations import Observations as Observations
    from fivedice.envs.solitaire import PolicyPlayer as PolicyPlayer
    from fivedice.envs.solitaire import SolitaireEnv as SolitaireEnv
    from fivedice.envs.vector_solitaire import VectorSolitaire as VectorSolitaire
    from fivedice.envs.vector_solitaire import vector as vector

_HOME = {
    "ActionNumbers": "analysis.action_arrays",
    "Observations": "envs.observations",
    "PolicyPlayer": "envs.solitaire",
    "SolitaireEnv": "envs.solitaire",
    "VectorSolitaire": "envs.vector_solitaire",
    "outcomes": "envs.episodes",
    "table_v0": "envs.table_v0",
    "vector": "envs.vector_solitaire",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'fivedice.envs' has no attribute {name!r}")
    module = import_module(f"fivedice.{_HOME[name]}")
    value = module if name == "table_v0" else getattr(module, name)
    globals()[name] = value
    return value
