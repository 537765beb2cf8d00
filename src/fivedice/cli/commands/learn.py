"""`fivedice learn`: your costliest mistakes, asked again before you forget them."""

import sys
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, repeat

from fivedice.analysis.deck import Deck, Key, key_of
from fivedice.analysis.lessons import ACCEPTED, Lesson, lessons
from fivedice.base.data_folder import data_folder
from fivedice.base.errors import MalformedError, UnknownError, shown, suggest
from fivedice.cli.files.record_file import records_folder
from fivedice.cli.files.record_set import began_on, local_day, read_records, reviews_of
from fivedice.cli.game.questions import ask, choice_in_words, print_feedback, run, show_position
from fivedice.cli.game.session import available_here
from fivedice.cli.language import chosen, numbered, say
from fivedice.cli.options import Count, Flag, Records
from fivedice.cli.progress import warn
from fivedice.cli.solutions import prepare
from fivedice.cli.text.output import prints, show
from fivedice.game.record import Record, Seat
from fivedice.solver.saved.store import BREAKDOWN
from fivedice.views.printed import AgendaView, DueLessonView


@dataclass(frozen=True, slots=True)
class Agenda:
    """The lessons due on a day, those already begun first, and the due dates of the others."""

    today: date
    due: Sequence[Lesson]
    days: Mapping[Key, date]
    """The due date of every lesson already begun."""

    @property
    def next_day(self) -> date | None:
        """The next day on which a lesson is due."""
        return min((day for day in self.days.values() if day > self.today), default=None)


@prints(AgendaView)
def learn(*records: Records, player: str | None = None, since: str = "", count: Count = 10, json: Flag = False) -> None:
    """Learn from your costliest mistakes. Each is asked again, by spaced repetition, before you forget it.

    Parameters
    ----------
    records
        Records, or folders of records, to learn from, by file or by name in fivedice games; by default your own, from
        the data folder, and every lesson already begun. An unreadable record is reported on standard error, and the
        exit status is then 1.
    player
        The player whose decisions to use; by default every person.
    since
        Replay the lessons of all games from this day on, such as 2026-11-01, whether they are due or not, except for
        those answered today.
    json
        Print the lessons due as JSON instead of asking.
    """
    today = local_day()
    try:
        first = date.fromisoformat(since) if since else None
    except ValueError:
        raise MalformedError(say("--since {day}: want a date, as in 2026-11-01", day=shown(since))) from None
    with Deck(data_folder() / "lessons.sqlite") as deck:
        loaded, status = read_records(records)
        is_whole = not records and player is None
        if first or not (is_whole and deck.schedule()):
            if records and not loaded:
                raise UnknownError(f"there is no record in {', '.join(records)}")
            _check_learner(loaded, player)
        if first:
            loaded = [record for record in loaded if began_on(record) >= first]
        agenda = _agenda(deck, loaded, player, today, is_whole=is_whole and not first, is_replay=bool(first))
        if json:
            show(_view(agenda), (), json=True)
        else:
            num_games = sum(not available_here(record.ruleset).solution for record in loaded)
            status = _ask_due(deck, agenda, count, num_games) or status
    sys.exit(status)


def learn_after(game: Record, count: int = 10) -> int:
    """Ask the lessons of a game just played, and then those of the other ones; return the exit status."""
    with Deck(data_folder() / "lessons.sqlite") as deck:
        others, status = read_records(())
        records = [game, *(other for other in others if other != game)]
        records = [one for one in records if not available_here(one.ruleset).solution]
        agenda = _agenda(deck, records, None, local_day(), is_whole=True)
        own = _lessons([game], None)
        due = sorted(agenda.due, key=lambda lesson: key_of(lesson) not in own)
        return _ask_due(deck, replace(agenda, due=due), count, len(records)) or status


def _agenda(
    deck: Deck, records: Sequence[Record], player: str | None, today: date, *, is_whole: bool, is_replay: bool = False
) -> Agenda:
    """The agenda of the lessons in these records: with `is_whole`, also of all other lessons in the deck; with
    `is_replay`, of all that have not been answered today, costliest first."""
    days = deck.schedule()
    by_key = _lessons(records, player, is_silent=is_whole or is_replay)
    known, due = deck.answered_on(today) if is_replay else days, []
    for saved in () if is_replay else deck.due(today):
        if saved.key in by_key:
            due.append(by_key[saved.key])
        elif is_whole:
            try:
                due.append(saved.lesson())
            except ValueError as error:
                warn(say("skipping a lesson: {problem}", problem=error))
    due += [lesson for key, lesson in by_key.items() if key not in known]
    return Agenda(today, due, days if is_whole else {key: day for key, day in days.items() if key in by_key})


