"""Tries of the daily in the terminal: `ServerTry` at a server, and `LocalTry` for a person alone.

Both have a question to answer next until they are over. An answer returns its grade as a sentence, and the end the
lines of the result.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from http.cookiejar import LoadError, LWPCookieJar
from textwrap import fill
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPCookieProcessor, Request, build_opener

from fivedice.analysis.reviews.marks import verdict
from fivedice.base.data_folder import data_folder, make_folder
from fivedice.base.errors import IllegalError, MalformedError, shown
from fivedice.base.language import LANGUAGES
from fivedice.cli.game.command_words import WIDTH
from fivedice.cli.game.questions import invitation, read_action, run, show_position
from fivedice.cli.language import chosen, say
from fivedice.cli.solutions import prepare
from fivedice.daily.choice import candidates_of, choose_ladder, choose_ten
from fivedice.daily.days import RULES, daily_rules, guest_of, number_of
from fivedice.daily.puzzles import Puzzle, is_best, symbol
from fivedice.daily.results import MAX_MISTAKES, STORM_SECONDS, Kind, Share, Tally
from fivedice.game.action import Action
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset

_SECONDS = 60
"""Waiting for an answer of a server."""


class LocalTry:
    """A try of positions that were drawn here, graded here, and ranked by nobody.

    `position` is the next one to decide, None once the try is over.
    """

    def __init__(
        self, kind: Kind, day: date, drawn: Sequence[Puzzle], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._kind, self._day, self._puzzles, self._clock = kind, day, drawn, clock
        self._began = clock()
        self._losses: list[float] = []
        self.position: Position | None = drawn[0].position

    @property
    def heading(self) -> str:
        """Which one of how many, or the time left."""
        if self._kind == "ten":
            return say("{number} of {all}", number=len(self._losses) + 1, all=len(self._puzzles))
        if self._kind == "storm":
            return say("{number}, {seconds} s left", number=len(self._losses) + 1, seconds=round(self._seconds_left))
        return str(len(self._losses) + 1)

    def answer(self, action: Action) -> str:
        """Grade the answer, unless the time is over. Raises `IllegalError`."""
        puzzle = self._puzzles[len(self._losses)]
        loss = puzzle.loss(action)
        if self._kind == "storm" and self._seconds_left <= 0:
            self.position = None
            return say("The time is over.")
        self._losses.append(loss)
        has_ended = Tally.of(self._losses).mistakes == MAX_MISTAKES.get(self._kind)
        is_last = has_ended or len(self._losses) == len(self._puzzles)
        self.position = None if is_last else self._puzzles[len(self._losses)].position
        return verdict(puzzle.position, action, None if is_best(loss) else loss, puzzle.best[0], chosen())

    def result(self) -> list[str]:
        """The line to share; none if the try goes on."""
        if self.position is not None:
            return []
        tally = Tally.of(self._losses)
        is_ten = self._kind == "ten"
        share = Share(
            self._kind,
            number_of(self._day),
            self._puzzles[0].position.ruleset.id,
            tally.best,
            tally.answered if is_ten else 0,
            round(10 * tally.lost) if is_ten else 0,
            tuple(map(symbol, self._losses)) if is_ten else (),
        )
        return [share.line(chosen())]

    @property
    def _seconds_left(self) -> float:
        return self._began + STORM_SECONDS - self._clock()


class ServerTry:
    """A try at a server, which keeps it. The cookie that identifies its holder is in the user's data folder.

    Raises `MalformedError` for an address that is none, and `IllegalError` if the server refuses or cannot be reached.
    """

    def __init__(self, server: str, kind: Kind, rules: str | None) -> None:
        if not server.startswith(("http://", "https://")):
            raise MalformedError(
                say("--server {given}: want an address such as https://dice.example.org", given=shown(server))
            )
        self._server = server.rstrip("/")
        self._cookies = LWPCookieJar(data_folder() / "daily-cookies.txt")
        with suppress(FileNotFoundError, LoadError):  # then this is a new browser for the server
            self._cookies.load(ignore_discard=True)
        self._opener = build_opener(HTTPCookieProcessor(self._cookies))
        self._try: Any = self._ask(f"daily/{kind}", {"rules": rules_here(rules)})

    @property
    def position(self) -> Position | None:
        """The position to decide next."""
        question = self._try["question"]
        return parse_position(question["line"]) if question else None

    @property
    def heading(self) -> str:
        """Which one of how many, or the time left."""
        number = self._try["question"]["number"]
        if self._try["size"]:
            return say("{number} of {all}", number=number, all=self._try["size"])
        if self._try["seconds_left"] is not None:
            return say("{number}, {seconds} s left", number=number, seconds=round(self._try["seconds_left"]))
        return str(number)

    def answer(self, action: Action) -> str:
        """Send the answer, and return the grade that the server gives; the end of a storm if it came too late."""
        path = f"daily/tries/{self._try['id']}"
        try:
            self._try = self._ask(f"{path}/answers", {"number": self._try["question"]["number"], "action": str(action)})
        except _StaleError:
            self._try = self._ask(path)
            return say("The time is over.") if self.position is None else ""
        return str(self._try["answers"][-1]["sentence"])

    def result(self) -> list[str]:
        """The line to share with its link, and the place among the others of the day."""
        result = self._try["result"]
        if not result:
            return []
        lines = [f"{result['line']} {self._server}{result['path']}"]
        if result["place"]:
            place, players = result["place"], result["players"]
            lines.append(say("Place {place} of {players} today.", place=place, players=players))
        return lines

    def _ask(self, path: str, body: object = None) -> Any:
        """The JSON of an answer."""
        tag = chosen().tag if chosen().tag in LANGUAGES else "en"
        url = f"{self._server}/api/{path}?lang={tag}"
        data = None if body is None else json.dumps(body).encode()
        request = Request(url, data, {"content-type": "application/json"})  # noqa: S310
        try:
            with self._opener.open(request, timeout=_SECONDS) as answer:
                content = json.load(answer)
        except HTTPError as error:
            refusal = _refusal(error)
            raise (_StaleError if error.code == 409 else IllegalError)(refusal) from None
        except (URLError, OSError, ValueError) as error:
            raise IllegalError(
                say("{server} does not answer: {reason}", server=self._server, reason=getattr(error, "reason", error))
            ) from None
        make_folder(data_folder())
        self._cookies.save(ignore_discard=True)
        os.chmod(str(self._cookies.filename), 0o600)
        return content


class _StaleError(IllegalError):
    """The try is not in the state that the request needs."""


def _refusal(error: HTTPError) -> str:
    try:
        return str(json.load(error)["error"])
    except (ValueError, KeyError, TypeError):
        return say("the server answers with status {status}", status=error.code)


def server_address(option: str | None) -> str:
    """The address of a server: that of an option, or of FIVEDICE_SERVER; empty for none."""
    return os.environ.get("FIVEDICE_SERVER", "") if option is None else option


def rules_here(rules: str | None) -> str:
    """The daily ruleset that is asked for, by default that of the language; raises `UnknownError`."""
    return daily_rules(rules or RULES.get(chosen().tag, RULES["en"]))


def draw(kind: str, day: date, secret: bytes, rules: str | None) -> list[Puzzle]:
    """The ten or the ladder of a day with a secret."""
    found = []
    guest = guest_of(day) if kind == "ten" else ""
    for id in filter(None, (rules_here(rules), guest)):
        solution = prepare(load_ruleset(id))
        print(say("Drawing positions …"), file=sys.stderr)
        found.append(candidates_of(solution, secret, kind))
    return choose_ten(secret, *found) if kind == "ten" else choose_ladder(secret, *found)


def play_try(one: "LocalTry | ServerTry") -> int:
    """Ask until the try is over or the player quits; print the result, and return the exit status."""

    def ask_each() -> None:
        while (position := one.position) is not None:
            show_position(position, one.heading)
            print(fill(one.answer(read_action(position)), WIDTH))

    if one.position is not None:
        print(invitation())
    status = run(ask_each)
    for line in one.result():
        print(line)
    return status
