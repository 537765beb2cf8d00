"""The game in the terminal, driven by keys and clicks as a person would."""

import asyncio
import random
import signal
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from fivedice.cli.game.session import Session
from fivedice.cli.records.record_file import RecordFile
from fivedice.cli.terminal import TerminalGame, run_terminal
from fivedice.cli.terminal.background_solve import Solve, solution_for
from fivedice.cli.terminal.board import Board
from fivedice.cli.terminal.card_widget import Card
from fivedice.cli.terminal.dice_widget import DiceRow
from fivedice.cli.terminal.layout import arrange
from fivedice.cli.terminal.status import Words
from fivedice.game.action import Action, Keep, Score
from fivedice.game.position import Position
from fivedice.game.record import Record, parse_record, parse_seat
from fivedice.players import Greedy, make_player
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.solver.solution import Solution

DATE = "2026-11-21T10:00:00+00:00"


class Scripted(random.Random):
    """Chance that rolls the dice of a script and then sixes."""

    def __init__(self, script: str) -> None:
        super().__init__(0)
        self.script = [int(die) for die in script if die != " "]

    def randint(self, a: int, b: int) -> int:
        return self.script.pop(0) if self.script else b


def never_asked(position: Position) -> Action:
    raise AssertionError("the terminal asks by keys")


def never_solved() -> Solution:
    raise AssertionError("no solution is needed")


def new_session(rules: str = "yahtzee", seats: str = "Ann=human", dice: str | None = None) -> Session:
    chance = random.Random(4) if dice is None else Scripted(dice)
    parsed = tuple(parse_seat(seat) for seat in seats.split(","))
    players = [make_player(seat.kind, chance, never_asked, never_solved) for seat in parsed]
    return Session(Record.start(load_ruleset(rules), parsed, DATE), players, chance)


def after(session: Session, *turns: tuple[str, str]) -> Session:
    """The session with turns of one roll, `("44444", "yahtzee")`, already played."""
    for dice, box in turns:
        session.record = session.record.roll(tuple(int(die) for die in dice)).play(Score(box))
    return session


def nearly_over(session: Session, rounds_left: int = 2) -> Session:
    """The session after computer players have played all rounds but the last."""
    people, session.players = session.players, tuple(Greedy() for _ in session.players)
    while session.position.card.num_filled < session.record.ruleset.rounds - rounds_left:
        session.step()
    session.players = people
    return session


class Played:
    """A game under test: the session, the records that were saved, and what the screen shows."""

    def __init__(self, session: Session, pace: float = 0, solve: Solve = solution_for) -> None:
        self.session = session
        self.records: list[str] = []
        self.app = TerminalGame(session, self.save, pace, solve=solve)
        self.pilot: Pilot[None]

    def save(self, record: Record) -> str:
        self.records.append(str(record))
        return "The record is in /tmp/a-game.txt"

    @property
    def screen(self) -> list[str]:
        # What is on the glass, clipped and composed, is known only to the compositor.
        return [strip.text.rstrip() for strip in self.app.screen._compositor.render_strips()]

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.screen).split())

    def line(self, label: str) -> str:
        return next(line for line in self.screen if line.strip().startswith(label))

    @property
    def words(self) -> str:
        return " ".join(paragraph.plain for paragraph in self.app.query_one(Words).paragraphs)

    @property
    def chosen(self) -> str:
        return next(line for line in self.screen if "▸ " in line).strip().split("  ")[0]

    @property
    def dice(self) -> DiceRow:
        return self.app.query_one(DiceRow)

    @property
    def kept(self) -> str:
        """The places of the kept dice, from 1."""
        return "".join(str(place) for place, is_kept in enumerate(self.dice.kept, start=1) if is_kept)

    async def press(self, keys: str) -> None:
        """Press keys. Pilot.press waits until the machine seems idle: that is slow, and wrong on a busy one."""
        for key in keys.split():
            self.app.simulate_key(key)
            await self.settle()

    async def settle(self) -> None:
        """Until every message is dealt with: the key in the app, in the screen, and what widgets make of it."""
        for _ in range(3):
            await self.pilot.pause(0)


