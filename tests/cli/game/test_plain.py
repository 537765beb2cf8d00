"""The game in lines of text, driven through a pipe, and its ending: winner, margin, totals and earlier games."""

import re
from pathlib import Path

import pytest

from fivedice.analysis.advice import advise
from fivedice.cli.game.lines import NO_LOSS, headline
from fivedice.game.action import Score
from fivedice.game.notation import parse_position
from fivedice.game.record import Record, Seat, parse_record
from fivedice.game.wording import to_do
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solve import solve
from tests.cli.run_command import Result, fivedice, refused


def game(tmp_path: Path, *lines: str, seats: str = "human,greedy", rules: str = "yahtzee") -> tuple[Result, Record]:
    """Play a plain game with these lines of input; return the result and the record."""
    file = tmp_path / "record.txt"
    file.unlink(missing_ok=True)
    text = "".join(f"{line}\n" for line in lines)
    arguments = ["play", "--plain", "--seats", seats, "--rules", rules, "--seed", "1", "--record", str(file)]
    result = fivedice(*arguments, lines=text)
    return result, parse_record(file.read_text())


def boxes_of(ruleset: Ruleset) -> list[str]:
    """Lines that play a whole game; yes confirms a zero, and is unknown if there is no question."""
    return [line for box in ruleset.boxes for line in ("roll", f"score {box.id}", "yes")]


def test_a_game_with_real_dice_is_kept_resumed_and_reviewed(tmp_path: Path) -> None:
    file = tmp_path / "record.txt"
    first = ["r", "1", "667", "664", "66", "6", "score twelve", "score fours"]
    begun = fivedice(
        "play", "--real-dice", "--rules", "crag", "--seats", "Ann=human", "--record", str(file), lines="\n".join(first)
    )
    assert "Roll 3 dice, and type what they show." in begun.out
    assert begun.out.count("want the faces of 3 dice, as in 111") == 2
    assert "Roll 1 die, and type what it shows." in begun.out
    assert "continue with: " in begun.out
    rest = [line for box in load_ruleset("crag").boxes for line in ("roll", "111", f"score {box.id}", "yes")]
    ended = fivedice("play", "--resume", str(file), lines="\n".join(rest))
    assert "Roll 3 dice" in ended.out
    record = parse_record(file)
    assert (record.dice, record.table, record.is_over) == ("real", "", True)
    assert str(record.turns[0].rolls[0]) == "(4, 6, 6)"
    assert "Ann" in fivedice("review", str(file)).out
    assert "real dice have no --seed" in refused("play", "--real-dice", "--seed", "1")
    assert "want a person at a seat" in refused("play", "--real-dice", "--seats", "greedy")


def test_real_dice_entered_before_a_resume_are_not_asked_for_again_after_an_undo(tmp_path: Path) -> None:
    file, turn = tmp_path / "record.txt", ["roll", "663", "6 3", "4", "score sixes", "531", "11", "1", "quit"]
    fivedice("play", "--real-dice", "--rules", "crag", "--record", str(file), lines="\n".join(turn))
    before = parse_record(file)
    assert len(before.turns) == 2
    resumed = fivedice("play", "--resume", str(file), lines="undo\nscore fours\nquit\n")
    assert "what they show" not in resumed.out
    assert "what it shows" not in resumed.out
    assert parse_record(file).turns[1] == before.turns[1]


@pytest.mark.parametrize(
    "seats", ["human", "human,greedy", "greedy,human", "Ann=human,Ben=human", "human,random,human"]
)
def test_a_whole_game_is_played_through_a_pipe(tmp_path: Path, seats: str) -> None:
    people = seats.count("human")
    # The same box again confirms a zero; if there was no question, it is a line before the next roll.
    turns = [["roll", f"score {box.id}", f"score {box.id}"] for box in load_ruleset("yahtzee").boxes]
    result, record = game(tmp_path, *(line for turn in turns for line in turn * people), seats=seats)
    assert record.position.is_over
    assert result.status == 0
    best = max(card.total for card in record.position.cards)
    ending = result.out.rpartition("Total")[2].splitlines()
    assert f" {best}" in " ".join(ending[1:3])
    assert ending[-1] == f"The record is in {tmp_path / 'record.txt'}"
    assert "this game is over" in refused("play", "--resume", str(tmp_path / "record.txt"))


def test_after_a_game_n_begins_a_new_one_and_the_ending_compares_it_with_the_best(tmp_path: Path) -> None:
    lines = boxes_of(load_ruleset("crag"))
    text = "".join(f"{line}\n" for line in [*lines, "n", *lines, "n", "roll", "quit"])
    result = fivedice("play", "--plain", "--seats", "human", "--rules", "crag", "--seed", "1", lines=text)
    assert "That was your first game of Crag." in result.out
    files = sorted(tmp_path.glob("data/records/*.txt"), key=lambda file: file.stat().st_mtime_ns)
    first, second, third = (parse_record(file.read_text()) for file in files)
    totals = [record.position.cards[0].total for record in (first, second)]
    best = "Your best yet" if totals[1] > totals[0] else f"Your best is {totals[0]}"
    assert f"{best}; your average over 2 games is {sum(totals) / 2:.0f}." in result.out
    assert [record.position.is_over for record in (first, second, third)] == [True, True, False]


