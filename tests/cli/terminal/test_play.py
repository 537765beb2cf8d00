"""Keys and clicks on dice and boxes, whole games in the terminal, and turns of computer players."""

from dataclasses import replace

import pytest

from fivedice.cli.terminal.board import Board
from fivedice.cli.terminal.dice_widget import DiceRow
from fivedice.game.action import Keep, Score
from fivedice.game.position import Position
from fivedice.game.record import Record, parse_record
from fivedice.players import Human
from fivedice.rulesets import load_ruleset, ruleset_ids
from tests.amount import cases
from tests.cli.terminal.terminal_game import DATE, nearly_over, new_session, play_on, playing, with_turns
from tests.repository import ROOT


async def test_a_whole_game_is_played_by_keys_and_its_record_replays() -> None:
    async with playing(new_session(seats="Ann=human,greedy")) as game:
        await play_on(game)
        cards = game.session.position.cards
        assert game.line("Total").split()[1:3] == [str(card.total) for card in cards]
        you, greedy = (card.total for card in cards)
        assert f"You won by {you - greedy} points." in game.words or f"You lost by {greedy - you} points." in game.words
        assert f"You {you}, greedy {greedy}." in game.words
        assert "/a-game.txt" in game.words
        await game.press("q")
    replayed = parse_record(game.records[-1])
    assert replayed.position.is_over
    assert [card.total for card in replayed.position.cards] == [c.total for c in game.session.position.cards]


TWELVE_FACES = str(ROOT / "tests" / "web" / "twelve.toml")


# Few, five and six dice, a win outright, two boxes a turn, columns with announced boxes, and faces without pips.
@pytest.mark.parametrize(
    "rules",
    cases(("crag", "generala", "maxi_yatzy", "yahtzee", "yamb", TWELVE_FACES), full=(*ruleset_ids(), TWELVE_FACES)),
)
async def test_the_last_rounds_of_every_ruleset_can_be_played_by_keys(rules: str) -> None:
    async with playing(nearly_over(new_session(rules))) as game:
        await play_on(game)
    assert game.session.position.is_over


def test_a_computer_player_marks_its_keep_before_it_rolls_and_keeps_the_marked_one_of_equal_dice() -> None:
    board = Board(new_session(seats="greedy", dice="66612 11 11"))
    board.step()
    board.step()
    assert board.keeping == (6, 6, 6)
    assert board.kept == [True, True, True, False, False]
    assert board.session.places == [6, 6, 6, 1, 2]
    assert board.step()
    assert board.session.places == [6, 6, 6, 1, 1]
    board = Board(new_session(dice="53213"))
    board.session.players = (Human(lambda position: Keep((3,))),)
    board.roll()
    board.kept = [False, False, False, False, True]
    board.step()
    assert board.kept == [False, False, False, False, True]


async def test_a_score_can_be_undone_until_ones_own_next_roll_and_the_computers_dice_stay_the_same() -> None:
    async with playing(new_session(seats="Ann=human,greedy", dice="53213 12345 61616"), pace=60) as game:
        await game.press("r 1 enter")
        assert "greedy" in game.line("Ones") or game.session.position.seat == 1
        await game.press("u")
        assert (game.session.position.seat, game.kept) == (0, "1")
        await game.press("enter space")
        assert game.session.position.cards[1].num_filled == 1
        assert "greedy: " in game.words
        computers_turn = game.session.record.turns[1]
        await game.press("u")
        assert "Your score and the turns after it are taken back; their dice will be the same." in game.words
        assert [card.num_filled for card in game.session.position.cards] == [0, 0]
        assert (game.dice.faces, game.kept, game.chosen) == ((5, 3, 2, 1, 3), "1", "Chance")
        await game.press("up up enter enter space")
        assert str(game.session.record.turns[0]).endswith("score large_straight = 0")
        assert game.session.record.turns[1] == computers_turn
        await game.press("r u")
        assert game.session.position.cards[0].num_filled == 1
        assert "There is nothing to undo: a score is final after your next roll" in game.words


async def test_undo_resets_kept_dice_to_the_last_roll_and_ctrl_z_suspends_as_everywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with playing(new_session(dice="53213 1111")) as game:
        await game.press("r 1 r 2 3")
        assert game.kept == "123"
        await game.press("u")
        assert game.kept == "1"
        await game.press("u")
        assert game.dice.faces == (5, 1, 1, 1, 1)
        assert "There is nothing to undo: a score is final after your next roll, and rolls always are." in game.words
        stopped: list[bool] = []
        monkeypatch.setattr(game.app, "action_suspend_process", lambda: stopped.append(True))
        await game.press("ctrl+z")
        assert (stopped, game.kept) == ([True], "1")
        await game.press("question_mark ctrl+z")
        assert len(stopped) == 2


@pytest.mark.parametrize("keys", ["R & É", "к 1 2", "К 1 2", "ρ + ě"], ids=["French", "Russian", "CapsLock", "Czech"])
async def test_keys_mean_the_same_on_other_keyboards(keys: str) -> None:
    async with playing(new_session(dice="53213")) as game:
        await game.press(keys)
        assert (game.dice.faces, game.kept) == ((5, 3, 2, 1, 3), "12")


async def test_the_seat_to_move_is_scrolled_into_view_in_a_game_of_twelve() -> None:
    async with playing(new_session(seats=",".join(f"P{seat}=human" for seat in range(12)))) as game:
        for seat in range(12):
            assert f"▸P{seat}" in " ".join(game.screen)
            await game.press("r enter")
        assert game.session.position.round == 2
        await game.press("right right")
        assert "←" in " ".join(game.screen)


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
