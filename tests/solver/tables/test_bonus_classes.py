"""Which upper totals the kernels take for equal."""

import itertools

import numpy as np

from fivedice.rulesets import load_ruleset
from fivedice.solver.tables.card_layers import bonus_classes
from fivedice.solver.tables.states import States


def test_totals_share_a_class_exactly_if_every_way_to_fill_the_open_boxes_leads_to_the_same_bonus() -> None:
    states = States(load_ruleset("crag[upper_bonus=10@30]"))
    upper = [i for i, box in enumerate(states.ruleset.boxes) if box.category.section == "upper"]
    for is_open in itertools.product([False, True], repeat=3):  # of ones, fours and sixes
        names = [name for name, wanted in zip(("ones", "fours", "sixes"), is_open, strict=True) if wanted]
        boxes = [states.ruleset.box_index[name] for name in names]
        card = sum(states.steps[i] for i in upper if i not in boxes)
        (found,) = bonus_classes(states, np.array([card]))
        points = [states.ruleset.attainable(states.ruleset.boxes[i].category) for i in boxes]
        futures = [
            tuple(states.ruleset.bonus_for(total + sum(more)) for more in itertools.product(*points))
            for total in range(states.num_lanes)
        ]
        assert found.tolist() == [futures.index(future) for future in futures]


def test_without_upper_boxes_there_is_one_class() -> None:
    states = States(load_ruleset("poker_dice"))
    assert bonus_classes(states, np.array([0])).tolist() == [[0] * states.num_lanes]
