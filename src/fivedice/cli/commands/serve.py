"""`fivedice serve`: the game in the browser, and its addresses for people: that of phones as a QR code."""

import ipaddress
import os
import shutil
import socket
import sys
from contextlib import ExitStack
from io import StringIO
from pathlib import Path
from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

from fivedice.base.errors import IllegalError, UnavailableError
from fivedice.cli.options import Days, Json, Pace, Several, Whole, within
from fivedice.cli.text.output import fail, prints, show
from fivedice.daily.days import zone_of
from fivedice.views.printed import ServedView

Port: TypeAlias = Annotated[Whole, within(0, 65_535)]


@prints(ServedView)
def serve(
    *,
    host: str = "127.0.0.1",
    port: Port = 8000,
    database_url: str | None = None,
    pace: Pace = 0.6,
    json: Json = False,
    proxy: Several = (),
    allow_host: Several = (),
    relying_party: str = "",
    legal: Path | None = None,
    rate: Annotated[float, within(0, 1_000_000)] = 20.0,
    min_free: Annotated[Whole, within(0, 1_000_000)] = 256,
    time_zone: str = "UTC",
    keep_unfinished: Days = 90,
    keep_finished: Days = 365,
    metrics_port: Port | None = None,
    metrics_host: str = "127.0.0.1",
    log: Literal["text", "json"] | None = None,
    log_level: Literal["debug", "info", "warning", "error"] | None = None,
) -> None:
    """Serve the game to web browsers until you press Ctrl-C. Games are kept in a database.

    Parameters
    ----------
    host
        The address to listen on. The default is for this computer only, as is localhost, which listens on IPv6 too;
        0.0.0.0 means every IPv4 address of this machine, so that phones in the same network can play too, and ::
        every address.
    port
        The port to listen on; 0 means any free port.
    database_url
        sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME. The default is FIVEDICE_DATABASE if it is set,
        otherwise a file in your data folder.
    pace
        Seconds per step of a computer player at tables where no person plays.
    proxy
        A trusted reverse proxy, as an address or a network; its X-Forwarded-For and X-Forwarded-Proto headers
        are used. Can be repeated.
    allow_host
        A name under which browsers reach this server, such as dice.example.org: the name of its proxy, for example.
        Addresses, localhost and the name of this computer are always allowed, all other names are refused. Can be
        repeated.
    relying_party
        The domain that passkeys belong to, such as example.org for a server at dice.example.org; by default the name
        under which the page was opened. After a change, existing passkeys no longer work.
    legal
        A folder with privacy.html, imprint.html or terms.html, which the foot of every page links to.
    rate
        How many requests a second one address may send on average; a costly one counts as up to 60. 0 turns this and
        the ceiling of stored bytes off: for measurements, and for a server that only you can reach.
    min_free
        Megabytes that must be free on the disk of an SQLite file: with less, nothing new is created, but games in
        progress continue. 0 turns it off.
    time_zone
        The time zone in which a day of the daily begins at midnight, such as Europe/Berlin.
    keep_unfinished
        For how many days to keep a game since it was last played, if it is not over; 0 is for ever.
    keep_finished
        The same for a game that is over, and for a browser that does not come back. Accounts and members of clubs keep
        theirs.
    metrics_port
        A port for Prometheus metrics; none by default.
    metrics_host
        The address of the metrics, by default on the loopback interface: everybody who reaches it can read them.
    log
        The format of log lines; by default text on a terminal, otherwise JSON.
    log_level
        The lowest level to log; by default warning on a terminal, otherwise info.
    """
    zone_of(time_zone)  # raises the error
    # Imported here: the base install has no web server or database.
    from fivedice.server.http.hosts import check_name, names_of_this_computer
    from fivedice.server.http.pages import LEGAL
    from fivedice.server.process.listening import address, bind, notify_ready
    from fivedice.server.process.server import serve as serve_at
    from fivedice.server.settings import Retention, Settings
    from fivedice.solver.saved.saved_table import check_cache
    from fivedice.storage.engine.database import default_url, sqlite_file

    if relying_party:
        check_name("--relying-party", relying_party)
    if legal and not any((legal / f"{name}.html").is_file() for name in LEGAL):
        raise IllegalError(f"--legal {legal}: want a folder with privacy.html, imprint.html or terms.html")
    check_cache()
    is_terminal = sys.stderr.isatty()
    lines = log or ("text" if is_terminal else "json"), log_level or ("warning" if is_terminal else "info")
    url = database_url or default_url()
    file = sqlite_file(url)
    settings = Settings(
        url,
        pace,
        rate=rate,
        min_free=min_free * 2**20,
        time_zone=time_zone,
        retention=Retention(keep_unfinished, keep_finished),
        proxies=proxy,
        hosts=(*allow_host, *names_of_this_computer()),
        relying_party=relying_party,
        legal=legal,
        metrics_host=metrics_host,
        metrics_port=metrics_port,
        # Not an option: other users of the machine can read the options of a process.
        log=lines,
    )
    database = str(file.absolute()) if file else "PostgreSQL"
    with ExitStack() as stack:
        listening = [stack.enter_context(one) for one in bind(host, port)]
        where = address(listening)

        def announce() -> None:
            told = f"fivedice is at {local_url(where)} (Ctrl-C stops it)"
            if sys.stdout.isatty():
                told = welcome(where, database, is_public=bool(proxy))
            show(ServedView(local_url(where)), [told], json=json)
            sys.stdout.flush()
            notify_ready()

        try:
            serve_at(settings, listening, announce)
        except UnavailableError as error:
            fail(str(error))
        except KeyboardInterrupt:  # uvicorn has shut down, and raises it again
            return


