"""Which tests run when: `make test` in minutes, `.ci/run` before a merge, `make test-full` at night.

A test is of the first tier unless `LATER` names it, its file or its folder, of which the longest name counts, or it
needs a PostgreSQL. `pytest --tier=…` runs a tier with those before it, and `pytest` alone runs all of them.
"""

from collections.abc import Mapping

TIERS = ("quick", "ci", "night")

LATER: Mapping[str, str] = {
    # In a browser: two people to the end, the offline game and the day are of the first tier.
    "tests/browser/": "ci",
    "tests/browser/test_whole_games.py::test_two_browsers_and_a_computer_play_a_game_to_its_end": "quick",
    "tests/browser/test_offline.py": "quick",
    "tests/browser/test_offline.py::test_files_are_kept_answer_offline_follow_the_page_and_are_removed": "night",
    "tests/browser/test_daily.py::test_a_ten_is_played_on_a_phone_and_goes_on_after_a_reload": "quick",
    "tests/browser/test_phone.py": "night",
    "tests/browser/test_phone.py::test_the_card_the_dice_and_the_roll_button_fit_without_scrolling": "ci",
    "tests/browser/test_everyone.py": "night",
    "tests/browser/test_everyone.py::test_every_page_is_at_most_two_taps_away_in_one_of_five_places": "ci",
    "tests/browser/test_everyone.py::test_every_page_is_accessible_and_no_wider_than_a_phone_in_any_language": "ci",
    "tests/browser/test_sharing.py::test_a_static_site_below_a_path_has_a_game_and_examples_and_reaches_nothing_else": (
        "night"
    ),
    "tests/browser/test_connection.py::test_a_page_works_over_tls": "night",
    "tests/browser/test_connection.py::test_a_page_goes_on_through_an_upgrade_until_its_user_looks_away": "night",
    "tests/browser/test_connection.py::test_a_page_of_another_version_than_its_files_is_loaded_again": "night",
    # Kills, frozen databases, proxies and upgrades, of which one test of kills is of the first tier.
    "tests/reliability/": "ci",
    "tests/reliability/test_faults.py::test_faults_during_play_lose_and_double_no_acknowledged_command": "quick",
    "tests/reliability/test_faults.py::test_faults_of_one_of_two_processes_lose_and_double_nothing": "night",
    "tests/reliability/test_backup.py": "night",
    "tests/reliability/test_proxies.py": "night",
    "tests/reliability/test_upgrade.py": "night",
    # What takes long: many games, learned values, whole days, other processes.
    "tests/solver/test_approximate_play.py": "night",
    "tests/solver/test_approximate_play.py::test_a_turn_of_a_tiny_game_equals_brute_force": "ci",
    "tests/solver/test_approximate_play.py::test_a_late_turn_of_a_game_equals_brute_force": "ci",
    "tests/solver/test_approximate_play.py::test_with_an_indicator_of_each_turn_state": "ci",
    "tests/solver/test_approximate_play.py::test_the_terminal_and_a_review_say": "ci",
    "tests/simulation/test_simulation.py": "ci",
    "tests/simulation/test_simulation.py::test_the_interval_of_a_share_is_that_of_wilson": "quick",
    "tests/test_levels.py": "ci",
    "tests/local/test_loaded.py::test_games_values_reviews_and_reasons_are_the_same_in_the_browsers_python": "ci",
    "tests/server/games/test_grading.py::test_rows_made_in_play_are_those_made_again": "ci",
    "tests/server/attacks/test_secrets.py": "ci",
    "tests/server/live/test_several_processes.py": "ci",
    "tests/server/solving/test_searches.py::test_every_kind_plays_a_game_to_its_end_at_a_table": "ci",
    "tests/cli/test_language.py::test_a_plain_game_has_no_word_of_its_own": "ci",
    "tests/cli/test_language.py::test_a_game_is_played_with_the_words_of_the_language": "ci",
    "tests/cli/test_long_work.py": "ci",
    "tests/cli/commands/test_serve.py": "ci",
    # What is about the program's surroundings.
    "tests/release/": "ci",
    "tests/test_base_install.py": "ci",
    "tests/test_examples.py::test_a_program_prints_what_it_is_about": "ci",
    "tests/test_examples.py::test_a_tutorial_runs": "ci",
}

POSTGRES = "ci"
"""The tier of tests on PostgreSQL, unless they are of a later one."""


def tier_of(name: str) -> str:
    """The tier of a test, or of a file or a folder."""
    return LATER.get(max((key for key in LATER if name.startswith(key)), key=len, default=""), TIERS[0])


def is_later(tier: str, than: str) -> bool:
    """Whether a tier comes after another one."""
    return TIERS.index(tier) > TIERS.index(than)


def is_needed(path: str, tier: str) -> bool:
    """Whether a file has tests of this tier or one before it."""
    named = [LATER[name] for name in LATER if name.startswith(f"{path}::")]
    return not all(is_later(one, tier) for one in [tier_of(path), *named])
