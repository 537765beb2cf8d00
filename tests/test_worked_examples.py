"""Every worked example of every ruleset file, played in the engine."""

import pytest

from fivedice.base.errors import IllegalError
from fivedice.game.action import Score
from fivedice.game.notation import parse_position
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.dice import format_dice
from fivedice.rulesets.ruleset import Example
from fivedice.views.rules_page import example_line

EXAMPLES = [
    pytest.param(id, example, id=f"{id}-{format_dice(example.dice)}-{example.box}")
    for id in ruleset_ids()
    for example in load_ruleset(id).examples
]


@pytest.mark.parametrize(("id", "example"), EXAMPLES)
def test_every_example_scores_as_its_source_states(id: str, example: Example) -> None:
    position = parse_position(example_line(example, load_ruleset(id)))
    if example.points is None:
        with pytest.raises(IllegalError):
            position.offer_for(Score(example.box))
        return
    offer = position.offer_for(Score(example.box))
    assert (offer.points, offer.bonus) == (example.points, example.bonus)
    after = position.play(offer.action).cards[0]
    filled = {example.box, position.card.announced or example.box}
    assert sum(after.points(box) or 0 for box in filled) == example.points
    assert after.extra_bonus - position.card.extra_bonus == example.bonus
