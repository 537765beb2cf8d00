"""`fivedice serve`: the game in the browser."""

import sys

from fivedice.cli.output import Flag, fail, print_json
from fivedice.errors import IllegalError

MAX_WORKERS = 64
"""Processes at one address."""


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    database_url: str | None = None,
    workers: int = 1,
    pace: float = 0.6,
    json: Flag = False,
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
    """
    if not 0 <= port <= 65_535:
        raise IllegalError(f"--port {port}: want 0 to 65535")
    if not 0 <= pace <= 60:
        raise IllegalError(f"--pace {pace}: want 0 to 60 seconds")
    if not 1 <= workers <= MAX_WORKERS:
        raise IllegalError(f"--workers {workers}: want 1 to {MAX_WORKERS}")
    # Imported here: the other commands do without a web server and a database.
    from fivedice.server.run import address, bind
    from fivedice.server.run import serve as serve_at
    from fivedice.server.settings import Settings
    from fivedice.server.workers import Workers
    from fivedice.storage.database import UnavailableError, default_url, is_shared

    url = database_url or default_url()
    if workers > 1 and not is_shared(url):
        raise IllegalError(f"--workers {workers}: one process serves a SQLite file; want --database-url postgresql://…")
    settings = Settings(url, pace)
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
                Workers(workers, settings, listening, tell).run()
        except UnavailableError as error:
            fail(str(error))
        except KeyboardInterrupt:  # uvicorn stopped by it, and passes it on
            return
