"""Registers the environments with Gymnasium and, if it is installed, with PettingZoo.

That happens when `fivedice.envs` is imported, and not by an entry point, for which every `import gymnasium` would
import parts of fivedice.
"""

from importlib.util import find_spec

from gymnasium.envs.registration import register, registry

SOLITAIRE, TABLE = "fivedice/Solitaire-v0", "fivedice/table_v0"


def register_environments() -> None:
    """Registers what is not registered yet."""
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
