"""What can be had under each ruleset: the API, new tables, the terminal and the documentation agree."""

import json
import re
from pathlib import Path

import pytest

from fivedice.base.errors import IllegalError
from fivedice.cli.game import session as terminal
from fivedice.players import KINDS, available, kind_name
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.server.table.available import COMPUTERS, MAX_SHIPPED_BYTES, available_here
from fivedice.server.table.create import NewTable, create
from fivedice.server.table.event import Help
from fivedice.views.rules import rules_view
from tests.server.scripted import NOW, computers, people
from tests.server.serving import Browser
from tests.solutions import UNADVISED
from web.messages import FOLDER

HELP: tuple[Help, ...] = ("none", "after", "tutor", "always")
IDS = ruleset_ids()
REFS = (*IDS, UNADVISED)


def documented() -> dict[str, tuple[str, str]]:
    """Whether each ruleset has advice, and chances to win, by the table in the documentation."""
    text = Path("docs/players.md").read_text()
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (yes|approximate|no) \| (yes|no) \|", text, re.MULTILINE)
    return {id: (a, b) for ids, a, b in rows for id in re.findall(r"\w+", ids)}


def refusal(wanted: NewTable) -> str:
    try:
        create(wanted, "t", "00", NOW)
    except IllegalError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("id", REFS)
def test_new_tables_are_refused_exactly_what_cannot_be_had(id: str) -> None:
    found = available_here(load_ruleset(id))
    assert rules_view(load_ruleset(id)).is_approximate == found.is_approximate, "and the page marks what is"
    assert not found.solution or found.chances == found.solution
    for help in HELP:
        why = refusal(NewTable(seats=people("Ann"), rules=id, help=help))
        assert bool(why) == (help != "none" and bool(found.advice))
        assert not why or why.endswith(found.advice)
    for kind in COMPUTERS:
        why = refusal(NewTable(seats=computers(kind), rules=id))
        assert bool(why) == bool(found.player(kind))
        assert not why or why.endswith(found.player(kind))


@pytest.mark.parametrize("id", REFS)
def test_the_terminal_refuses_the_same_players(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "default_memory_limit", lambda: MAX_SHIPPED_BYTES)
    ruleset = load_ruleset(id)
    for kind in (*COMPUTERS, "rival", "target_300"):
        why = available(ruleset, memory_limit=MAX_SHIPPED_BYTES).player(kind)
        seats = terminal.new_seats(f"Ann=human,{kind}")
        if not why:
            terminal.check_players(ruleset, seats)
            continue
        with pytest.raises(IllegalError, match=re.escape(why)):
            terminal.check_players(ruleset, seats)


def test_the_api_and_the_documentation_say_the_same_of_every_ruleset(ann: Browser) -> None:
    listed = {one["ref"]: one["available"] for one in ann.get("/api/rulesets")}
    assert list(listed) == list(IDS)
    assert sorted(documented()) == sorted(IDS)
    assert [player["kind"] for player in ann.get("/api/players")] == list(COMPUTERS)
    assert set(KINDS) - set(COMPUTERS) == {"human"}
    for id in IDS:
        found = available_here(load_ruleset(id))
        for name in ("solution", "advice", "review", "chances"):
            assert listed[id][name] == getattr(found, name)
        assert listed[id]["players"] == {kind: found.player(kind) for kind in COMPUTERS}
        advice = "approximate" if found.is_approximate else "no" if found.advice else "yes"
        assert documented()[id] == (advice, "no" if found.chances else "yes")
        chosen = ann.http.post("/api/rulesets/chosen", json={"rules": id}).json()
        assert (chosen["ref"], chosen["available"]) == (id, listed[id])


def test_options_are_sent_as_data_and_reasons_are_in_the_language_of_the_request(ann: Browser) -> None:
    chosen = {"rules": "maxi_yatzy", "options": {"saved_rolls": "true"}}
    found = ann.http.post("/api/rulesets/chosen", json=chosen).json()
    assert found["ref"] == "maxi_yatzy[saved_rolls=true]"
    assert found["available"]["solution"], "options can make rules too large"
    assert not available_here(load_ruleset("balut[result=sum]")).solution, "or small enough"
    table = ann.create([{"kind": "person"}], **chosen)
    assert ann.get(f"/api/tables/{table}", rules=True)["rules"]["ref"] == found["ref"]
    answers = [
        ann.http.post(f"/api/rulesets/chosen?lang={lang}", json={"rules": "yamb"}) for lang in ("en", "de", "sv")
    ]
    reasons = {answer.json()["available"]["solution"] for answer in answers}
    assert len(reasons) == 3


def test_the_page_names_every_computer_player_as_the_rest_of_the_program() -> None:
    """In other languages, too: the catalogues have one translation of each name."""
    english = json.loads((FOLDER / "en.json").read_text(encoding="utf-8"))
    on_page = {key: name.replace("{n}", "300") for key, name in english.items() if key.startswith("kind_")}
    names = {f"kind_{re.sub('_300$', '', kind)}": kind_name(kind) for kind in COMPUTERS}
    assert on_page == names
