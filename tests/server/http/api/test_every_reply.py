"""No reply of any endpoint has an answer of a daily, a storm or the same dice before the choice or the finish.

What stands in a position that somebody names is answered, as any program answers it.
"""

import json
from typing import Any

import pytest

from fivedice.daily.days import day_secret, parse_day
from tests.server.http.api.test_daily import answer, begin, best, server, worst
from tests.server.http.api.test_duplicates import entered, opened, play, sees, show
from tests.server.reader import Reader, ask_everything
from tests.server.serving import SECRET, Serving

__all__ = ["server"]

pytestmark = pytest.mark.timeout(600)  # drawing a day takes ten seconds, or a minute on a busy machine

VALUES = {
    "advice", "best", "choices", "finding", "is_best", "last", "loss", "lost", "luck", "mark", "odds", "sentence",
    "share", "value",
}  # fmt: skip
"""The names of what says how good an action is."""


def values_about(data: Any, lines: set[str]) -> set[str]:
    """The names of values in what is about one of these positions."""
    if isinstance(data, list):
        return set().union(*(values_about(one, lines) for one in data))
    if not isinstance(data, dict):
        return set()
    question = data.get("question")
    named = [data.get("line"), data.get("position"), question.get("line") if isinstance(question, dict) else None]
    is_about = any(isinstance(one, str) and one in lines for one in named)
    own = {name for name in VALUES & data.keys() if data[name] not in (None, "", [])} if is_about else set()
    return own.union(*(values_about(one, lines) for one in data.values()))


def test_no_reply_has_an_answer_of_today_before_the_choice(server: Serving) -> None:
    ann, ben = server.visit(), server.visit()
    reader = Reader(ann, ben)
    for kind, num in (("ten", 10), ("storm", 4), ("game", 3)):
        reader.replies, reader.stage = [], 0
        one, lines = begin(ann, kind), []
        while one["question"] and reader.stage < num:
            lines.append(one["question"]["line"])
            if reader.stage in (0, num // 2):
                for browser in (ann, ben):
                    ask_everything(browser, reader, id=one["id"], number=str(reader.stage + 1), asked=lines[-1])
            choose = best if reader.stage else worst
            reader.stage += kind != "game"  # a grade of a game is told at its end
            one = answer(ann, one, choose(one["question"]))
            if kind == "game" and len(lines) == num:
                break
        assert len(lines) == num
        assert len(reader.replies) > 100
        today = parse_day(ann.get("/api/daily")["day"])
        assert not reader.has_secret(SECRET, day_secret(SECRET, today)), kind
        for stage, asked, _, text in reader.replies:
            assert not [line for line in lines[stage + 1 :] if line in text] or kind == "game", asked
            if text.startswith(("{", "[")):
                unknown = set(lines if kind == "game" else lines[stage:])
                assert not values_about(json.loads(text), unknown), (kind, asked)


def test_no_reply_shows_a_game_on_the_same_dice_before_the_finish(server: Serving) -> None:
    ann, ben, eve = server.visit(), server.visit(), server.visit()
    game = opened(ann)
    first, second = entered(ann, game, "Ann"), entered(ben, game, "Ben")
    play(ann, first)
    show(ann, game)
    ben.do(second, "roll", seat=0, kept=[])
    reader = Reader(ben, eve)
    for browser in (ben, eve):
        for table in (first, second):
            line = ben.view(second)["line"]
            ask_everything(browser, reader, table=table, duplicate=game, asked=line)
            assert sees(browser, table) == (browser is ben and table == second)
    assert not reader.has_secret(SECRET)
    for _, asked, status, text in reader.replies:
        assert first not in text or status in (400, 403, 404, 405), asked
        if text.startswith(("{", "[")):
            assert not values_about(json.loads(text), {line}), asked
    ben.do(second, "score", seat=0, box=ben.view(second)["turn"]["offers"][0]["box"])
    play(ben, second)
    assert sees(ben, first)