def _lessons(records: Sequence[Record], player: str | None, *, is_silent: bool = True) -> dict[Key, Lesson]:
    """The lessons in records: those of the player, or of every person; `is_silent` says nothing about those that cannot
    be solved."""

    def is_learner(seat: Seat) -> bool:
        return seat.is_person if player is None else seat.name == player

    found = lessons(reviews_of(records, "" if is_silent else say("it has no lessons")), is_learner)
    return {key_of(lesson): lesson for lesson in found}


def _check_learner(records: Sequence[Record], player: str | None) -> None:
    """Raise `UnknownError` if the records contain no decision of the learner."""
    if not records:
        raise UnknownError(
            say("no records to learn from, and none in {folder}: play a game first", folder=records_folder())
        )
    seats = [seat for record in records for seat in record.seats]
    names = dict.fromkeys(seat.name for seat in seats)
    if player is not None and player not in names:
        raise UnknownError(f"--player {shown(player)} is in none of these records: {suggest(player, names)}")
    if player is None and not any(seat.is_person for seat in seats):
        raise UnknownError(f"these records have no human player: name a player, as in --player {seats[0].name}")


def _ask_due(deck: Deck, agenda: Agenda, count: int, num_games: int) -> int:
    """Ask the lessons due, if any, and repeat those not accepted; return the exit status."""
    if not agenda.due:
        print(_nothing_due(agenda, num_games))
        return 0
    num_due, num_asked = len(agenda.due), min(count, len(agenda.due))
    learnt: list[Lesson] = []

    def questions() -> None:
        queue = deque(agenda.due[:num_asked])
        numbers = (say("{number} of {all}", number=number, all=num_asked) for number in range(1, num_asked + 1))
        headings = chain(numbers, repeat(say("Again")))
        while queue:
            lesson = queue.popleft()
            show_position(lesson.position, next(headings))
            if _is_learnt(deck, lesson, agenda.today):
                learnt.append(lesson)
            else:
                queue.append(lesson)

    for ruleset in dict.fromkeys(lesson.position.ruleset for lesson in agenda.due[:num_asked]):
        prepare(ruleset, BREAKDOWN)  # so that there is no wait between questions
    if num_asked < num_due:
        print(say("{all} positions to learn, {number} of them now.", all=num_due, number=num_asked))
    else:
        print(numbered("1 position to learn.", "{n} positions to learn.", num_due))
    status = run(questions)
    rest = num_due - len(learnt)
    print()
    print(numbered("1 position learnt.", "{n} positions learnt.", len(learnt)))
    if rest:
        print(numbered("1 is still to learn.", "{n} are still to learn.", rest))
    else:
        print(say("Nothing more is due today."))
    return status


def _is_learnt(deck: Deck, lesson: Lesson, today: date) -> bool:
    """Ask a lesson, save the answer, and print the verdict; return whether it was accepted."""
    given = ask(lesson)
    day = deck.answer(lesson, given, today)
    print_feedback(lesson, given)
    if given.action == lesson.chosen:
        print(say("That is what was chosen in the game, too."))
    else:
        print(say("In the game, {done} lost {points}.", **choice_in_words(lesson)))
    if given.is_accepted:
        again = numbered(
            "You will be asked again tomorrow, on {day}.",
            "You will be asked again in {n} days, on {day}.",
            (day - today).days,
            day=day.isoformat(),
        )
        print(again)
    else:
        print(say("You will be asked again at the end."))
    return given.is_accepted


def _nothing_due(agenda: Agenda, num_games: int) -> str:
    if agenda.next_day is None and not num_games:
        return say("There is nothing to learn yet.")
    if agenda.next_day is None:
        return numbered(
            "No decision in 1 game cost {points} points or more: there is nothing to learn.",
            "No decision in {n} games cost {points} points or more: there is nothing to learn.",
            num_games,
            points=chosen().with_point(str(ACCEPTED)),
        )
    days = (agenda.next_day - agenda.today).days
    return numbered(
        "Nothing is due today. The next position is due tomorrow, on {day}.",
        "Nothing is due today. The next position is due in {n} days, on {day}.",
        days,
        day=agenda.next_day.isoformat(),
    )


def _view(agenda: Agenda) -> AgendaView:
    lessons = [
        DueLessonView(str(at), at.ruleset.digest, str(lesson.chosen), lesson.loss, agenda.days.get(key_of(lesson)))
        for lesson in agenda.due
        for at in [lesson.position]
    ]
    return AgendaView(agenda.today, lessons, agenda.next_day)