Test = Callable[[Played], Coroutine[None, None, None]]


def play(
    session: Session,
    test: Test,
    *,
    size: tuple[int, int] = (80, 24),
    pace: float = 0,
    solve: Solve = solution_for,
) -> Played:
    played = Played(session, pace, solve)

    async def run() -> None:
        async with played.app.run_test(size=size) as played.pilot:
            await played.settle()
            await test(played)

    asyncio.run(run())
    return played


async def play_on(game: Played) -> None:
    """Keys to the end of the game: roll, keep a die, roll, and write in the chosen box."""
    for _ in range(60 * len(game.session.players)):
        if game.session.position.is_over:
            return
        filled = sum(card.num_filled for card in game.session.position.cards)
        await game.press("r 1 r enter")
        if sum(card.num_filled for card in game.session.position.cards) == filled:
            await game.press("enter")
    raise AssertionError("the game does not end")


def test_a_whole_game_against_a_computer_player_is_played_by_keys_and_its_record_replays_to_the_totals_shown() -> None:
    async def test(game: Played) -> None:
        await play_on(game)
        cards = game.session.position.cards
        assert game.line("Total").split()[1:3] == [str(card.total) for card in cards]
        assert "wins with" in game.words
        assert "The record is in /tmp/a-game.txt" in game.words
        await game.press("q")

    game = play(new_session(seats="Ann=human,greedy"), test)
    assert len(game.records) == 1
    replayed = parse_record(game.records[0])
    assert replayed.position.is_over
    assert [card.total for card in replayed.position.cards] == [c.total for c in game.session.position.cards]


@pytest.mark.parametrize("rules", ruleset_ids())
def test_the_last_rounds_of_every_ruleset_can_be_played_by_keys(rules: str) -> None:
    game = play(nearly_over(new_session(rules)), play_on)
    assert game.session.position.is_over


def test_number_keys_keep_and_free_dice_and_a_kept_die_stays_in_its_place() -> None:
    async def test(game: Played) -> None:
        await game.press("r 2 4 5 4")
        assert game.kept == "25"
        assert game.text.count("KEPT") == 2
        await game.press("r")
        assert game.dice.faces == (6, 3, 1, 6, 3)
        assert game.kept == "25"

    play(new_session(dice="53213 616"), test)


class KeepsAThree:
    """A player that wants one 3."""

    def choose(self, position: Position) -> Action:
        return Keep((3,))


def test_two_equal_dice_never_swap_when_a_computer_player_keeps_one_of_them() -> None:
    session = new_session(dice="53213")
    session.players = (KeepsAThree(),)
    board = Board(session)
    board.roll()
    board.kept = [False, False, False, False, True]
    board.step()
    assert board.kept == [False, False, False, False, True]


def test_the_tenth_die_has_the_key_0() -> None:
    ruleset = replace(load_ruleset("yatzy"), dice=10)
    session = new_session()
    session.record = Record.start(ruleset, session.record.seats, DATE)

    async def test(game: Played) -> None:
        await game.press("r 1 0")
        assert game.kept == "110"

    play(session, test)


def test_a_click_on_a_die_keeps_it_and_a_click_on_a_box_scores() -> None:
    async def test(game: Played) -> None:
        await game.press("r")
        await game.pilot.click(DiceRow, offset=(9, 3))
        await game.settle()
        assert game.kept == "2"
        row = next(y for y, line in enumerate(game.screen) if line.strip().startswith("Fives"))
        await game.pilot.click(offset=(game.screen[row].index("·5") + 1, row))
        await game.settle()
        assert game.session.position.card.points("fives") == 5

    play(new_session(dice="53213"), test)


