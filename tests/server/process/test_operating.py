"""Operation of a server: listening, health, readiness, metrics, log lines, and the shutdown with its deadline."""

import errno
import json
import logging
import os
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from queue import SimpleQueue

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from fivedice.base.errors import IllegalError, MalformedError, UnavailableError
from fivedice.server.ops import log
from fivedice.server.ops.background import Repeated
from fivedice.server.ops.heartbeat import READY_CACHE_SECONDS
from fivedice.server.ops.log import flush_log
from fivedice.server.ops.metrics import Metrics
from fivedice.server.process import server as serving_process
from fivedice.server.process.listening import address, bind, notify_ready
from fivedice.server.process.server import LATE, ShutdownDeadline
from tests import clients
from tests.repository import ROOT
from tests.server.log_lines import LogLines, log_lines
from tests.server.serving import TWO, Browser, Clock, Serving, new_id, serving
from tests.waiting import TIMEOUT_SECONDS, wait_for


def ready(server: Serving, clock: Clock) -> str:
    """The reason why a server is not ready, by a new check; empty if it is."""
    clock.now += READY_CACHE_SECONDS
    answer = clients.get(f"{server.url}/ready")
    assert answer.status_code == (200 if answer.json()["ready"] else 503)
    return str(answer.json()["reason"])


def test_a_server_that_cannot_write_is_not_ready_until_it_can(tmp_path: Path) -> None:
    clock = Clock()
    with serving(tmp_path, clock=clock) as server, closing(Browser(server.url)) as ann:

        def make_read_only(value: int) -> None:
            with closing(server.services.database._writing.raw_connection()) as connection:
                connection.driver_connection.execute(f"PRAGMA query_only = {value}")  # type: ignore[union-attr]

        ann.create()
        assert ready(server, clock) == ""
        make_read_only(1)
        assert ann.http.post("/api/tables", json={"seats": TWO}).status_code == 503
        assert clients.get(f"{server.url}/ready").status_code == 200, "the result is cached for a second"
        health = clients.get(f"{server.url}/health")
        assert (health.status_code, health.text, health.headers["cache-control"]) == (200, "ok\n", "no-store")
        for _ in range(3):
            assert "attempt to write a readonly database" in ready(server, clock)
        make_read_only(0)
        assert ready(server, clock) == ""
        ann.create()


def test_a_stopping_server_accepts_nothing_and_answers_commands_in_progress(tmp_path: Path) -> None:
    server = Serving(tmp_path)
    ann = server.visit()
    table, other = ann.create(), ann.create()
    writing, go_on = threading.Event(), threading.Event()

    def block(_: object) -> None:
        writing.set()
        assert go_on.wait(TIMEOUT_SECONDS)

    blocked = server.services.database.write(block)
    assert writing.wait(TIMEOUT_SECONDS)
    with ann.socket(table) as socket, ann.socket(other) as late:
        late.until(1)
        socket.until(1)
        id = new_id()
        command = {"type": "roll", "id": id, "version": 1, "seat": 0, "kept": []}
        socket.connection.send(json.dumps(command))
        while not server.services.command_handler._under_way:
            pass
        stopping = threading.Thread(target=server.stop)
        stopping.start()
        # A connection without a command in progress is told at once, and what it sends now is not answered.
        assert late.receive() == {"type": "farewell"}
        assert late.closing() == (1012, "the server is stopping; connect again")
        with pytest.raises(httpx.ConnectError):
            clients.get(f"{server.url}/ready")
        # A request that was on its way is answered, and is the last one of its connection.
        answer = ann.http.get(f"/api/tables/{table}")
        assert (answer.status_code, answer.headers["connection"]) == (200, "close")
        go_on.set()
        blocked.result(TIMEOUT_SECONDS)
        heard = [socket.receive() for _ in range(3)]
        assert {"type": "answer", "answer": {"type": "accepted", "id": id, "version": 2}} in heard
        assert heard[-1] == {"type": "farewell"}
        stopping.join(TIMEOUT_SECONDS)


