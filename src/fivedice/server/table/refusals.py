"""`NotAllowedError`: something a table does not allow now, with a code that clients can translate."""

from fivedice.errors import IllegalError
from fivedice.server.table.commands import Code


class NotAllowedError(IllegalError):
    """Not allowed now. `code` is None where only the sentence tells why; `seconds`: when it will be allowed."""

    def __init__(self, sentence: str, code: Code | None, seconds: float | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.seconds = seconds
