"""Advice, positions, explanations, odds and chances: exact, solved in the background, and files with solutions."""

from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from fivedice import Score, advise, parse_action, parse_position
from fivedice.analysis import estimated_odds
from fivedice.analysis.estimated_odds import OddsEstimator
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.server.solving import solved
from fivedice.server.table.available import has_browser_advice
from fivedice.solver.saved.portable import read, read_parts
from fivedice.solver.solution import Solution
from fivedice.views.action import action_parts
from tests.server.serving import TINY, TWO, Browser, Serving
from tests.server.solving.test_searches import find_after
from tests.solutions import UNADVISED
from tests.waiting import wait_for


def position(browser: Browser, line: str) -> Any:
    return browser.get("/api/positions", line=line, wait=True)


def test_a_position_has_the_value_of_every_action(ann: Browser, crag: Solution) -> None:
    found = position(ann, "crag - 445 r1")
    assert ann.get("/api/positions", line="crag - 445 r1", advice=False) == {**found, "advice": None}
    advice = advise(crag, parse_position("crag - 445 r1"))
    assert found["advice"]["value"] == pytest.approx(advice.value)
    assert [(action["action"], action["loss"]) for action in found["advice"]["actions"]] == [
        (str(advised.action), pytest.approx(advised.loss)) for advised in advice.actions
    ]
    assert (found["line"], found["dice"], found["refusal"]) == ("crag - 445 r1", [4, 4, 5], "")
    assert found["attainable"]["twos"] == [0, 2, 4, 6]


def steps(browser: Browser, line: str, *steps: tuple[int, str, str]) -> httpx.Response:
    """Play on from a position: each step follows a position, with an action (none for a first roll) and dice."""
    body = [
        {
            "after": after,
            "action": msgspec.to_builtins(action_parts(parse_action(action))) if action else None,
            "rolled": [int(die) for die in rolled],
        }
        for after, action, rolled in steps
    ]
    return browser.http.post("/api/positions/steps", json={"line": line, "steps": body})


def test_steps_lead_on_from_a_position_and_branch(ann: Browser) -> None:
    line = "crag ones=1/- @1 455 r1"
    answer = steps(ann, line, (0, "keep 55", "3"), (1, "score crag", ""), (2, "", "631"), (0, "keep -", "211"))
    assert answer.json()["lines"] == [
        line,
        "crag ones=1/- @1 355 r0",
        "crag ones=1/crag=50 - r2",
        "crag ones=1/crag=50 136 r1",
        "crag ones=1/- @1 112 r0",
    ]
    assert steps(ann, line).json()["lines"] == [line]
    announced = steps(ann, "yamb - 12345 r2", (0, "announce fives_announced", ""), (1, "keep 5", "5511"))
    assert announced.json()["lines"][2] == "yamb announced=fives_announced 11555 r1"


def test_a_table_with_a_tutor_solves_its_rules_before_anybody_rolls(ann: Browser, server: Serving) -> None:
    solutions = server.services.searches
    wait_for(lambda: solutions.num_waiting == 0, "earlier searches end")
    for help, faces in (("none", 4), ("tutor", 5)):
        table = ann.create(toml=TINY.replace("faces = 2", f"faces = {faces}"), help=help)
        assert ann.view(table)["is_sought"] == (help != "none"), "the page says that the tutor cannot ask yet"
        assert solutions.num_waiting == int(help == "tutor")
    wait_for(lambda: solutions.num_waiting == 0, "the rules are solved")


def test_the_tutor_asks_to_confirm_a_costly_decision_once_also_without_advice(ann: Browser, crag: Solution) -> None:
    position(ann, "crag - 445 r1")
    table = ann.create(rules="crag", help="tutor")
    ann.begin_third_round(table)
    line, version = (ann.view(table)[key] for key in ("line", "version"))
    scores = [one for one in advise(crag, parse_position(line)).actions if isinstance(one.action, Score)]
    worst = str(scores[-1].action).removeprefix("score ")
    asked = ann.send(table, "score", seat=0, box=worst)
    assert (asked.status_code, asked.json()["reason"]) == (428, "costly")
    assert asked.json()["loss"] == pytest.approx(scores[-1].loss)
    assert ann.view(table)["version"] == version
    assert ann.send(table, "score", seat=0, box=worst, anyway=True).status_code == 200


def test_positions_of_rules_that_are_not_solved_have_approximate_values_or_none(ann: Browser) -> None:
    line = "triple_yahtzee - 44566 r1"
    found = position(ann, line)
    assert (found["advice"]["exact"], found["refusal"], found["rules"]["is_approximate"]) == (False, "", True)
    assert 20 < found["advice"]["standard_error"] < 30
    why = {"line": line, "action": "keep 44", "instead": "keep 66"}
    for path, params in (("chances", {"line": line}), ("why", why)):
        answer = ann.http.get(f"/api/positions/{path}", params=params)
        assert answer.status_code == 400
        assert "Triple Yahtzee cannot be solved exactly" in answer.json()["error"]
    boxes = [box.id for box in load_ruleset("triple_yahtzee").boxes if not box.id.startswith("chance")]
    last = position(ann, f"triple_yahtzee {','.join(f'{box}=0' for box in boxes)} 44566 r1")
    assert "exact" not in last["advice"], "the last turns are exact"
    line = f"{UNADVISED} - 11234 r2"
    found = position(ann, line)
    assert "cannot be solved" in found["refusal"]
    assert (found["advice"], found["dice"]) == (None, [1, 1, 2, 3, 4])
    params = {"line": line, "action": "keep 11", "instead": "keep 1"}
    assert ann.http.get("/api/positions/why", params=params).status_code == 400


