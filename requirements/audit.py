"""The audit: `python requirements/audit.py` looks for known holes in everything that is pinned, for whatever platform.

It asks by pip-audit and by `npm audit`. It exits with 0 where there is no hole, with 1 where there are, each of which
is named, and with 2 where it could not find out: nothing that was not looked at counts as sound.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

LOCKS = Path(__file__).resolve().parent
WEB = LOCKS.parent / "web"

sys.path.insert(0, str(WEB))  # Node is found where the build of the page finds it

from page import folder_of_node  # noqa: E402

PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)


class UnansweredError(Exception):
    """Somebody could not be asked, or did not answer all; the sentence says who and why."""


def pins(locks: Sequence[Path]) -> dict[tuple[str, str], list[str]]:
    """Name and version of every package that is pinned, for any platform and Python → the names of the locks."""
    found = defaultdict(list)
    for lock in locks:
        for name, version in dict.fromkeys(PIN.findall(lock.read_text())):
            found[name, version].append(lock.name)
    return dict(found)


def rounds(pinned: Sequence[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """The pins in lists with each name once: pip-audit takes two versions of one for a mistake."""
    left = list(pinned)
    while left:
        this = list({name: (name, version) for name, version in reversed(left)}.values())
        yield this
        left = [pin for pin in left if pin not in this]


def holes_of_python() -> Iterator[str]:
    """A line for each hole in a package of the locks beside this file."""
    pinned = pins(sorted(LOCKS.glob("*.lock")))
    for asked in rounds(list(pinned)):
        with tempfile.TemporaryDirectory() as folder:
            listed = Path(folder) / "pins.txt"
            listed.write_text("".join(f"{name}=={version}\n" for name, version in asked))
            options = ["--strict", "--disable-pip", "--no-deps", "--progress-spinner=off", "--format=json"]
            answer = _json_of("pip-audit", [sys.executable, "-m", "pip_audit", *options, "--requirement", str(listed)])
        looked_at = {(one["name"], one["version"]): one["vulns"] for one in answer.get("dependencies", [])}
        if missing := set(asked) - set(looked_at):
            raise UnansweredError(f"pip-audit did not look at {', '.join('=='.join(pin) for pin in sorted(missing))}")
        for (name, version), holes in looked_at.items():
            for hole in holes:
                fixed = ", ".join(hole["fix_versions"]) or "no version"
                where = ", ".join(pinned[name, version])
                yield f"{where}: {name} {version}: {hole['id']}, mended in {fixed}: {hole['description']}"


def holes_of_web() -> Iterator[str]:
    """A line for each hole in a package of web/package-lock.json."""
    folder = folder_of_node()
    if folder is None:
        raise UnansweredError("web/package-lock.json: npm is missing, which comes with Node 20.19 or newer")
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    npm = shutil.which("npm", path=path)
    assert npm is not None, "folder_of_node looked for it"
    answer = _json_of("npm audit", [npm, "audit", "--json", "--package-lock-only", "--include=dev"], path)
    looked_at = answer.get("metadata", {}).get("dependencies", {}).get("total", 0)
    locked = sum(bool(path) for path in json.loads((WEB / "package-lock.json").read_text())["packages"])
    if looked_at < locked:
        raise UnansweredError(f"npm audit looked at {looked_at} of the {locked} packages of web/package-lock.json")
    for name, found in answer["vulnerabilities"].items():
        for hole in found["via"]:
            if isinstance(hole, dict):  # else it is the name of a package with a hole, which this one needs
                what = f"{hole['severity']}: {hole['title']} ({hole['url']})"
                yield f"web/package-lock.json: {name} {hole['range']}: {what}"


def _json_of(tool: str, command: list[str], path: str | None = None) -> dict[str, Any]:
    """What a tool answers, whether it found holes or not; raises `UnansweredError` with why it failed."""
    environment = {**os.environ, "PATH": path} if path else None
    done = subprocess.run(command, cwd=WEB, env=environment, capture_output=True, text=True, check=False)
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        answer = None
    if done.returncode not in (0, 1) or not isinstance(answer, dict) or "error" in answer:
        said = answer.get("message") if isinstance(answer, dict) else None
        last = re.sub(r"^ERROR:[^:]*:", "", done.stderr.strip().rpartition("\n")[2])
        raise UnansweredError(f"{tool} could not find out: {said or last or 'it does not say why'}")
    return answer


def main() -> int:
    """Look at everything, and say what was found, also where not all was."""
    status = 0
    for what, look in (("requirements/*.lock", holes_of_python), ("web/package-lock.json", holes_of_web)):
        count = 0
        try:
            for hole in look():
                count += 1
                print(hole)
        except UnansweredError as error:
            print(f"!!! {what} was not looked at, or not wholly: {error}", file=sys.stderr)
            status = 2
        else:
            print(f"{what}: {count or 'no'} known hole{'s' * (count != 1)}")
            status = status or int(count > 0)
    return status


if __name__ == "__main__":
    sys.exit(main())
