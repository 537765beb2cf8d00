"""`SeatAddresses`: from which addresses the seats of tables were played lately, in the memory of this process.

A player with two browsers, of which one holds no seat, has one address.
"""

from cachetools import LRUCache, TTLCache

from fivedice.server.config.limits import MAX_RATE_COUNTERS, MAX_WITHHELD_TABLES, SEAT_ADDRESS_SECONDS


class SeatAddresses:
    """The tables of addresses, the most recent ones."""

    def __init__(self) -> None:
        self._tables: TTLCache[str, LRUCache[str, None]] = TTLCache(MAX_RATE_COUNTERS, SEAT_ADDRESS_SECONDS)

    def note(self, address: str, table: str) -> None:
        """Note that a seat of a table is played from an address."""
        tables = self._tables.pop(address, None)
        if tables is None:
            tables = LRUCache(MAX_WITHHELD_TABLES)
        tables[table] = None
        self._tables[address] = tables  # sets its expiry anew

    def tables(self, address: str) -> list[str]:
        """The tables with a seat that was played from an address."""
        return list(self._tables.get(address, ()))
