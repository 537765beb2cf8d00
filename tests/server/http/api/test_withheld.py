"""A table without advice, and one with advice after decisions, show none by any way of asking during the game."""

from collections.abc import Iterator

import httpx
import pytest

from fivedice import parse_position
from fivedice.game.record import Record, Seat
from tests.server.attacks.test_fair_shares import at
from tests.server.http.api.test_advice import ask_until, position
from tests.server.http.api.test_lessons import answer
from tests.server.serving import TWO, Browser, Serving, serving

SOLO = [TWO[0]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that has solved Crag."""
    folder = tmp_path_factory.mktemp("withheld")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIVEDICE_CACHE", str(folder))
        with serving(folder) as running:
            ann = Browser(running.url)
            position(ann, "crag - - r2")
            ask_until(lambda: why(ann, "crag - 445 r1", "keep 44", "keep 5"), lambda _: True)
            ann.close()
            yield running


def ask(browser: Browser, line: str, **params: str) -> httpx.Response:
    return browser.http.get("/api/positions", params={"line": line, **params})


def why(browser: Browser, line: str, action: str, instead: str, **params: str) -> httpx.Response:
    query = {"line": line, "action": action, "instead": instead, **params}
    return browser.http.get("/api/positions/why", params=query)


def assert_refused(answer: httpx.Response) -> None:
    assert (answer.status_code, answer.json()["code"]) == (403, "no_advice"), answer.text
    assert "its table allows no advice on it now" in answer.json()["error"]


@pytest.mark.parametrize(("help", "number"), [("none", 15), ("after", 16)])
def test_a_seat_gets_no_advice_on_the_position_that_it_decides(server: Serving, help: str, number: int) -> None:
    # Two addresses, since a table without advice withholds its positions from its address in later games, too.
    with at(server.url, number) as ann, at(server.url, number) as second, at(server.url, 30) as stranger:
        table = ann.create(SOLO, rules="crag", help=help)
        line = ann.do(table, "roll", seat=0, kept=[])["line"]
        assert_refused(ask(ann, line))
        assert_refused(why(ann, line, "keep -", "score crag"))
        assert_refused(ask(second, line))  # another browser at the address
        assert_refused(ask(stranger, line, table=table))  # by the table's own name
        assert ask(stranger, line).json()["advice"], "it is a free position for everybody else"
        assert ask(ann, "crag - - r2").json()["advice"]
        ann.do(table, "score", seat=0, box="crag")
        assert_refused(ask(ann, line))
        ann.do(table, "roll", seat=0, kept=[])
        assert ask(ann, line).status_code == (403 if help == "none" else 200), "the score is final"


def test_the_holder_is_known_at_another_address_and_after_the_game_all_is_shown(server: Serving) -> None:
    with at(server.url, 40) as ann, at(server.url, 41) as away, at(server.url, 42) as stranger:
        table = ann.create(SOLO, rules="crag[rounds=1]")
        line = ann.do(table, "roll", seat=0, kept=[])["line"]
        ask_until(lambda: ask(stranger, line), lambda found: found["advice"])
        away.http.cookies.update(ann.http.cookies)
        assert_refused(ask(away, line))
        ann.do(table, "score", seat=0, box="crag")
        assert ask(away, line).json()["advice"]


def test_a_table_with_a_tutor_withholds_nothing(server: Serving) -> None:
    with at(server.url, 43) as ann:
        table = ann.create(SOLO, rules="crag", help="tutor")
        line = ann.do(table, "roll", seat=0, kept=[])["line"]
        actions = ask(ann, line).json()["advice"]["actions"]
        best, worst = actions[0]["action"], actions[-1]["action"]
        assert why(ann, line, best, worst, table=table).status_code == 200


def test_a_lesson_from_a_copied_position_gives_no_advice_during_the_game(server: Serving) -> None:
    with at(server.url, 45) as ann:
        table = ann.create(SOLO, rules="crag")
        line = ann.do(table, "roll", seat=0, kept=[])["line"]
        copied = parse_position(line)
        worst = next(offer.action for offer in copied.offers() if not offer.points)
        record = Record.start(copied.ruleset, (Seat("Ann", "human"),), "2026-11-21T10:00:00+00:00")
        text = str(record.roll(copied.dice).play(worst))
        assert ann.http.post("/api/me/records", json={"text": text, "seat": 0}).status_code == 200
        assert ann.get("/api/me/lessons")["lessons"] == []
        body = {"line": line, "action": str(worst)}
        assert_refused(ann.http.post("/api/lessons", json=body))
        ann.do(table, "close", seat=0)
        [lesson] = ann.get("/api/me/lessons")["lessons"]
        assert lesson["line"] == line
        assert answer(ann, "", line, lesson["chosen"])["best"]
