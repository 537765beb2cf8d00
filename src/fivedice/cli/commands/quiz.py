"""`fivedice quiz`: positions where the obvious choice is wrong."""

import random
import sys
from collections.abc import Iterator, Sequence

from fivedice.analysis.advice import advise
from fivedice.analysis.learning.lessons import Grade, Lesson
from fivedice.analysis.learning.quiz import quiz_lessons
from fivedice.analysis.reviews.marks import level_of
from fivedice.cli.game.questions import ask, choice_in_words, invitation, print_feedback, run, show_position
from fivedice.cli.language import chosen, numbered, say
from fivedice.cli.options import Count, Flag, Rules, Whole
from fivedice.cli.solutions import prepare
from fivedice.cli.text.output import prints, show
from fivedice.players import Greedy
from fivedice.rulesets import load_ruleset
from fivedice.solver.saved.kinds import BREAKDOWN
from fivedice.solver.solution import Solution
from fivedice.views.printed import QuestionView, QuizView
from fivedice.views.review_words import level_in_words


@prints(QuizView)
def quiz(
    *,
    rules: Rules = "yahtzee",
    count: Count = 10,
    seed: Whole | None = None,
    json: Flag = False,
) -> None:
    """Test yourself on positions where the obvious choice is wrong.

    Parameters
    ----------
    seed
        Makes the quiz repeatable.
    json
        Print the positions and their best actions as JSON instead of asking.
    """
    ruleset = load_ruleset(rules)
    solution = prepare(ruleset) if json else prepare(ruleset, BREAKDOWN)
    chance = random.Random(seed) if seed is not None else random.SystemRandom()
    questions = quiz_lessons(solution, Greedy().choose, chance, count)
    if questions and not json:
        sys.exit(_ask_all(questions))
    nothing = say(
        "In {game} the obvious choice is never far from the best: there is nothing to ask.", game=ruleset.name
    )
    show(_view(solution, questions), [nothing], json=json)


def result_lines(answered: Sequence[tuple[Lesson, Grade]]) -> Iterator[str]:
    """A summary of the answers, compared with the obvious choices and with the levels of players."""
    if not answered:
        return
    num = len(answered)
    own = sum(given.loss for _, given in answered) / num
    obvious = sum(lesson.loss for lesson, _ in answered) / num
    num_best = sum(given.is_best for _, given in answered)
    level = level_of(own)
    lost, by_obvious = (chosen().with_point(f"{loss:.2f}") for loss in (own, obvious))
    yield numbered(
        "1 answer, {best} of them best; {lost} points lost per answer.",
        "{n} answers, {best} of them best; {lost} points lost per answer.",
        num,
        best=num_best,
        lost=lost,
    )
    yield say("The obvious choices would have lost {lost}. Most positions in a game are easier.", lost=by_obvious)
    yield say(
        "A loss of {lost} at every decision of a game is this level: {level}.",
        lost=lost,
        level=level_in_words(level, chosen()),
    )


def _ask_all(questions: Sequence[Lesson]) -> int:
    """Ask every question, then print the summary, even if the player quits early; return the exit status."""
    answered: list[tuple[Lesson, Grade]] = []

    def ask_each() -> None:
        for number, lesson in enumerate(questions, start=1):
            show_position(lesson.position, say("{number} of {all}", number=number, all=len(questions)))
            given = ask(lesson)
            answered.append((lesson, given))
            print_feedback(lesson, given)
            if given.action == lesson.chosen:
                print(say("That is the obvious choice."))
            else:
                print(say("The obvious choice, {done}, loses {points}.", **choice_in_words(lesson)))

    print(invitation())
    status = run(ask_each)
    print()
    for line in result_lines(answered):
        print(line)
    return status


def _view(solution: Solution, questions: Sequence[Lesson]) -> QuizView:
    asked = [
        QuestionView(str(at), str(advise(solution, at).best.action), str(lesson.chosen), lesson.loss)
        for lesson in questions
        for at in [lesson.position]
    ]
    return QuizView(str(solution.ruleset), solution.ruleset.digest, asked)
