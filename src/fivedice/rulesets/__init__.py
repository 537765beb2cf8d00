"""The shipped rulesets, a TOML file each, and what reads such a file."""

from fivedice.rulesets.file import RuleFile, load_ruleset, parse_ruleset, ruleset_ids, split_ref

__all__ = ["RuleFile", "load_ruleset", "parse_ruleset", "ruleset_ids", "split_ref"]
