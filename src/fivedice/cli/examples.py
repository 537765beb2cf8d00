"""Examples of every command, for `--help`."""

EXAMPLES = {
    "play": (
        "fivedice play",
        "fivedice play kniffel --seats Ann=human,Ben=human,level_4",
        "fivedice play --resume",
    ),
    "serve": (
        "fivedice serve",
        "fivedice serve --host 0.0.0.0 --port 8000",
        "fivedice serve --port 8001 --database-url postgresql://fivedice@db.example/fivedice",
    ),
    "backup": ("fivedice backup games.backup.gz", "fivedice backup games.backup --database-url sqlite:///games.db"),
    "restore": ("fivedice restore games.backup.gz --database-url postgresql://fivedice@db.example/fivedice",),
    "doctor": ("fivedice doctor", "fivedice doctor --url https://dice.example.org"),
    "grade": ("fivedice grade", "fivedice grade --database-url sqlite:///x.db"),
    "forget": (
        "fivedice forget person Ann --dry-run",
        "fivedice forget name 'Bad words' --database-url sqlite:///x.db",
    ),
    "players": ("fivedice players", "fivedice players yamb", "fivedice players --lang sv"),
    "rules": ("fivedice rules", "fivedice rules yahtzee[joker=free] --lang de", "fivedice rules house.toml --check"),
    "legal": ("fivedice legal 'yahtzee - 33456 r0'", "fivedice legal 33456"),
    "advise": (
        "fivedice advise 'yahtzee - 44666 r2' --top 5",
        "fivedice advise 'yatzy pair=10,chance=20 11256 r1' --target 250",
        "fivedice advise --batch positions.txt",
    ),
    "chances": ("fivedice chances yahtzee", "fivedice chances 'crag - 445 r1' --json"),
    "solve": ("fivedice solve yatzy", "fivedice solve kismet --json"),
    "odds": ("fivedice odds 'yahtzee chance=25/- @1 33456 r2'", "fivedice odds 'crag -/- - r2' --json"),
    "review": ("fivedice review game.txt --full",),
    "games": ("fivedice games", "fivedice games --last 20"),
    "stats": ("fivedice stats", "fivedice stats games/"),
    "learn": ("fivedice learn", "fivedice learn games/ --player Ann", "fivedice learn --since 2026-11-01"),
    "me": ("fivedice me", "fivedice me --rules kniffel --full"),
    "daily": (
        "fivedice daily",
        "fivedice daily --rules kniffel",
        "fivedice daily --day 2026-11-25 --json",
    ),
    "storm": ("fivedice storm", "fivedice storm --streak"),
    "quiz": ("fivedice quiz", "fivedice quiz --rules kniffel --count 5"),
    "replay": ("fivedice replay game.txt", "fivedice replay game.txt --json"),
    "verify": ("fivedice verify game.txt",),
    "simulate": (
        "fivedice simulate yahtzee --players optimal,greedy --games 1000000 --seed 7",
        "fivedice simulate crag --out games.parquet",
    ),
    "evaluate": (
        "fivedice evaluate crag --agent level_5",
        "fivedice evaluate yahtzee --agent mine=agent:choose --games 200",
    ),
    "sweep": ("fivedice sweep yahtzee --vary extra_bonus=0,50,100 --out sweep.parquet",),
    "dataset": (
        "fivedice dataset fivedice-decisions",
        "fivedice dataset fivedice-decisions --check",
    ),
    "export": (
        "fivedice export distribution yahtzee --parquet distribution.parquet",
        "fivedice export solution yahtzee --portable yahtzee.gz",
    ),
}
"""Command → calls that are shown in its help."""

LANGUAGE = (
    "With --lang de or --lang sv, games, reviews, rules and advice are in German or Swedish; FIVEDICE_LANG or your "
    "locale sets the default."
)


def epilogue(command: str) -> str:
    """The end of a command's help, in Markdown."""
    examples = "  \n".join(f"`{example}`" for example in EXAMPLES[command])
    return f"{LANGUAGE}\n\nExamples:  \n{examples}"
