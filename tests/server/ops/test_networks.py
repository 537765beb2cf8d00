"""How many networks use up what everybody together may do, and what junk counts for."""

import ipaddress
import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from fivedice.server.config.settings import RateLimits
from fivedice.server.ops.rate_limits import RateLimiter, TooFastError, Use, address_of, customer
from tests.repository import ROOT
from tests.server.serving import TINY, TWO, serving

CEILINGS = {"all_tables": "tables", "all_imports": "imports", "all_rules": "uploads", "all_bytes": "bytes"}
"""Each ceiling, and the rate of one address for the same."""

KINDS: dict[str, Callable[[int], Iterator[str]]] = {
    "IPv4 addresses": lambda number: iter([str(ipaddress.ip_address("192.0.2.0") + number)]),
    "/56 networks": lambda number: _inside(ipaddress.IPv6Network((0x20010DB8 << 96 | number << 80, 56))),
    "/48 networks": lambda number: _inside(ipaddress.IPv6Network((0x20010DB8 << 96 | number << 80, 48))),
}
"""The keys of all addresses that a customer has: of an IPv4 address, or of a network as a whole."""


def _inside(network: ipaddress.IPv6Network) -> Iterator[str]:
    """/64 networks that are as far apart as possible."""
    return (str(one) for part in network.subnets(new_prefix=min(60, network.prefixlen + 8)) for one in [_first(part)])


def _first(network: ipaddress.IPv6Network) -> ipaddress.IPv6Network:
    return next(network.subnets(new_prefix=64))


def needed(ceiling: str, rate: str, kind: str) -> int:
    """How many customers of a kind it takes until a stranger is refused."""
    limiter = RateLimiter(RateLimits(), lambda: 0.0)
    amount = 1_000_000 if rate == "bytes" else 1
    for number in count(1):
        was_needed = False
        for key in KINDS[kind](number):
            for _ in count():
                try:
                    limiter.require_all(Use(rate, key, amount), Use(ceiling, "", amount))
                    was_needed = True
                except TooFastError as error:
                    if "on this server" in str(error):
                        return number if was_needed else number - 1
                    break
    raise AssertionError


@pytest.mark.parametrize(("ceiling", "rate"), CEILINGS.items())
def test_the_documentation_says_how_many_networks_use_up_a_ceiling(ceiling: str, rate: str) -> None:
    text = (ROOT / "docs" / "operating.md").read_text()
    [row] = re.findall(rf"\| `{ceiling}` \| (\d+) \| (\d+) \| (\d+) \|", text)
    assert [needed(ceiling, rate, kind) for kind in KINDS] == [int(number) for number in row]


def test_work_is_shared_by_the_network_of_a_customer() -> None:
    keys = {customer(address_of({"client": (address, 1)})) for address in ("2001:db8:1:1::1", "2001:db8:1:ff:2::1")}
    assert keys == {"2001:db8:1::/56"}
    assert customer(address_of({"client": ("192.0.2.1", 1)})) == "192.0.2.1"


def test_connections_of_a_network_are_counted_together() -> None:
    limiter = RateLimiter(RateLimits(connections=1))
    with limiter.connection("2001:db8:1:1::/64") as first, limiter.connection("2001:db8:1:2::/64") as second:
        with limiter.connection("2001:db8:1:3::/64") as third:
            assert (first, second, third) == (False, False, True)
        with limiter.connection("2001:db8:1:103::/64") as elsewhere:
            assert not elsewhere


def test_junk_counts_for_its_address_and_not_for_everybody(tmp_path: Path) -> None:
    with serving(tmp_path, limits=RateLimits(all_rules="2/minute", junk="3/minute")) as server:
        ann = server.visit()
        statuses = [ann.http.post("/api/rulesets/check", json={"toml": "id = 3"}).status_code for _ in range(4)]
        assert statuses == [400, 400, 400, 429]
        refused = ann.http.post("/api/tables", json={"seats": TWO, "toml": TINY})
        assert (refused.status_code, "could not be read" in refused.json()["error"]) == (429, True)
        ann.create()
