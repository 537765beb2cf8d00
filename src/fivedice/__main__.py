"""The `fivedice` command, also as `python -m fivedice`. Ctrl-C ends it quickly from its first import on."""

import sys
from contextlib import nullcontext

from fivedice.cli.interrupts import interruptible


def main() -> None:
    """Run the command line of the process."""
    with nullcontext() if "serve" in sys.argv else interruptible():  # a server says goodbye to its clients first
        from fivedice.cli.app import main

        main()


if __name__ == "__main__":
    main()
