"""`fivedice learn`, `quiz`, `daily` and `storm`: questions, reasons, grades, and what is due again."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from fivedice.analysis.advice import advise
from fivedice.analysis.deck import Deck
from fivedice.analysis.lessons import Grade, Lesson
from fivedice.analysis.reviews.marks import level_of
from fivedice.cli.commands import learn as command
from fivedice.cli.commands.quiz import DailyTry, play_try, result_lines
from fivedice.cli.game import questions
from fivedice.daily.days import open_secret
from fivedice.daily.puzzles import Puzzle, puzzle_of
from fivedice.daily.results import Kind, parse_share
from fivedice.game.action import Score
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.game.proof import commitment
from fivedice.game.record import Record, Seat, parse_record
from fivedice.rulesets import load_ruleset
from tests.cli.run_command import Result, crag_record, fivedice, played, refused
from tests.solutions import solution_of

pytestmark = pytest.mark.usefixtures("shared_cache")

MISTAKE = "crag - 445 r1"
OTHERS = "crag - 134 r0"
SECOND = "crag thirteen=26 113 r1"


@pytest.fixture
def records(folder: Path) -> Path:
    """The user's folder of records, with a game in which Ann made two mistakes."""
    turns = ("0: 445, score thirteen = 26", "1: 445, keep 4, 134, score threes = 3", "0: 113, keep 11, 116")
    (folder / "game.txt").write_text(crag_record("Ann=human,greedy", *turns, result="26 3, unfinished"))
    return folder


@pytest.fixture(autouse=True)
def day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "local_day", lambda: date(2026, 11, 21))


def learn(*lines: str, arguments: tuple[str, ...] = ()) -> Result:
    return fivedice("learn", *arguments, lines="".join(f"{line}\n" for line in lines))


def due(*arguments: str) -> list[str]:
    return [one["position"] for one in json.loads(fivedice("learn", *arguments, "--json").out)["due"]]


BEST = "Best is to score Crag. Scoring 26 in Thirteen loses 10.7 points."
IN_GAME = "That is what was chosen in the game, too."


@pytest.mark.usefixtures("records")
@pytest.mark.parametrize(
    ("arguments", "lines", "status", "told", "left"),
    [
        (
            [],
            ["crag", "q"],
            0,
            [
                *("2 positions to learn.", "1 of 2: Crag, round 1 of 13", "Dice: 4 4 5; 1 roll left."),
                *("Thirteen            (26)", "Right: nothing is better.\nScore 50 in Crag instead of 26 in Thirteen?"),
                *("In the game, scoring 26 in Thirteen lost 10.7 points.", "You will be asked again in "),
                "1 position learnt.\n1 is still to learn.",
            ],
            [SECOND],
        ),
        (
            [],
            ["thirteen", "13", "crag"],  # a wrong answer is asked again at the end
            0,
            [
                *(BEST, f"{IN_GAME}\nYou will be asked again at the end.", "Again: Crag, round 1 of 13"),
                "2 positions learnt.\nNothing more is due today.\n",
            ],
            [],
        ),
        ([], ["show", "q"], 0, [BEST, IN_GAME], [MISTAKE, SECOND]),
        (
            [],
            ["crag"],
            1,
            ["The input ended before the last answer.", "1 position learnt.\n1 is still to learn."],
            [SECOND],
        ),
        (
            ["--count", "1"],
            ["crag"],
            0,
            ["2 positions to learn, 1 of them now.", "1 position learnt.\n1 is still to learn.\n"],
            [SECOND],
        ),
    ],
)
def test_the_costliest_mistake_is_asked_first_and_an_answer_is_explained_and_counts(
    arguments: list[str], lines: list[str], status: int, told: list[str], left: list[str]
) -> None:
    result = learn(*lines, arguments=tuple(arguments))
    assert result.status == status
    assert [sentence for sentence in told if sentence not in result.out] == []
    assert due() == left


@pytest.mark.usefixtures("records")
def test_ctrl_c_loses_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(questions, "part_of", interrupted)
    result = learn("crag", "q")
    assert result.status == 130
    assert due() == [SECOND]