def test_the_tutor_asks_before_a_sure_mistake_only(ann: Browser) -> None:
    table = ann.create(TWO[:1], rules="triple_yahtzee", help="tutor")
    ann.begin_third_round(table)
    advice = position(ann, ann.view(table)["line"])["advice"]
    least = 3 * advice["standard_error"]
    doubtful = [one for one in advice["actions"] if 2 < one["loss"] < least and not one["box"]]
    costly = [one for one in advice["actions"] if one["loss"] > least and one["box"]]
    answer = ann.send(table, costly[-1]["parts"]["verb"], seat=0, box=costly[-1]["box"])
    assert answer.json()["reason"] == "costly"
    ann.do(table, "roll", seat=0, kept=doubtful[0]["kept"])


def test_a_request_waits_for_values_and_a_table_gets_one_update_when_they_are_there(
    ann: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    line = "crag[rolls=4] - 445 r3"
    assert ann.get("/api/positions", line=line)["advice"] is None, "it answers at once"
    for found in (line, "yahtzee - 33456 r2"):
        assert ann.get("/api/positions", line=found, wait=True)["advice"]
    monkeypatch.setattr(solved, "find", partial(find_after, tmp_path / "begin"))
    table = ann.create(toml=TINY.replace("dice = 2", "dice = 3"), help="always")
    with ann.socket(table) as socket:
        view = socket.until(1)
        assert view["is_sought"]
        assert ann.get("/api/positions", line="yahtzee - 33456 r2", wait=True)["advice"], (
            "others are told nothing of that"
        )
        (tmp_path / "begin").touch()
        socket.receive()
        view = socket.update["view"]
        assert (view["version"], view["is_sought"], view["refusal"], socket.update["events"]) == (1, False, "", [])


def test_a_table_with_advice_has_odds_that_change_with_each_turn(ann: Browser, crag: Solution) -> None:
    table = ann.create(TWO, rules="crag", help="always")
    first = ann.get(f"/api/tables/{table}/odds")
    assert first == {"turn": 0, "chances": [pytest.approx(0.5)] * 2, "is_exact": True}
    ann.do(table, "roll", seat=0, kept=[])
    assert ann.get(f"/api/tables/{table}/odds") == first, "dice of a turn do not change the odds"
    line = ann.do(table, "score", seat=0, box="crag")["line"]
    expected = OddsEstimator(crag, None).odds(parse_position(line))
    assert expected is not None
    second = ann.get(f"/api/tables/{table}/odds")
    assert second == {"turn": 1, "chances": pytest.approx(list(expected.chances)), "is_exact": True}
    assert second["chances"][0] != 0.5


def test_other_tables_and_single_seats_have_no_odds(ann: Browser) -> None:
    for help, num, status in (("after", 2, 403), ("tutor", 2, 403), ("always", 1, 400)):
        table = ann.create(TWO[:num], rules="crag", help=help)
        assert ann.http.get(f"/api/tables/{table}/odds").status_code == status


@pytest.mark.parametrize("is_queued", [False, True])
def test_a_position_has_the_chances_of_every_final_score(
    ann: Browser, crag: Solution, is_queued: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "crag twos=4 445 r1"
    if is_queued:
        monkeypatch.setattr(estimated_odds, "MAX_WORK", 0)
    found = ann.get("/api/positions/chances", line=line)
    assert found["position"] == line
    assert found["mean"] == pytest.approx(advise(crag, parse_position(line)).value)
    assert sum(chance for _, chance in found["distribution"]) == pytest.approx(1.0)


def test_a_browser_gets_the_solution_and_what_explains_it_as_files_made_once(
    ann: Browser, crag: Solution, solved_cache: Path
) -> None:
    view = ann.get("/api/solutions", ref="crag")
    answer = ann.http.get(view["path"])
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/gzip")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "content-encoding" not in answer.headers
    assert (len(answer.content), sha256(answer.content).hexdigest()) == (view["bytes"], view["sha256"])
    digest, *_ = read(answer.content)
    assert digest == view["digest"] == crag.ruleset.digest
    [file] = solved_cache.rglob(f"{digest}-*.portable")
    made = file.stat().st_mtime_ns
    assert file.read_bytes() == answer.content
    assert ann.get("/api/solutions", ref="crag") == view
    assert file.stat().st_mtime_ns == made, "it is made once, and kept beside the solution"
    view = ann.get("/api/solutions", ref="crag", table="breakdown")
    parts = read_parts(ann.http.get(view["path"]).content)
    assert parts.digest == view["digest"] == crag.ruleset.digest
    assert sum(parts.at(0)) == pytest.approx(crag.expected_score, abs=0.05)
    offered = {one["ref"] for one in ann.get("/api/rulesets") if one["browser_advice"]}
    assert offered == {id for id in ruleset_ids() if has_browser_advice(load_ruleset(id))}
