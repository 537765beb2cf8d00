"""The exact solver: solves a Ruleset on flat arrays with compiled kernels; imports nothing from `game`."""
