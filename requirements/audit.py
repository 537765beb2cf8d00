"""Looks for known vulnerabilities in all pinned packages, on every platform: `python requirements/audit.py`.

It runs pip-audit and `npm audit`. The exit status is 0 without vulnerabilities, 1 with some, which are printed, and 2
if any package could not be audited.
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

sys.path.insert(0, str(WEB))  # for the function of the page's build that finds Node

from page import folder_of_node  # noqa: E402

PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)


class IncompleteError(Exception):
    """Some packages were not audited; the message says why."""


def pins(locks: Sequence[Path]) -> dict[tuple[str, str], list[str]]:
    """Name and version of every pinned package, for any platform and Python → the names of its locks."""
    found = defaultdict(list)
    for lock in locks:
        for name, version in dict.fromkeys(PIN.findall(lock.read_text())):
            found[name, version].append(lock.name)
    return dict(found)


def batches(pinned: Sequence[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """The pins in lists that contain each name once, because pip-audit rejects two versions of a package."""
    left = list(pinned)
    while left:
        batch = list({name: (name, version) for name, version in reversed(left)}.values())
        yield batch
        left = [pin for pin in left if pin not in batch]


def python_vulnerabilities() -> Iterator[str]:
    """A line for each vulnerability in a package of the locks beside this file."""
    pinned = pins(sorted(LOCKS.glob("*.lock")))
    for batch in batches(list(pinned)):
        with tempfile.TemporaryDirectory() as folder:
            requirements = Path(folder) / "pins.txt"
            requirements.write_text("".join(f"{name}=={version}\n" for name, version in batch))
            options = ["--strict", "--disable-pip", "--no-deps", "--progress-spinner=off", "--format=json"]
            answer = _json_of(
                "pip-audit", [sys.executable, "-m", "pip_audit", *options, "--requirement", str(requirements)]
            )
        audited = {(one["name"], one["version"]): one["vulns"] for one in answer.get("dependencies", [])}
        if missing := set(batch) - set(audited):
            raise IncompleteError(f"pip-audit did not audit {', '.join('=='.join(pin) for pin in sorted(missing))}")
        for (name, version), found in audited.items():
            for vulnerability in found:
                fixed = ", ".join(vulnerability["fix_versions"]) or "no version"
                where = ", ".join(pinned[name, version])
                what = f"{vulnerability['id']}, fixed in {fixed}: {vulnerability['description']}"
                yield f"{where}: {name} {version}: {what}"


def web_vulnerabilities() -> Iterator[str]:
    """A line for each vulnerability in a package of web/package-lock.json."""
    folder = folder_of_node()
    if folder is None:
        raise IncompleteError("npm is missing; it comes with Node 20.19 or newer")
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    npm = shutil.which("npm", path=path)
    assert npm is not None, "folder_of_node has checked it"
    answer = _json_of("npm audit", [npm, "audit", "--json", "--package-lock-only", "--include=dev"], path)
    num_audited = answer.get("metadata", {}).get("dependencies", {}).get("total", 0)
    num_locked = sum(bool(path) for path in json.loads((WEB / "package-lock.json").read_text())["packages"])
    if num_audited < num_locked:
        raise IncompleteError(f"npm audit audited {num_audited} of {num_locked} packages")
    for name, found in answer["vulnerabilities"].items():
        for cause in found["via"]:
            if isinstance(cause, dict):  # otherwise the name of a vulnerable dependency, which has its own entry
                what = f"{cause['severity']}: {cause['title']} ({cause['url']})"
                yield f"web/package-lock.json: {name} {cause['range']}: {what}"


def _json_of(tool: str, command: list[str], path: str | None = None) -> dict[str, Any]:
    """The JSON output of a tool, with vulnerabilities or without; raises `IncompleteError` if the tool failed."""
    environment = {**os.environ, "PATH": path} if path else None
    done = subprocess.run(command, cwd=WEB, env=environment, capture_output=True, text=True, check=False)
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        answer = None
    if done.returncode not in (0, 1) or not isinstance(answer, dict) or "error" in answer:
        message = answer.get("message") if isinstance(answer, dict) else None
        last = re.sub(r"^ERROR:[^:]*:", "", done.stderr.strip().rpartition("\n")[2])
        raise IncompleteError(f"{tool} failed: {message or last or 'no error message'}")
    return answer


def main() -> int:
    """Audit all packages, print the results, and return the exit status."""
    status = 0
    for what, audit in (
        ("requirements/*.lock", python_vulnerabilities),
        ("web/package-lock.json", web_vulnerabilities),
    ):
        count = 0
        try:
            for line in audit():
                count += 1
                print(line)
        except IncompleteError as error:
            print(f"!!! the audit of {what} is incomplete: {error}", file=sys.stderr)
            status = 2
        else:
            print(f"{what}: {count or 'no'} known vulnerabilit{'y' if count == 1 else 'ies'}")
            status = status or int(count > 0)
    return status


if __name__ == "__main__":
    sys.exit(main())
