"""What playing without a server costs in the browser's Python: Pyodide, run by Node. Part of `make bench-local`.

A phone is taken to be four times slower. A page adds the time to draw what it is told.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from solve import machine

from fivedice.rulesets import load_ruleset
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.saved.portable import pack, pack_parts
from fivedice.solver.solve import solve

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ROOT / "src" / "fivedice" / "web" / "local"
PHONE = 4
BARS = {"start": 4.0, "start on a phone": 8.0, "first roll": 0.1, "advice": 0.1, "review": 3.0}
"""Seconds."""

SCRIPT = """
import json, sys
from time import perf_counter
sys.path.insert(0, "/home/pyodide")
from fivedice.local.browser import Browser
from tests.local.played import play
from fivedice.local.browser import request

began = perf_counter()
browser = Browser()
browser.keep(DIGEST, bytes(VALUES))
browser.keep_parts(DIGEST, bytes(PARTS))
browser.request("GET", "/api/rulesets", "")
took = {"start": STARTED + perf_counter() - began}

def timed(method, path, body=""):
    began = perf_counter()
    reply = json.loads(browser.request(method, path, body))
    assert reply["status"] < 300, reply
    return perf_counter() - began, reply

seats = [{"kind": "person", "name": "Ann", "here": True}, {"kind": "level_5"}]
_, created = timed("POST", "/api/tables", json.dumps({"seats": seats, "help": "after"}))
commands = "/api/tables/" + created["content"]["table"] + "/commands"
roll = {"type": "roll", "id": "12345678", "version": 1, "seat": 0, "kept": []}
took["first roll"], _ = timed("POST", commands, json.dumps(roll))
took["advice"], _ = timed("GET", "/api/positions?line=yahtzee+ones=3+33456+r2")
*_, last = play(browser.service, "yahtzee", 1, "level_5")
took["review"], _ = timed("GET", "/api/tables/" + last.games[0].table + "/review")
json.dumps(took)
"""


def main() -> None:
    node = shutil.which("node") or shutil.which("node", path=str(Path(sys.executable).parent))
    if node is None or not (SHIPPED / "fivedice.zip").exists():
        sys.exit("make bench-local needs Node and the built page")
    solution = solve(load_ruleset("yahtzee"))
    with tempfile.TemporaryDirectory() as name:
        values, parts, script = Path(name) / "values", Path(name) / "parts", Path(name) / "script.py"
        values.write_bytes(pack(solution.ruleset.digest, solution.float_values).data)
        parts.write_bytes(pack_parts(find_breakdown(solution)))
        script.write_text(SCRIPT)
        sources = ROOT / "tests" / "local"
        command = [
            node,
            str(sources / "in_node.mjs"),
            *map(str, [SHIPPED, sources, script, solution.ruleset.digest, values, parts]),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr[-2_000:])
    took = json.loads(done.stdout)
    took["start on a phone"] = PHONE * took["start"]
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}\n\n{'yahtzee, s':<28}{'took':>12}{'bar':>10}{'ratio':>8}")
    for what, bar in BARS.items():
        print(f"{what:<28}{took[what]:>12.2f}{bar:>10.1f}{took[what] / bar:>8.2f}")


if __name__ == "__main__":
    main()
