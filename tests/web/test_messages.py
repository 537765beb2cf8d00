"""What the page says beside its sentences: the names of boxes, and the rules that close a box."""

import json
from collections import Counter

from fivedice.game.joker import CLOSED
from tests.catalogues import extracted, extracted_of_page
from web.messages import FOLDER, OWN_MEANING, box_names


def test_the_page_has_the_names_of_all_boxes() -> None:
    assert (FOLDER / "boxes.ts").read_text(encoding="utf-8") == box_names(), "run make catalogues"


def test_the_page_says_which_rule_closes_a_box_in_the_words_of_the_program() -> None:
    english = json.loads((FOLDER / "en.json").read_text(encoding="utf-8"))
    assert {rule: english[f"closed_{rule}"] for rule in CLOSED} == dict(CLOSED)


def test_no_key_of_the_page_stands_twice() -> None:
    pairs = json.loads((FOLDER / "en.json").read_text(encoding="utf-8"), object_pairs_hook=list)
    assert len({key for key, _ in pairs}) == len(pairs)


def test_a_key_that_has_a_translation_of_its_own_shares_its_english_text() -> None:
    """Without another meaning elsewhere the key says nothing to a translator."""
    counts = Counter(forms for _, forms in extracted_of_page()) + Counter(extracted())
    own = [(key, forms) for key, forms in extracted_of_page() if key]
    assert {key for key, _ in own} == OWN_MEANING
    assert [key for key, forms in own if counts[forms] < 2] == []
