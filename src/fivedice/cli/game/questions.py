"""Questions about a position in the terminal: shows card and dice, reads an answer, and grades it."""

from collections.abc import Callable
from textwrap import fill, wrap

from fivedice.analysis.lessons import Grade, Lesson, grade
from fivedice.analysis.reviews.marks import lost_points, verdict
from fivedice.analysis.why import why
from fivedice.cli.game.command_words import WIDTH, action_rows, command_names, table_lines
from fivedice.cli.game.input import Quit, read_line, typed_action
from fivedice.cli.game.lines import dice_line, forced_lines, game_and_round
from fivedice.cli.language import chosen, say
from fivedice.cli.solutions import part_of, solution_of
from fivedice.cli.text.cards import format_cards
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.wording import doing
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.saved.store import BREAKDOWN


def help_lines(ruleset: Ruleset, *, shows: bool = True) -> list[str]:
    """All that can be typed, with what it does; `shows` is whether the best choice can be shown."""
    rows = [
        *action_rows(ruleset),
        *[(say("show"), say("show the best choice; counts as a wrong answer"))] * shows,
        ("?", say("show this list")),
        ("q", say("quit; your answers so far are saved")),
    ]
    about_card = say("Numbers in brackets on the card are what an open box would score now.")
    return [*table_lines(rows), *wrap(about_card, WIDTH)]


def show_position(position: Position, heading: str) -> None:
    """Print a position below a heading."""
    print(f"\n{heading}: {game_and_round(position)}")
    print(format_cards(position, [say("You")], with_offers=True))
    for line in (*forced_lines(position), dice_line(position)):
        print(line)


def run(questions: Callable[[], None]) -> int:
    """Say what to type, and run `questions` until it ends or the player quits; return the exit status."""
    print(say("Type the dice to keep, or a box to score; ? for help."))
    try:
        questions()
    except Quit as error:
        return error.status
    except KeyboardInterrupt:
        print()
        return 130
    return 0


def ask(lesson: Lesson) -> Grade:
    """The grade of an answer, as `read_action` reads it."""
    action = read_action(lesson.position, lesson.chosen)
    return grade(solution_of(lesson.position.ruleset), lesson.position, action)


def read_action(position: Position, shown: Action | None = None) -> Action:
    """Read lines until one is a legal action, or `show`, which stands for `shown` if there is one.

    Raises `Quit` at the end of the input or on `q`.
    """
    while True:
        line = read_line()
        if not line:
            print(say("The input ended before the last answer."))
            raise Quit(1)
        line = line.strip().lower()
        if line == "q" or line in command_names("quit"):
            raise Quit(0)
        if line == "?" or line in command_names("help"):
            print("\n".join(help_lines(position.ruleset, shows=shown is not None)))
            continue
        if not line:
            print(say("Type the dice to keep, or a box to score; ? for help."))
            continue
        try:
            if shown is not None and line in ("show", say("show")):
                return shown
            return typed_action(line, position)
        except ValueError as error:
            print(fill(str(error), WIDTH))


def choice_in_words(lesson: Lesson) -> dict[str, object]:
    """What was chosen before (`done`), and what that lost (`points`)."""
    done, lost = doing(lesson.position, lesson.chosen, chosen()), lost_points(lesson.loss, chosen())
    return {"done": done, "points": lost}


def print_feedback(lesson: Lesson, given: Grade) -> None:
    """Print the grade of an answer, and why the best action beats it or, if it was best, the earlier choice."""
    loss, is_close = None if given.is_best else given.loss, given.is_accepted and not given.is_best
    print(fill(verdict(lesson.position, given.action, loss, given.best, chosen(), is_close=is_close), WIDTH))
    solution = solution_of(lesson.position.ruleset)
    breakdown = part_of(BREAKDOWN, solution)
    other: Action = lesson.chosen if given.is_best else given.action
    if breakdown and other != given.best:
        found = why(solution, lesson.position, given.best, other, breakdown=breakdown)
        print(fill(found.in_language(chosen()), WIDTH))
