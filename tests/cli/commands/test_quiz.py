"""`fivedice quiz`: questions, reasons, and the summary of the answers."""

import json

import pytest

from fivedice.analysis.learning.lessons import Grade, Lesson
from fivedice.analysis.reviews.marks import level_of
from fivedice.cli.commands.quiz import result_lines
from fivedice.game.action import Score
from fivedice.game.notation import parse_position
from tests.cli.run_command import Result, fivedice, refused

pytestmark = pytest.mark.usefixtures("shared_cache")

QUIZ = ("quiz", "--rules", "crag", "--seed", "1", "--count", "3")


def quiz(*lines: str) -> Result:
    return fivedice(*QUIZ, lines="".join(f"{line}\n" for line in lines))


@pytest.fixture
def questions() -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(fivedice(*QUIZ, "--json").out)["questions"]
    return found


def test_right_answers_lose_nothing_and_are_explained(questions: list[dict[str, str]]) -> None:
    result = quiz(*(question["best"] for question in questions))
    assert result.status == 0
    assert result.out.count("Right: nothing is better.") == 3
    assert result.out.count(" instead of ") == 3
    assert result.out.count("The obvious choice, ") == 3
    mean = sum(float(question["loss"]) for question in questions) / 3
    assert "3 answers, 3 of them best; 0.00 points lost per answer." in result.out
    assert f"The obvious choices would have lost {mean:.2f}. " in result.out


def test_quitting_early_prints_the_summary(questions: list[dict[str, str]]) -> None:
    result = quiz(questions[0]["best"], "q")
    assert result.status == 0
    assert "1 answer, 1 of them best; 0.00 points lost per answer." in result.out
    assert "points lost" not in quiz("q").out


def test_the_summary_has_the_mean_of_the_answers() -> None:
    lesson = Lesson(parse_position("crag - 445 r1"), Score("thirteen"), 10.5)
    answered = [(lesson, Grade(Score("fours"), loss, Score("crag"))) for loss in (1.0, 3.0)]
    lines = list(result_lines(answered))
    assert lines[0] == "2 answers, 0 of them best; 2.00 points lost per answer."
    assert lines[1].startswith("The obvious choices would have lost 10.50. ")
    assert lines[2:] == [
        f"A loss of 2.00 at every decision of a game is this level: {level_of(2.0).name} play.",
    ]
    assert max(map(len, lines)) <= 79


def test_a_ruleset_without_questions_is_reported(tmp_path: object) -> None:
    rules = f"{tmp_path}/small.toml"
    with open(rules, "w") as file:
        file.write('id = "small"\ndice = 1\nfaces = 2\nrolls = 1\n[categories]\nany = { scorer = "any_dice" }\n')
    result = fivedice("quiz", "--rules", rules)
    assert result.status == 0
    assert "the obvious choice is never far from the best: there is nothing to ask" in result.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["quiz", "--count", "0"], 'Invalid value "0" for --count. Must be >= 1.'),
        (["quiz", "--rules", "cragg"], "did you mean 'crag'"),
        (["quiz", "--seed", "x"], "seed"),
        (["quiz", "--rules", "triple_yahtzee"], "triple_yahtzee is too large to solve exactly"),
    ],
)
def test_bad_input_gets_status_2_and_one_sentence(arguments: list[str], sentence: str) -> None:
    assert sentence in refused(*arguments)
