"""Games on given dice: by turn, roll and place, whatever was kept."""

import pytest

from fivedice.analysis.advice import advise
from fivedice.base.errors import IllegalError
from fivedice.daily.puzzles import GameDice, PlacedGame, perfect_play
from fivedice.game.action import as_action
from fivedice.rulesets import load_ruleset
from tests.solutions import solution_of

DICE = GameDice(bytes(32), "game-yahtzee")


def test_dice_do_not_depend_on_what_others_keep() -> None:
    start = PlacedGame.start(load_ruleset("yahtzee"), DICE)
    some, none = start.after(as_action("keep 33")), start.after(as_action("keep -"))
    kept = [place for place, stays in enumerate(some.kept) if stays]
    assert [start.places[place] for place in kept] == [3, 3]
    rolled = [place for place in range(5) if place not in kept]
    assert [some.places[place] for place in rolled] == [none.places[place] for place in rolled]
    assert none.places == DICE.dice(0, 1, 5, 6)
    # A turn that ends early has the same dice after it as one that does not.
    early, late = (
        start.after(as_action("score chance")),
        none.after(as_action("keep -")).after(as_action("score chance")),
    )
    assert early.places == late.places == DICE.dice(1, 0, 5, 6)


def test_an_illegal_action_is_refused() -> None:
    with pytest.raises(IllegalError):
        PlacedGame.start(load_ruleset("yahtzee"), DICE).after(as_action("keep 66666"))


def test_perfect_play_loses_nothing() -> None:
    solution, dice = solution_of("crag"), GameDice(bytes(32), "game-crag")
    game = PlacedGame.start(load_ruleset("crag"), dice)
    for puzzle in perfect_play(solution, dice):
        [action] = puzzle.best
        assert puzzle.position == game.position
        assert advise(solution, game.position).of(action).loss == pytest.approx(0, abs=1e-6)
        game = game.after(action)
    assert game.position.is_over
