"""The software bill of materials of a wheel, as CycloneDX 1.6 in JSON.

It lists what the wheel contains besides fivedice: the packages in the page, and Python for the browser. It also lists
what the wheel needs, in the versions of requirements/serve.lock with which it was tested, and what built the page. The
same sources give the same bytes; there is a timestamp only if `SOURCE_DATE_EPOCH` is set.
"""

import base64
import json
import os
import re
import tomllib
import uuid
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

NAME = "fivedice.cdx.json"
"""Its file name, in the folder `sboms` of the wheel's metadata (PEP 770)."""

PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)(?: ; (?P<marker>[^\\\n]*[^\\\s]))?", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")

IN_WHEEL = "in the wheel"
NEEDED = "needed, in the version of the tests"
BUILD_TOOL = "built the page"


def bill(root: Path) -> str:
    """The bill of a source tree whose page is built, as JSON with a line break at the end.

    Raises `OSError` if a file that it reads is missing, and `ValueError` if the page includes a package that is not in
    web/package-lock.json.
    """
    web = root / "src" / "fivedice" / "web"
    local = {one["name"]: one for one in json.loads((web / "local" / "packages.json").read_text(encoding="utf-8"))}
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    python = list(python_packages((root / "requirements" / "serve.lock").read_text(encoding="utf-8")))
    included = json.loads((web / "packages.json").read_text(encoding="utf-8")) | {
        name: one["version"] for name, one in local.items() if one["purl"].startswith("pkg:npm/")
    }
    lock = json.loads((root / "web" / "package-lock.json").read_text(encoding="utf-8"))
    found = [*python, *web_packages(lock=lock, included=included), *_browser_packages(local.values(), python)]
    return _document(project, sorted(found, key=lambda component: str(component["bom-ref"])))


def python_packages(lock: str) -> Iterator[dict[str, Any]]:
    """A component for each version of a package that a lock of Python packages pins, with the hashes of its files."""
    markers: dict[tuple[str, str], list[str]] = {}
    hashes: dict[tuple[str, str], list[str]] = {}
    for pin in re.split(r"\n(?! )", lock):
        found = PIN.match(pin)
        if found is None:
            continue
        key = found["name"], found["version"]
        markers.setdefault(key, []).append(found["marker"] or "")
        hashes.setdefault(key, []).extend(HASH.findall(pin))
    for (name, version), needed_where in markers.items():
        conditions = " or ".join(f"({marker})" for marker in needed_where) if all(needed_where) else ""
        yield {
            "type": "library",
            "bom-ref": f"pkg:pypi/{name}@{version}",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name}@{version}",
            "externalReferences": [
                {
                    "type": "distribution",
                    "url": f"https://pypi.org/project/{name}/{version}/#files",
                    "hashes": [{"alg": "SHA-256", "content": digest} for digest in sorted(set(hashes[name, version]))],
                }
            ],
            "properties": _properties(NEEDED, {"marker": conditions} if conditions else {}),
        }


def web_packages(*, lock: dict[str, Any], included: dict[str, str]) -> Iterator[dict[str, Any]]:
    """A component for each package of web/package-lock.json. `included` has the name → version of those in the page."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for path, entry in lock["packages"].items():
        if path:
            found.setdefault((path.rpartition("node_modules/")[2], entry["version"]), entry)
    if missing := set(included.items()) - set(found):
        names = ", ".join(f"{name} {version}" for name, version in sorted(missing))
        raise ValueError(f"the page includes {names}, which web/package-lock.json does not have: build the page again")
    for (name, version), entry in found.items():
        is_included = included.get(name) == version
        purl = f"pkg:npm/{name.replace('@', '%40')}@{version}"
        yield {
            "type": "library",
            "bom-ref": purl,
            "name": name,
            "version": version,
            "scope": "required" if is_included else "excluded",
            **({"hashes": list(_integrity(entry["integrity"]))} if "integrity" in entry else {}),
            **({"licenses": [{"expression": entry["license"]}]} if "license" in entry else {}),
            "purl": purl,
            "properties": _properties(IN_WHEEL if is_included else BUILD_TOOL, {}),
        }


def _browser_packages(local: Iterable[dict[str, str]], python: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A component for each of these packages that no lock has; those of the lock of Python are said to be included."""
    for one in local:
        purl = f"{one['purl']}@{one['version']}"
        pinned = [component for component in python if component["purl"] == purl]
        for component in pinned:
            component["licenses"] = [{"expression": one["license"]}]
            component["properties"] += [{"name": "fivedice:role", "value": f"{IN_WHEEL}, for the browser"}]
        if not pinned and not purl.startswith("pkg:npm/"):
            yield {
                "type": "library",
                "bom-ref": purl,
                "name": one["name"],
                "version": one["version"],
                "scope": "required",
                "licenses": [{"expression": one["license"]}],
                "purl": purl,
                "properties": _properties(IN_WHEEL, {}),
            }


def _integrity(text: str) -> Iterator[dict[str, str]]:
    for one in text.split():
        algorithm, _, digest = one.partition("-")
        content = base64.b64decode(digest).hex()
        yield {"alg": {"sha1": "SHA-1", "sha256": "SHA-256", "sha512": "SHA-512"}[algorithm], "content": content}


def _properties(role: str, more: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": f"fivedice:{key}", "value": value} for key, value in {"role": role, **more}.items()]


def _document(project: dict[str, Any], components: list[dict[str, Any]]) -> str:
    name, version = project["name"], project["version"]
    reference = f"pkg:pypi/{name}@{version}"
    direct = {_normalized(requirement) for requirement in project["dependencies"]}
    depends_on = [
        one["bom-ref"]
        for one in components
        if one.get("scope") == "required" or (one["bom-ref"].startswith("pkg:pypi/") and one["name"] in direct)
    ]
    metadata: dict[str, Any] = {
        "lifecycles": [{"phase": "build"}],
        "component": {
            "type": "application",
            "bom-ref": reference,
            "name": name,
            "version": version,
            "description": project["description"],
            "licenses": [{"expression": project["license"]}],
            "purl": reference,
        },
    }
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        metadata = {"timestamp": datetime.fromtimestamp(int(epoch), UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), **metadata}
    content = {
        "version": 1,
        "metadata": metadata,
        "components": components,
        "dependencies": [{"ref": reference, "dependsOn": depends_on}],
    }
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    head = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
    }
    return json.dumps({**head, **content}, indent=1, ensure_ascii=False) + "\n"


def _normalized(requirement: str) -> str:
    """The name in a requirement, as in lock files and purls."""
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name is not None, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()
