"""Prepares a release and stops before the upload: `python -m release.prepare 0.1.0`.

It refuses if anything but the version is left to be done, runs `make check` and `make build`, and prints the commands
that publish. The exit status is 1 if it refuses, with the reasons.
"""

import hashlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)((a|b|rc)[1-9]\d*)?")
HEADING = re.compile(r"^## (?P<version>\S+)(?: \((?P<date>[^)]*)\))?[ \t]*$", re.MULTILINE)

CHECKS = (["make", "check"], ["make", "build"])


def refusals(root: Path, version: str, today: date) -> Iterator[str]:
    """Why this version cannot be released from this repository today; nothing if only the checks are left."""
    if not VERSION.fullmatch(version):
        yield f"{version!r} is no version: write three numbers, such as 0.1.0, or 0.2.0rc1 before a release"
        return
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if project["version"] != version:
        yield f"pyproject.toml has the version {project['version']}, not {version}"
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    of_changelog = list(_refusals_of_changelog(changelog, version, today))
    yield from of_changelog
    if not of_changelog:
        released = next(heading["date"] for heading in HEADING.finditer(changelog) if heading["version"] == version)
        citation = (root / "CITATION.cff").read_text(encoding="utf-8").splitlines()
        for line in (f"version: {version}", f"date-released: {released}"):
            if line not in citation:
                yield f"CITATION.cff lacks the line '{line}'"
    if changed := changed_files(root):
        yield f"there are uncommitted changes: {', '.join(changed)}"
    if _git(root, "tag", "--list", f"v{version}"):
        yield f"the tag v{version} exists already"


def _refusals_of_changelog(text: str, version: str, today: date) -> Iterator[str]:
    headings = list(HEADING.finditer(text))
    found = next((heading for heading in headings if heading["version"] == version), None)
    if found is None:
        yield f"CHANGELOG.md has no entry for {version}: write '## {version} ({today})' above what has changed"
        return
    if found != headings[0]:
        yield f"CHANGELOG.md has {headings[0]['version']} above {version}: the newest version comes first"
    try:
        day = date.fromisoformat(found["date"] or "")
    except ValueError:
        yield f"CHANGELOG.md has no date for {version}: write '## {version} ({today})'"
    else:
        if day > today:
            yield f"CHANGELOG.md dates {version} at {day}, which is in the future"
    following = next((heading.start() for heading in headings if heading.start() > found.start()), len(text))
    if not re.search(r"^[-*] +\w", text[found.end() : following], re.MULTILINE):
        yield f"CHANGELOG.md says nothing about {version}: list what has changed, each in a line with '- '"


def changed_files(root: Path) -> list[str]:
    """The files that differ from the last commit or that git does not know."""
    return [line[3:] for line in _git(root, "status", "--porcelain").splitlines()]


def _git(root: Path, *arguments: str) -> str:
    """What git prints. Raises `CalledProcessError` if it fails; it prints the reason."""
    command = ["git", *arguments]
    return subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True, check=True).stdout


def failed_check(root: Path, checks: Sequence[Sequence[str]]) -> str | None:
    """Run the checks until one fails; return the reason for a refusal."""
    for check in checks:
        if subprocess.run(check, cwd=root, check=False).returncode:
            return f"'{' '.join(check)}' failed"
    if changed := changed_files(root):
        return f"the checks changed files: {', '.join(changed)}"
    return None


def commands(root: Path, version: str) -> Iterator[str]:
    """What to run to publish the built files, as lines of text."""
    made = sorted((root / "dist").glob(f"fivedice-{version}[-.]*"))
    yield f"fivedice {version} is ready:"
    for file in made:
        yield f"  {hashlib.sha256(file.read_bytes()).hexdigest()}  dist/{file.name}"
    yield "Nothing was published. To publish:"
    yield f"  git tag --annotate v{version} --message 'fivedice {version}'"
    yield f"  git push origin HEAD v{version}"
    yield f"  uv publish {' '.join(f'dist/{file.name}' for file in made)}"


def main(arguments: Sequence[str], root: Path, *, today: date, checks: Sequence[Sequence[str]] = CHECKS) -> int:
    """Prepare a release and return the exit status."""
    if len(arguments) != 1 or not arguments[0]:
        print("name one version, such as make release VERSION=0.1.0", file=sys.stderr)
        return 1
    [version] = arguments
    found = list(refusals(root, version, today))
    if not found and (failure := failed_check(root, checks)):
        found = [failure]
    for refusal in found:
        print(f"!!! {refusal}", file=sys.stderr)
    if not found:
        print("\n".join(commands(root, version)))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).resolve().parents[1], today=datetime.now(UTC).date()))