def test_records_and_player_select_the_lessons(records: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    text = (records / "game.txt").read_text()
    other.write_text(text.replace(",greedy\n", ",Ben=human\n").replace("Ann=human", "greedy"))
    assert due(str(other)) == [MISTAKE, OTHERS]
    assert due("--player", "greedy") == [MISTAKE, OTHERS]
    assert due("--player", "Ann") == due(str(other), "--player", "greedy") == [MISTAKE, SECOND]
    learn("crag", "q")
    assert due(str(other)) == [OTHERS]


def test_a_lesson_whose_rules_have_changed_is_skipped_with_a_warning(
    records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn("show", "q")
    (records / "game.txt").unlink()
    other = parse_position("yatzy - - r3").ruleset
    monkeypatch.setattr("fivedice.analysis.deck.load_ruleset", lambda name: other)
    result = learn()
    assert "fivedice: skipping a lesson: the rules of yatzy have changed" in result.err


def test_a_game_without_mistakes_has_nothing_to_learn(tmp_path: Path) -> None:
    game = played(tmp_path / "game.txt", "crag", "Ann=optimal")
    result = learn(arguments=(str(game), "--player", "Ann"))
    assert result.out == "No decision in 1 game cost 0.2 points or more: there is nothing to learn.\n"
    assert result.status == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "no records to learn from, and none in"),
        (("EMPTY",), "there is no record in "),
        (("--since", "May"), "--since 'May': want a date, as in 2026-11-01"),
        (("GAME", "--player", "Anna"), "--player 'Anna' is in none of these records: did you mean 'Ann'?"),
        (("GAME",), "these records have no human player: name a player, as in --player Ann"),
    ],
)
def test_bad_input_gets_status_2_and_one_sentence(arguments: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    game = played(tmp_path / "game.txt", "crag", "Ann=random")
    (empty := tmp_path / "empty").mkdir()
    places = {"GAME": str(game), "EMPTY": str(empty)}
    assert sentence in refused("learn", *(places.get(one, one) for one in arguments))


def test_a_replay_asks_the_lessons_since_a_day_again_but_none_twice_a_day(
    records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replayed(day: str) -> list[str]:
        return [one["position"] for one in json.loads(learn(arguments=("--since", day, "--json")).out)["due"]]

    assert sorted(replayed("2026-11-20")) == sorted([MISTAKE, SECOND])
    assert replayed("2026-11-21") == []
    assert learn("crag", "13").status == 0
    assert replayed("2026-11-20") == []
    monkeypatch.setattr(command, "local_day", lambda: date(2026, 11, 22))
    assert json.loads(learn(arguments=("--json",)).out)["due"] == []
    assert len(replayed("2026-11-20")) == 2
    (records / "game.txt").unlink()
    assert learn().out.startswith("Nothing is due today. The next position is due ")


def test_after_a_game_its_own_mistakes_are_asked_first(records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (records / "game.txt").read_text()
    other = text.replace("0: 445, score thirteen = 26\n", "0: 566, keep 66, 366, score sixes = 12\n")
    other = str(parse_record(other.replace("0: 113, keep 11, 116\n", "").replace("result: 26 3", "result: 12 3")))
    monkeypatch.setattr("fivedice.analysis.lessons.ACCEPTED", 0.0)
    seen: list[str] = []

    def note(deck: Deck, agenda: command.Agenda, count: int, num_games: int) -> int:
        seen.extend(str(lesson.position) for lesson in agenda.due)
        return 0

    monkeypatch.setattr(command, "_ask_due", note)
    assert command.learn_after(parse_record(other)) == 0
    assert seen[-2:] == [MISTAKE, SECOND]
    assert len(seen) > 2


def test_after_a_game_that_cannot_be_solved_nothing_is_said_about_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Record.start(load_ruleset("triple_yahtzee"), (Seat("Ann", "human"),), "2026-11-22T10:00:00+00:00")
    game = game.roll((1, 1, 1, 2, 3)).play(Score("ones_x1"))
    assert command.learn_after(game) == 0
    assert capsys.readouterr() == ("There is nothing to learn yet.\n", "")
    (folder / "game.txt").write_text(str(game))
    assert learn() == Result("There is nothing to learn yet.\n", "", 0)


QUIZ = ("quiz", "--rules", "crag", "--seed", "1", "--count", "3")


def test_right_answers_lose_nothing_and_are_explained_and_who_quits_gets_the_summary() -> None:
    questions = json.loads(fivedice(*QUIZ, "--json").out)["questions"]
    result = fivedice(*QUIZ, lines="".join(f"{question['best']}\n" for question in questions))
    assert result.status == 0
    assert result.out.count("Right: nothing is better.") == 3
    assert result.out.count(" instead of ") == 3
    assert result.out.count("The obvious choice, ") == 3
    mean = sum(float(question["loss"]) for question in questions) / 3
    assert "3 answers, 3 of them best; 0.00 points lost per answer." in result.out
    assert f"The obvious choices would have lost {mean:.2f}. " in result.out
    early = fivedice(*QUIZ, lines=f"{questions[0]['best']}\nq\n")
    assert early.status == 0
    assert "1 answer, 1 of them best; 0.00 points lost per answer." in early.out
    assert "points lost" not in fivedice(*QUIZ, lines="q\n").out


def test_the_summary_has_the_mean_of_the_answers() -> None:
    lesson = Lesson(parse_position("crag - 445 r1"), Score("thirteen"), 10.5)
    answered = [(lesson, Grade(Score("fours"), loss, Score("crag"))) for loss in (1.0, 3.0)]
    lines = list(result_lines(answered))
    assert lines[0] == "2 answers, 0 of them best; 2.00 points lost per answer."
    assert lines[1].startswith("The obvious choices would have lost 10.50. ")
    assert lines[2:] == [f"A loss of 2.00 at every decision of a game is this level: {level_of(2.0).name} play."]
    assert max(map(len, lines)) <= 79


def test_a_ruleset_without_questions_is_reported(tmp_path: object) -> None:
    rules = f"{tmp_path}/small.toml"
    with open(rules, "w") as file:
        file.write('id = "small"\ndice = 1\nfaces = 2\nrolls = 1\n[categories]\nany = { scorer = "any_dice" }\n')
    result = fivedice("quiz", "--rules", rules)
    assert result.status == 0
    assert "the obvious choice is never far from the best: there is nothing to ask" in result.out


DAY = date(2026, 11, 25)
LINES = ["crag - 445 r1", "crag - 136 r0", "crag - 266 r1", "crag - 555 r0"]


def drawn() -> list[Puzzle]:
    puzzles = [puzzle_of(advise(solution_of("crag"), Position.parse(line))) for line in LINES]
    return [replace(puzzle, rung=rung) for rung, puzzle in enumerate(puzzles)]


def actions(line: str | Position) -> list[str]:
    """The actions on a position, from the best to the worst."""
    return [str(advised.action) for advised in advise(solution_of("crag"), line).actions]


def test_a_ten_is_graded_and_ends_with_a_line_to_share_unless_it_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = iter(["q", actions(LINES[0])[-1], *(actions(line)[0] for line in LINES[1:])])
    monkeypatch.setattr("fivedice.cli.game.questions.read_line", lambda: next(lines) + "\n")
    assert play_try(DailyTry("ten", DAY, drawn())) == 0
    assert "fivedice #" not in capsys.readouterr().out
    assert play_try(DailyTry("ten", DAY, drawn())) == 0
    printed = capsys.readouterr().out.splitlines()
    share = parse_share(printed[-1])
    assert (share.number, share.rules, share.best, share.answered) == (1, "crag", 3, 4)
    assert printed.count("Right: nothing is better.") == 3


@pytest.mark.parametrize(("kind", "mistakes"), [("storm", 3), ("streak", 1)])
def test_three_mistakes_end_a_storm_and_one_ends_a_streak(kind: Kind, mistakes: int) -> None:
    one, num = DailyTry(kind, DAY, drawn()), 0
    while one.position is not None:
        one.answer(parse_action(actions(one.position)[-1]))
        num += 1
    assert (num, parse_share(one.result()).best) == (mistakes, 0)


def test_an_answer_after_three_minutes_does_not_count() -> None:
    now = [0.0]
    one, best = DailyTry("storm", DAY, drawn(), lambda: now[0]), [parse_action(actions(line)[0]) for line in LINES]
    now[0] = 179.0
    one.answer(best[0])
    assert one.heading == "2, 1 s left"
    now[0] = 180.0
    assert one.answer(best[1]) == "Time is up."
    assert parse_share(one.result()).best == 1


def test_a_day_is_drawn_again_from_its_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def draw(kind: str, day: date, secret: bytes, rules: str | None) -> list[Puzzle]:
        calls.append((kind, day, secret, rules))
        return drawn()

    monkeypatch.setattr("fivedice.cli.commands.quiz.draw", draw)
    secret = "ab" * 32
    found = json.loads(fivedice("daily", "--day", "2026-11-25", "--secret", secret, "--json").out)
    assert found == {
        "day": "2026-11-25",
        "number": 1,
        "commitment": commitment(bytes.fromhex(secret)),
        "positions": LINES,
    }
    json.loads(fivedice("daily", "--day", "2026-11-25", "--rules", "yatzy", "--json").out)
    ladder = json.loads(fivedice("storm", "--json").out)
    assert [one["rung"] for one in ladder] == [0, 1, 2, 3]
    assert calls[:2] == [("ten", DAY, bytes.fromhex(secret), None), ("ten", DAY, open_secret(DAY), "yatzy")]
