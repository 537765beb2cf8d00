"""What solving needs to know of a ruleset, as arrays: its cards, rolls, keeps and offers."""
