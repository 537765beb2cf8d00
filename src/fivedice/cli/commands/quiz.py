"""`fivedice quiz`, `daily` and `storm`: positions to decide, where the obvious choice is wrong, or of the day."""

import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from random import SystemRandom
from textwrap import fill

from fivedice.analysis.advice import advise
from fivedice.analysis.lessons import Grade, Lesson, quiz_lessons
from fivedice.analysis.reviews.marks import level_of, verdict
from fivedice.base.errors import MalformedError
from fivedice.cli.game.command_words import WIDTH
from fivedice.cli.game.questions import ask, choice_in_words, print_feedback, read_action, run, show_position
from fivedice.cli.language import chosen, numbered, say
from fivedice.cli.options import Count, DailyRules, Flag, Rules, Whole
from fivedice.cli.solutions import prepare
from fivedice.cli.text.output import print_lines, prints, show
from fivedice.daily.choice import PER_RUNG, POOL, candidates_of, choose_ladder, choose_ten, run_of
from fivedice.daily.days import RULES, daily_rules, guest_of, number_of, open_secret, parse_day
from fivedice.daily.puzzles import Puzzle, is_best, symbol
from fivedice.daily.results import MAX_MISTAKES, STORM_SECONDS, Kind, Share, Tally
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.proof import commitment
from fivedice.players import Greedy
from fivedice.rulesets import load_ruleset
from fivedice.solver.saved.store import BREAKDOWN
from fivedice.solver.solution import Solution
from fivedice.views.printed import DrawnDayView, QuestionView, QuizView, RungView
from fivedice.views.review_words import level_in_words


@prints(QuizView)
def quiz(*, rules: Rules = "yahtzee", count: Count = 10, seed: Whole | None = None, json: Flag = False) -> None:
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

    status = run(ask_each)
    print()
    print_lines(result_lines(answered))
    return status


def _view(solution: Solution, questions: Sequence[Lesson]) -> QuizView:
    asked = [
        QuestionView(str(at), str(advise(solution, at).best.action), str(lesson.chosen), lesson.loss)
        for lesson in questions
        for at in [lesson.position]
    ]
    return QuizView(str(solution.ruleset), solution.ruleset.digest, asked)


@prints(DrawnDayView)
def daily(
    *, rules: DailyRules | None = None, day: str | None = None, secret: str | None = None, json: Flag = False
) -> None:
    """Decide ten positions, different ones every day.

    The positions follow from the date, and your result is not ranked: a server ranks on its page.

    Parameters
    ----------
    day
        Another day than today, such as 2026-11-25.
    secret
        The secret of that day, which a server has published: draws its positions again, to verify them.
    json
        Print the positions as JSON instead of asking.
    """
    if secret is not None and not re.fullmatch("[0-9a-f]{64}", secret):
        raise MalformedError("--secret: want 64 digits 0-9 a-f")
    drawn = date.today() if day is None else parse_day(day)
    key = open_secret(drawn) if secret is None else bytes.fromhex(secret)
    puzzles = draw("ten", drawn, key, rules)
    view = DrawnDayView(drawn.isoformat(), number_of(drawn), commitment(key), [str(one.position) for one in puzzles])
    about = say("The ten positions of {day}, for you alone: your result is not ranked.", day=view.day)
    show(view, [about], json=json)
    if not json:
        sys.exit(play_try(DailyTry("ten", drawn, puzzles)))


@prints(list[RungView])
def storm(*, rules: DailyRules | None = None, streak: Flag = False, json: Flag = False) -> None:
    """Solve as many positions as you can in three minutes, from easy to hard; three mistakes end it.

    The positions follow from the date, and your result is not ranked: a server ranks on its page.

    Parameters
    ----------
    streak
        Play without a clock, until the first mistake.
    json
        Print the positions with their rungs as JSON instead of asking.
    """
    kind: Kind = "streak" if streak else "storm"
    day = date.today()
    puzzles = draw("ladder", day, open_secret(day), rules)
    about = say("The positions of {day}, for you alone: your result is not ranked.", day=day.isoformat())
    show([RungView(puzzle.rung or 0, str(puzzle.position)) for puzzle in puzzles], [about], json=json)
    if not json:
        order = run_of([puzzle.rung or 0 for puzzle in puzzles], SystemRandom().randint(1, POOL // PER_RUNG))
        sys.exit(play_try(DailyTry(kind, day, [puzzles[index] for index in order])))


class DailyTry:
    """A try of positions that are drawn and graded on this computer. It has no rank.

    `position` is the next one to decide, None once the try is over.
    """

    def __init__(
        self, kind: Kind, day: date, drawn: Sequence[Puzzle], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._kind, self._day, self._puzzles, self._clock = kind, day, drawn, clock
        self._began = clock()
        self._losses: list[float] = []
        self.position: Position | None = drawn[0].position

    @property
    def heading(self) -> str:
        """Which one of how many, or the time left."""
        if self._kind == "ten":
            return say("{number} of {all}", number=len(self._losses) + 1, all=len(self._puzzles))
        if self._kind == "storm":
            return say("{number}, {seconds} s left", number=len(self._losses) + 1, seconds=round(self._seconds_left))
        return str(len(self._losses) + 1)

    def answer(self, action: Action) -> str:
        """Grade the answer, unless the time is over. Raises `IllegalError`."""
        puzzle = self._puzzles[len(self._losses)]
        loss = puzzle.loss(action)
        if self._kind == "storm" and self._seconds_left <= 0:
            self.position = None
            return say("Time is up.")
        self._losses.append(loss)
        has_ended = Tally.of(self._losses).mistakes == MAX_MISTAKES.get(self._kind)
        is_last = has_ended or len(self._losses) == len(self._puzzles)
        self.position = None if is_last else self._puzzles[len(self._losses)].position
        return verdict(puzzle.position, action, None if is_best(loss) else loss, puzzle.best[0], chosen())

    def result(self) -> str:
        """The line to share once the try is over."""
        tally = Tally.of(self._losses)
        is_ten = self._kind == "ten"
        share = Share(
            self._kind,
            number_of(self._day),
            self._puzzles[0].position.ruleset.id,
            tally.best,
            tally.answered if is_ten else 0,
            round(10 * tally.lost) if is_ten else 0,
            tuple(map(symbol, self._losses)) if is_ten else (),
        )
        return share.line(chosen())

    @property
    def _seconds_left(self) -> float:
        return self._began + STORM_SECONDS - self._clock()


def draw(kind: str, day: date, secret: bytes, rules: str | None) -> list[Puzzle]:
    """The ten or the ladder of a day with a secret, under rules that are by default those of the language."""
    found = []
    guest = guest_of(day) if kind == "ten" else ""
    for id in filter(None, (daily_rules(rules or RULES.get(chosen().tag, RULES["en"])), guest)):
        solution = prepare(load_ruleset(id))
        print(say("Drawing positions …"), file=sys.stderr)
        found.append(candidates_of(solution, secret, kind))
    return choose_ten(secret, *found) if kind == "ten" else choose_ladder(secret, *found)


def play_try(one: DailyTry) -> int:
    """Ask until the try is over or the player quits; print the result, and return the exit status."""

    def ask_each() -> None:
        while (position := one.position) is not None:
            show_position(position, one.heading)
            print(fill(one.answer(read_action(position)), WIDTH))

    status = run(ask_each)
    if one.position is None:
        print(one.result())
    return status
