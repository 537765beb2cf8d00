"""requirements/*.lock: larger ones include the smaller ones, and all have hashes and no addresses."""

import re
from itertools import pairwise, product
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.repository import ROOT

LOCKS = ROOT / "requirements"

SYSTEMS = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}
IMPLEMENTATIONS = ("CPython", "PyPy")


def pins(name: str) -> dict[str, set[str]]:
    """Package → the lines that pin it: its version, and for which platforms and Pythons."""
    found: dict[str, set[str]] = {}
    for line in (LOCKS / name).read_text().splitlines():
        if not line.startswith(" "):
            found.setdefault(line.partition("==")[0], set()).add(line.removesuffix(" \\"))
    return found


@pytest.mark.parametrize(("less", "more"), list(pairwise(["play.lock", "serve.lock", "dev.lock"])))
def test_a_larger_lock_includes_the_smaller_ones(less: str, more: str) -> None:
    fewer, all = pins(less), pins(more)
    assert len(fewer) < len(all)
    for package, lines in fewer.items():
        for system, implementation in product(SYSTEMS, IMPLEMENTATIONS):
            # A package that only some of them need may be needed on more by the others.
            assert installed(lines, system, implementation) <= installed(all[package], system, implementation), package


def installed(lines: set[str], system: str, implementation: str) -> set[str]:
    """What these lines pin on a system with an implementation of Python."""
    where = {
        "sys_platform": system,
        "platform_system": SYSTEMS[system],
        "implementation_name": implementation.lower(),
        "platform_python_implementation": implementation,
    }
    found = [Requirement(line) for line in lines]
    return {f"{one.name}{one.specifier}" for one in found if one.marker is None or one.marker.evaluate(where)}


def test_server_and_tests_use_the_same_postgresql_driver() -> None:
    assert pins("serve.lock")["psycopg"] == pins("dev.lock")["psycopg"]
    assert pins("serve.lock")["psycopg-binary"] == pins("dev.lock")["psycopg-binary"]


@pytest.mark.parametrize("lock", sorted(LOCKS.glob("*.lock")), ids=lambda lock: lock.name)
def test_every_pin_has_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    for pin in re.split(r"\n(?! )", text.rstrip("\n")):
        assert re.fullmatch(r"[\w.-]+==[^ ]+( ; [^\\]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+", pin), pin[:80]


def test_the_setup_installs_the_pip_that_the_tests_use() -> None:
    assert pins("pip.lock") == {"pip": pins("dev.lock")["pip"]}
