"""The hint of the terminal game: its contents, and when it opens and closes."""

import pytest

from fivedice.analysis.advice import advise
from fivedice.cli.terminal.hint import TITLE, label
from fivedice.game.action import Action, Keep, Score
from fivedice.rulesets import load_ruleset
from tests.cli.terminal.terminal_game import Played, hinted, new_session, playing, solved, with_turns
from tests.solutions import solution_of

pytestmark = pytest.mark.usefixtures("shared_cache")


def hint_line(game: Played, action: Action) -> str:
    """The hint's line on an action, computed by `advise`."""
    ruleset = game.session.position.ruleset
    advised = advise(solution_of(str(ruleset)), game.session.position).of(action)
    return f"{label(action, ruleset)} {advised.value:.1f} " + (f"−{advised.loss:.1f}" if advised.loss else "best")


def is_open(game: Played) -> bool:
    return TITLE in game.words or "On average, you will end with" in game.words


async def test_it_shows_the_three_best_actions_and_below_the_chosen_ones_with_their_costs() -> None:
    async with playing(new_session("crag", dice="445")) as game:
        await game.press("r h")
        await solved(game)
        position = game.session.position
        keep_all = Keep(position.dice)
        advice = advise(solution_of("crag"), position)
        actions = [one.action for one in advice.actions if one.action != keep_all]
        assert hinted(game)[:3] == [hint_line(game, action) for action in actions[:3]]
        best = f"Best: {label(advice.best.action, position.ruleset)}."
        assert f"{best} {TITLE}" in " ".join(game.words.split()), "a sentence says what is best"
        assert game.chosen == "Crag"
        assert hinted(game)[3:] == [f"▸{hint_line(game, Score('crag'))}"]
        await game.press("1 3")
        assert hinted(game)[3:] == [f"▸{hint_line(game, Keep((4, 5)))}", f"▸{hint_line(game, Score('crag'))}"]
        loss = round(advice.of(Keep((4, 5))).loss)
        assert f"{best} Keep 45 costs you about {loss} points." in game.words
        await game.press("1 down down down down")
        assert hinted(game)[3:] == [f"▸{hint_line(game, Keep((5,)))}", f"▸{hint_line(game, Score('fours'))}"]
        await game.press("u")
        assert hinted(game)[3:] == [f"▸{hint_line(game, Score('fours'))}"]
    labels = [label(action, load_ruleset("yatzy_american")) for action in (Keep(()), Score("ones", is_scratch=True))]
    assert labels == ["roll all again", "scratch Ones"]


async def test_it_closes_by_its_key_by_escape_by_a_roll_and_by_a_score() -> None:
    async with playing(new_session("crag", dice="445 66 445")) as game:
        await game.press("r h")
        await solved(game)
        for keys in ("h", "escape", "1 r", "enter", "r x enter"):
            assert is_open(game)
            await game.press(keys)
            assert not is_open(game)
            await game.press("escape")
            assert not is_open(game)
            await game.press("h")
        assert is_open(game)


async def test_it_stays_open_while_an_expensive_zero_is_confirmed() -> None:
    async with playing(new_session("crag", dice="445")) as game:
        await game.press("r h up")
        await solved(game)
        while game.chosen != "Odd Straight":
            await game.press("up")
        await game.press("enter")
        assert "Write 0 in Odd Straight?" in game.words
        assert hinted(game)[-1] == f"▸{hint_line(game, Score('odd_straight'))}"


async def test_its_key_works_only_on_a_human_turn() -> None:
    async with playing(new_session("crag", "Ann=human,greedy"), pace=60) as game:
        assert "h hint" in game.screen[-1]
        await game.press("r")
        assert "h hint" in game.screen[-1]
        await game.press("enter")
        assert game.session.position.seat == 1
        assert "h hint" not in game.screen[-1]
        await game.press("h")
        assert not game.app._hint.is_open
        await game.press("question_mark")
        assert "show the best actions and what yours costs" in game.text


async def test_it_fits_80_by_24_even_with_a_joker() -> None:
    session = with_turns(new_session("yahtzee", dice="44444"), ("44444", "yahtzee"), ("44123", "fours"))
    async with playing(session) as game:
        await game.press("r 1")
        assert "Large Straight would score 40 (as a joker, 100 bonus)." in game.words
        await game.press("h")
        await solved(game)
        assert "Best: Large Straight. Keep 4 costs you about " in game.words
        assert len(hinted(game)) == 5
        shown = [" ".join(line.split()) for line in game.screen]
        assert all(any(line in text for text in shown) for line in hinted(game))
