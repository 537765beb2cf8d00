"""`python -m fivedice` is the `fivedice` command."""

from fivedice.cli import main

if __name__ == "__main__":
    main()