def test_the_keys_in_the_last_line_and_the_names_of_boxes_can_be_clicked_too() -> None:
    async def test(game: Played) -> None:
        await game.pilot.click(offset=(game.screen[-1].index("roll"), 23))
        await game.settle()
        assert game.session.position.rolls_left == 2
        row = next(y for y, line in enumerate(game.screen) if line.strip().startswith("Threes"))
        await game.pilot.click(offset=(3, row))
        await game.settle()
        assert game.session.position.card.points("threes") == 6

    play(new_session(dice="53213"), test)


def test_every_open_box_shows_what_it_would_take_zero_included_and_otherwise_than_what_is_written() -> None:
    async def test(game: Played) -> None:
        assert "·" not in game.text
        await game.press("r")
        assert game.line("Ones").split()[1] == "1"
        assert "·6" in game.line("Threes")
        assert "·0" in game.line("Fours")
        assert "·0" in game.line("Yahtzee")

    play(after(new_session(dice="53263"), ("12345", "ones")), test)


def test_undo_takes_back_kept_dice_to_the_last_roll_but_never_dice() -> None:
    async def test(game: Played) -> None:
        await game.press("r 1 r 2 3")
        assert game.kept == "123"
        await game.press("u")
        assert game.kept == "1"
        await game.press("u")
        assert game.dice.faces == (5, 1, 1, 1, 1)
        assert "Nothing to take back: dice stay as they fell." in game.words

    play(new_session(dice="53213 1111"), test)


def test_undo_takes_back_a_score_until_the_next_roll() -> None:
    async def test(game: Played) -> None:
        await game.press("r 1 enter")
        assert game.session.name == "Bob"
        await game.press("ctrl+z")
        assert game.session.name == "Ann"
        assert game.dice.faces == (5, 3, 2, 1, 3)
        assert game.kept == "1"
        await game.press("enter r u")
        assert game.session.name == "Bob"
        assert "Nothing to take back" in game.words

    play(new_session(seats="Ann=human,Bob=human", dice="53213 11223"), test)


def test_a_score_can_be_taken_back_before_a_computer_player_rolls_and_a_key_hurries_it() -> None:
    async def test(game: Played) -> None:
        await game.press("r enter")
        assert "greedy" in game.line("Ones") or game.session.position.seat == 1
        await game.press("u")
        assert game.session.position.seat == 0
        await game.press("enter space")
        assert game.session.position.seat == 0
        assert game.session.position.cards[1].num_filled == 1
        assert "greedy: " in game.words
        await game.press("u")
        assert game.session.position.cards[1].num_filled == 1

    play(new_session(seats="Ann=human,greedy"), test, pace=60)


def test_a_computer_player_marks_what_it_keeps_before_it_rolls_the_rest() -> None:
    board = Board(new_session(seats="greedy", dice="66612 11 11"))
    board.step()
    board.step()
    assert board.keeping == (6, 6, 6)
    assert board.kept == [True, True, True, False, False]
    assert board.session.places == [6, 6, 6, 1, 2]
    assert board.step()
    assert board.session.places == [6, 6, 6, 1, 1]


def test_in_a_forced_joker_position_only_the_forced_box_can_be_chosen_and_the_reason_is_shown() -> None:
    async def test(game: Played) -> None:
        await game.press("r")
        assert game.chosen == "Fours"
        assert "·20" in game.line("Fours")
        assert "closed" in game.line("Chance")
        assert "An extra Yahtzee goes in Fours while it is open." in game.words
        await game.press("down down up up up")
        assert game.chosen == "Fours"
        row = next(y for y, line in enumerate(game.screen) if line.strip().startswith("Chance"))
        await game.pilot.click(offset=(20, row))
        await game.settle()
        assert game.session.position.card.points("chance") is None
        await game.press("enter")
        assert game.session.position.card.points("fours") == 20
        assert game.session.position.card.extras == 1

    play(after(new_session(dice="44444"), ("44444", "yahtzee")), test)


