"""The page has the names of computer players in its own messages, so that it needs no answer to show a table."""

import re

import pytest

from fivedice.base.language import LANGUAGES, language
from fivedice.players import kind_name
from fivedice.server.table.available import COMPUTERS
from tests.repository import ROOT


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_page_names_every_computer_player_as_the_rest_of_the_program(tag: str) -> None:
    text = (ROOT / "web" / "src" / "messages" / tag / "home.ts").read_text(encoding="utf-8")
    on_page = dict(re.findall(r'^  kind(\w+): "(.*)",$', text, re.MULTILINE))
    names = {re.sub(r"_300$|_", "", kind).capitalize(): kind_name(kind, language(tag)) for kind in COMPUTERS}
    assert {key: name.replace("{n}", "300") for key, name in on_page.items()} == names
