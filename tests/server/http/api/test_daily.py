"""The daily over HTTP: one try of a day, graded after each choice, with a place, a proof and an archive."""

from collections.abc import Iterator
from typing import Any

import pytest

from fivedice.analysis.advice import advise
from fivedice.daily import choice
from fivedice.daily.days import day_secret, parse_day
from fivedice.daily.results import parse_share
from fivedice.game.notation import parse_position
from fivedice.game.proof import commitment
from fivedice.server.games.drawn_days import DrawnDays
from tests.server.serving import SECRET, Browser, Clock, Serving, serving_with_cache
from tests.solutions import shared_cache, solution_of
from tests.waiting import wait_for

pytestmark = pytest.mark.timeout(600)  # drawing a day takes ten seconds, or a minute on a busy machine

DAY = 86_400.0
RULES, GUEST = "kniffel", "crag"
SUNDAY = 1_800_777_600.0
"""On 2027-01-24, whose ten has two positions under Crag: the smallest guest costs the least."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[Serving]:
    """A server on a Sunday, which draws what somebody looks at, as in production."""
    solution_of(RULES), solution_of(GUEST)
    clock.now = SUNDAY
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(DrawnDays, "draws_early", True)
        patched.setitem(choice._NUM_GAMES, "ladder", 1)
        with serving_with_cache(shared_cache(tmp_path_factory), clock=clock) as running:
            yield running


def begin(browser: Browser, kind: str) -> Any:
    def ask() -> Any:
        found = browser.http.post(f"/api/daily/{kind}", json={"rules": RULES})
        assert found.status_code in (200, 503), found.text
        return found.json() if found.status_code == 200 else None

    return wait_for(ask, "the day is drawn", 300.0)


def answer(browser: Browser, one: Any, action: str) -> Any:
    return browser.post(f"/api/daily/tries/{one['id']}/answers", number=one["question"]["number"], action=action)


def advised(question: Any) -> Any:
    position = parse_position(question["line"])
    return advise(solution_of(position.ruleset.id), position)


def best(question: Any) -> str:
    return str(advised(question).best.action)


def worst(question: Any) -> str:
    return str(advised(question).actions[-1].action)


def play(browser: Browser, one: Any, choose: Any = best) -> Any:
    while one["question"]:
        one = answer(browser, one, choose(one["question"]))
    return one


def keys(data: Any) -> set[str]:
    if isinstance(data, dict):
        return set(data).union(*map(keys, data.values()))
    return set().union(*map(keys, data)) if isinstance(data, list) else set()


def test_a_ten_is_graded_as_advice_says_and_ranked_by_points_lost(server: Serving) -> None:
    ann, ben = server.visit(), server.visit()
    one = begin(ann, "ten")
    assert (one["kind"], one["size"], one["answers"], one["result"]) == ("ten", 10, [], None)
    losses = []
    for number in range(1, 11):
        question = one["question"]
        action = worst(question) if number == 5 else best(question)
        one = answer(ann, one, action)
        [given] = one["answers"]
        loss = advised(question).of(action).loss
        assert (given["loss"], given["is_best"]) == (pytest.approx(loss, abs=1e-6), number != 5)
        losses.append(loss)
    result = one["result"]
    assert ann.get("/api/daily")["guest"] == "Crag"
    assert (one["question"], result["best"], result["answered"]) == (None, 9, 10)
    assert result["lost"] == pytest.approx(sum(losses), abs=1e-5)
    assert (result["place"], result["players"]) == (1, 1)
    share = parse_share(result["line"])
    assert (share.rules, share.best, share.answered) == (RULES, 9, 10)
    assert [level["lost"] for level in result["levels"]][-1] == 0
    perfect = play(ben, begin(ben, "ten"))["result"]
    assert (perfect["lost"], perfect["place"], perfect["players"]) == (0, 1, 2)
    again = begin(ann, "ten")
    assert (again["id"], again["result"]["place"], len(again["answers"])) == (one["id"], 2, 10)
    # Anybody may see the result behind its link, and nothing that spoils the day.
    seen = server.visit().get(f"/api/daily/results/{one['id']}")
    assert (seen["lost"], seen["is_yours"]) == (result["lost"], False)
    assert not keys(seen) & {"question", "answers", "dice", "action", "card"}


def test_the_first_question_is_shown_before_a_try_begins_and_says_nothing_of_its_answer(server: Serving) -> None:
    ann = server.visit()
    one = ann.get("/api/daily/first", rules=RULES)
    assert (one["id"], one["question"]["number"], one["answers"], one["size"]) == ("", 1, [], 10)
    assert not keys(one) & {"loss", "best", "value", "choices"}
    assert {game["status"] for game in ann.get("/api/daily")["games"]} == {"new"}
    begun = begin(ann, "ten")
    assert begun["question"] == one["question"]
    assert begun["id"]


def test_a_game_hides_losses_until_its_end_and_is_compared_with_others(server: Serving) -> None:
    ann, ben = server.visit(), server.visit()
    one = begin(ann, "game")
    first_dice = one["question"]["turn"]["dice"]
    one = answer(ann, one, best(one["question"]))
    assert [given["loss"] for given in one["answers"]] == [None]
    while len(one["question"]["card"]["points"]) < 12:
        one = answer(ann, one, best(one["question"]))
    one = play(ann, one, worst)
    result = one["result"]
    assert result["lost"] > 0
    other = begin(ben, "game")
    assert other["question"]["turn"]["dice"] == first_dice
    assert ben.http.get(f"/api/daily/results/{one['id']}/comparison").status_code == 409
    other = play(ben, other)
    assert (other["result"]["place"], other["result"]["lost"]) == (1, pytest.approx(0, abs=1e-6))
    compared = ann.get(f"/api/daily/results/{other['id']}/comparison")
    assert compared["second_lost"] == pytest.approx(0, abs=1e-6)
    assert sum(pair["gain"] for pair in compared["pairs"]) == pytest.approx(-result["lost"])
    perfect = ann.get(f"/api/daily/results/{one['id']}/comparison")
    assert (perfect["second"], perfect["second_lost"]) == (None, pytest.approx(0, abs=1e-6))
    assert server.visit().http.get(f"/api/daily/results/{other['id']}/comparison").status_code == 404


def test_a_storm_ends_with_its_clock_or_the_third_mistake(server: Serving, clock: Clock) -> None:
    ann = server.visit()
    one = begin(ann, "storm")
    assert (one["seconds_left"], one["max_mistakes"], one["run"]) == (180, 3, 1)
    one = answer(ann, one, best(one["question"]))
    clock.now += 60
    assert begin(ann, "storm")["seconds_left"] == pytest.approx(120)
    for mistakes in (1, 2, 3):
        one = answer(ann, one, worst(one["question"]))
        assert one["mistakes"] == mistakes
    assert (one["result"]["best"], one["question"]) == (1, None)
    assert one["bests"] == {"today": 1, "week": 1, "own": 1}
    again = begin(ann, "storm")
    assert (again["run"], again["question"]["line"] != one["answers"][0]["question"]["line"]) == (2, True)
    clock.now += 180
    late = {"number": 1, "action": best(again["question"])}
    assert ann.http.post(f"/api/daily/tries/{again['id']}/answers", json=late).status_code == 409
    assert ann.get(f"/api/daily/tries/{again['id']}")["result"]["best"] == 0


def test_what_was_missed_in_a_ten_becomes_a_lesson_and_the_day_one_of_a_streak(server: Serving) -> None:
    ann = server.visit()
    one, missed = begin(ann, "ten"), ""
    while one["question"]:
        is_third = one["question"]["number"] == 3
        missed = one["question"]["line"] if is_third else missed
        one = answer(ann, one, worst(one["question"]) if is_third else best(one["question"]))
    assert ann.get("/api/me/figures")["streak"] == {"days": 1, "longest": 1, "is_today_played": True}

    def lessons(**params: str) -> Any:
        return ann.get("/api/me/lessons", **params)

    [lesson] = lessons()["lessons"]
    assert (lesson["line"], lesson["table"]) == (missed, "")
    graded = ann.post("/api/lessons", table="", line=missed, action=lesson["chosen"])
    assert (graded["is_accepted"], graded["due"] is not None) == (False, True)
    assert lessons(since="2999-01-01")["lessons"] == []


def test_an_exported_file_moves_tries_once_and_a_link_to_a_seat_moves_none(server: Serving) -> None:
    ann, other = server.visit(), server.visit()
    one = play(ann, begin(ann, "ten"))
    table = ann.create()
    link = ann.post(f"/api/tables/{table}/seats/0/link")
    assert other.http.post(f"/api/tables/{table}/claim", json=link).status_code == 200
    assert other.http.post(f"/api/daily/tries/{one['id']}/end").status_code == 403
    assert other.get("/api/me/figures")["streak"]["days"] == 0
    file = ann.post("/api/me/export")
    cleared, late = server.visit(), server.visit()
    assert cleared.send_import("/api/me/import", json=file).status_code == 200
    assert late.send_import("/api/me/import", json=file).status_code == 200
    again = begin(cleared, "ten")
    assert (again["id"], again["result"]["is_yours"]) == (one["id"], True)
    assert [browser.get("/api/me/figures")["streak"]["days"] for browser in (cleared, late)] == [1, 0]


def test_a_day_that_is_drawn_is_ready_at_the_first_look_after_a_start(server: Serving) -> None:
    begin(server.visit(), "ten")
    server.services.days._puzzles.clear()
    games = server.visit().get("/api/daily", lang="de")["games"]
    assert [game["is_ready"] for game in games if (game["kind"], game["rules"]) == ("ten", RULES)] == [True]


# The last one: after it, another day would have to be drawn.
def test_the_day_ends_a_try_and_publishes_its_secret_and_its_answers(server: Serving, clock: Clock) -> None:
    ann = server.visit()
    today = ann.get("/api/daily", lang="de")
    assert (today["rules"], today["proof"]["secret"]) == (RULES, None)
    assert 0 < today["seconds_to_next"] <= DAY
    one = answer(ann, begin(ann, "ten"), best(begin(ann, "ten")["question"]))
    proofs = ann.get("/api/daily/proofs")["days"]
    assert [proof["secret"] for proof in proofs[:8]] == [None] * 8  # seven days ahead, and today
    clock.now += DAY
    over = ann.get(f"/api/daily/tries/{one['id']}")
    assert (over["question"], over["result"]["is_ranked"], over["result"]["answered"]) == (None, False, 1)
    assert (over["seconds_to_next"], over["result"]["levels"]) == (0, [])
    proof = next(proof for proof in ann.get("/api/daily/proofs")["days"] if proof["day"] == today["day"])
    assert proof["commitment"] == today["proof"]["commitment"] == commitment(bytes.fromhex(proof["secret"]))
    assert proof["secret"] == day_secret(SECRET, parse_day(today["day"])).hex()
    assert ann.get("/api/daily/archive")["days"][0]["day"] == today["day"]
    path = f"/api/daily/archive/{today['day']}"
    plain = ann.get(path, rules=RULES)
    assert (len(plain["questions"]), plain["answers"]) == (10, [])
    full = ann.get(path, rules=RULES, answers=True)
    assert full["answers"][0]["action"] == one["answers"][0]["action"]
    assert [given["is_best"] for given in full["answers"]] == [True] * 10
    assert ann.post(path, rules=RULES, number=2, action=worst(plain["questions"][1]))["loss"] > 0
    tomorrow = ann.get("/api/daily")["day"]
    assert ann.http.get(f"/api/daily/archive/{tomorrow}").status_code == 404
    assert [ann.get(f"/api/daily/{path}", before="0001-01-01")["days"] for path in ("archive", "proofs")] == [[], []]
