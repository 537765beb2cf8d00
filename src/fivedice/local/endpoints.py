"""What a browser does for the endpoints that a server answers, too; and endpoints that it answers in its own way."""

import msgspec

from fivedice.analysis.action_values import PlainSolution
from fivedice.analysis.advice import Advice, advise
from fivedice.analysis.lessons import grade, lessons
from fivedice.analysis.reviews.review import review as reviewed
from fivedice.analysis.why import why
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.base.language import ENGLISH, Language, language
from fivedice.daily.puzzles import MIN_LOSS, Puzzle
from fivedice.game.action import Action
from fivedice.game.notation import parse_action
from fivedice.game.position import Position
from fivedice.game.record import Record, parse_game
from fivedice.local.service import LocalService, LocalTable, Reply
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.replies.asking import Asking, KnownTable, Lang, LessonAnswer, OwnSeat, Since, TableId, WithRules
from fivedice.server.replies.endpoint import NotHereError, StaleError, get, post
from fivedice.server.replies.positions import position_of
from fivedice.server.table.available import has_browser_reasons
from fivedice.server.table.create import NewTable
from fivedice.server.table.messages import Update
from fivedice.server.table.state import ruleset_of
from fivedice.server.table.verbs import AnyCommand
from fivedice.views.action import AnyAction, action_of
from fivedice.views.daily import AnswerView, answer_view, question_view
from fivedice.views.lessons import GradeView, LessonsView, grade_view, lessons_view
from fivedice.views.position import WhyView, why_view
from fivedice.views.review import ReviewView, review_view
from fivedice.views.to_dict import RecordText


class KeptAnswer(LessonAnswer, frozen=True, kw_only=True):
    """An answer to a lesson, with what was chosen in the game: the page has it with the lesson."""

    chosen: str


class KeptQuestion(msgspec.Struct, frozen=True):
    """An answer to a question of a past day, with its position: the page has it with the day."""

    number: int
    line: str
    action: AnyAction


ONLY_ONLINE = NotHereError("only a server answers this: it is not there offline", "only_online")


class LocalAsker(Asking):
    """The page of this browser, which asks the service that it runs."""

    def __init__(self, service: LocalService) -> None:
        self.service = service
        self.values = service.values
        self.available = self.values.available
        self.keeps_values = self.values.has

    async def find(self, table: str) -> LocalTable:
        """A table; raises `UnknownError`."""
        return self.service.find(table)

    async def help_at(self, position: Position, *, wants: bool, waits: bool) -> tuple[Advice | None, str, str | None]:
        """Advice on a position, if its values are kept."""
        refusal = self.values.available(position.ruleset).advice
        return self.values.advice(position) if wants and not refusal else None, refusal, self.service.playing

    async def why(self, position: Position, actions: tuple[Action, Action], lang: str) -> WhyView:
        """Why the first action is worth more or less than the second; raises `NotHereError`."""
        breakdown = self.values.breakdown(position.ruleset)
        if breakdown is None and has_browser_reasons(position.ruleset):
            raise NotHereError("what explains advice on these rules is not kept here", "no_reasons")
        if breakdown is None:
            raise ONLY_ONLINE
        return why_view(why(breakdown.solution, position, *actions, breakdown=breakdown), language(lang))

    async def review(self, known: KnownTable, lang: str, *, is_whole: bool) -> ReviewView:
        """The review of a finished game; raises `IllegalError` without values."""
        return self.review_of(known.log.record(), language(lang))

    def review_of(self, record: Record, to: Language) -> ReviewView:
        """The review of the record of a finished game; raises `IllegalError` without values."""
        solution = self.solution(record.ruleset, to)
        review = reviewed(solution, record, self.values.scale(record.ruleset))
        return review_view(self.values.breakdown(record.ruleset), review, (), to)

    def solution(self, ruleset: Ruleset, to: Language = ENGLISH) -> PlainSolution:
        """The values of some rules; raises `IllegalError` without them."""
        solution = self.values.solution(ruleset)
        if solution is None:
            raise IllegalError(self.values.available(ruleset, to).review)
        return solution


@post("/api/tables")
def create_table(asker: LocalAsker, data: NewTable) -> Reply:
    """Create a table."""
    return asker.service.create(data)


@get("/api/tables/{table}")
def show_table(asker: LocalAsker, table: TableId, rules: WithRules = False) -> Update:
    """The current state of a table."""
    return asker.service.update(asker.service.find(table), 0, with_rules=rules)


@get("/api/tables/{table}/events")
def show_events(asker: LocalAsker, table: TableId, since: Since = 0) -> Update:
    """The events since a version."""
    return asker.service.update(asker.service.find(table), since)


@get("/api/tables/{table}/stream")
def stream_events(asker: LocalAsker, table: TableId, since: Since = 0) -> Update:
    """The first message of a stream; the others come with the replies that cause them."""
    return asker.service.update(asker.service.find(table), since, with_rules=True)


@post("/api/tables/{table}/commands")
def command_table(asker: LocalAsker, table: TableId, data: AnyCommand) -> Reply:
    """Send a command."""
    return asker.service.command(asker.service.find(table), data)


@post("/api/tables/{table}/kept")
def keep_dice(table: TableId) -> None:
    """Show the others the dice that are kept: there are none."""


@post("/api/records/review")
def review_record(asker: LocalAsker, data: RecordText, lang: Lang = "en") -> ReviewView:
    """The review of any record of a finished game."""
    try:
        record = parse_game(data.text, ruleset_of)
    except ValueError as error:
        raise MalformedError(str(error)) from None
    if not record.is_over:
        raise StaleError("the game of this record is not over: there is no review")
    return asker.review_of(record, language(lang))


@get("/api/tables/{table}/lessons")
def list_table_lessons(asker: LocalAsker, table: TableId, seat: OwnSeat = None) -> LessonsView:
    """The costliest decisions of a finished game, at one seat or at all seats of this browser, costliest first."""
    local = asker.service.find(table)
    if not local.table.has_ended:
        raise StaleError("the game is not over yet: there are no lessons")
    record = local.log.record()
    seats = [record.seats[one] for one in local.yours if seat in (None, one)]
    review = reviewed(asker.solution(record.ruleset), record)
    found = lessons([review], lambda who: any(who is one for one in seats))
    return lessons_view([(one, table, None) for one in found], new=len(found))


@post("/api/lessons")
async def answer_lesson(asker: LocalAsker, data: KeptAnswer) -> GradeView:
    """Grade an answer to a lesson."""
    position, chosen = await position_of(asker, data.line, data.table), parse_action(data.chosen)
    solution = asker.solution(position.ruleset)
    loss = grade(solution, position, chosen).loss
    return grade_view(grade(solution, position, action_of(data.action)), chosen, loss, None)


@post("/api/daily/archive/{day}")
async def grade_archived(asker: LocalAsker, data: KeptQuestion, lang: Lang = "en") -> AnswerView:
    """Grade an answer to the ten of a past day."""
    position = await position_of(asker, data.line, "")
    advice = advise(asker.solution(position.ruleset, language(lang)), position)
    # Each action loses nothing or at least `MIN_LOSS`: what is less comes from values that are rounded for the wire.
    losses = {one.action: one.loss if one.loss > MIN_LOSS / 2 else 0.0 for one in advice.actions}
    puzzle, question = Puzzle(position, losses), question_view(data.number, position)
    return answer_view(question, puzzle, action_of(data.action), {}, language(lang))
