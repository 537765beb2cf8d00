"""`Metrics`: the figures of one server process, as Prometheus reads them."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.process_collector import ProcessCollector

from fivedice.errors import IllegalError

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counters, gauges and histograms in a registry of their own. To count costs about a microsecond."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self.events = Counter(
            "fivedice_events", "Events made durable: actions, seats taken, undone scores …", ["type"], registry=registry
        )
        self.acknowledgement = Histogram(
            "fivedice_acknowledgement_seconds",
            "From a command's arrival to its acknowledgement, which is after it is durable.",
            buckets=_SECONDS,
            registry=registry,
        )
        self.refused = Counter("fivedice_refused", "Commands refused, by reason.", ["reason"], registry=registry)
        self.requests = Counter(
            "fivedice_requests", "HTTP requests answered.", ["method", "path", "status"], registry=registry
        )
        self.request_seconds = Histogram(
            "fivedice_request_seconds",
            "How long an HTTP request took, streams aside.",
            buckets=_SECONDS,
            registry=registry,
        )
        self.sockets = Gauge("fivedice_sockets", "Open sockets.", registry=registry)
        self.streams = Gauge("fivedice_streams", "Open streams of server-sent events.", registry=registry)
        self.tables = Gauge("fivedice_tables", "Tables in memory.", registry=registry)
        self.solving = Gauge("fivedice_solving", "Solutions that are being found or wait for it.", registry=registry)
        self.solves = Counter("fivedice_solves", "Solutions found, or not, by outcome.", ["outcome"], registry=registry)
        self.errors = Counter("fivedice_errors", "Mistakes of the server, by kind.", ["kind"], registry=registry)

    def count_event(self, type: str) -> None:
        """One event more is durable."""
        self.events.labels(type).inc()

    def count_solve(self, is_found: bool) -> None:
        """A search for a solution has ended."""
        self.solves.labels("found" if is_found else "none").inc()

    def serve(self, ports: range) -> Callable[[], None]:
        """Answer Prometheus on the first free one of these ports of the loopback interface, in a thread.

        Gives what ends it; raises `IllegalError` where none can be had.
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
