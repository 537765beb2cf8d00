"""Games played with a `LocalService`, which the same script plays in CPython and in the browser's Python."""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import count
from random import Random

import msgspec

from fivedice.game.action import Announce, Keep, Score
from fivedice.game.placed_turn import places_of
from fivedice.local.browser import request
from fivedice.local.service import LocalService, Reply
from fivedice.solver.saved.portable import Portable, read, read_parts

LANGUAGES = ("en", "de", "sv")


def keep_tables(service: LocalService, rules: str, values: bytes, parts: bytes) -> None:
    """Give a service the portable files of the rules with a digest."""
    service.values.keep(rules, lambda: read(values))
    service.values.keep_parts(rules, lambda: read_parts(parts))


def keep_values(service: LocalService, digest: str, values: Sequence[float]) -> None:
    """Let a device keep the values of the rules with a digest."""
    service.values.keep(digest, lambda: Portable(digest, values, None))


def new_service(seed: int) -> LocalService:
    """A service whose dice and times depend on a seed only."""
    return LocalService(Random(seed).randbytes, count(1_800_000_001.0).__next__)


def post(service: LocalService, path: str, body: object) -> Reply:
    """The reply to a request with a body."""
    return request(service, "POST", path, msgspec.json.encode(body).decode())


def play(
    service: LocalService, rules: str, seed: int, opponent: str, help: str = "none", sent: list[object] | None = None
) -> Iterator[Reply]:
    """The replies of a whole game against a computer player, by random actions of a person, which `sent` gets."""
    rng = Random(seed)
    seats = [{"kind": "person", "name": "Ann", "here": True}, {"kind": opponent}]
    created = post(service, "/api/tables", {"seats": seats, "rules": rules, "help": help})
    assert created.status == 201, created
    yield created
    table = service.find(created.content.table)
    id, number = table.table.id, 0
    while not table.table.has_ended:
        if service.due():
            yield service.step(id)
            continue
        number += 1
        command = _command(rng, table.table, number)
        if sent is not None:
            sent.append(command)
        yield post(service, f"/api/tables/{id}/commands", command)


def _command(rng: Random, table: object, number: int) -> dict[str, object]:
    turn = table.turn  # type: ignore[attr-defined]
    base = {"id": f"command-{number:04}", "version": table.version, "seat": turn.position.seat}  # type: ignore[attr-defined]
    if not turn.places:
        return {"type": "roll", "kept": [], **base}
    action = rng.choice(turn.position.actions())
    match action:
        case Keep():
            return {"type": "roll", "kept": list(places_of(action, turn.places, turn.kept)), "anyway": True, **base}
        case Announce():
            return {"type": "announce", "box": action.box, "anyway": True, **base}
        case Score():
            return {"type": "score", "box": action.box, "scratch": action.is_scratch, "anyway": True, **base}
    raise AssertionError(action)


def digest(service: LocalService, rules: str, seed: int, opponent: str, help: str = "none") -> str:
    """The SHA-256 of all replies of a game, with those about its record, its review and its rules in all languages."""
    found = hashlib.sha256()
    replies = list(play(service, rules, seed, opponent, help))
    id = replies[0].content.table
    paths = ["record", "best-turns", "events?since=1", *(f"review?lang={lang}" for lang in LANGUAGES)]
    replies += [request(service, "GET", f"/api/tables/{id}/{path}") for path in paths]
    replies += [request(service, "GET", f"/api/rulesets/explained?table={id}&lang={lang}") for lang in LANGUAGES]
    for reply in replies:
        found.update(msgspec.json.encode(reply))
    return found.hexdigest()
