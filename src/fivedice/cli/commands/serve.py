"""`fivedice serve`: the game in the browser."""

import sys
from typing import TYPE_CHECKING, Literal

from fivedice.cli.text.output import Flag, Several, Whole, fail, print_json
from fivedice.errors import IllegalError

if TYPE_CHECKING:
    from fivedice.server.config.settings import RateLimits

MAX_WORKERS = 64
"""Processes at one address."""


def serve(
    *,
    host: str = "127.0.0.1",
    port: Whole = 8000,
    database_url: str | None = None,
    workers: Whole = 1,
    pace: float = 0.6,
    json: Flag = False,
    proxy: Several = (),
    limit: Several = (),
    no_limits: Flag = False,
    metrics_port: Whole | None = None,
    log: Literal["text", "json"] | None = None,
    log_level: Literal["debug", "info", "warning", "error"] | None = None,
) -> None:
    """Serve the game to browsers, until Ctrl-C. What is played is kept in a database.

    Parameters
    ----------
    host
        The address to listen at; 0.0.0.0 is every address of this machine.
    port
        The port to listen at; 0 is any free one.
    database_url
        sqlite:///PATH, or postgresql://USER:PASSWORD@HOST/NAME; by default FIVEDICE_DATABASE if that is set,
        else a file in your data folder.
    workers
        Processes that serve; more than one share a PostgreSQL database.
    pace
        Seconds that a computer player takes for each step.
    json
        Print the address as JSON.
    proxy
        A reverse proxy before the server, as an address or a network: its X-Forwarded-For and X-Forwarded-Proto are
        believed. Give it again for another.
    limit
        A limit other than the usual, as in requests=600/minute or connections=50. Give it again for another.
    no_limits
        Set no limits at all: for measuring, and for a server that only you can reach.
    metrics_port
        The port of the loopback interface at which Prometheus is answered; none by default. Each worker
        takes the first free port from there on.
    log
        How log lines are written; by default text at a terminal, else JSON.
    log_level
        The least that is logged; by default warning at a terminal, else info.
    """
    if not 0 <= port <= 65_535:
        raise IllegalError(f"--port {port}: want 0 to 65535")
    if metrics_port is not None and not 0 <= metrics_port <= 65_535:
        raise IllegalError(f"--metrics-port {metrics_port}: want 0 to 65535")
    if not 0 <= pace <= 60:
        raise IllegalError(f"--pace {pace}: want 0 to 60 seconds")
    if not 1 <= workers <= MAX_WORKERS:
        raise IllegalError(f"--workers {workers}: want 1 to {MAX_WORKERS}")
    # Imported here: the other commands do without a web server and a database.
    from fivedice.server.config.settings import Settings
    from fivedice.server.process.server import address, bind
    from fivedice.server.process.server import serve as serve_at
    from fivedice.server.process.supervisor import Supervisor
    from fivedice.storage.engine.database import UnavailableError, default_url, is_shared

    limits = _limits(limit, no_limits)
    is_terminal = sys.stderr.isatty()
    lines = log or ("text" if is_terminal else "json"), log_level or ("warning" if is_terminal else "info")
    url = database_url or default_url()
    if workers > 1 and not is_shared(url):
        raise IllegalError(f"--workers {workers}: one process serves a SQLite file; want --database-url postgresql://…")
    ports = range(0) if metrics_port is None else range(metrics_port, metrics_port + workers)
    settings = Settings(url, pace, limits=limits, proxies=proxy, metrics_ports=ports, log=lines)
    with bind(host, port) as listening:
        where = address(listening)

        def tell() -> None:
            if json:
                print_json({"url": where})
            else:
                print(f"fivedice is at {where} (Ctrl-C stops it)")
            sys.stdout.flush()

        try:
            if workers == 1:
                serve_at(settings, listening, tell)
            else:
                Supervisor(workers, settings, listening, tell).run()
        except UnavailableError as error:
            fail(str(error))
        except KeyboardInterrupt:  # uvicorn stopped by it, and passes it on
            return


def _limits(given: tuple[str, ...], no_limits: bool) -> "RateLimits | None":
    from fivedice.server.config.settings import parse_rate_limits

    if no_limits and given:
        raise IllegalError("--no-limits and --limit: want one of them")
    return None if no_limits else parse_rate_limits(given)
