"""The numbers of PostgreSQL's advisory locks that the processes on one database share."""

MIGRATING = 0x66_69_76_65
"""Held while one of several starting processes migrates the schema ("five")."""

SERVING = 0x66_69_76_66
"""Shared by every serving process, so that a restore cannot replace what they serve."""

COUNTING = 0x64_69_63_65
"""Held by the process that adds to the counts of dice ("dice")."""

PRUNING = 0x70_72_75_6E
"""Held by the process that deletes old tables ("prun")."""