def test_joker_boxes_are_marked() -> None:
    async def test(game: Played) -> None:
        await game.press("r")
        assert "J25" in game.line("Full House")
        assert "closed" in game.line("Ones")
        assert "Three of a Kind would take 20 as a joker, and 100 extra." in game.words

    play(after(new_session(dice="44444"), ("44444", "yahtzee"), ("44123", "fours")), test)


def test_with_every_die_kept_r_does_not_waste_the_roll() -> None:
    async def test(game: Played) -> None:
        await game.press("r 1 2 3 4 5 r")
        assert game.session.position.rolls_left == 2
        assert "Every die is kept: choose a box, or free a die." in game.words

    play(new_session(dice="53213"), test)


def test_without_a_roll_left_only_a_box_can_be_chosen() -> None:
    async def test(game: Played) -> None:
        await game.press("r r space")
        assert "no roll left, choose a box" in game.words
        await game.press("1 r")
        assert game.kept == ""
        assert "No roll is left: choose a box." in game.words

    play(new_session(), test)


def test_before_the_first_roll_keys_for_dice_and_boxes_say_what_comes_first() -> None:
    async def test(game: Played) -> None:
        for key in ("1", "enter", "x"):
            await game.press(key)
            assert "Roll first: r or space." in game.words
        await game.press("up right")
        assert game.session.record.turns == ()

    play(new_session(), test)


def test_a_dear_zero_is_asked_about_once() -> None:
    async def test(game: Played) -> None:
        await game.press("r up up")
        assert game.chosen == "Yahtzee"
        await game.press("enter")
        assert "Write 0 in Yahtzee?" in game.words
        await game.press("up down enter")
        assert game.session.position.card.points("yahtzee") is None
        await game.press("enter")
        assert game.session.position.card.points("yahtzee") == 0

    play(new_session(dice="53213"), test)


def test_x_scratches_where_the_rules_allow_a_voluntary_zero_and_otherwise_says_that_they_do_not() -> None:
    async def test(game: Played) -> None:
        await game.press("r x")
        assert "Write 0 in Ones? x again writes it." in game.words
        await game.press("x")
        assert game.session.position.card.points("ones") == 0
        assert game.session.record.turns[-1].offer == Position.start(ruleset).roll((1, 2, 3, 3, 5)).offer_for(
            Score("ones", is_scratch=True)
        )

    ruleset = replace(load_ruleset("yahtzee"), voluntary_zero=True)
    session = new_session(dice="53213")
    session.record = Record.start(ruleset, session.record.seats, DATE)
    play(session, test)

    async def refused(game: Played) -> None:
        await game.press("r x")
        assert "These rules have no voluntary zero." in game.words

    play(new_session(dice="53213"), refused)


def test_arrows_move_among_the_columns_of_a_card() -> None:
    async def test(game: Played) -> None:
        await game.press("r down right")
        assert "Twos ×2 would take" in game.words
        await game.press("left left enter")
        assert game.session.position.card.points("twos_x3") is not None

    play(new_session("triple_yahtzee"), test)


def test_the_cursor_of_each_seat_stays_where_it_was_while_its_box_is_open_and_else_goes_to_the_first() -> None:
    async def test(game: Played) -> None:
        await game.press("r up")
        assert game.chosen == "Chance"
        await game.press("down enter r")
        assert game.session.name == "Bob"
        assert game.chosen == "Ones"
        await game.press("up enter r")
        assert game.chosen == "Twos"
        await game.press("up enter r")
        assert game.session.name == "Bob"
        assert game.chosen == "Ones"

    play(new_session(seats="Ann=human,Bob=human"), test)


def test_help_opens_above_the_game_and_closes() -> None:
    async def test(game: Played) -> None:
        await game.press("question_mark")
        assert "Small Straight 30 and Large Straight 40" in game.text
        await game.press("r question_mark")
        assert "3 rolls left" in game.text
        await game.press("question_mark ctrl+c r")
        assert "2 rolls left" in game.text

    play(new_session(), test)


