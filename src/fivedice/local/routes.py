"""`request`: answers the requests of the page as the HTTP interface of a server does."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from fivedice.analysis.action_values import PlainSolution
from fivedice.analysis.advice import advise
from fivedice.analysis.learning.lessons import grade, lessons
from fivedice.analysis.reviews.by_advice import review_plainly
from fivedice.analysis.why import why
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.base.language import Language, language
from fivedice.daily.puzzles import MIN_LOSS, Puzzle
from fivedice.game.notation import parse_action
from fivedice.game.position import Position
from fivedice.game.record import Record, parse_game
from fivedice.local.service import LocalService, Reply
from fivedice.rulesets import is_file_name, parse_ruleset, split_ref
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.replies.errors import STATUSES, StaleError, error_reply
from fivedice.server.replies.lessons import LessonAnswer, grade_view, lessons_view
from fivedice.server.replies.positions import (
    PositionChange,
    PositionSteps,
    changed_line,
    lines_of_play,
    position_under,
    position_view,
    split_line,
)
from fivedice.server.replies.rules import (
    ChosenRules,
    RulesetFile,
    checked_view,
    offered_page,
    offered_rulesets,
    player_views,
    table_rules,
)
from fivedice.server.share.preview import best_turn
from fivedice.server.table.available import has_browser_reasons
from fivedice.server.table.create import NewTable, wanted_ruleset
from fivedice.server.table.state import ruleset_of
from fivedice.server.table.verbs import AnyCommand
from fivedice.views.action import AnyAction, action_of
from fivedice.views.answers import ErrorView
from fivedice.views.daily import AnswerView, answer_view, question_view
from fivedice.views.games import BestTurnView
from fivedice.views.lessons import GradeView, LessonsView
from fivedice.views.position import PositionLinesView, PositionLineView, WhyView, why_view
from fivedice.views.record_check import RecordText, record_check_view
from fivedice.views.review import review_view
from fivedice.views.rules import rules_view
from fivedice.views.samples import hand_views, sample_view

T = TypeVar("T")


class KeptAnswer(LessonAnswer, frozen=True, kw_only=True):
    """An answer to a lesson, with what was chosen in the game: the page has it with the lesson."""

    chosen: str


class KeptQuestion(msgspec.Struct, frozen=True):
    """An answer to a question of a past day, with its position: the page has it with the day."""

    number: int
    line: str
    action: AnyAction


class Asked:
    """A request: the service, what the path names, the query and the body."""

    def __init__(self, service: LocalService, named: str, query: Mapping[str, str], body: str) -> None:
        self.service = service
        self.named = named
        self.query = query
        self._body = body

    def body(self, kind: type[T]) -> T:
        """The body as a value of a type; raises `msgspec.DecodeError`."""
        return msgspec.json.decode(self._body, type=kind)

    @property
    def to(self) -> Language:
        """The language of the reply."""
        return language(self.query.get("lang", "en"))

    @property
    def ruleset(self) -> Ruleset:
        """The rules that the query names, or those of its table."""
        if table := self.query.get("table"):
            return self.service.find(table).table.ruleset
        return ruleset_of(self.query.get("ref", ""))

    @property
    def since(self) -> int:
        """The version that the page has."""
        since = self.query.get("since", "0")
        if not re.fullmatch("[0-9]{1,7}", since):
            raise MalformedError(f"since {since!r}: want a version, or 0")
        return int(since)


Answer = Callable[[Asked], Any]

ONLY_ONLINE = Reply(404, ErrorView("only a server answers this: it is not there offline", "only_online"))


def request(service: LocalService, method: str, target: str, body: str = "") -> Reply:
    """The reply to a request, with the status that a server gives it; 404 for what only a server answers."""
    parts = urlsplit(target)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    try:
        for pattern, answer in _ROUTES.items():
            if found := re.fullmatch(pattern, f"{method} {parts.path}"):
                content = answer(Asked(service, unquote("".join(found.groups())), query, body))
                return content if isinstance(content, Reply) else Reply(200, content)
        return ONLY_ONLINE
    except msgspec.DecodeError as error:
        return Reply(*error_reply(MalformedError(str(error))))
    except tuple(STATUSES) as error:
        return Reply(*error_reply(error))


def _create(asked: Asked) -> Reply:
    return asked.service.create(asked.body(NewTable))


def _command(asked: Asked) -> Reply:
    return asked.service.command(asked.service.find(asked.named), asked.body(AnyCommand))  # type: ignore[arg-type]


def _update(asked: Asked, *, with_rules: bool = False) -> Any:
    wants_rules = with_rules or asked.query.get("rules") == "true"
    return asked.service.update(asked.service.find(asked.named), asked.since, with_rules=wants_rules)


def _record(asked: Asked) -> str:
    return str(asked.service.find(asked.named).log.replayed()[1])


def _best_turns(asked: Asked) -> list[BestTurnView | None]:
    record = asked.service.find(asked.named).log.replayed()[1]
    turns = [best_turn(record, seat) for seat in range(len(record.seats))]
    return [BestTurnView(list(turn.dice), turn.points) if turn else None for turn in turns]


def _review(asked: Asked) -> Any:
    local = asked.service.find(asked.named)
    if not local.table.has_ended:
        raise StaleError("the game is not over yet: there is no review")
    return _reviewed(asked, local.log.replayed()[1])


def _review_record(asked: Asked) -> Any:
    try:
        record = parse_game(asked.body(RecordText).text, ruleset_of)
    except ValueError as error:
        raise MalformedError(str(error)) from None
    if not record.is_over:
        raise StaleError("the game of this record is not over: there is no review")
    return _reviewed(asked, record)


def _solution(asked: Asked, ruleset: Ruleset) -> PlainSolution:
    values = asked.service.values
    solution = values.solution(ruleset)
    if solution is None:
        raise IllegalError(values.available(ruleset, asked.to).review)
    return solution


def _reviewed(asked: Asked, record: Record) -> Any:
    values = asked.service.values
    review = review_plainly(_solution(asked, record.ruleset), record, values.scale(record.ruleset))
    return review_view(values.breakdown(record.ruleset), review, (), asked.to)


def _lessons(asked: Asked) -> LessonsView:
    local = asked.service.find(asked.named)
    if not local.table.has_ended:
        raise StaleError("the game is not over yet: there are no lessons")
    record, wanted = local.log.replayed()[1], asked.query.get("seat")
    seats = [record.seats[seat] for seat in local.yours if wanted in (None, str(seat))]
    review = review_plainly(_solution(asked, record.ruleset), record)
    found = lessons([review], lambda who: any(who is one for one in seats))
    return lessons_view([(one, asked.named, None) for one in found], new=len(found))


def _answer_lesson(asked: Asked) -> GradeView:
    given = asked.body(KeptAnswer)
    position, chosen = _position_of(asked, given.line, given.table), parse_action(given.chosen)
    solution = _solution(asked, position.ruleset)
    loss = grade(solution, position, chosen).loss
    return grade_view(grade(solution, position, action_of(given.action)), chosen, loss, None)


def _grade_archived(asked: Asked) -> AnswerView:
    given = asked.body(KeptQuestion)
    position = _position_of(asked, given.line, "")
    advice = advise(_solution(asked, position.ruleset), position)
    # Each action loses nothing or at least `MIN_LOSS`: what is less comes from values that are rounded for the wire.
    losses = {one.action: one.loss if one.loss > MIN_LOSS / 2 else 0.0 for one in advice.actions}
    return answer_view(
        question_view(given.number, position), Puzzle(position, losses), action_of(given.action), {}, asked.to
    )


def _position_of(asked: Asked, line: str, table: str) -> Position:
    ref, rest = split_line(line)
    is_custom = table and is_file_name(split_ref(ref)[0])
    return position_under(asked.service.find(table).table.ruleset if is_custom else ruleset_of(ref), rest)


def _position(asked: Asked) -> Any:
    position = _position_of(asked, asked.query.get("line", ""), asked.query.get("table", ""))
    values, is_asked = asked.service.values, asked.query.get("advice", "true") == "true"
    refusal = values.available(position.ruleset).advice
    advice = values.advice(position) if is_asked and not refusal else None
    return position_view(position, advice, refusal=refusal, playing=asked.service.playing)


def _why(asked: Asked) -> WhyView | Reply:
    table = asked.query.get("table", "")
    position = _position_of(asked, asked.query.get("line", ""), table)
    breakdown = asked.service.values.breakdown(position.ruleset)
    if breakdown is None:
        if not has_browser_reasons(position.ruleset):
            return ONLY_ONLINE
        return Reply(404, ErrorView("what explains advice on these rules is not kept here", "no_reasons"))
    actions = (parse_action(asked.query.get(name, "")) for name in ("action", "instead"))
    return why_view(why(breakdown.solution, position, *actions, breakdown=breakdown), asked.to)


def _change_position(asked: Asked) -> PositionLineView:
    change = asked.body(PositionChange)
    if change.rules:
        return PositionLineView(changed_line(Position.start(ruleset_of(change.rules)), change))
    return PositionLineView(changed_line(_position_of(asked, change.line, change.table), change))


def _play_steps(asked: Asked) -> PositionLinesView:
    steps = asked.body(PositionSteps)
    return PositionLinesView(lines_of_play(_position_of(asked, steps.line, steps.table), steps.steps))


def _chosen(asked: Asked) -> Any:
    chosen = asked.body(ChosenRules)
    ruleset, _ = wanted_ruleset(chosen.rules, chosen.options)
    return checked_view(ruleset, asked.to, asked.service.values.available)


def _checked(asked: Asked) -> Any:
    file = asked.body(RulesetFile)
    try:
        ruleset = parse_ruleset(file.toml, "ruleset", file.options)
    except ValueError as error:
        raise MalformedError(str(error)) from None
    return checked_view(ruleset, asked.to, asked.service.values.available)


_ROUTES: Mapping[str, Answer] = {
    "POST /api/tables": _create,
    "GET /api/tables/([^/]+)": _update,
    "GET /api/tables/([^/]+)/events": _update,
    "GET /api/tables/([^/]+)/stream": partial(_update, with_rules=True),
    "POST /api/tables/([^/]+)/commands": _command,
    "POST /api/tables/([^/]+)/kept": lambda asked: Reply(204),
    "GET /api/tables/([^/]+)/rules": lambda asked: table_rules(asked.service.find(asked.named).table),
    "GET /api/tables/([^/]+)/record": _record,
    "GET /api/tables/([^/]+)/best-turns": _best_turns,
    "GET /api/tables/([^/]+)/review": _review,
    "GET /api/tables/([^/]+)/lessons": _lessons,
    "POST /api/lessons": _answer_lesson,
    "POST /api/daily/archive/([^/]+)": _grade_archived,
    "GET /api/positions": _position,
    "GET /api/positions/why": _why,
    "POST /api/positions/line": _change_position,
    "POST /api/positions/steps": _play_steps,
    "GET /api/rulesets": lambda asked: offered_rulesets(
        asked.to, asked.service.values.available, asked.service.values.has
    ),
    "POST /api/rulesets/chosen": _chosen,
    "GET /api/rulesets/rules": lambda asked: rules_view(asked.ruleset),
    "GET /api/rulesets/sample": lambda asked: sample_view(asked.ruleset),
    "GET /api/rulesets/explained": lambda asked: offered_page(asked.ruleset, asked.to, asked.service.values.available),
    "POST /api/rulesets/check": _checked,
    "GET /api/hands": lambda asked: hand_views(),
    "GET /api/players": lambda asked: player_views(asked.to),
    "POST /api/records/review": _review_record,
    "POST /api/records/check": lambda asked: record_check_view(asked.body(RecordText).text, ruleset_of),
}
"""By method and path, as patterns whose group is what the path names."""
