"""The shipped rulesets, one TOML file each, and their reader."""

from fivedice.rulesets.file import (
    RuleFile,
    as_ruleset,
    is_file_name,
    load_ruleset,
    parse_ruleset,
    ruleset_ids,
    split_ref,
)

__all__ = ["RuleFile", "as_ruleset", "is_file_name", "load_ruleset", "parse_ruleset", "ruleset_ids", "split_ref"]
