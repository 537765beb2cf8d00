"""`Proxies`: the reverse proxies that are trusted to report the address and scheme of a client."""

import ipaddress
from collections.abc import Sequence

from fivedice.errors import MalformedError, shown


class Proxies:
    """A set of addresses and networks, as in `10.0.0.7` or `10.0.0.0/8`; raises `MalformedError`."""

    def __init__(self, given: Sequence[str]) -> None:
        self._networks = [_network(text) for text in given]
        self.networks = [str(network) for network in self._networks]

    def __contains__(self, host: str) -> bool:
        """Whether an address is that of a trusted proxy."""
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
