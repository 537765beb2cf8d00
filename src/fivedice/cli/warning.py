"""`warn_on_stderr`, for commands that do not load the solver as well."""

import sys


def warn_on_stderr(sentence: str) -> None:
    """Print a warning to standard error."""
    print(f"fivedice: {sentence}", file=sys.stderr)