def test_after_a_game_v_reviews_it(tmp_path: Path, shared_cache: None) -> None:
    result, _ = game(tmp_path, *boxes_of(load_ruleset("crag")), "v", "", seats="Ann=human", rules="crag")
    reviewed, _, rest = result.out.partition("--full shows every turn")
    assert "lost in decisions" in reviewed
    assert "Press Enter to finish" in rest
    assert result.status == 0


def test_an_avoidable_zero_is_asked_about_once(tmp_path: Path) -> None:
    result, record = game(tmp_path, "roll", "yahtzee", "no", "yahtzee", "chance", "quit", seats="human")
    question = "Write 0 in Yahtzee? Chance would score 15 points. There are 2 rolls left. Type yes to write it"
    assert result.out.count(question) == 2
    assert "Nothing is written." in result.out
    assert record.position.cards[0].points("yahtzee") is None
    for answer in ("yes", "yahtzee"):
        _, record = game(tmp_path, "roll", "yahtzee", answer, "quit", seats="human")
        assert record.position.cards[0].points("yahtzee") == 0


def test_kismet_shows_the_colour_of_every_die_and_accepts_it(tmp_path: Path) -> None:
    result, record = game(
        tmp_path, "roll", "keep 2r 4g", "hint", "quit", seats="human,greedy", rules="kismet[rounds=2]"
    )
    assert "Each die has its colour behind it: b is black, r is red, g is green." in result.out
    assert "Dice: 1b 2r 2r 4g 6b; 2 rolls left." in result.out
    assert str(record.turns[0].keeps[0]) == "keep 24"
    assert re.search(r"^keep (\d[brg] ?)+: ", result.out, re.MULTILINE)


@pytest.mark.parametrize(("last", "status"), [("roll", 1), ("quit", 0)])
def test_quit_and_input_that_ends_early_save_the_game_so_far(tmp_path: Path, last: str, status: int) -> None:
    result, record = game(tmp_path, "roll", "score chance", last)
    assert result.status == status
    assert ("The input ended before the game did." in result.out) == bool(status)
    assert not record.position.is_over
    assert record.position.cards[0].points("chance") is not None


def test_a_game_resumed_within_a_turn_begins_with_its_dice_whose_secret_is_removed_at_its_end(tmp_path: Path) -> None:
    result, _ = game(tmp_path, "roll", "quit", seats="human", rules="crag")
    dice = next(line for line in result.out.splitlines() if line.startswith("Dice: "))
    assert len((tmp_path / ".record.txt.dice").read_bytes()) == 32
    lines = "".join(f"{line}\n" for line in ["1", *boxes_of(load_ruleset("crag")), ""])
    again = fivedice("play", "--resume", str(tmp_path / "record.txt"), lines=lines)
    turn, *rest = again.out.partition("Type help for the commands.\n")[2].strip().splitlines()
    assert turn == "Round 1 of 13. Your turn."
    assert rest[0] == dice
    assert rest[1].startswith("Boxes: Ones ")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".record")] == []


def test_a_game_with_a_seed_goes_on_with_the_same_dice_after_a_restart(tmp_path: Path) -> None:
    lines = ["roll", "score chance", "roll", "keep -", "score ones", "ones", "roll"]
    _, whole = game(tmp_path, *lines, "quit", seats="human,random")
    game(tmp_path, *lines[:3], "quit", seats="human,random")
    file = str(tmp_path / "record.txt")
    fivedice("play", "--resume", file, lines="".join(f"{line}\n" for line in [*lines[3:], "quit"]))
    again = parse_record((tmp_path / "record.txt").read_text())
    assert again.turns == whole.turns
    assert len(again.turns) == 5
    # A new game under the same name is not influenced by the dice of the deleted one.
    (tmp_path / ".record.txt.dice").write_text("other")
    assert game(tmp_path, *lines, "quit", seats="human,random")[1].turns == whole.turns
    # Another seed is what the user asked for; a damaged secret is none.
    for seed in (("--seed", "2"), ()):
        (tmp_path / ".record.txt.dice").write_text("other")
        assert fivedice("play", "--resume", file, *seed, lines="keep -\nquit\n").status == 0


ANSWERS = {
    "score ones": "Roll first: type roll, or press Enter.",
    "boxes": "the boxes take points only after a roll",
    "dance": "'dance' is neither a command nor a box: want dice to keep, a box, or one of roll, resign, undo,",
    "res": "'res' is neither a command nor a box",  # a game is not given up by the first letters of the word
    "h": "'h' may mean any of hint, help: type more of it",
    "he": "show the best actions",
    "?": "keep 33",
    "card": "Large Straight",
    "r": "Dice: ",
    "roll": "the dice are already rolled",
    "": "want dice to keep, as in 33, or a box, as in threes; type help for more",
    "keep -": "Dice: ",
    "keep nothing": "Dice: ",
    "-": "no roll is left; choose a box to score",
}


