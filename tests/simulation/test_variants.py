"""The variants of a ruleset."""

import pytest

from fivedice.errors import MalformedError
from fivedice.simulation.variant_figures import variants_of


def test_variants_are_all_combinations_of_values() -> None:
    options = {"rolls": ["1", "2"], "joker": ["none", "wrong"]}
    assert [variant.ref for variant in variants_of("crag", options)] == [
        "crag[rolls=1,joker=none]",
        "crag[rolls=1,joker=wrong]",
        "crag[rolls=2,joker=none]",
        "crag[rolls=2,joker=wrong]",
    ]
    assert variants_of("crag[rolls=2]", {})[0].ref == "crag[rolls=2]"
    with pytest.raises(MalformedError, match="option rolls is given by"):
        variants_of("crag[rolls=2]", {"rolls": ["1"]})
