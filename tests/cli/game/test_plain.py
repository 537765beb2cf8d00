"""The game in lines of text, driven through a pipe."""

from pathlib import Path

import pytest

from fivedice.analysis.advice import advise
from fivedice.game.position import Position
from fivedice.game.record import Record, parse_record
from fivedice.game.wording import to_do
from fivedice.ruleset import Ruleset
from fivedice.rulesets import load_ruleset
from fivedice.solver.solve import solve
from tests.cli.run_command import Result, fivedice


def game(tmp_path: Path, *lines: str, seats: str = "human,greedy", rules: str = "yahtzee") -> tuple[Result, Record]:
    """Play a plain game with these lines of input; return the result and the record."""
    file = tmp_path / "record.txt"
    file.unlink(missing_ok=True)
    text = "".join(f"{line}\n" for line in lines)
    arguments = ["play", "--plain", "--seats", seats, "--rules", rules, "--seed", "1", "--record", str(file)]
    result = fivedice(*arguments, lines=text)
    return result, parse_record(file.read_text())


def boxes_of(ruleset: Ruleset) -> list[str]:
    return [line for box in ruleset.boxes for line in ("roll", f"score {box.id}")]


@pytest.mark.parametrize(
    "seats", ["human", "human,greedy", "greedy,human", "Ann=human,Ben=human", "human,random,human"]
)
def test_a_whole_game_is_played_through_a_pipe(tmp_path: Path, seats: str) -> None:
    people = seats.count("human")
    turns = [["roll", f"score {box.id}"] for box in load_ruleset("yahtzee").boxes]
    result, record = game(tmp_path, *(line for turn in turns for line in turn * people), seats=seats)
    assert record.position.is_over
    assert result.status == 0
    best = max(card.total for card in record.position.cards)
    assert str(best) in result.out.splitlines()[-2]


def test_keeps_and_a_score_by_the_first_letters_of_its_name(tmp_path: Path) -> None:
    result, record = game(tmp_path, "", "keep nothing", "keep 4 4 ", "score four of", "quit", seats="human")
    [turn] = record.turns
    assert [str(keep) for keep in turn.keeps] == ["keep -", "keep 44"]
    assert turn.offer is not None
    assert turn.offer.action.box == "four_of_a_kind"
    assert f"human scores {turn.offer.points} in Four of a Kind" in result.out


def test_a_score_is_taken_back_until_the_next_roll(tmp_path: Path) -> None:
    result, record = game(tmp_path, "roll", "score chance", "undo", "score ones", "roll", "undo", "quit")
    assert "Your score has been taken back." in result.out
    offer = record.turns[0].offer
    assert offer is not None
    assert offer.action.box == "ones"
    assert "there is no score to take back; rolls cannot be undone" in result.out


def test_the_last_score_of_the_game_can_be_taken_back_too(tmp_path: Path) -> None:
    lines = boxes_of(load_ruleset("crag"))
    result, record = game(tmp_path, *lines, "undo", f"score {lines[-1].split()[1]}", "", seats="human", rules="crag")
    assert "The game is over. Press Enter to finish, or type undo." in result.out
    assert "Your score has been taken back." in result.out
    assert record.position.is_over
    assert result.status == 0


def test_input_that_ends_early_saves_the_game_so_far(tmp_path: Path) -> None:
    result, record = game(tmp_path, "roll", "score chance", "roll")
    assert result.status == 1
    assert "The input ended before the game did." in result.out
    assert not record.position.is_over
    assert record.position.cards[0].points("chance") is not None


def test_a_game_resumed_within_a_turn_begins_with_its_dice(tmp_path: Path) -> None:
    result, _ = game(tmp_path, "roll", "quit", seats="human")
    dice = next(line for line in result.out.splitlines() if line.startswith("Dice: "))
    again = fivedice("play", "--resume", str(tmp_path / "record.txt"), lines="quit\n")
    turn, *rest = again.out.partition("Type help for the commands.\n")[2].strip().splitlines()
    assert turn == "Round 1 of 13. human to move."
    assert rest[0] == dice
    assert rest[1].startswith("Boxes: Ones ")


def test_a_computer_players_turn_is_resumed_midway(tmp_path: Path) -> None:
    _, record = game(tmp_path, "roll", "score chance", "quit")
    assert record.position.dice == ()
    (tmp_path / "record.txt").write_text(str(record.roll((1, 1, 1, 2, 3))))
    again = fivedice("play", "--resume", str(tmp_path / "record.txt"), lines="quit\n")
    assert "greedy: rolls 11123, keeps " in again.out
    assert "Round 2 of 13. human to move, 3 rolls." in again.out


