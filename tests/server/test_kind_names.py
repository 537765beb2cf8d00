"""The page has the names of computer players in its own messages, so that it needs no answer to show a table."""

import json
import re

from fivedice.players import kind_name
from fivedice.server.table.available import COMPUTERS
from web.messages import FOLDER


def test_the_page_names_every_computer_player_as_the_rest_of_the_program() -> None:
    """In other languages, too: the catalogues have one translation of each name."""
    english = json.loads((FOLDER / "en.json").read_text(encoding="utf-8"))
    on_page = {key: name.replace("{n}", "300") for key, name in english.items() if key.startswith("kind_")}
    names = {f"kind_{re.sub('_300$', '', kind)}": kind_name(kind) for kind in COMPUTERS}
    assert on_page == names