def test_to_quit_in_the_middle_is_asked_about_once_and_saves_the_record() -> None:
    async def test(game: Played) -> None:
        await game.press("r q")
        assert "Leave this game?" in game.text
        await game.press("escape")
        assert game.records == []
        await game.press("ctrl+c ctrl+c")

    game = play(new_session(dice="53213"), test)
    assert parse_record(game.records[0]).position.dice == (1, 2, 3, 3, 5)


def test_a_closed_window_saves_the_record() -> None:
    async def test(game: Played) -> None:
        await game.press("r")
        signal.raise_signal(signal.SIGTERM)
        # The signal comes through the loop, so the loop must turn before the messages that follow are waited for.
        await asyncio.sleep(0)
        await game.settle()

    assert len(play(new_session(), test).records) == 1


def test_to_quit_before_the_first_roll_is_not_asked_about_and_saves_nothing() -> None:
    async def test(game: Played) -> None:
        await game.press("q")
        assert not game.app.is_running

    assert play(new_session(), test).records == []


def test_the_last_score_of_the_game_can_be_taken_back_until_the_record_is_saved() -> None:
    async def test(game: Played) -> None:
        await play_on(game)
        assert "Enter saves the record; u takes the last score back." in game.words
        await game.press("u")
        assert not game.session.position.is_over
        await game.press("enter")
        if not game.session.position.is_over:
            await game.press("enter")
        await game.press("enter u q")
        assert game.session.position.is_over

    assert len(play(nearly_over(new_session()), test).records) == 1


@pytest.mark.parametrize("rules", ["yahtzee", "maxi_yatzy", "yatzy", "kismet", "crag", "generala"])
def test_at_80_by_24_the_card_of_two_seats_is_seen_whole_beside_the_dice(rules: str) -> None:
    async def test(game: Played) -> None:
        await game.press("r 1")
        for box in game.session.position.ruleset.boxes:
            assert game.line(box.name)
        assert game.line("Total")
        assert "KEPT" in game.text
        assert "2 rolls left" in game.text or rules == "crag"
        card = game.app.query_one(Card)
        assert (card.first_row, card.first_column) == (0, 0)
        assert not any(arrow in game.screen[0] for arrow in "↑↓←→")
        assert "q quit" in game.screen[-1]

    play(new_session(rules, "Ann=human,greedy"), test)


def test_at_80_by_24_three_columns_of_two_seats_are_seen_whole_below_the_dice() -> None:
    async def test(game: Played) -> None:
        await game.press("r 1")
        assert game.line("Total")
        assert "KEPT" in game.text
        assert game.line("Twos").count("·") == 3
        assert "greedy" in game.line("▸Ann")

    play(new_session("triple_yahtzee", "Ann=human,greedy"), test)


def test_twelve_seats_are_played_and_the_seat_to_move_comes_into_view() -> None:
    async def test(game: Played) -> None:
        for seat in range(12):
            assert f"▸P{seat}" in " ".join(game.screen)
            await game.press("r enter")
        assert game.session.position.round == 2
        await game.press("right right")
        assert "←" in " ".join(game.screen)

    play(new_session(seats=",".join(f"P{seat}=human" for seat in range(12))), test)


def test_the_card_follows_the_cursor_where_the_terminal_is_small() -> None:
    async def test(game: Played) -> None:
        await game.press("r up")
        assert game.chosen == "Chance"
        assert game.line("Total")
        await game.press("down")
        assert game.chosen == "Ones"

    for size in ((80, 12), (40, 20), (30, 18)):
        play(new_session(), test, size=size)


@pytest.mark.parametrize("size", [(1, 1), (5, 3), (20, 5), (200, 3), (12, 60), (300, 100)])
def test_no_size_of_terminal_breaks_the_game(size: tuple[int, int]) -> None:
    async def test(game: Played) -> None:
        await game.press("r 1 down")
        await game.pilot.resize_terminal(80, 24)
        await game.settle()
        assert game.line("Total")
        await game.pilot.resize_terminal(*size)
        await game.press("enter r shift+right pagedown question_mark q q")

    play(new_session(seats="Ann=human,greedy,random"), test, size=size)