def test_every_line_gets_an_answer_also_one_that_is_not_an_action(tmp_path: Path) -> None:
    result, record = game(tmp_path, *ANSWERS, "quit", seats="human")
    for (line, sentence), shown in zip(ANSWERS.items(), result.out.split("\n> ")[1:], strict=False):
        assert shown.startswith(f"{line}\n")
        assert sentence in shown
    assert record.position.rolls_left == 0


def test_a_hint_lists_the_three_best_actions_and_what_they_cost(tmp_path: Path) -> None:
    result, record = game(tmp_path, "roll", "hint", "hin", "quit", seats="human", rules="crag")
    assert result.out.count("average final score") == 6
    advice = advise(solve(load_ruleset("crag")), record.position)
    costs = ["best" if a.loss <= NO_LOSS else f"costs {a.loss:.1f}" for a in advice.actions[:3]]  # only in hints
    best = [
        f"{to_do(record.position, a.action)}: {cost}, average final score {a.value:.1f}"
        for a, cost in zip(advice.actions, costs, strict=False)
    ]
    assert result.out.split("> hint\n")[1].splitlines()[:8] == [*best, "> hin", *best, "> quit"]
    assert result.err == ""


def test_a_game_that_cannot_be_saved_says_so_once_and_prints_its_record(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    result = fivedice("play", "--plain", "--seats", "Ann=human", lines="roll\nkeep -\nchance\nquit\n")
    before, _, record = result.out.partition("Here it is:\n\n")
    assert before.count("The record could not be saved to ") == 2  # when it happens, and at the end
    assert parse_record(record).position.card.num_filled == 1


def test_another_box_is_scored_after_an_announcement_is_taken_back(tmp_path: Path) -> None:
    lines = ("roll", "announce twos", "undo", "sixes (free)", "yes", "quit")
    result, record = game(tmp_path, *lines, seats="human", rules="yamb")
    assert "Your announcement is taken back." in result.out
    assert [box.id for box, _ in record.position.card.entries()] == ["sixes_free"]


def test_a_game_is_given_up_after_a_question(tmp_path: Path) -> None:
    result, record = game(tmp_path, "roll", "resign", "no", "resign", "yes", "hint", "")
    assert "Type yes to resign" in result.out
    assert "The game goes on." in result.out
    assert "You resigned." in result.out.rpartition("Total")[2]
    assert "> hint\nThe game is over: there is no legal action.\n" in result.out
    assert str(record).splitlines()[-1].endswith(", resign")
    assert record.position.winners == (1,)
    assert result.status == 0
    before_its_roll, _ = game(tmp_path, "resign", "yes", "")
    assert before_its_roll.out.endswith(f"The record is in {tmp_path / 'record.txt'}\n")


DATE = "2026-11-21T10:00:00+00:00"


def ended(*totals: int) -> Record:
    """A finished game of Yacht, in which the seats have these totals, from 4 to 30, in the box Choice alone."""
    boxes = load_ruleset("yacht").boxes
    cards = [",".join(f"{box.id}={total if box.id == 'choice' else 0}" for box in boxes) for total in totals]
    position = parse_position(f"yacht {'/'.join(cards)} - r3")
    seats = tuple(Seat(f"p{number}", "human") for number in range(len(totals)))
    return Record(seats, 0, DATE, position)


@pytest.mark.parametrize(
    ("totals", "you", "sentence"),
    [
        ((30,), 0, "You scored 30 points."),
        ((30, 18), 0, "You won by 12 points."),
        ((18, 30), 0, "You lost by 12 points."),
        ((18, 30), None, "Ben won by 12 points."),
        ((30, 18, 29), 0, "You won by 1 point."),
        ((18, 30, 29), 2, "You lost by 1 point."),
        ((20, 20), 0, "You share the victory with Ben."),
        ((20, 20, 10), None, "Ann and Ben share the victory."),
        ((10, 20, 20), 0, "Ben and Cleo share the victory."),
    ],
)
def test_the_headline_says_who_won_and_by_how_much(totals: tuple[int, ...], you: int | None, sentence: str) -> None:
    names = ["You" if seat == you else name for seat, name in enumerate(("Ann", "Ben", "Cleo")[: len(totals)])]
    assert headline(ended(*totals), names, you) == sentence


def test_a_game_won_on_a_first_roll_has_no_margin() -> None:
    record = Record.start(
        load_ruleset("generala[first_roll_generala=wins]"), (Seat("Ann", "human"), Seat("Ben", "human")), DATE
    )
    record = record.roll((3, 3, 3, 3, 3)).play(Score("generala"))
    assert headline(record, ["You", "Ben"], 0) == "You won on a first roll."
