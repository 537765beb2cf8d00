"""The stage of a table, and when a person last acted at it."""

import pytest

from fivedice.base.errors import IllegalError
from fivedice.server.games.dice_counter import activity_after
from fivedice.server.table.create import NewTable
from fivedice.server.table.verbs import Closed, Resigned, Rolled, Sat, Scored
from fivedice.storage.rows.activity import Activity, Stage
from tests.server.scripted import Live, people

CREATED = Live(NewTable(seats=people("Ann"))).events[0]


def test_a_table_begins_with_its_first_roll_and_is_over_with_its_last_box() -> None:
    roll, score = Rolled(at=20.0, seat=0, dice=[1], kept=[]), Scored(at=30.0, seat=0, box="any", points=1)
    begun = activity_after(Activity(Stage.NEW, 10.0), [roll], has_open_boxes=True)
    assert begun == Activity(Stage.BEGUN, 20.0)
    assert activity_after(begun, [score], has_open_boxes=True) == Activity(Stage.BEGUN, 30.0)
    over = activity_after(begun, [score], has_open_boxes=False)
    assert over == Activity(Stage.OVER, 30.0)
    assert activity_after(over, [], has_open_boxes=False) == over


def test_a_game_that_is_given_up_is_over() -> None:
    resigned = Resigned(at=20.0, seat=0, unplayed=3)
    begun = Activity(Stage.BEGUN, 10.0)
    assert activity_after(begun, [resigned], has_open_boxes=True) == Activity(Stage.BEGUN, 20.0)
    assert activity_after(begun, [resigned], has_open_boxes=False) == Activity(Stage.OVER, 20.0)


@pytest.mark.parametrize("stage", [Stage.NEW, Stage.BEGUN])
def test_a_closed_table_keeps_its_stage(stage: Stage) -> None:
    closed = activity_after(Activity(stage, 10.0), [Closed(at=20.0)], has_open_boxes=False)
    assert closed == Activity(stage, 10.0), "the server closed it, not a person"
    assert activity_after(closed, [], has_open_boxes=False) == closed
    assert activity_after(closed, [Closed(at=20.0, seat=0)], has_open_boxes=False) == Activity(stage, 20.0)


def test_only_people_are_active() -> None:
    roll = Rolled(at=20.0, seat=0, dice=[1], kept=[], by="greedy")
    assert activity_after(Activity(Stage.NEW, 10.0), [roll], has_open_boxes=True) == Activity(Stage.BEGUN, 10.0)
    sat = Sat(at=20.0, seat=0, name="Ben")
    assert activity_after(Activity(Stage.NEW, 10.0), [sat], has_open_boxes=True) == Activity(Stage.NEW, 20.0)


def test_a_new_table_is_active_when_it_is_created() -> None:
    assert activity_after(None, [CREATED], has_open_boxes=True) == Activity(Stage.NEW, CREATED.at)
    with pytest.raises(IllegalError, match="it has no events"):
        activity_after(None, [], has_open_boxes=True)
