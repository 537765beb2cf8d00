"""`Client`: plays over HTTP or WebSocket with nothing but the documented interface."""

import asyncio
import http.client
import json
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Generic, TypeVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake, WebSocketException

from tests import clients
from tests.reliability.databases import TargetDatabase
from tests.reliability.ledger import CLIENT, Json, Ledger, Notes
from tests.waiting import TIMEOUT_SECONDS

CONNECTION_ERRORS = (OSError, http.client.HTTPException, WebSocketException, InvalidHandshake, asyncio.TimeoutError)
"""The errors that a client gets when the server is killed."""

CLOCK = 10

CLOSED = "closed"
"""The refusal of a command after the time of a game on the same dice."""

TOO_LATE = ("stood_in", "not_your_turn", "ended", CLOSED)
"""Refusals of a command that came after the clock had run out."""

SHORT_RULES = "poker_dice"
"""The shortest game: there is more to lose beside it the sooner games end."""


class UnavailableError(Exception):
    """The server refused a request as temporarily unavailable; the message is its reason."""


class RefusedError(Exception):
    """The server refused a request otherwise; the message has its path and the answer."""


def call(url: str, body: Json | None = None, cookie: str = "") -> tuple[int, Json, str]:
    """Send a request and return the status, content and cookie of the response."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, {"content-type": "application/json", "cookie": cookie})
    try:
        with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            return response.status, json.load(response), (response.headers["set-cookie"] or "").partition(";")[0]
    except HTTPError as error:
        with error:
            if error.code in (502, 504):
                raise ConnectionError("the proxy reached no server") from None
            return error.code, json.load(error), ""


class Client:
    """Plays at tables of the server at `url` and records every response in the ledger."""

    def __init__(self, url: str, ledger: Ledger, rng: random.Random) -> None:
        self.url = url
        self.ledger = ledger
        self.rng = rng

    async def create(self, computer: bool, *, timed: bool = False) -> Notes:
        """Create a table for two people, one of whom has not sat down yet, and optionally a computer player.

        At a timed one, Ben leaves after six turns, so that the clock has to end the game.
        """
        ann = {"kind": "person", "name": "Ann", "here": True}
        seats = [ann, {"kind": "person"}, {"kind": "greedy"}] if computer else [ann, {"kind": "person"}]
        status, created, cookie = await self._call(
            "/api/tables", {"rules": "yahtzee", "seats": seats, "casual": True, "pace": CLOCK if timed else None}
        )
        if status == 503:
            raise UnavailableError(created["error"])
        assert status == 201, created
        cookies = {0: cookie, 1: self.new_cookie()}
        notes = self.ledger.notes[created["table"]] = Notes(created["table"], cookies, is_timed=timed)
        return notes

    def new_cookie(self) -> str:
        return "fivedice=" + "".join(self.rng.choices("abcdefghijklmnopqrstuvwxyz", k=43))

    async def ask(self, path: str, body: Json | None = None, cookie: str = "") -> Json:
        """The answer to a request. Raises `UnavailableError` or `RefusedError`."""
        status, found, _ = await self._call(path, body, cookie)
        if status == 503:
            raise UnavailableError(found["error"])
        if status not in (200, 201):
            raise RefusedError(f"{path}: {found}")
        return found

    async def look(self, notes: Notes, since: int = 1) -> Json | None:
        """Return the table and its events since a version, or None if the table does not exist."""
        status, update, _ = await self._call(f"{notes.path}/events?since={since}", cookie=notes.cookies[0])
        if status == 503:
            raise UnavailableError(update["error"])
        if status == 404:
            return None
        assert status == 200, update
        assert update["status"] in ("events", "up_to_date"), update["status"]
        return update

    async def play(self, notes: Notes, *, over_websocket: bool) -> None:
        """Play a game to its end. Raises one of `CONNECTION_ERRORS` or `UnavailableError`."""
        if over_websocket:
            try:
                async with self._socket(notes, notes.cookies[0]) as ann, self._socket(notes, notes.cookies[1]) as ben:
                    await self._play_sockets(notes, [ann, ben])
            except ConnectionClosed as error:
                if error.rcvd is None or error.rcvd.code != 4503:
                    raise
                raise UnavailableError(error.rcvd.reason) from None
        else:
            await self._play_http(notes)

    async def check(self, notes: Notes) -> None:
        """Compare the table on the server with the notes.

        If any process may answer, one that has not heard of the last event yet shows it soon.
        """
        until = time.monotonic() + (0 if notes.is_routed else TIMEOUT_SECONDS)
        update = await self.look(notes)
        while update and update["view"]["version"] < self._newest_version(notes) and time.monotonic() < until:
            await asyncio.sleep(0.1)
            update = await self.look(notes)
        if update is not None:
            notes.add_view(update["view"])
        self.ledger.check_update(notes, update)

    async def record(self, notes: Notes) -> str:
        return await asyncio.to_thread(record_text, self.url, notes)

    async def reuse_id(self, notes: Notes) -> None:
        """Send the id of an acknowledged command again: with the same content, with another one, and from another seat.

        Only the first is answered as before. The others change nothing: they roll for who begins, which is decided.
        """
        id, (version, command) = self.rng.choice(sorted(notes.acknowledged.items()))
        seat = command["seat"]
        other = {"id": id, "version": max(notes.events, default=1), "type": "roll_off"}
        for sender, sent in ((seat, command), (seat, {**other, "seat": seat}), (1 - seat, {**other, "seat": 1 - seat})):
            _, answer, _ = await self._call(f"{notes.path}/commands", sent, notes.cookies[sender])
            if answer.get("reason", answer.get("code")) == "unavailable":
                raise UnavailableError(answer.get("detail") or answer["error"])
            if sent is command:
                if (answer.get("type"), answer.get("version")) != ("accepted", version):
                    self.ledger.lost.append(f"table {notes.table}: {command} was {version}, now {answer}")
            elif answer.get("type") == "accepted":
                self.ledger.doubled.append(f"table {notes.table}: {sent} from seat {sender} was answered {answer}")
            elif sender == seat and answer.get("reason", answer.get("code")) != "malformed":
                self.ledger.wrong.append(f"table {notes.table}: {sent} from seat {sender} was answered {answer}")

    async def _play_http(self, notes: Notes) -> None:
        while not notes.has_ended:
            update = await self.look(notes, max(1, len(notes.events) - 3))
            assert update is not None, f"table {notes.table} no longer exists"
            self._on_update(notes, update)
            if notes.has_ended:
                return
            if update["view"]["version"] < self._newest_version(notes):
                await asyncio.sleep(0.02)  # it is that of another process, from before the last answer
                continue
            seat_and_command = notes.pending or self._next_command(update["view"])
            if seat_and_command is None:
                await asyncio.sleep(0.02)
                continue
            notes.pending = seat, command = seat_and_command
            _, answer, _ = await self._call(f"{notes.path}/commands", command, notes.cookies[seat])
            self._on_answer(notes, answer)

    async def _play_sockets(self, notes: Notes, sockets: list[ClientConnection]) -> None:
        if notes.pending:
            # Resend the command that was in progress when the connection broke, with the same id.
            await self._send(notes, sockets)
        view: Json | None = None
        async with _messages(sockets) as messages:
            while not notes.has_ended:
                message = await asyncio.wait_for(messages(), TIMEOUT_SECONDS)
                if message["type"] == "update":
                    self._on_update(notes, message)
                    if view is None or message["view"]["version"] > view["version"]:
                        view = message["view"]
                elif message["type"] == "answer":
                    self._on_answer(notes, message["answer"])
                # A view from before the last answer is stale.
                if view and notes.pending is None and view["version"] >= self._newest_version(notes):
                    notes.pending = self._next_command(view)
                    if notes.pending:
                        await self._send(notes, sockets)

    async def _send(self, notes: Notes, sockets: list[ClientConnection]) -> None:
        assert notes.pending is not None
        seat, command = notes.pending
        await sockets[seat].send(json.dumps(command))

    def _newest_version(self, notes: Notes) -> int:
        return max([1, *notes.events, *(version for version, _ in notes.acknowledged.values())])

    def _on_update(self, notes: Notes, update: Json) -> None:
        notes.add_events(update["view"]["version"], update["events"])
        notes.add_view(update["view"])
        notes.has_ended = update["view"]["state"] in ("over", "closed")

    def _on_answer(self, notes: Notes, answer: Json) -> None:
        if answer.get("reason") == "unavailable" or answer.get("code") == "unavailable":
            raise UnavailableError(answer.get("detail") or answer["error"])
        if answer.get("reason") == "stale" or answer.get("code") in TOO_LATE:
            assert notes.is_timed, f"{notes.table}: {notes.pending} was answered with {answer}"
            notes.pending = None
            notes.has_ended = answer.get("code") == CLOSED
            return
        assert answer.get("type") == "accepted", f"{notes.table}: {notes.pending} was answered with {answer}"
        notes.acknowledge(answer["id"], answer["version"])

    def _next_command(self, view: Json) -> tuple[int, Json] | None:
        """The seat and content of the next command, or None on the turn of a computer player."""
        turn = view["turn"]
        common = {"id": f"{self.rng.getrandbits(96):x}{CLIENT}", "version": view["version"]}
        if view["state"] == "open":
            nonce = f"{self.rng.getrandbits(64):x}"
            return 1, {**common, "type": "sit", "seat": 1, "name": "Ben", "nonce": nonce}
        if turn is None or view["seats"][turn["seat"]]["kind"] != "person" or view["seats"][turn["seat"]]["stand_in"]:
            return None
        if view["pace"] == CLOCK and turn["seat"] == 1 and turn["number"] > 6:
            return None
        common["seat"] = seat = turn["seat"]
        if view["can_undo"] and not turn["dice"] and self.rng.random() < 0.05:
            undo_seat = view["can_undo"][0]
            return undo_seat, {**common, "type": "undo", "seat": undo_seat}
        if not turn["dice"]:
            return seat, {**common, "type": "roll", "kept": []}
        if turn["rolls_left"] and self.rng.random() < 0.6:
            return seat, {**common, "type": "roll", "kept": [self.rng.random() < 0.4 for _ in turn["dice"]]}
        boxes = [offer["box"] for offer in turn["offers"] if offer["is_open"]]
        return seat, {**common, "type": "score", "box": self.rng.choice(boxes)}

    async def _call(self, path: str, body: Json | None = None, cookie: str = "") -> tuple[int, Json, str]:
        return await asyncio.to_thread(call, self.url + path, body, cookie)

    @asynccontextmanager
    async def _socket(self, notes: Notes, cookie: str) -> AsyncIterator[ClientConnection]:
        since = max(1, len(notes.events) - 3)
        url = f"{self.url.replace('http', 'ws', 1)}{notes.path}/socket?since={since}"
        async with clients.connect_async(
            url, additional_headers={"cookie": cookie}, compression=None, close_timeout=0.1
        ) as socket:
            yield socket


Kept = TypeVar("Kept")
"""What such people note of one thing that they play."""


class PersistentClient(Generic[Kept]):
    """People with a browser each, who play at tables of `client` until a server under faults answers.

    `persist` does work again until no fault disturbs it. `waits_for` is empty between two things to do.
    """

    def __init__(
        self, client: Client, persist: Callable[[Callable[[], Awaitable[Any]]], Awaitable[Any]], rng: random.Random
    ) -> None:
        self._client = client
        self._ledger = client.ledger
        self._persist = persist
        self._rng = rng
        self.waits_for = ""
        self.notes: list[Kept] = []

    async def play(self) -> None:
        raise NotImplementedError

    async def check(self) -> None:
        """Compare what the server shows of the last thing with the notes after a start; raises `UnavailableError`."""
        if self.notes:
            await self._check(self.notes[-1])

    async def _check(self, notes: Kept) -> None:
        """The same for one thing, as far as the server shows anything of it by itself."""

    def check_database(self, database: TargetDatabase) -> None:
        """Compare the database with all notes."""
        raise NotImplementedError

    async def _ask(self, path: str, body: Json | None = None, cookie: str = "") -> Json:
        found: Json = await self._persist(partial(self._client.ask, path, body, cookie))
        return found

    async def _play_game(self, table: str, cookies: Sequence[str], *, over_websocket: bool) -> None:
        self.waits_for = f"the game at {table}"
        game = self._ledger.notes[table] = Notes(table, dict(enumerate(cookies)), is_timed=True)
        await self._persist(partial(self._client.play, game, over_websocket=over_websocket))

    async def _scores(self, table: str, cookie: str = "") -> list[int | None] | None:
        """The final scores of a game by seat, None for who gave up; None if it was not played to its end."""
        view = (await self._ask(f"/api/tables/{table}", cookie=cookie))["view"]
        scores = [None if seat["resigned"] else seat["card"]["total"] for seat in view["seats"]]
        return scores if view["state"] == "over" else None


async def finish(playing: Iterable["asyncio.Task[None]"], ledger: Ledger, seconds: float) -> None:
    """Wait until everybody has played to the end, or nothing has been acknowledged for so long."""
    progress, left = -1, {*playing}
    while left and progress != ledger.num_acknowledged:
        progress = ledger.num_acknowledged
        done, left = await asyncio.wait(left, timeout=seconds)
        for player in done:
            player.result()


def record_text(url: str, notes: Notes) -> str:
    """The record of a table on the server at `url`, as its first seat gets it."""
    request = Request(f"{url}{notes.path}/record", headers={"cookie": notes.cookies[0]})
    with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
        return str(response.read().decode())


@asynccontextmanager
async def _messages(sockets: list[ClientConnection]) -> AsyncIterator[Callable[[], Awaitable[Json]]]:
    """A function that returns the next message of any of the sockets, or raises the error that closed one of them."""
    queue: asyncio.Queue[Json | Exception] = asyncio.Queue()

    async def read(socket: ClientConnection) -> None:
        try:
            while True:
                queue.put_nowait(json.loads(await socket.recv()))
        except CONNECTION_ERRORS as error:
            queue.put_nowait(error)

    async def next_message() -> Json:
        found = await queue.get()
        if isinstance(found, Exception):
            raise found
        return found

    readers = [asyncio.create_task(read(socket)) for socket in sockets]
    try:
        yield next_message
    finally:
        for reader in readers:
            reader.cancel()
