"""`make check-ways`: installs fivedice in every documented way into an empty environment, with an empty home.

Each begins with a clean clone, solves, advises, reviews and serves. What is run is taken from the documentation where
that shows it.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.request import urlopen

from tests.check_install import CheckFailedError, Environment, server_of
from tests.installed import BASE_COMMANDS
from tests.repository import ROOT

COMPILERS = re.compile(r"(.*-)?(cc|gcc|g\+\+|c\+\+|clang|clang\+\+|c99|c89)(-[\d.]+)?$")
FIRST_ADVICE = "/api/positions?line=crag+-+445+r1"
REVIEWED = (
    "solve crag",
    "advise 'crag - 445 r1'",
    "play --rules crag --seats greedy,random --seed 1 --record game.txt",
)
COMMANDS = [*REVIEWED, "review game.txt", "simulate crag --games 10 --seed 1"]


class Place(Environment):
    """A folder with a clone of the last commit, an empty home, and an environment for one way of installing."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.extra = folder, "serve"
        self.clone, self.environment, self.work = (folder / name for name in ("clone", "environment", "work"))
        self.bin = self.environment / "bin"
        for empty in (self.work, folder / "home", folder / "wheels"):
            empty.mkdir()
        self.path = os.environ["PATH"]
        self.shell(f"git clone --quiet {shlex.quote(str(ROOT))} {self.clone}")

    @property
    def variables(self) -> Mapping[str, str]:
        """Those of an `Environment`, with an empty home, and with the settings of pip that this machine needs."""
        pip = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "PYENV_"))}
        return {**super().variables, **pip, "HOME": str(self.folder / "home"), "PATH": self.path}

    def shell(self, text: str, where: Path | None = None) -> None:
        """Run lines of a shell in the clone, or elsewhere, until one fails."""
        done = subprocess.run(  # noqa: S603
            ["/bin/bash", "-euc", text],
            cwd=where or self.folder,
            env=self.variables,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise CheckFailedError(f"{text}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")

    def hide_compilers(self) -> None:
        """Leave all C compilers out of the PATH."""
        tools = self.folder / "tools"
        tools.mkdir()
        for folder in self.path.split(os.pathsep):
            for tool in Path(folder).glob("*"):
                if not COMPILERS.match(tool.name) and not (tools / tool.name).is_symlink():
                    (tools / tool.name).symlink_to(tool)
        self.path = str(tools)


def from_clone(place: Place) -> None:
    """As somebody without a compiler who knows pip only."""
    place.hide_compilers()
    place.shell("python3 -m venv environment && environment/bin/pip install --quiet './clone[serve]'")


def from_wheel(place: Place) -> None:
    """By a wheel of one's own."""
    place.shell("python3 -m venv environment && environment/bin/pip wheel --quiet --no-deps -w wheels ./clone")
    [wheel] = place.folder.glob("wheels/*.whl")
    place.shell(f"environment/bin/pip install --quiet '{wheel}[serve]'")


def from_sdist(place: Place) -> None:
    """By the sdist, which brings the page."""
    place.shell("python3 -m venv builder && builder/bin/pip install --quiet build")
    place.shell("builder/bin/python -m build --sdist --outdir wheels clone")
    [sdist] = place.folder.glob("wheels/*.tar.gz")
    place.shell(f"python3 -m venv environment && environment/bin/pip install --quiet '{sdist}[serve]'")


def for_a_service(place: Place) -> None:
    """As docs/deployment.md says before the systemd unit."""
    text = (ROOT / "docs" / "deployment.md").read_text()
    [block] = re.findall(r"To install a checkout.*?```bash\n(.*?)```", text, re.DOTALL)
    place.shell(block.replace("/opt/fivedice", str(place.environment)), place.clone)


def for_a_container(place: Place) -> None:
    """As the first stage of the Containerfile, but for Debian's packages."""
    lines = re.sub(r"\\\n\s*", "", (ROOT / "Containerfile").read_text()).split("\nFROM ")[1].splitlines()
    steps = [line.removeprefix("RUN ") for line in lines if line.startswith("RUN ") and "apt-get" not in line]
    for step in steps:
        moved = step.replace("/opt/fivedice", str(place.environment)).replace("/opt/build", str(place.folder / "build"))
        place.shell(re.sub(r"^python ", "python3 ", moved).replace("&& python ", "&& python3 "), place.clone)


WAYS = {
    "clone": from_clone,
    "wheel": from_wheel,
    "sdist": from_sdist,
    "service": for_a_service,
    "container": for_a_container,
}


def check(place: Place) -> str:
    """What is installed, and how long the server takes until its first advice. Raises `CheckFailedError`."""
    for command in COMMANDS:
        place.expect(command, BASE_COMMANDS[command])
    shutil.rmtree(place.work / "cache", ignore_errors=True)
    started = time.monotonic()
    with server_of(place) as url:
        while time.monotonic() < started + 300:
            with urlopen(url + FIRST_ADVICE, timeout=60) as response:  # noqa: S310
                answer = json.load(response)
            if answer.get("advice"):
                seconds = time.monotonic() - started
                return f"{place.fivedice('--version').strip()}; first advice of a new server after {seconds:.1f} s"
            time.sleep(0.2)
    raise CheckFailedError(f"no advice after five minutes: {answer}")


def main() -> None:
    """Install and check all ways, or those named. The exit status is 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ways", nargs="*", choices=[*WAYS, []], help="by default all")
    failures = 0
    for name in parser.parse_args().ways or WAYS:
        with tempfile.TemporaryDirectory() as folder:
            place = Place(Path(folder))
            started = time.monotonic()
            try:
                WAYS[name](place)
                print(f"{name}: installed in {time.monotonic() - started:.0f} s: {check(place)}", flush=True)
            except CheckFailedError as error:
                failures += 1
                print(f"{name}: {error}", file=sys.stderr, flush=True)
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
