"""A table under rules that are too large to solve exactly: advice, tutor, review and lessons by approximate values."""

from collections.abc import Iterator

import pytest

from fivedice.rulesets import load_ruleset
from tests.server.serving import Browser, Serving, serving_with_cache
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
