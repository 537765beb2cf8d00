"""The census: the tables of tiny rulesets have the digests in its file, which names every ruleset and part."""

import pytest

from fivedice.rulesets import ruleset_ids
from fivedice.testing import TINY, TINY_TURNS
from tests.census.__main__ import digest, saved_digests
from tests.census.parts import PARTS, Subject


@pytest.mark.parametrize("id", TINY | TINY_TURNS)
def test_the_table_of_a_tiny_ruleset_is_the_same_bit_for_bit(id: str) -> None:
    ruleset = (TINY | TINY_TURNS)[id]
    assert digest(Subject(ruleset, ruleset, id), "values") == saved_digests()[id, "values"]


def test_the_file_names_every_ruleset_and_part() -> None:
    names, parts = ({*column} for column in zip(*saved_digests(), strict=True))
    assert names >= {*ruleset_ids(), *TINY, *TINY_TURNS}
    assert parts == {*PARTS}
