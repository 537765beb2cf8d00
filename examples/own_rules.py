"""Rules of your own: what they are worth, and what changes in play.

A ruleset is a TOML file that says in what it differs from another one; `docs/rulesets.md` has all keys.
"""

from fivedice import advise, load_ruleset, parse_ruleset, solve

OURS = """
like = "crag"
id = "ours"

[categories.thirteen]
pays = 30

[categories.three_of_a_kind]
pays = 40
"""


def main() -> None:
    """Compare Crag with the file above."""
    crag, ours = solve(load_ruleset("crag")), solve(parse_ruleset(OURS, "ours.toml"))
    print(f"A perfect player scores {crag.expected_score:.2f} points in Crag, {ours.expected_score:.2f} by our rules.")
    for dice in ("224", "336"):
        best = [advise(solution, f"{solution.ruleset} - {dice} r1").best for solution in (crag, ours)]
        print(f"After a first roll of {dice}, {best[0].action} is best in Crag, and {best[1].action} by our rules.")


if __name__ == "__main__":
    main()