def test_with_no_color_nothing_is_coloured_and_marks_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(game: Played) -> None:
        await game.press("r 1 down")
        styles = [segment.style for strip in game.app.screen._compositor.render_strips() for segment in strip]
        colours = {colour for style in styles if style for colour in (style.color, style.bgcolor) if colour}
        assert all(colour.is_default for colour in colours)
        assert (game.kept, game.chosen) == ("1", "Twos")

    monkeypatch.setenv("NO_COLOR", "1")
    play(new_session(), test)


@pytest.mark.parametrize(
    ("columns", "keys"),
    [
        (80, "r roll 1–5 keep ↑↓ choose Enter score u undo h hint ? help q quit"),
        (60, "r roll Enter score u undo h hint ? help q quit"),
        (40, "r roll Enter score ? help q quit"),
        (9, "? help"),
    ],
)
def test_a_short_line_of_keys_keeps_those_that_nobody_would_guess(columns: int, keys: str) -> None:
    async def test(game: Played) -> None:
        await game.press("r 1")
        assert " ".join(game.screen[-1].split()) == keys

    play(new_session(), test, size=(columns, 24))


def test_a_wider_terminal_puts_the_dice_beside_the_card_again() -> None:
    async def test(game: Played) -> None:
        assert "round 1" in game.screen[0]
        await game.pilot.resize_terminal(100, 30)
        await game.settle()
        assert "▸Ann" in game.screen[0]

    play(new_session(seats="Ann=human,greedy"), test, size=(60, 24))


def test_a_roll_is_seen_as_one_and_any_key_ends_the_show() -> None:
    async def test(game: Played) -> None:
        game.app.animation_level = "full"
        game.app.action_roll()
        assert game.dice.is_tumbling
        await game.press("1")
        assert not game.dice.is_tumbling
        assert game.kept == "1"
        game.app.animation_level = "none"
        await game.press("r")
        assert not game.dice.is_tumbling

    play(new_session(), test, pace=60)


def test_computer_players_among_themselves_finish_the_game() -> None:
    async def test(game: Played) -> None:
        assert game.session.position.is_over

    game = play(new_session(seats="greedy,random"), test)
    assert len(game.records) == 1


def test_dice_stand_beside_the_card_with_pips_where_there_is_room_and_shrink_where_not() -> None:
    roomy = arrange(78, 23, card_width=33, card_height=17, num_dice=5)
    assert (roomy.is_beside, roomy.shape.has_pips) == (True, True)
    tight = arrange(64, 23, card_width=33, card_height=17, num_dice=5)
    assert (tight.is_beside, tight.shape.has_pips) == (True, False)
    narrow = arrange(38, 23, card_width=33, card_height=17, num_dice=5)
    assert (narrow.is_beside, narrow.are_words_beside) == (False, False)


def test_after_the_terminal_game_its_outcome_and_the_record_are_said_once_more(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def leave_at_once(game: TerminalGame) -> None:
        session.roll()

    monkeypatch.setattr(TerminalGame, "run", leave_at_once)
    session = new_session()
    run_terminal(session, lambda record: "The record is in /tmp/a-game.txt")
    assert capsys.readouterr().out == "The game is not finished.\nThe record is in /tmp/a-game.txt\n"


def test_a_record_that_could_not_be_saved_is_given_after_the_game_also_when_that_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(game: TerminalGame) -> None:
        session.roll()
        raise RuntimeError("no terminal")

    monkeypatch.setattr(TerminalGame, "run", fail)
    (tmp_path / "file").write_text("in the way")
    session = new_session()
    with pytest.raises(RuntimeError, match="no terminal"):
        run_terminal(session, RecordFile(tmp_path / "file" / "game.txt").save)
    said, _, record = capsys.readouterr().out.partition("Here it is:\n\n")
    assert "The record could not be saved to " in said
    assert parse_record(record) == session.record
