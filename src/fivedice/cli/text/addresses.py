"""The addresses of a server for people: this computer's, and that of phones in the same network with a QR code."""

import ipaddress
import os
import shutil
import socket
from urllib.parse import urlsplit

_PROBES = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that are reserved for documentation. Connecting a UDP socket to one selects a route and sends nothing."""

_BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
"""Two modules of a QR code, one above the other, as one character."""

_BLACK_ON_WHITE, _RESET = "\x1b[30;107m", "\x1b[0m"
_BORDER = 2
"""Light modules around a QR code."""

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


def welcome(url: str, *, is_public: bool) -> str:
    """What `fivedice serve` prints on a terminal. `is_public` servers have a proxy, whose address is not known."""
    lines = ["fivedice is running. Press Ctrl-C to stop it.", "", f"  On this computer  {local_url(url)}"]
    if is_public:
        return "\n".join(lines)
    phone = phone_url(url)
    if phone:
        lines += [f"  On your phone     {phone}", "                    (in the same network)"]
        code = qr_code(phone)
        size = shutil.get_terminal_size()
        if len(code) + _NUM_LINES_OF_TEXT <= size.lines and len(code[0]) + 2 <= size.columns:
            is_plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
            colour, reset = ("", "") if is_plain else (_BLACK_ON_WHITE, _RESET)
            lines += ["", *(f"  {colour}{line}{reset}" for line in code)]
    elif ipaddress.ip_address(urlsplit(url).hostname or "").is_loopback:
        lines.append("  On your phone     restart it with --host 0.0.0.0 to play in the same network")
    return "\n".join(lines)


def qr_code(text: str) -> list[str]:
    """A QR code as lines of half blocks, dark on light."""
    import segno  # of the extra `serve`

    rows = [[bool(module) for module in row] for row in segno.make_qr(text, error="L").matrix_iter(border=_BORDER)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    return [
        "".join(_BLOCKS[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]