def test_quit_saves_the_game_so_far(tmp_path: Path) -> None:
    result, record = game(tmp_path, "roll", "score chance", "quit")
    assert result.status == 0
    assert len(record.turns) == 1


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["score ones"], "Roll first: type roll, or press Enter."),
        (["boxes"], "the boxes take points only after a roll"),
        (["dance"], "unknown command 'dance': want keep, score, roll, undo, boxes, card, hint, help or quit"),
        (["h"], "'h' may mean hint or help: type more of it"),
        (["he"], "show the three best actions"),
        (["roll", "roll"], "the dice are already rolled"),
        (["roll", "keep 7"], "lacks 7"),
        (["roll", "keep none"], "dice 'none': write the faces as digits"),
        (["roll", "keep"], "keep which dice? as in keep 33, or keep - to roll all of them"),
        (["roll", ""], "want dice to keep, as in keep 33, or a box, as in score threes; type help for more"),
        (["roll", "score"], "score which box?"),
        (["roll", "score s"], "'s' may mean any of Sixes, Small Straight: type more of it"),
        (["roll", "score yatzy"], "there is no box 'yatzy'"),
        (["roll", "scratch chance"], "this ruleset has no voluntary zero"),
        (["roll", "keep -", "keep -", "keep -"], "no roll is left; choose a box to score"),
        (["roll", "score chance", "", "roll", "score chance"], "the box is filled, with"),
        (["help"], "keep 33"),
        (["card"], "Large Straight"),
    ],
)
def test_a_line_that_is_not_an_action_gets_an_answer(tmp_path: Path, lines: list[str], sentence: str) -> None:
    result, record = game(tmp_path, *lines, "roll", "quit")
    assert sentence in result.out
    assert record.turns


def test_a_voluntary_zero_is_accepted_if_the_rules_allow_it(tmp_path: Path) -> None:
    _, record = game(tmp_path, "roll", "scratch chance", "quit", rules="yatzy_american")
    assert str(record.turns[0]).endswith("scratch chance = 0")


def test_a_closed_box_is_refused_with_the_reason(tmp_path: Path) -> None:
    # With one die, every roll is an extra Yahtzee once the box `all` is filled.
    rules = tmp_path / "small.toml"
    rules.write_text(
        'id = "small"\ndice = 1\nfaces = 2\njoker = "forced"\njoker_category = "all"\nextra_bonus = 100\n'
        '[categories]\nones = { scorer = "sum_of_face", face = 1 }\ntwos = { scorer = "sum_of_face", face = 2 }\n'
        'all = { scorer = "n_of_a_kind", n = 1, pays = 50 }\nchance = { scorer = "any_dice" }\n'
    )
    lines = ["roll", "score all", "roll", "score chance", "quit"]
    result, _ = game(tmp_path, *lines, seats="human", rules=str(rules))
    face = result.out.split("Dice: ")[2][0]
    name = {"1": "Ones", "2": "Twos"}[face]
    assert f"An extra Yahtzee goes in {name} while it is open.\nBoxes: {name} {face} and 100 bonus.\n" in result.out
    assert f"score Chance is not legal here: an extra Yahtzee goes in {name} while it is open\n" in result.out


def test_a_hint_lists_the_three_best_actions_with_value_and_loss(tmp_path: Path) -> None:
    result, record = game(tmp_path, "roll", "hint", "hi", "quit", seats="human", rules="crag")
    advice = advise(solve(load_ruleset("crag")), record.position)
    best = [f"{to_do(record.position, a.action)}: value {a.value:.1f}, loss {a.loss:.1f}" for a in advice.actions[:3]]
    assert result.out.split("> hint\n")[1].splitlines()[:8] == [*best, "> hi", *best, "> quit"]
    assert result.err == ""


def test_before_the_first_roll_a_hint_is_the_expected_final_score(tmp_path: Path) -> None:
    result, _ = game(tmp_path, "hint", "roll", "quit", seats="human", rules="crag")
    crag = load_ruleset("crag")
    value = advise(solve(crag), Position.start(crag)).value
    assert f"> hint\nBefore the roll: the expected final score is {value:.1f}.\n> roll" in result.out


def test_a_hint_needs_ones_own_turn_and_keeps_undo_available(tmp_path: Path) -> None:
    result, record = game(tmp_path, "roll", "score fours", "hint", "undo", "quit", rules="crag")
    assert "hints are only for your own turn\n" in result.out
    assert record.turns[0].offer is None


def test_a_ruleset_too_large_to_solve_has_no_hints(tmp_path: Path) -> None:
    result, record = game(tmp_path, "roll", "hint", "score ones", "quit", rules="triple_yahtzee")
    assert "> hint\nTriple Yahtzee is too large to solve: there are no hints for it.\n>" in result.out
    assert record.turns[0].offer is not None


def test_costs_are_shown_only_in_hints(tmp_path: Path) -> None:
    result, _ = game(tmp_path, "roll", "hint", "keep -", "score fours", "quit", seats="human", rules="crag")
    assert result.out.count("loss") == 3
