"""`fivedice grade`: an operator has all grades made again."""

import json
from pathlib import Path

from tests.cli.run_command import fivedice, refused
from tests.server.http.api.test_me import finished
from tests.server.serving import serving


def test_all_finished_games_are_graded_again(tmp_path: Path) -> None:
    given = ("--database-url", f"sqlite:///{tmp_path / 'fivedice.db'}")
    with serving(tmp_path) as server:
        ann = server.visit()
        finished(ann)
        ann.create()
        assert "a server uses this SQLite file" in refused("grade", *given)
    assert fivedice("grade", *given).out == "1 game graded\n"
    assert json.loads(fivedice("grade", *given, "--json").out) == {"games": 1}
    assert "fivedice serve creates it" in refused("grade", "--database-url", f"sqlite:///{tmp_path / 'none.db'}")
