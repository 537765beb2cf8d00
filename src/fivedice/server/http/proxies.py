"""The proxies that a server believes: only they say where a request comes from, and whether it came over HTTPS."""

import ipaddress
from collections.abc import Sequence

from fivedice.errors import MalformedError, shown


class Proxies:
    """Addresses and networks, as in `10.0.0.7` or `10.0.0.0/8`; raises `MalformedError` for what is neither."""

    def __init__(self, stated: Sequence[str]) -> None:
        self._networks = [_network(text) for text in stated]
        self.stated = [str(network) for network in self._networks]

    def __contains__(self, host: str) -> bool:
        """Whether a connection's other end is one of them."""
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise MalformedError(f"proxy {shown(text)}: want an address or a network, as in 10.0.0.0/8") from None
