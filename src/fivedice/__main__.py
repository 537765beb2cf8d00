"""`python -m fivedice` is the `fivedice` command."""

from fivedice.cli.app import main

if __name__ == "__main__":
    main()
