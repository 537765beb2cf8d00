"""`fivedice quiz`, `daily` and `storm`: questions, reasons, grades, and the summary of the answers."""

import json
from dataclasses import replace
from datetime import date

import pytest

from fivedice.analysis.advice import advise
from fivedice.analysis.learning.lessons import Grade, Lesson
from fivedice.analysis.reviews.marks import level_of
from fivedice.cli.commands.quiz import DailyTry, play_try, result_lines
from fivedice.daily.days import open_secret
from fivedice.daily.puzzles import Puzzle, puzzle_of
from fivedice.daily.results import Kind, parse_share
from fivedice.game.action import Score
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.game.proof import commitment
from tests.cli.run_command import fivedice
from tests.solutions import solution_of

pytestmark = pytest.mark.usefixtures("shared_cache")

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
    assert one.answer(best[1]) == "The time is over."
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
