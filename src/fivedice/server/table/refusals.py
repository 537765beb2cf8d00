"""`BarredError`: what a table does not allow for one of the usual reasons, which a client may put in its own words."""

from fivedice.errors import IllegalError
from fivedice.server.table.commands import Code


class BarredError(IllegalError):
    """Not allowed now. `code` is None where only the sentence tells why; `seconds`: when it will be allowed."""

    def __init__(self, sentence: str, code: Code | None, seconds: float | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.seconds = seconds
