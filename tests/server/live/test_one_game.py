"""No statement in the path of an action is about several games, so that several databases can divide the games."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, get_args

import pytest
from sqlalchemy import Engine, event

from fivedice.server.table.verbs import AnyCommand
from fivedice.storage import schema
from fivedice.storage.rows import event as event_rows
from fivedice.storage.rows.event import StoredEvent
from tests.server.serving import TWO, Browser, serving
from tests.storage.empty import empty_postgres, empty_sqlite
from tests.waiting import wait_for

T = TypeVar("T")

GAME_TABLES = [
    table.name for table in schema.metadata.tables.values() if "table_id" in table.columns and table.name != "records"
] + [schema.tables.name]
"""The database tables whose rows belong to games. Imported records belong to browsers."""

VERBS = {kind.__struct_config__.tag for kind in get_args(AnyCommand)}


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        return empty_sqlite(tmp_path)
    return empty_postgres(request.getfixturevalue("postgres"))


class Recorder:
    """Notes the statements about games, and the ids in their parameters."""

    def __init__(self) -> None:
        self.statements: list[tuple[str, list[str]]] = []
        self.is_on = False

    def note(self, _: object, __: object, statement: str, parameters: object, *___: object) -> None:
        """Note a statement before it runs, unless it looks for results of tournaments, which no action waits for."""
        if "FROM club_tables" in statement:
            return
        if self.is_on and re.search(rf"\b({'|'.join(GAME_TABLES)})\b", statement):
            self.statements.append((statement, list(strings_in(parameters))))

    def appending(self, append: Callable[[Any, Sequence[StoredEvent]], T]) -> Callable[[Any, Sequence[StoredEvent]], T]:
        """A function that appends events, and notes of which games."""

        def noted(connection: Any, entries: Sequence[StoredEvent]) -> T:
            if self.is_on:
                self.statements.append(("append", [entry.table for entry in entries]))
            return append(connection, entries)

        return noted

    def check(self, ids: list[str]) -> None:
        """Fail unless each statement since the last check names one of these games, and no other one."""
        for statement, parameters in self.statements:
            named = {id for id in ids if id in parameters}
            assert len(named) == 1, f"{statement}\n{parameters} names {named or 'no game'}"
            assert not re.search(r"\bIN \(SELECT\b|\bholder = ", statement), (
                f"finds games by something else: {statement}"
            )
        self.statements.clear()


def strings_in(value: object) -> Iterator[str]:
    """All texts in nested parameters."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from strings_in(list(value.values()))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from strings_in(one)


@contextmanager
def recorded() -> Iterator[Recorder]:
    """A recorder of all databases."""
    recorder = Recorder()
    event.listen(Engine, "before_cursor_execute", recorder.note)
    try:
        with pytest.MonkeyPatch.context() as patch:
            for name in ("_append_to_sqlite", "_append_to_postgres"):  # which use the drivers themselves
                patch.setattr(event_rows, name, recorder.appending(getattr(event_rows, name)))
            yield recorder
    finally:
        event.remove(Engine, "before_cursor_execute", recorder.note)


class Player:
    """A browser whose commands are recorded, with what each game that it began is."""

    def __init__(self, browser: Browser, recorder: Recorder, ids: list[str]) -> None:
        self.browser, self.recorder, self.ids = browser, recorder, ids
        self.sent: set[str] = set()

    def begin(self, **wanted: Any) -> str:
        """A new table, which is not recorded."""
        self.ids.append(self.browser.create(wanted.pop("seats", TWO), **wanted))
        return self.ids[-1]

    def do(self, table: str, type: str, **fields: Any) -> Any:
        """A command that is accepted, which is recorded, and the view after it, which is not."""
        self.sent.add(type)
        version = self.browser.view(table)["version"]
        self.recorder.is_on = True
        answer = self.browser.send(table, type, version, **fields)
        self.recorder.is_on = False
        assert answer.status_code == 200, answer.text
        assert self.recorder.statements, "an action is stored"
        view = self.browser.view(table)
        if view["rematch"] and view["rematch"] not in self.ids:
            self.ids.append(view["rematch"])
        self.recorder.check(self.ids)
        return view


def test_every_verb_names_one_game_in_each_statement(url: str, tmp_path: Path) -> None:
    with recorded() as recorder, serving(tmp_path, database_url=url) as server:
        ids: list[str] = []
        ann, ben = (Player(server.visit(), recorder, ids) for _ in range(2))
        ann.begin(), ben.begin()  # games of the same browsers, which a statement by browser would find
        opening = ann.begin(first="highest_roll")
        ann.do(opening, "roll_off", seat=0)
        link = [TWO[0], {"kind": "person"}]
        table = ann.begin(seats=link, rules="crag", help="tutor", silence=10)
        ben.do(table, "sit", seat=1, name="Ben")
        ben.do(table, "add_nonce", seat=1, nonce="0123456789abcdef")
        ann.do(table, "roll", seat=0, kept=[])
        box = next(one["box"] for one in ann.browser.view(table)["turn"]["offers"] if one["is_open"])
        ann.do(table, "score", seat=0, box=box, anyway=True)
        ann.do(table, "undo", seat=0)
        yamb = ann.begin(rules="yamb")
        turn = ann.do(yamb, "roll", seat=0, kept=[])["turn"]
        announced = next(one["box"] for one in turn["offers"] if one["can_announce"])
        ann.do(yamb, "announce", seat=0, box=announced)
        ann.do(yamb, "resign", seat=0)
        rematch = ann.do(yamb, "rematch", seat=0)["rematch"]
        ann.do(rematch, "close", seat=0)
        real = ann.begin(seats=[TWO[0]], dice="real")
        ann.do(real, "enter", seat=0, dice=[1, 2, 3, 4, 5], kept=[])
        away = ann.begin(seats=link, silence=10, casual=True)
        ben.do(away, "sit", seat=1, name="Ben")
        ann.do(away, "stand_in", seat=0, player="random")
        wait_for(lambda: ann.browser.view(away)["turn"]["seat"] == 1, "the computer player has had its turn")
        ann.do(away, "return", seat=0)
        relaxed = ann.begin(seats=link, pace={"per": "turn", "seconds": 86_400})
        ben.do(relaxed, "sit", seat=1, name="Ben")
        ben.do(relaxed, "nudge", seat=1)
        assert ann.sent | ben.sent == VERBS


def test_the_recorder_notices_a_statement_about_several_games() -> None:
    recorder = Recorder()
    recorder.is_on = True
    for statement, parameters in (
        ("SELECT body FROM events WHERE table_id IN (?, ?)", ("a", "b")),
        ("SELECT count(*) FROM events", ()),
        ("SELECT table_id FROM seat_holders WHERE holder = ? AND table_id != ?", ("ann", "a")),
    ):
        recorder.note(None, None, statement, parameters)
        with pytest.raises(AssertionError):
            recorder.check(["a", "b"])
        recorder.statements.clear()
