"""Keys and clicks on dice and boxes."""

from dataclasses import replace

from fivedice.cli.terminal.dice_widget import DiceRow
from fivedice.game.action import Score
from fivedice.game.position import Position
from fivedice.game.record import Record
from fivedice.rulesets import load_ruleset
from tests.cli.terminal.terminal_game import DATE, new_session, playing, with_turns


async def test_a_click_on_a_key_rolls_on_a_die_keeps_it_and_on_a_box_or_its_name_scores() -> None:
    async with playing(new_session(dice="53213 53213")) as game:
        await game.pilot.click(offset=(game.screen[-1].index("roll"), 23))
        await game.settle()
        assert game.session.position.rolls_left == 2
        await game.pilot.click(DiceRow, offset=(9, 3))
        await game.settle()
        assert game.kept == "2"
        await game.click("Fives", "·5")
        assert game.session.position.card.points("fives") == 5
        await game.press("r")
        await game.click("Threes", "Threes")
        assert game.session.position.card.points("threes") == 6


async def test_the_animation_of_a_roll_ends_with_any_key() -> None:
    async with playing(new_session(), pace=60) as game:
        game.app.animation_level = "full"
        game.app.action_roll()
        assert game.dice.is_tumbling
        await game.press("1")
        assert not game.dice.is_tumbling
        assert game.kept == "1"
        game.app.animation_level = "none"
        await game.press("r")
        assert not game.dice.is_tumbling


async def test_a_forced_joker_leaves_one_box_and_shows_the_reason() -> None:
    async with playing(with_turns(new_session(dice="44444"), ("44444", "yahtzee"))) as game:
        await game.press("r")
        assert game.chosen == "Fours"
        assert "·20" in game.line("Fours")
        assert "closed" in game.line("Chance")
        assert "An extra Yahtzee goes in Fours while it is open." in game.words
        await game.press("down down up up up")
        assert game.chosen == "Fours"
        await game.click("Chance", "closed")
        assert game.session.position.card.points("chance") is None
        await game.press("enter")
        assert game.session.position.card.points("fours") == 20
        assert game.session.position.card.extras == 1


async def test_a_key_that_does_nothing_now_says_why() -> None:
    async with playing(new_session()) as game:
        for key in ("1", "enter", "x"):
            await game.press(key)
            assert "Roll first: r or space." in game.words
        await game.press("up right")
        assert game.session.record.turns == ()
        await game.press("r 1 2 3 4 5 r")
        assert game.session.position.rolls_left == 2
        assert "Every die is kept: choose a box, or release a die." in game.words
        await game.press("u r space")
        assert "no rolls left, choose a box" in game.words
        await game.press("1 r")
        assert game.kept == ""
        assert "No rolls are left: choose a box." in game.words


async def test_x_scratches_a_box_if_the_rules_allow_it() -> None:
    ruleset = replace(load_ruleset("yahtzee"), voluntary_zero=True)
    session = new_session(dice="53213")
    session.record = Record.start(ruleset, session.record.seats, DATE)
    async with playing(session) as game:
        await game.press("r down x")
        assert "Write 0 in Ones? Chance would score 14 points" in game.words
        await game.press("x")
        assert game.session.position.card.points("ones") == 0
        assert game.session.record.turns[-1].offer == Position.start(ruleset).roll((1, 2, 3, 3, 5)).offer_for(
            Score("ones", is_scratch=True)
        )
    async with playing(new_session(dice="53213")) as game:
        await game.press("r x")
        assert "These rules allow no voluntary zero." in game.words


async def test_arrows_move_between_the_columns_of_a_card() -> None:
    async with playing(new_session("triple_yahtzee", dice="53213")) as game:
        await game.press("r")
        while game.chosen != "Twos":
            await game.press("down")
        await game.press("left")
        assert "Twos ×2 would score" in game.words
        await game.press("right enter")
        assert game.session.position.card.points("twos_x3") is not None


async def test_after_each_roll_the_cursor_starts_at_the_first_box_that_pays_most() -> None:
    async with playing(new_session(dice="12356 4 22222 44412")) as game:
        await game.press("r")
        assert game.chosen == "Chance"
        await game.press("down 1 2 3 4 r")
        assert game.chosen == "Large Straight"
        await game.press("enter r")
        assert game.chosen == "Yahtzee"
        await game.press("enter r")
        assert game.chosen == "Three of a Kind", "Chance pays as much"
