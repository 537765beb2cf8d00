"""`fivedice solve --list` and `--clear`: the solutions that are kept on this computer."""

from datetime import UTC, datetime

from fivedice.cli.text.output import print_json
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.solver.saved.kept_tables import Kept, kept_tables, limit_bytes, solutions_folder


def print_kept(rules: str | None, *, json: bool) -> None:
    """Print what is kept of a ruleset, or of all, last used first."""
    kept, names = _kept(rules), _names()
    if json:
        print_json(
            [
                {"ruleset": names.get(one.digest), "digest": one.digest, "bytes": one.num_bytes, "used": _time(one)}
                for one in kept
            ]
        )
        return
    for one in kept:
        print(f"{names.get(one.digest, one.digest):<24}{_megabytes(one.num_bytes):>12}   last used {_time(one)[:10]}")
    total = _megabytes(sum(one.num_bytes for one in kept))
    print(f"In total {total} of {_megabytes(limit_bytes())}, in {solutions_folder()}")


def clear_kept(rules: str | None, *, json: bool) -> None:
    """Delete what is kept of a ruleset, or of all, and print how much that was."""
    kept = _kept(rules)
    for one in kept:
        one.delete()
    freed = sum(one.num_bytes for one in kept)
    if json:
        print_json({"bytes": freed})
    else:
        print(f"Deleted {_megabytes(freed)}.")


def _kept(rules: str | None) -> list[Kept]:
    digest = None if rules is None else load_ruleset(rules).digest
    return [one for one in kept_tables(solutions_folder()) if digest in (None, one.digest)]


def _names() -> dict[str, str]:
    """The ids of shipped rulesets, by digest; others are known by their digest only."""
    return {load_ruleset(id).digest: id for id in ruleset_ids()}


def _time(kept: Kept) -> str:
    return datetime.fromtimestamp(kept.used, UTC).isoformat(timespec="seconds")


def _megabytes(num_bytes: int) -> str:
    return f"{num_bytes / 10**6:,.1f} MB"
