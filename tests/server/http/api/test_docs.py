"""What is written about the interface: the README's bot plays, and every endpoint is in docs/http.md."""

import re
import subprocess
from pathlib import Path

from fivedice.game.record import parse_record
from tests.server.http.api.test_schema import OPERATIONS
from tests.server.serving import Serving

ROOT = Path(__file__).parents[2]


def test_the_bot_of_the_readme_plays_a_turn(server: Serving, tmp_path: Path) -> None:
    [script] = re.findall(r"```bash\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    done = subprocess.run(  # noqa: S603
        ["bash", "-euo", "pipefail", "-c", script],  # noqa: S607
        cwd=tmp_path,
        env={"FIVEDICE": server.url, "PATH": "/usr/local/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *answers, rest = done.stdout.split("fivedice record 1")
    assert answers[0].count('"type":"accepted"') == 2, answers
    record = parse_record(f"fivedice record 1{rest}")
    assert [seat.name for seat in record.seats] == ["Curl", "greedy"]
    assert str(record.turns[0]).startswith("0: ")
    assert "score chance" in str(record.turns[0])


def test_every_endpoint_is_documented() -> None:
    text = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    documented = {(path.partition("?")[0], method) for method, path in re.findall(r"\| `([A-Z]+) (/api[^`]*)`", text)}
    assert documented == {*OPERATIONS, ("/api/tables/{table}/stream", "GET")}
