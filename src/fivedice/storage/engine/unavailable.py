"""`UnavailableError`: a database that cannot be used now."""


class UnavailableError(Exception):
    """The database cannot be used now, and nothing was changed; the message gives the reason. A retry may succeed."""


class EventsMissingError(UnavailableError):
    """A database file has fewer events than its server has acknowledged; the message is for the operator."""

    def __init__(self, num: int, name: str) -> None:
        self.num = num
        super().__init__(
            f"{name} lacks {num:,} event{'s'[: num != 1]} that its server acknowledged: put back the file, or the "
            f"{name}-wal, that was removed or replaced; to continue without the events, delete {name}-mark"
        )
