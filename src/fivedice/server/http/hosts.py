"""`Hosts`: the names under which a server answers, so that no page of another site reaches it under a name of its own.

With DNS rebinding, a site lets its own name lead to an address in a visitor's network: to the browser, the server there
is then part of that site. Such a request has the site's name in `Host`. An address in `Host` is no such name.
"""

import ipaddress
import re
import socket
from collections.abc import Sequence

from fivedice.base.errors import MalformedError, shown

_HOST = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[^:\[\]]+)(?::[0-9]{1,5})?")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*")


def check_name(what: str, name: str) -> None:
    """Raise `MalformedError` unless this is the name of a host or a domain."""
    if not _NAME.fullmatch(name) or len(name) > 253:
        raise MalformedError(f"{what} {shown(name)}: want a name without https:// or a port, as in dice.example.org")


class Hosts:
    """These names, `localhost` and all addresses; raises `MalformedError` for what is not a name."""

    def __init__(self, names: Sequence[str]) -> None:
        for name in names:
            check_name("host", name)
        self._names = frozenset({"localhost", *(name.lower() for name in names)})

    def why_refused(self, header: bytes | None) -> str:
        """Why a request with this `Host` is refused; empty if it is not, or has none, as from some programs."""
        if header is None:
            return ""
        text = header.decode("latin-1")
        found = _HOST.fullmatch(text)
        host = found[1].lower().removesuffix(".") if found else ""
        if host in self._names or _is_address(host):
            return ""
        return f"this server does not answer to the host {shown(text)}: the operator can allow it with --allow-host"


def names_of_this_computer() -> tuple[str, ...]:
    """The names under which others in the network reach this computer, as far as it knows them."""
    name = socket.gethostname().partition(".")[0]
    names = (socket.gethostname(), name, f"{name}.local", f"{name}.lan", f"{name}.home")
    return tuple(one for one in dict.fromkeys(names) if _NAME.fullmatch(one))


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return False
    return True


def network(text: str) -> str:
    """An address or a network, as in `10.0.0.7` or `10.0.0.0/8`, as a network; raises `MalformedError`."""
    try:
        return str(ipaddress.ip_network(text))
    except ValueError:
        raise MalformedError(f"proxy {shown(text)}: want an address or a network, as in 10.0.0.0/8") from None
