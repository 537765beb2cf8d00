"""One file for each subcommand of `fivedice`."""
