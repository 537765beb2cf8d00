"""Listening sockets: of one address, or of both families for `::` and `localhost`."""

import errno
import os
import socket
from collections.abc import Sequence

from fivedice.base.errors import IllegalError

LISTEN_BACKLOG = 2_048
"""Connections that wait to be accepted."""


# Two sockets rather than one of both families: there, an IPv4 client would have an IPv6 address, which is in no network
# of a trusted proxy.
_PAIRS = {"::": ("::", "0.0.0.0"), "localhost": ("127.0.0.1", "::1")}  # noqa: S104

_ABSENT = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)
"""The errors of an address that this machine does not have, such as those of IPv6."""

_ATTEMPTS = 10
"""Attempts at finding a port that is free in both families."""


def bind(host: str, port: int) -> list[socket.socket]:
    """The listening sockets of a host; port 0 is any free one, the same for both families.

    Raises `IllegalError` if an address cannot be bound, but not for the second family if the machine does not have it.
    """
    first, *others = _PAIRS.get(host, (host,))
    for attempt in range(1, _ATTEMPTS + 1):
        sockets = [_bind(first, port)]
        try:
            for other in others:
                sockets += _bind_if_present(other, sockets[0].getsockname()[1])
        except IllegalError:
            sockets[0].close()
            if port or attempt == _ATTEMPTS:
                raise
        else:
            return sockets
    raise AssertionError("the last attempt raises")


def notify_ready() -> None:
    """Tell a service manager that waits for it that this server is ready, by the protocol of `sd_notify(3)`."""
    if path := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"READY=1", "\0" + path[1:] if path.startswith("@") else path)


def address(listening: Sequence[socket.socket]) -> str:
    """The URL of the first of some listening sockets."""
    host, port = listening[0].getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _bind_if_present(host: str, port: int) -> list[socket.socket]:
    try:
        return [_bind(host, port)]
    except IllegalError as error:
        if isinstance(error.__cause__, OSError) and error.__cause__.errno in _ABSENT:
            return []
        raise


def _bind(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=LISTEN_BACKLOG)
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0]
        raise IllegalError(f"cannot listen at {host}, port {port}: {reason}") from error
    # Connections inherit this option. asyncio does not set it on an inherited socket; without it the body of a response
    # waits up to 40 ms for the client to acknowledge the head.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening
