"""Reports and checks of records."""

import random
from pathlib import Path

import msgspec
import pytest

from fivedice.game.record import rules_block
from fivedice.rulesets import ruleset_ids
from fivedice.server.config.settings import RateLimits
from fivedice.server.table.answers import Accepted
from fivedice.server.table.apply import replay
from fivedice.server.table.bots import bot_step
from fivedice.server.table.create import NewTable
from fivedice.server.table.messages import TableView
from fivedice.server.table.state import State
from fivedice.server.table.verbs import AnyCommand, Undone
from fivedice.server.table.view import view
from tests.game.table_game import table_game
from tests.server.scripted import SECRET, Live, computers, people
from tests.server.serving import Browser, serving
from tests.web.games import BONUS, played


def shown(game: Live) -> TableView:
    """The view of a client, its only source."""
    return msgspec.json.decode(msgspec.json.encode(view(game.table, secret=SECRET)), type=TableView)


def send(game: Live, **fields: object) -> None:
    """Send a command as JSON, twice; it must be accepted once."""
    line = msgspec.json.encode({"id": game.new_id(), "version": game.table.version, **fields})
    answers = [game.send(msgspec.json.decode(line, type=AnyCommand)) for _ in range(2)]
    assert isinstance(answers[0], Accepted), answers[0]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("ref", ruleset_ids())
def test_two_people_and_a_computer_player_play_every_shipped_ruleset_to_the_end(ref: str) -> None:
    chance = random.Random(ref)
    game = Live(NewTable(seats=[*people("Ann", ""), *computers("random")], rules=ref, first="highest_roll", silence=60))
    send(game, type="sit", seat=1, name="Bob", nonce="5f3a")
    send(game, type="roll_off", seat=0)
    while (here := shown(game)).state is State.PLAYING:
        turn = here.turn
        assert turn
        if here.can_undo and chance.random() < 1 / 4:
            send(game, type="undo", seat=here.can_undo[0])
        elif here.seats[turn.seat].kind != "person":
            step = bot_step(game.table, lambda kind, spot: chance.choice(spot.actions()), game.chance, game.now)
            assert step
            game.append(step.event)
        elif not turn.dice:
            send(game, type="roll", seat=turn.seat, kept=[])
        elif boxes := [offer.box for offer in turn.offers if offer.can_announce and chance.random() < 1 / 4]:
            send(game, type="announce", seat=turn.seat, box=boxes[0])
        elif not any(offer.is_open for offer in turn.offers):
            continue
        elif turn.rolls_left and chance.random() < 1 / 2:
            send(game, type="roll", seat=turn.seat, kept=[chance.random() < 1 / 2 for _ in turn.dice])
        else:
            offer = chance.choice([offer for offer in turn.offers if offer.is_open])
            scratch = offer.can_scratch and chance.random() < 1 / 4
            send(game, type="score", seat=turn.seat, box=offer.box, scratch=scratch)

    end = shown(game)
    assert end.state is State.OVER
    assert game.table.position.is_over
    assert {seat.seat for seat in end.seats if seat.rank == 1} == set(game.table.position.winners)
    assert any(isinstance(event, Undone) for event in game.events)
    assert end.version == len(game.events)
    assert replay(game.events) == game.table
    send(game, type="rematch", seat=1)
    assert shown(game).rematch == "rematch1"


RECORD = str(table_game(max_turns=3))


def test_a_record_whose_points_follow_from_its_turns_is_right(ann: Browser) -> None:
    answer = ann.http.post("/api/records/check", json={"text": RECORD})
    assert answer.status_code == 200
    assert answer.json() == {
        "ok": True,
        "ruleset": "yahtzee",
        "name": "Yahtzee",
        "digest": "423d5fcbe6c00ba5",
        "result": RECORD.split("result: ")[1].partition("\n")[0],
        "part": "",
        "line": None,
        "problem": "",
    }
    assert ann.http.get("/api/me").json()["games"] == []


def test_custom_rules_are_read_from_the_record(ann: Browser) -> None:
    text = played("bonus", 2, 9)
    found = ann.http.post("/api/records/check", json={"text": text}).json()
    assert (found["ok"], found["ruleset"]) == (True, "bonus.toml")
    forged = ann.http.post("/api/records/check", json={"text": text.replace("extra_bonus = 100", "extra_bonus = 101")})
    assert (forged.json()["ok"], forged.json()["part"], forged.json()["line"]) == (False, "digest", 4)


@pytest.mark.parametrize(
    ("old", "new", "part", "line", "problem"),
    [
        ("fivedice record 1", "fivedice record 2", "title", 1, "a record begins with the line 'fivedice record 1'"),
        ("ruleset: yahtzee", "ruleset: /etc/passwd", "ruleset", 2, "there is no ruleset '/etc/passwd'"),
        ("options: -", "options: rolls=4", "digest", 4, "digest '423d5fcbe6c00ba5' is not that of yahtzee[rolls=4]"),
        ("result: ", "result: 9", "result", 8, "but the turns come to"),
        ("score chance = 14", "score chance = 25", "turn", 10, "'score chance = 25': score chance gives 14"),
        ("turn 0: ", "turn 1: ", "", None, ""),
    ],
)
def test_the_first_line_that_does_not_follow_is_named(
    old: str, new: str, part: str, line: int | None, problem: str, ann: Browser
) -> None:
    assert RECORD.count(old) >= 1
    found = ann.http.post("/api/records/check", json={"text": RECORD.replace(old, new, 1)}).json()
    assert (found["ok"], found["part"], found["line"]) == (not part, part, line)
    assert problem in found["problem"]
    assert not found["problem"].startswith("line ")


def test_a_text_that_is_no_record_or_too_long_is_refused(ann: Browser) -> None:
    assert ann.http.post("/api/records/check", json={"text": "milk and eggs"}).json()["part"] == "title"
    assert ann.http.post("/api/records/check", json={"text": "x" * 1_000_001}).status_code == 400
    assert ann.http.post("/api/records/check", json={"text": 5}).status_code == 400


def test_checks_are_counted_per_address_and_their_custom_rules_for_everybody(tmp_path: Path) -> None:
    with serving(tmp_path, limits=RateLimits(uploads="3/minute", all_rules="1/minute")) as server:
        ann = server.visit()

        def status(text: str) -> int:
            return ann.http.post("/api/records/check", json={"text": text}).status_code

        with_rules = RECORD + rules_block(BONUS)
        assert [status(with_rules), status(with_rules), status(RECORD), status(RECORD)] == [200, 429, 200, 429]
