"""Games are played on while something, as a translator does, puts elements in the place of all texts of the page."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.amount import cases
from tests.browser import (
    test_board,
    test_daily,
    test_learning,
    test_play,
    test_positions,
    test_real_dice,
    test_tempo,
    test_together,
    test_whole_games,
)
from tests.browser.conftest import Opener
from tests.browser.site import Site
from tests.browser.test_daily import days

__all__ = ["days"]

WRAP = """() => {
  const left = "font.foreign, script, style, title, option, textarea, svg, noscript";
  setInterval(() => {
    if (!document.body) return;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement.closest(left)) continue;
      const font = document.createElement("font");
      font.className = "foreign";
      font.textContent = text.data;
      text.replaceWith(font);
    }
  }, 20);
}"""

PLAYS = [
    test_play.test_a_first_game_is_one_click_and_has_a_tutor_that_one_click_turns_off,
    test_daily.test_a_ten_is_played_on_a_phone_and_goes_on_after_a_reload,
    test_tempo.test_a_score_can_be_undone_while_a_computer_plays_and_after_it,
    test_together.test_a_club_plans_an_evening_draws_it_and_shows_the_standings,
    test_board.test_one_plays_on_from_a_review_goes_back_branches_and_shares_all_of_it,
    test_daily.test_a_storm_goes_on_after_a_reload_and_ends_with_the_third_mistake,
    test_learning.test_lessons_can_be_answered_after_a_game_with_the_keyboard_only,
    test_together.test_two_people_find_each_other_and_play_against_the_clock,
    test_play.test_the_next_level_is_offered_after_two_wins_and_is_chosen_if_taken,
    test_positions.test_dice_boxes_rolls_and_rules_are_set_with_clicks,
    test_real_dice.test_a_game_is_scored_by_tapping_what_real_dice_show,
    test_together.test_two_people_play_the_same_dice_and_compare_their_games,
    test_whole_games.test_the_ending_says_what_the_result_means_and_offers_three_things_to_do,
]


OTHERS = {"width": 390, "scheme": "dark"}


@pytest.mark.parametrize("play", cases(PLAYS[:4], full=PLAYS), ids=lambda play: play.__name__.removeprefix("test_"))
def test_words_stay_right_on_a_page_whose_texts_are_replaced(
    play: Callable[..., None], opened: Opener, site: Site, request: pytest.FixtureRequest
) -> None:
    def translated(path: str | None = "/", **options: Any) -> Page:
        page = opened(None, **options | ({} if options.get("same_profile_as") else {"alone": True}))
        page.context.add_init_script(f"({WRAP})()")
        if path is not None:
            page.goto(site.address + path)
        return page

    def given(name: str) -> Any:
        return translated if name == "opened" else OTHERS[name] if name in OTHERS else request.getfixturevalue(name)

    play(**{name: given(name) for name in inspect.signature(play).parameters})