_PROBES = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that are reserved for documentation. Connecting a UDP socket to one selects a route and sends nothing."""

_WHITE_ON_BLACK, _RESET = "\x1b[97;40m", "\x1b[0m"

_NUM_LINES_OF_TEXT = 8


def local_url(url: str) -> str:
    """The address for this computer: if a server listens on every address, that of the loopback interface."""
    host = urlsplit(url).hostname or ""
    return url.replace(*{"0.0.0.0": (host, "127.0.0.1"), "::": ("[::]", "[::1]")}.get(host, (host, host)))  # noqa: S104


def phone_url(url: str) -> str | None:
    """The address for other devices in the same network; None if there is no network, or they cannot reach it."""
    host = urlsplit(url).hostname or ""
    address = ipaddress.ip_address(host)
    if address.is_loopback:
        return None
    if not address.is_unspecified:
        return url
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    if found := network_address(family):
        return url.replace("0.0.0.0", found) if family == socket.AF_INET else url.replace("[::]", f"[{found}]")  # noqa: S104
    found = network_address(socket.AF_INET)  # a server at :: listens on both families
    return found and url.replace("[::]", found)


def network_address(family: socket.AddressFamily) -> str | None:
    """The address from which this computer would reach others; None without a network."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_PROBES[family], 9))  # only chooses a route
            found: str = probe.getsockname()[0]
        except OSError:
            return None
    address = ipaddress.ip_address(found.partition("%")[0])
    return None if address.is_loopback or address.is_unspecified or address.is_link_local else found


def welcome(url: str, database: str, *, is_public: bool) -> str:
    """What `fivedice serve` prints on a terminal. `is_public` servers have a proxy, whose address is not known."""
    lines = [f"fivedice is running, with games in {database}. Press Ctrl-C to stop it."]
    lines += ["", f"  On this computer  {local_url(url)}"]
    if is_public:
        return "\n".join(lines)
    phone = phone_url(url)
    if phone:
        lines += [f"  On your phone     {phone}", "                    (in the same network)"]
        code = qr_code(phone)
        size = shutil.get_terminal_size()
        if len(code) + _NUM_LINES_OF_TEXT <= size.lines and len(code[0]) + 2 <= size.columns:
            is_plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
            colour, reset = ("", "") if is_plain else (_WHITE_ON_BLACK, _RESET)
            lines += ["", *(f"  {colour}{line}{reset}" for line in code)]
    elif ipaddress.ip_address(urlsplit(url).hostname or "").is_loopback:
        lines.append("  On your phone     restart it with --host 0.0.0.0 to play in the same network")
    return "\n".join(lines)


def qr_code(text: str) -> list[str]:
    """A QR code as lines of half blocks, light on dark."""
    import segno  # of the extra `serve`

    drawn = StringIO()
    segno.make_qr(text, error="L").terminal(drawn, border=2, compact=True)
    return drawn.getvalue().splitlines()
