"""Containerfile, .dockerignore and compose.yaml agree with the repository and with the program."""

import fnmatch
import json
import re
from pathlib import Path

import pytest

from tests.repository import ROOT

LINES = re.sub(r"\\\n\s*", "", (ROOT / "Containerfile").read_text()).splitlines()
BUILD, FINAL = (
    [line for line in stage.splitlines() if line and not line.startswith("#")]
    for stage in re.split(r"^FROM ", "\n".join(LINES), flags=re.MULTILINE)[1:]
)
COMPOSE = (ROOT / "compose.yaml").read_text()


def is_ignored(path: str) -> bool:
    """Whether .dockerignore keeps a path out of the image: the last pattern that matches decides."""
    ignored = False
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if line and not line.startswith("#"):
            pattern = line.removeprefix("!")
            parts = [path, *map(str, Path(path).parents)][:-1]
            if any(fnmatch.fnmatch(part, pattern.replace("**/", "*")) for part in parts):
                ignored = not line.startswith("!")
    return ignored


@pytest.mark.parametrize("path", [".env", ".git/config", "fivedice.db", "src/fivedice/web/index.html", "dist/a.whl"])
def test_what_lies_about_in_a_checkout_stays_out_of_the_image(path: str) -> None:
    assert is_ignored(path)


def test_the_image_contains_what_its_first_stage_installed_and_does_not_run_as_root() -> None:
    assert [line for line in FINAL if line.startswith("COPY ")] == ["COPY --from=build /opt/fivedice /opt/fivedice"]
    [user] = [line.split()[1] for line in FINAL if line.startswith("USER ")]
    assert int(user) > 0
    assert BUILD[0].split()[0] == FINAL[0].split()[0]
    assert "/health'" in next(line for line in FINAL if line.startswith("HEALTHCHECK "))


def test_everything_that_the_program_writes_in_the_image_is_in_the_volume() -> None:
    [variables] = [line for line in FINAL if line.startswith("ENV ")]
    for name in ("FIVEDICE_DATABASE=sqlite:///", "FIVEDICE_DATA=", "FIVEDICE_CACHE="):
        assert f" {name}/data" in variables


def test_each_process_has_a_port_of_this_machine_and_no_password_is_there() -> None:
    ports = re.findall(r'^ +- "(.*):8000"', COMPOSE, re.MULTILINE)
    assert ports == ["127.0.0.1:${PORT:-8000}", "127.0.0.1:${PORT_2:-8001}"]
    passwords = re.findall(r"PASSWORD: (.*)", COMPOSE)
    assert len(passwords) == 2
    assert all(password.startswith("${POSTGRES_PASSWORD:?") for password in passwords)


def test_both_services_have_a_health_check_and_the_servers_is_that_of_its_image() -> None:
    server, database = re.findall(r"healthcheck:.*\n +test: (\[.*\])", COMPOSE)
    [check] = [line.split(maxsplit=1)[1] for line in FINAL if line.lstrip().startswith("HEALTHCHECK ")]
    assert json.loads(server) == ["CMD", *json.loads(check.partition("CMD ")[2])]
    assert "pg_isready" in database