def test_metrics_count_events(tmp_path: Path) -> None:
    with serving(tmp_path) as server, closing(Browser(server.url)) as ann:
        table = ann.create()
        with ann.socket(table) as socket:
            assert socket.send("roll", seat=0, kept=[])["type"] == "accepted"
            assert socket.send("roll", seat=1, kept=[])["reason"] == "illegal"
            assert server.metric("sockets") == 1
        assert server.metric("events_total", type="rolled") == 1
        assert server.metric("acknowledgement_seconds_count") == 1
        assert server.metric("refused_total", reason="illegal") == 1
        assert server.metric("tables") == 1
        for number in range(3):
            ann.http.get(f"/api/tables/none{number}")
        # A request is counted after its response has been sent.
        created = {"method": "POST", "path": "/api/tables", "status": "201"}
        unknown = {"method": "GET", "path": "/api/tables/{table}", "status": "404"}
        wait_for(lambda: server.metric("requests_total", **created), "the creation is counted")
        wait_for(lambda: server.metric("requests_total", **unknown) == 3, "the requests are counted by route")


def test_metrics_have_their_own_port_and_raise_the_alarms(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with bound("127.0.0.1", 0) as [free]:
        port = free.getsockname()[1]
    with serving(tmp_path, metrics_port=port) as server:
        text = clients.get(f"http://127.0.0.1:{port}/metrics").text
        names = {family.name for family in text_string_to_metric_families(text)}
        assert {"fivedice_events", "fivedice_acknowledgement_seconds", "process_resident_memory_bytes"} <= names
        public = clients.get(f"{server.url}/metrics")
        assert "fivedice_events" not in public.text
        found = {family.name: family for family in text_string_to_metric_families(text)}
        assert found["fivedice_ready"].samples[0].value == 1
        assert found["fivedice_free_bytes"].samples[0].value > 0
        assert 0 <= found["fivedice_deletion_age_seconds"].samples[0].value < 3_600
        Metrics().serve("127.0.0.1", port)()
    assert f"there are no metrics: cannot listen at 127.0.0.1, port {port}: Address already in use" in caplog.text
    with pytest.raises(httpx.ConnectError):
        clients.get(f"http://127.0.0.1:{port}/metrics")
    rules = (ROOT / "contrib" / "prometheus-rules.yml").read_text()
    known = {f"{one.name}{end}" for one in Metrics().registry.collect() for end in ("", "_total", "_bucket")}
    assert set(re.findall(r"fivedice_\w+", rules)) <= known


def test_log_lines_name_the_table_and_the_request(tmp_path: Path, lines: LogLines) -> None:
    with serving(tmp_path) as server:
        ann = server.visit()
        table = ann.create()
        answer = ann.http.get(f"/api/tables/{table}?rules=true")
        ann.send(table, "roll", id="12345678", seat=1, kept=[])
        with ann.socket(table) as socket:
            socket.receive()
        assert [ann.http.get(path).status_code for path in ("/health", "/ready")] == [200, 200]
    logged = [json.loads(line) for line in lines.getvalue().splitlines()]
    [request] = [line for line in logged if line.get("request") == answer.headers["x-request-id"]]
    expected = {"event": "request", "method": "GET", "path": "/api/tables/{table}", "status": 200, "table": table}
    assert expected.items() <= request.items()
    assert request["at"].endswith("Z")
    [of_socket] = [line for line in logged if line["event"] == "socket"]
    assert of_socket["table"] == table
    [refused] = [line for line in logged if line["event"] == "refused"]
    assert (refused["command"], refused["reason"], refused["table"]) == ("12345678", "illegal", table)
    assert refused["request"] in {line["request"] for line in logged if line["event"] == "request"}
    assert [line["event"] for line in logged if "request" not in line] == ["started", "stopping", "stopped"]
    started = logged[0]
    assert started["database"].endswith(f"sqlite:///{tmp_path / 'fivedice.db'}")
    assert started["process"] == os.getpid()
    assert not [line for line in logged if line.get("path") in ("/health", "/ready")], "probes are left out"


def test_the_text_format_has_no_json_or_colours_and_levels_are_checked(tmp_path: Path) -> None:
    with log_lines("text") as lines, serving(tmp_path):
        pass
    assert "started" in lines.getvalue()
    assert "{" not in lines.getvalue()
    assert "\x1b" not in lines.getvalue(), "no colours without a terminal"
    with pytest.raises(MalformedError, match="want one of debug, info, warning, error"):
        log.start_log("json", "loud")


def test_connections_have_tcp_nodelay() -> None:
    with bound("127.0.0.1", 0) as [listening], socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_stuck_reader_of_the_log_delays_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    read, writing, ended = threading.Event(), threading.Event(), SimpleQueue[int]()

    def write(_: str) -> None:
        writing.set()
        assert read.wait(TIMEOUT_SECONDS)

    monkeypatch.setattr(serving_process, "STOP_SECONDS", 0.0)
    monkeypatch.setattr(log, "STOP_LOG_SECONDS", 0.05)
    with log_lines(write=write):
        ShutdownDeadline(ended.put).start()
        assert ended.get(timeout=TIMEOUT_SECONDS) == LATE
        assert writing.is_set()
        read.set()


_log = logging.getLogger("fivedice.test")


def test_lines_without_room_are_counted_and_reported_when_the_reader_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MAX_QUEUED_LINES", 10)
    lines, goes_on = list[str](), threading.Event()

    def write(line: str) -> None:
        assert goes_on.wait(TIMEOUT_SECONDS)
        lines.append(line)

    with log_lines(write=write):
        for number in range(30):
            _log.warning("line %d", number)
        goes_on.set()
        last = wait_for(lambda: lines and "are lost" in lines[-1] and lines[-1], "the report")
        assert 19 <= json.loads(str(last))["lines"] <= 20, "one may be with the reader already"


def test_a_reader_that_is_gone_loses_lines_and_raises_nothing() -> None:
    def fail(_: str) -> None:
        raise BrokenPipeError

    with log_lines(write=fail):
        _log.warning("somebody there?")
        flush_log()


class Rows(Repeated):
    """Works on three rows, of which the second has its own ideas."""

    pause = 0.0
    failure = "nothing is done"

    def __init__(self) -> None:
        self.done: list[int] = []
        self.error: Exception | None = ValueError("a bad row")

    async def work(self) -> None:
        for row in range(3):
            with self.fenced(f"row {row} is left out"):
                if row == 1 and self.error:
                    raise self.error
                self.done.append(row)


async def test_one_bad_row_is_logged_once_and_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    rows = Rows()
    for _ in range(3):
        await rows.work()
    assert rows.done == [0, 2] * 3
    assert [record.getMessage() for record in caplog.records] == ["row 1 is left out"]
    rows.error = UnavailableError("locked")
    await rows.work()
    assert [record.levelno for record in caplog.records] == [logging.ERROR, logging.WARNING]
    rows.error = None
    await rows.work()
    rows.error = ValueError("bad again")
    await rows.work()
    assert len(caplog.records) == 3, "it had worked meanwhile"


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@contextmanager
def bound(host: str, port: int) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        yield [stack.enter_context(one) for one in bind(host, port)]


needs_ipv6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")


@needs_ipv6
@pytest.mark.parametrize("host", ["::", "localhost"])
def test_both_families_are_served_at_one_port(host: str) -> None:
    with bound(host, 0) as sockets:
        [port] = {one.getsockname()[1] for one in sockets}
        for local in ("127.0.0.1", "::1"):
            with socket.create_connection((local, port)) as connection:
                assert connection.getpeername()[0] == local
        assert address(sockets) == (f"http://[::]:{port}/" if host == "::" else f"http://127.0.0.1:{port}/")
    with bound("127.0.0.1", port):
        pass  # the sockets are closed


@needs_ipv6
def test_a_port_that_is_in_use_in_one_family_is_refused() -> None:
    with bound("::1", 0) as [used]:
        port = used.getsockname()[1]
        with pytest.raises(IllegalError, match=f"cannot listen at ::1, port {port}: Address already in use"):
            bind("localhost", port)
    with bound("127.0.0.1", port):
        pass  # nothing is left open


def test_localhost_needs_no_second_family(monkeypatch: pytest.MonkeyPatch) -> None:
    create_server = socket.create_server

    def without_ipv6(place: tuple[str, int], **options: int) -> socket.socket:
        if ":" in place[0]:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        return create_server(place, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "create_server", without_ipv6)
    with bound("localhost", 0) as sockets:
        assert [one.getsockname()[0] for one in sockets] == ["127.0.0.1"]
    with pytest.raises(IllegalError, match="cannot listen at ::, port 0: Address family not supported"):
        bind("::", 0)


def test_a_service_manager_is_told_that_the_server_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        notify_ready()  # none waits
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        notify_ready()
        manager.setblocking(False)
        assert manager.recv(100) == b"READY=1"
        with pytest.raises(BlockingIOError):
            manager.recv(100)
