"""Ids of commands: a repeated command is answered again, and nobody else's id or content is taken for it."""

from collections.abc import Callable
from typing import Any

from tests.server.serving import TWO, Browser, new_id


def reason(answer: Any) -> str:
    """The reason for a refusal; empty for an acceptance."""
    found: str = answer.json().get("reason", "")
    return found


def test_a_used_id_with_another_content_is_malformed_and_the_same_command_is_answered_again(ann: Browser) -> None:
    table, id = ann.create(), "x" * 64
    first: dict[str, Any] = {"type": "roll", "version": 1, "id": id, "seat": 0, "kept": []}
    accepted = {"type": "accepted", "id": id, "version": 2}
    assert ann.send(table, **first).json() == accepted
    nonce = {"type": "add_nonce", "version": 1, "id": id, "nonce": "0f"}
    others: list[dict[str, Any]] = [{**first, "kept": [True] * 5}, {**first, "seat": 1}, nonce]
    for command in others:
        answer = ann.send(table, **command)
        assert (answer.status_code, reason(answer)) == (400, "malformed"), command
        assert id in answer.json()["detail"]
        assert "version 2" in answer.json()["detail"]
    # The tutor's question and the version do not change what a command does.
    for again in (first, {**first, "version": 2}, {**first, "anyway": True}):
        assert ann.send(table, **again).json() == accepted
    ann.do(table, "score", seat=0, box="chance")
    ann.do(table, "roll", seat=1, kept=[])
    version = ann.do(table, "score", seat=1, box="chance")["version"]
    assert ann.send(table, **first).json() == accepted
    # By now the sender has seen its score: this is the first roll of another turn, and not the same command.
    assert reason(ann.send(table, **{**first, "version": version})) == "malformed"
    assert ann.view(table)["version"] == version


def test_ids_of_other_seats_and_watchers_neither_answer_nor_block_a_command(
    visit: Callable[[], Browser], ann: Browser, ben: Browser
) -> None:
    table, id = ann.create([TWO[0], {"kind": "person"}]), new_id()
    nonce: dict[str, Any] = {"type": "add_nonce", "version": 1, "id": id, "nonce": "0f"}
    assert ben.send(table, **nonce).json()["version"] == 2  # a watcher uses it first
    assert reason(ann.send(table, **{**nonce, "version": 2, "seat": 0})) == ""
    with ben.socket(table) as socket:
        sat: dict[str, Any] = {"type": "sit", "version": 3, "id": id, "seat": 1, "name": "Ben"}
        refused = socket.send(**sat)
        assert refused["reason"] == "malformed"
        assert refused["detail"] == (
            f"the id {id} belongs to another command, which led to version 2: send each command with a new id"
        )
        assert socket.send(**{**sat, "id": "1-roll-1"})["version"] == 4
        assert ann.send(table, "roll", id="1-roll-1", seat=0, kept=[]).json()["version"] == 5
        # Each command gets its own sender's answer.
        assert socket.send("roll", id="1-roll-1", version=4, seat=0, kept=[])["reason"] == "malformed"
        assert socket.send(**{**sat, "id": "1-roll-1"})["version"] == 4
    stranger = visit()
    assert reason(stranger.send(table, "roll", id="1-roll-1", version=4, seat=0, kept=[])) == "stale"
    assert reason(stranger.send(table, **{**sat, "id": "1-roll-1", "version": 4})) == "stale"
    assert reason(stranger.send(table, **nonce)) == "stale", "not the answer to another watcher"
