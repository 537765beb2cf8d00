"""A table under rules that are too large to solve exactly: advice, tutor, review and lessons by approximate values."""

from collections.abc import Iterator

import pytest

from fivedice.game.notation import parse_action, parse_position
from fivedice.rulesets import load_ruleset
from fivedice.server.table.available import available_here
from tests.server.serving import Browser, Serving, serving_with_cache
from tests.solutions import UNADVISED
from tests.waiting import wait_for

RULES = "triple_yahtzee"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving_with_cache(tmp_path_factory.mktemp("cache")) as server:
        ann = server.visit()
        line = f"{RULES} - 44566 r1"
        wait_for(lambda: ann.get("/api/positions", line=line)["advice"], "the values are loaded", seconds=500)
        yield server


@pytest.fixture
def ann(server: Serving) -> Browser:
    return server.visit()


@pytest.fixture(scope="module")
def finished(server: Serving) -> tuple[Browser, str]:
    """A browser and its finished game, in which a person has made the worst choice of every first roll."""
    ann = server.visit()
    table = ann.create([{"kind": "person", "name": "Ann", "here": True}], rules=RULES, help="always")
    while (view := ann.view(table))["state"] != "over":
        if not view["turn"]["dice"]:
            ann.do(table, "roll", seat=0, kept=[])
            continue
        wait_for(lambda: ann.view(table)["advice"], "there is advice")
        worst = next(one for one in reversed(ann.view(table)["advice"]["actions"]) if one["box"])
        ann.do(table, worst["parts"]["verb"], seat=0, box=worst["box"])
    return ann, table


def test_a_position_has_approximate_values_and_no_chances(ann: Browser) -> None:
    line = f"{RULES} - 44566 r1"
    wait_for(lambda: ann.get("/api/positions", line=line)["advice"], "the values are loaded")
    found = ann.get("/api/positions", line=line)
    assert (found["advice"]["exact"], found["refusal"]) == (False, "")
    assert 20 < found["advice"]["standard_error"] < 30
    assert found["rules"]["is_approximate"]
    for path, params in (
        ("chances", {"line": line}),
        ("why", {"line": line, "action": "keep 44", "instead": "keep 66"}),
    ):
        answer = ann.http.get(f"/api/positions/{path}", params=params)
        assert answer.status_code == 400
        assert "Triple Yahtzee cannot be solved exactly" in answer.json()["error"]


def test_the_last_turns_of_a_position_are_exact(ann: Browser) -> None:
    boxes = [box.id for box in load_ruleset(RULES).boxes if not box.id.startswith("chance")]
    line = f"{RULES} {','.join(f'{box}=0' for box in boxes)} 44566 r1"
    wait_for(lambda: ann.get("/api/positions", line=line)["advice"], "the values are loaded")
    assert "exact" not in ann.get("/api/positions", line=line)["advice"]


def test_advice_at_a_table_is_marked_as_approximate(ann: Browser) -> None:
    table = ann.create([{"kind": "person", "name": "Ann", "here": True}], rules=RULES, help="always")
    ann.do(table, "roll", seat=0, kept=[])
    wait_for(lambda: ann.view(table)["advice"], "there is advice")
    advice = ann.view(table)["advice"]
    assert advice["exact"] is False
    assert not ann.view(table)["has_odds"]


def test_the_tutor_asks_before_a_sure_mistake_only(ann: Browser) -> None:
    table = ann.create([{"kind": "person", "name": "Ann", "here": True}], rules=RULES, help="tutor")
    ann.begin_third_round(table)
    line = ann.view(table)["line"]
    wait_for(lambda: ann.get("/api/positions", line=line)["advice"], "the values are loaded")
    advice = ann.get("/api/positions", line=line)["advice"]
    least = 3 * advice["standard_error"]
    doubtful = [one for one in advice["actions"] if 2 < one["loss"] < least]
    costly = [one for one in advice["actions"] if one["loss"] > least and one["box"]]
    assert doubtful
    assert costly
    answer = ann.send(table, costly[-1]["parts"]["verb"], seat=0, box=costly[-1]["box"])
    assert answer.json()["reason"] == "costly"
    chosen = doubtful[0]
    if chosen["box"]:
        ann.do(table, chosen["parts"]["verb"], seat=0, box=chosen["box"])
    else:
        ann.do(table, "roll", seat=0, kept=chosen["kept"])


@pytest.mark.parametrize("rules", ["crag", "yahtzee", UNADVISED])
def test_a_trained_player_plays_only_what_it_was_trained_for(ann: Browser, rules: str) -> None:
    answer = ann.http.post("/api/tables", json={"seats": [{"kind": "trained"}], "rules": rules})
    assert answer.status_code == 400
    assert answer.json()["error"].endswith(available_here(load_ruleset(rules)).trained)


def test_a_review_by_approximate_values_adds_up_to_the_score(finished: tuple[Browser, str]) -> None:
    ann, table = finished
    found = ann.get(f"/api/tables/{table}/review")
    (seat,) = found["seats"]
    assert (found["exact"], found["finding"], len(seat["turns"])) == (False, [], len(load_ruleset(RULES).boxes))
    assert seat["start_value"] + seat["luck"] - seat["loss"] == pytest.approx(seat["score"], abs=1e-6)


def test_lessons_are_mistakes_for_sure(finished: tuple[Browser, str]) -> None:
    ann, table = finished
    review = ann.get(f"/api/tables/{table}/review")
    lessons = ann.get(f"/api/tables/{table}/lessons")["lessons"]
    assert len(lessons) == 3
    for lesson in lessons:
        assert lesson["loss"] > 3 * review["standard_error"]
    lesson = lessons[0]
    position = parse_position(lesson["line"])
    best = ann.get("/api/positions", line=lesson["line"])["advice"]["actions"][0]["action"]
    assert not position.why_illegal(parse_action(best))
    grade = ann.http.post("/api/lessons", json={"line": lesson["line"], "action": best, "table": table}).json()
    assert grade["is_best"]
    assert grade["limit"] == pytest.approx(3 * review["standard_error"])
