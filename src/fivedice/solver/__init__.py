"""The exact solver: compiled tables of one Ruleset; arrays only, and no import from `game`."""
