"""Questions about a position in the terminal: shows card and dice, reads an answer, and grades it."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from textwrap import fill, wrap

from fivedice.analysis.learning.lessons import Grade, Lesson, grade
from fivedice.analysis.reviews.marks import SHOWN_LOSS
from fivedice.analysis.why import why
from fivedice.cli.game.input import Quit, read_line, short_action
from fivedice.cli.game.lines import dice_line, forced_lines
from fivedice.cli.solutions import breakdown_of, solution_of
from fivedice.cli.text.cards import format_cards
from fivedice.cli.text.language import chosen
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.wording import doing, to_do
from fivedice.ruleset import Ruleset
from fivedice.solver.play.breakdown import Breakdown

WIDTH = 79
"""Characters of a line of prose, to fit a terminal of 80 columns."""

INVITATION = "Type the dice to keep, or a box to score; ? for help."

HELP = """\
33, keep 33       keep these dice and roll the others; - rolls all of them
threes            score in a box; the first letters are enough
score threes      the same
scratch threes    write a zero in a box instead, if the rules allow it
show              show the best choice; counts as repeating the earlier choice
?                 show this list
q                 quit; your answers so far are saved
Numbers in brackets on the card are what an open box would score now."""


def show(lesson: Lesson, heading: str) -> None:
    """Print the position of a lesson below a heading."""
    position = lesson.position
    ruleset = position.ruleset
    print(f"\n{heading}: {ruleset.name}, round {position.round} of {ruleset.rounds}")
    print(format_cards(position, ["You"], with_offers=True))
    for line in (*forced_lines(position), dice_line(position)):
        print(line)


def run(questions: Callable[[], None]) -> int:
    """Run `questions` until it ends or the player quits; return the exit status."""
    try:
        questions()
    except Quit as error:
        return error.status
    except KeyboardInterrupt:
        print()
        return 130
    return 0


def ask(lesson: Lesson) -> Grade:
    """Read lines until one is a legal action or `show`; raise `Quit` at the end of the input or on `q`."""
    while True:
        line = read_line()
        if not line:
            print("The input ended before the last answer.")
            raise Quit(1)
        line = line.strip().lower()
        if line in ("q", "quit"):
            raise Quit(0)
        if line in ("?", "help"):
            print(HELP)
            continue
        if not line:
            print(INVITATION)
            continue
        try:
            action = lesson.chosen if line == "show" else short_action(line, lesson.position)
        except ValueError as error:
            print(fill(str(error), WIDTH))
            continue
        return grade(solution_of(lesson.position.ruleset), lesson.position, action)


def print_feedback(lesson: Lesson, given: Grade) -> None:
    """Print the grade of an answer, and the reason."""
    print(_verdict(given, lesson.position))
    for line in _reason_lines(lesson, given):
        print(line)


def points(loss: float) -> str:
    """A loss as text, with its unit."""
    return f"less than {SHOWN_LOSS} points" if loss < SHOWN_LOSS else f"{loss:.1f} points"


def _verdict(given: Grade, position: Position) -> str:
    """The grade of an answer as a sentence."""
    if given.is_best:
        return "Right: nothing is better."
    cost, best = f"{doing(position, given.action)} loses {points(given.loss)}", to_do(position, given.best)
    return f"Good enough: {cost}; best is to {best}." if given.is_accepted else f"Best is to {best}: {cost}."


def _reason_lines(lesson: Lesson, given: Grade) -> Iterator[str]:
    """Why the best action beats the answer or, if the answer was best, the earlier choice."""
    breakdown = _breakdown(lesson.position.ruleset)
    other: Action = lesson.chosen if given.is_best else given.action
    if breakdown and other != given.best:
        solution = solution_of(lesson.position.ruleset)
        yield from wrap(why(solution, breakdown, lesson.position, given.best, other).in_language(chosen()), WIDTH)


@lru_cache(maxsize=4)
def _breakdown(ruleset: Ruleset) -> Breakdown | None:
    """The breakdown of a ruleset, computed on first use because that takes seconds."""
    return breakdown_of(solution_of(ruleset))
