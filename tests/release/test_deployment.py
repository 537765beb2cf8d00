"""The container and the Kubernetes objects in contrib fit the program and each other."""

import fnmatch
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from fivedice.cli.app import app
from fivedice.server.http.handling.params import PROBES
from fivedice.server.limits import MAX_IMPORT_BYTES
from fivedice.server.live.event_store import new_id
from fivedice.server.ops.heartbeat import READY_TIMEOUT_SECONDS
from fivedice.server.process.server import STOP_SECONDS
from tests.reliability.proxy import documented_config
from tests.repository import ROOT

MAP = r"map \$uri \$stream \{.*?\}"
OBJECTS = list(yaml.safe_load_all((ROOT / "kubernetes.yaml").read_text(encoding="utf-8")))
KINDS: dict[str, Any] = {one["kind"]: one for one in OBJECTS}
POD = KINDS["StatefulSet"]["spec"]["template"]["spec"]
[CONTAINER] = POD["containers"]


def test_the_program_has_the_options_and_a_database_of_which_the_address_is_secret() -> None:
    name, *arguments = CONTAINER["args"]
    assert name == "fivedice"
    command, bound, _ = app.parse_args(arguments, exit_on_error=False, print_error=False)
    assert command.__name__ == "serve"
    assert bound.arguments["host"] == "0.0.0.0"  # noqa: S104
    [variable] = CONTAINER["env"]
    assert variable["name"] == "FIVEDICE_DATABASE"
    assert set(variable) == {"name", "valueFrom"}


def test_ports_names_and_hosts_fit_each_other() -> None:
    assert {"name": "http", "containerPort": 8000} in CONTAINER["ports"]
    assert len(KINDS) == len(OBJECTS)
    [port] = KINDS["Service"]["spec"]["ports"]
    assert port["targetPort"] == "http"
    labels = KINDS["StatefulSet"]["spec"]["template"]["metadata"]["labels"]
    assert KINDS["Service"]["spec"]["selector"] == labels == KINDS["StatefulSet"]["spec"]["selector"]["matchLabels"]
    [rule], [tls] = KINDS["Ingress"]["spec"]["rules"], KINDS["Ingress"]["spec"]["tls"]
    [path] = rule["http"]["paths"]
    assert path["backend"]["service"] == {"name": KINDS["Service"]["metadata"]["name"], "port": {"name": port["name"]}}
    assert [f"--allow-host={rule['host']}"] == [one for one in CONTAINER["args"] if one.startswith("--allow-host")]
    assert tls["hosts"] == [rule["host"]]


def test_probes_ask_for_paths_without_limits_and_wait_for_answers_and_for_the_end() -> None:
    paths = {name: CONTAINER[f"{name}Probe"]["httpGet"]["path"] for name in ("readiness", "liveness", "startup")}
    assert paths == {"readiness": "/ready", "liveness": "/health", "startup": "/health"}
    assert set(paths.values()) == PROBES
    assert CONTAINER["readinessProbe"]["timeoutSeconds"] > READY_TIMEOUT_SECONDS
    assert {CONTAINER[f"{name}Probe"]["httpGet"]["port"] for name in paths} == {"http"}
    [program, seconds] = CONTAINER["lifecycle"]["preStop"]["exec"]["command"]
    assert program == "sleep"
    assert POD["terminationGracePeriodSeconds"] >= STOP_SECONDS + int(seconds) + 1


def test_the_user_and_the_folders_are_those_of_the_image() -> None:
    image = (ROOT / "Containerfile").read_text(encoding="utf-8")
    assert re.findall(r"^USER (.*)$", image, re.MULTILINE) == [str(POD["securityContext"]["runAsUser"])]
    mounted = {mount["mountPath"]: mount["name"] for mount in CONTAINER["volumeMounts"]}
    assert set(re.findall(r"^VOLUME (.*)$", image, re.MULTILINE)) | {"/tmp"} == set(mounted)  # noqa: S108
    kept = [claim["metadata"]["name"] for claim in KINDS["StatefulSet"]["spec"]["volumeClaimTemplates"]]
    assert {*kept, *(volume["name"] for volume in POD["volumes"])} == set(mounted.values())


def test_the_ingress_spreads_requests_by_their_table_or_club_and_passes_the_largest_import() -> None:
    annotations = KINDS["Ingress"]["metadata"]["annotations"]
    assert annotations["nginx.ingress.kubernetes.io/upstream-hash-by"] == "$stream"
    [spread] = re.findall(MAP, KINDS["ConfigMap"]["data"]["http-snippet"], re.DOTALL)
    [documented] = re.findall(MAP, documented_config("nginx"), re.DOTALL)
    assert spread.split() == documented.split(), "that of nginx is tested with nginx"
    [pattern] = re.findall(r"~(\S+)", spread)
    id = new_id()
    for path in (f"/t/{id}", f"/api/tables/{id}/socket", f"/api/clubs/{id}/commands", f"/api/duplicates/{id}"):
        assert re.findall(pattern.replace("(?<", "(?P<"), path) == [id]
    assert not re.match(pattern.replace("(?<", "(?P<"), "/api/tables")
    size = annotations["nginx.ingress.kubernetes.io/proxy-body-size"]
    assert int(size.removesuffix("m")) * 2**20 >= MAX_IMPORT_BYTES


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


def test_the_image_has_what_its_first_stage_installed_is_not_run_by_root_and_writes_in_the_volume_only() -> None:
    assert [line for line in FINAL if line.startswith("COPY ")] == ["COPY --from=build /opt/fivedice /opt/fivedice"]
    [user] = [line.split()[1] for line in FINAL if line.startswith("USER ")]
    assert int(user) > 0
    assert BUILD[0].split()[0] == FINAL[0].split()[0]
    [variables] = [line for line in FINAL if line.startswith("ENV ")]
    for name in ("FIVEDICE_DATABASE=sqlite:///", "FIVEDICE_DATA=", "FIVEDICE_CACHE="):
        assert f" {name}/data" in variables


def test_each_process_has_a_port_of_this_machine_a_health_check_and_no_password() -> None:
    ports = re.findall(r'^ +- "(.*):8000"', COMPOSE, re.MULTILINE)
    assert ports == ["127.0.0.1:${PORT:-8000}", "127.0.0.1:${PORT_2:-8001}"]
    passwords = re.findall(r"PASSWORD: (.*)", COMPOSE)
    assert len(passwords) == 2
    assert all(password.startswith("${POSTGRES_PASSWORD:?") for password in passwords)
    server, database = re.findall(r"healthcheck:.*\n +test: (\[.*\])", COMPOSE)
    [check] = [line.split(maxsplit=1)[1] for line in FINAL if line.lstrip().startswith("HEALTHCHECK ")]
    assert "/health'" in check
    assert json.loads(server) == ["CMD", *json.loads(check.partition("CMD ")[2])]
    assert "pg_isready" in database
