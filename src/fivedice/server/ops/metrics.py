"""`Metrics`: the Prometheus metrics of one server process."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.process_collector import ProcessCollector

from fivedice.base.errors import IllegalError

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counters, gauges and histograms in their own registry. An update takes about a microsecond."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self.events = Counter("fivedice_events", "Durable events, by type.", ["type"], registry=registry)
        self._event_counters: dict[str, Counter] = {}
        """The counters of types that have occurred: looking one up by its labels takes longer than counting."""
        self.acknowledgement = Histogram(
            "fivedice_acknowledgement_seconds",
            "Time from the arrival of a command to its acknowledgement, which follows its commit.",
            buckets=_SECONDS,
            registry=registry,
        )
        self.refused = Counter("fivedice_refused", "Refused commands, by reason.", ["reason"], registry=registry)
        self.requests = Counter(
            "fivedice_requests", "Answered HTTP requests.", ["method", "path", "status"], registry=registry
        )
        self.request_seconds = Histogram(
            "fivedice_request_seconds",
            "Duration of HTTP requests other than streams.",
            buckets=_SECONDS,
            registry=registry,
        )
        self.sockets = Gauge("fivedice_sockets", "Open WebSockets.", registry=registry)
        self.streams = Gauge("fivedice_streams", "Open streams of server-sent events.", registry=registry)
        self.tables = Gauge("fivedice_tables", "Tables in memory.", registry=registry)
        self.received = Counter(
            "fivedice_received", "Lines that other processes on the database sent to this one.", registry=registry
        )
        self.sent = Counter(
            "fivedice_announced", "Lines that this process sent to others on the database.", registry=registry
        )
        self.solving = Gauge(
            "fivedice_solving",
            "Searches for solutions in the queue or in progress.",
            registry=registry,
        )
        self.solves = Counter("fivedice_solves", "Finished searches for solutions.", ["outcome"], registry=registry)
        self.pool_calls = Gauge(
            "fivedice_pool_calls", "Pieces of work that the worker process does or will do.", registry=registry
        )
        self.pool_losses = Counter(
            "fivedice_pool_losses", "Worker processes that died or were stuck, and were replaced.", registry=registry
        )
        self.unlogged = Counter(
            "fivedice_unlogged",
            "Lines about requests that were not written to the log, because their address had too many.",
            registry=registry,
        )
        self.lost_lines = Gauge(
            "fivedice_lost_lines",
            "Lines of the log that were lost, because its reader was too slow.",
            registry=registry,
        )
        self.repeated_writes = Gauge(
            "fivedice_repeated_writes",
            "Transactions that were repeated, because another process was in their way.",
            registry=registry,
        )
        self.daily_answers = Counter(
            "fivedice_daily_answers",
            "Stored answers to questions of the daily, by kind, rung on the ladder and outcome.",
            ["kind", "rung", "outcome"],
            registry=registry,
        )
        self.errors = Counter("fivedice_errors", "Server errors, by kind.", ["kind"], registry=registry)

    def count_event(self, type: str) -> None:
        """Count a durable event."""
        counter = self._event_counters.get(type)
        if counter is None:
            counter = self._event_counters[type] = self.events.labels(type)
        counter.inc()

    def count_daily(self, kind: str, rung: int | None, *, is_best: bool) -> None:
        """Count an answer to a question of a ten, a storm or a streak; a ten has no rungs."""
        self.daily_answers.labels(kind, "" if rung is None else str(rung), "best" if is_best else "wrong").inc()

    def count_solve(self, is_found: bool) -> None:
        """Count a finished search for a solution."""
        self.solves.labels("found" if is_found else "none").inc()

    def serve(self, ports: range) -> Callable[[], None]:
        """Serve the metrics on the first free one of these loopback ports, in a thread.

        Returns a function that stops it; raises `IllegalError` if no port is free.
        """
        for port in ports:
            try:
                server, thread = start_http_server(port, "127.0.0.1", self.registry)
                break
            except OSError as error:
                reason = error.strerror
        else:
            raise IllegalError(f"cannot listen for metrics at port {ports[0]}: {reason}")

        def stop() -> None:
            server.shutdown()
            server.server_close()
            thread.join()

        return stop
