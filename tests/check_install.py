"""`make check-install` and `make check-ways`: fivedice is installed into empty environments, and used there.

It is installed by the wheel, alone or with an extra, or in a way that the documentation describes, from a clone of the
last commit with an empty home. Checked are which commands work, and how many packages there are of what size.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import venv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from tests.repository import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

BASE_COMMANDS = {
    "--version": "0.",
    "--help": "review",
    "serve --help": "--database-url",
    "rules": "yahtzee",
    "rules crag": "Odd Straight",
    "rules crag --check": "the rules are valid",
    "legal 'crag - 445 r1'": "keep 44",
    "advise 'crag - 445 r1'": "keep",
    "chances 'crag - 445 r1'": "standard deviation",
    "solve crag": "crag",
    "simulate crag --games 10 --seed 1": "optimal",
    "odds 'crag -/- 445 r1'": "seat 1",
    "play --rules crag --seats greedy,random --seed 1 --record game.txt": "Greedy",
    "play --rules crag --plain --seats human,greedy --record other.txt": "The input ended before the game did.",
    "replay game.txt": "score even_straight = 20",
    "verify game.txt": "the record carries no proof",
    "review game.txt": "luck",
    "stats game.txt": "lost per game",
    "me": "no finished game of a person",
    "learn game.txt": "no human player",
    "quiz --rules crag": "1 of 10",
    "games": "saved games",
}
"""Commands that need no extra, in an order in which they can run, and a part of their output."""

IMPORTS = {
    "research": "import gymnasium, pettingzoo, pyarrow",
    "cluster": "import distributed, pyarrow",
    "plot": "import matplotlib.pyplot",
    "testing": "import fivedice.testing.strategies",
}
"""Extra → what can be imported with it."""

MAX_BASE_PACKAGES = 19
MAX_BASE_MEBIBYTES = 85
"""Limits of the base: packages with fivedice itself, and their size without bytecode."""

POSTGRES = "backup other.txt --database-url postgresql://nobody@127.0.0.1:1/none"
NO_DRIVER = 'A PostgreSQL database needs the extra "postgres": pip install "fivedice[postgres]"'
VALUES = """
from hashlib import sha256
import fivedice
print(sha256(fivedice.solve("crag").values.tobytes()).hexdigest())
"""
COMPILERS = re.compile(r"(.*-)?(cc|gcc|g\+\+|c\+\+|clang|clang\+\+|c99|c89)(-[\d.]+)?$")


class CheckFailedError(Exception):
    """A check failed. The message says which."""


class Environment:
    """An environment for one way of installing an extra, in a folder with an empty one to run commands in."""

    def __init__(self, folder: Path, extra: str = "") -> None:
        self.folder, self.extra, self.path, self.home = folder, extra, os.environ["PATH"], Path.home()
        self.clone, self.environment, self.work = (folder / name for name in ("clone", "environment", "work"))
        self.bin = self.environment / "bin"
        self.work.mkdir()

    def install(self, wheel: Path) -> None:
        """Install nothing but a wheel and the packages it brings."""
        venv.create(self.environment, symlinks=True)
        self.pip("install", "--quiet", "--no-compile", f"{wheel}[{self.extra}]" if self.extra else str(wheel))
        self.pip("check")

    def pip(self, *arguments: str) -> str:
        """The output of pip about this environment."""
        python = str(self.bin / "python")
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python, *arguments]
        return self.run(command).stdout

    def fivedice(self, command: str) -> str:
        """What the command prints, on both streams."""
        done = self.run([str(self.bin / "fivedice"), *shlex.split(command)], check=False)
        return done.stdout + done.stderr

    def python(self, code: str) -> str:
        """What code prints."""
        return self.run([str(self.bin / "python"), "-c", code]).stdout

    def expect(self, command: str, part: str) -> None:
        """Raises `CheckFailedError` unless the command prints this."""
        output = self.fivedice(command)
        if part not in output:
            raise CheckFailedError(f"fivedice {command}: want {part!r} in the output, which is {output!r}")

    @property
    def variables(self) -> Mapping[str, str]:
        """Environment variables that keep everything in the folder, and the settings of pip that this machine needs."""
        kept = {name: value for name, value in os.environ.items() if name.startswith(("LANG", "PIP_", "PYENV_"))}
        data = {"FIVEDICE_DATA": str(self.work), "FIVEDICE_CACHE": str(self.work / "cache"), "COLUMNS": "120"}
        return {**kept, **data, "HOME": str(self.home), "PATH": self.path}

    def run(
        self, command: list[str], where: Path | None = None, *, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in the folder for them, or elsewhere. Raises `CheckFailedError` if it fails."""
        done = subprocess.run(  # noqa: S603
            command,
            cwd=where or self.work,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if check and done.returncode:
            raise CheckFailedError(f"{shlex.join(command)}: {done.stdout[-2000:]}{done.stderr[-4000:]}")
        return done

    def shell(self, text: str, where: Path | None = None) -> None:
        """Run lines of a shell in the folder, or elsewhere, until one fails."""
        self.run(["/bin/bash", "-euc", text], where or self.folder)

    def begin(self) -> None:
        """Begin with a clone of the last commit and an empty home."""
        self.home = self.folder / "home"
        self.home.mkdir()
        self.shell(f"git clone --quiet {shlex.quote(str(ROOT))} clone")

    def hide_compilers(self) -> None:
        """Leave all C compilers out of the PATH."""
        tools = self.folder / "tools"
        tools.mkdir()
        for folder in self.path.split(os.pathsep):
            for tool in Path(folder).glob("*"):
                if not COMPILERS.match(tool.name) and not (tools / tool.name).is_symlink():
                    (tools / tool.name).symlink_to(tool)
        self.path = str(tools)


def from_clone(place: Environment) -> None:
    """As somebody without a compiler who knows pip only."""
    place.hide_compilers()
    place.shell("python3 -m venv environment && environment/bin/pip install --quiet './clone[serve]'")


def from_wheel(place: Environment) -> None:
    """By a wheel of one's own."""
    place.shell("python3 -m venv environment && environment/bin/pip wheel --quiet --no-deps -w wheels ./clone")
    place.shell('environment/bin/pip install --quiet "$(echo wheels/*.whl)[serve]"')


def from_sdist(place: Environment) -> None:
    """By the sdist, which brings the page."""
    place.shell("python3 -m venv builder && builder/bin/pip install --quiet build")
    place.shell("builder/bin/python -m build --sdist --outdir wheels clone")
    place.shell('python3 -m venv environment && environment/bin/pip install --quiet "$(echo wheels/*.tar.gz)[serve]"')


def for_a_service(place: Environment) -> None:
    """As docs/deployment.md says before the systemd unit."""
    text = (ROOT / "docs" / "deployment.md").read_text()
    [block] = re.findall(r"To install a checkout.*?```bash\n(.*?)```", text, re.DOTALL)
    place.shell(block.replace("/opt/fivedice", str(place.environment)), place.clone)


def for_a_container(place: Environment) -> None:
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


def build_wheel(folder: Path) -> Path:
    """Build the wheel, with the page, into a folder."""
    subprocess.run(  # noqa: S603
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def check(environment: Environment) -> None:
    """Check one environment; raises `CheckFailedError`."""
    extras = _with_included(environment.extra)
    if not extras:
        check_size(environment)
    check_base(environment)
    for extra, code in IMPORTS.items():
        if extra in extras:
            environment.python(code)
    if "serve" in extras:
        check_server(environment)
    if "postgres" in extras:
        environment.expect(POSTGRES, "cannot be used")
    elif "serve" in extras:
        environment.expect(POSTGRES, NO_DRIVER)


def check_base(environment: Environment) -> None:
    """Check what the base install can do, and that its kernels give the same bits as those of this checkout."""
    for command, part in BASE_COMMANDS.items():
        environment.expect(command, part)
    environment.expect("--version", "with kernels built for")
    if environment.python(VALUES) != subprocess.check_output([sys.executable, "-c", VALUES], text=True):  # noqa: S603
        raise CheckFailedError("the values of crag are other ones than those that are found in this checkout")


def check_size(environment: Environment) -> None:
    """Check the number of packages of the base install, and what it takes on the disk."""
    packages = json.loads(environment.pip("list", "--format", "json"))
    paths = [path for path in environment.environment.rglob("*") if not path.is_symlink()]
    size = sum(path.stat().st_size for path in paths if path.is_file())
    blocks = sum(path.stat().st_blocks for path in paths) * 512  # as du counts, with folders
    folders = environment.environment.glob("lib/python*/site-packages/*")
    largest = sorted((sum(path.stat().st_size for path in one.rglob("*")), one.name) for one in folders)[-5:]
    limits = f"limits: {MAX_BASE_PACKAGES} packages of {MAX_BASE_MEBIBYTES} MiB of files"
    print(f"base: {len(packages)} packages, {_shown(size)} of files, {_shown(blocks)} on the disk ({limits})")
    print("base: " + ", ".join(f"{name} {_shown(part)}" for part, name in reversed(largest)))
    if len(packages) > MAX_BASE_PACKAGES or size > MAX_BASE_MEBIBYTES * 2**20:
        raise CheckFailedError(f"the base install is too large: {', '.join(one['name'] for one in packages)}")


def _shown(size: int) -> str:
    return f"{size / 2**20:.1f} MiB ({size / 1e6:.1f} MB)"


DATABASE = "--database-url sqlite:///games.db"


@contextmanager
def server_of(environment: Environment) -> Iterator[str]:
    """The address of a server, without a slash at its end, while it runs."""
    command = [str(environment.bin / "fivedice"), "serve", "--port", "0", "--json", *shlex.split(DATABASE)]
    server = subprocess.Popen(  # noqa: S603
        command, cwd=environment.work, env=environment.variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert server.stdout
        lines = [server.stdout.readline().decode() for _ in range(3)]
        yield json.loads("".join(lines))["url"].rstrip("/")
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


def check_server(environment: Environment) -> None:
    """Start the server without values, load the page and advice, and make and read a backup of its database."""
    shutil.rmtree(environment.work / "cache", ignore_errors=True)
    advice = "/api/positions?line=crag+-+445+r1&wait=true"
    with server_of(environment) as url:
        for path, part in (("/", "<html"), ("/health", ""), (advice, '"advice":{')):
            with urlopen(url + path, timeout=300) as response:  # noqa: S310
                if part not in response.read().decode():
                    raise CheckFailedError(f"{path}: want {part!r}")
    environment.expect(f"backup backup.txt {DATABASE}", "written to backup.txt")
    environment.expect("restore backup.txt --database-url sqlite:///restored.db", "row")


def _with_included(extra: str) -> set[str]:
    """An extra and those it includes."""
    if not extra:
        return set()
    lines = PROJECT["optional-dependencies"][extra]
    own = [line for line in lines if line.startswith("fivedice[")]
    included = [name for line in own for name in line.removeprefix("fivedice[").removesuffix("]").split(",")]
    return {extra}.union(*map(_with_included, included))


def main() -> None:
    """Check the base install and every extra, or the extras and ways that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    extras = ["base", *PROJECT["optional-dependencies"]]
    parser.add_argument("names", nargs="*", choices=[*extras, *WAYS, []], help="by default all extras")
    parser.add_argument("--wheel", type=Path, help="an existing wheel instead of one that is built first")
    options = parser.parse_args()
    chosen = options.names or extras
    failures = 0
    with TemporaryDirectory() as folder:
        needs_wheel = not options.wheel and not WAYS.keys() >= {*chosen}
        wheel = build_wheel(Path(folder)) if needs_wheel else options.wheel
        for name in chosen:
            with TemporaryDirectory() as place:
                environment = Environment(Path(place), "serve" if name in WAYS else name.replace("base", ""))
                began = time.monotonic()
                try:
                    if name in WAYS:
                        environment.begin()
                        WAYS[name](environment)
                    else:
                        environment.install(wheel.resolve())
                    took = time.monotonic() - began
                    check(environment)
                    print(f"{name}: installed in {took:.0f} s and checked", flush=True)
                except CheckFailedError as error:
                    failures += 1
                    print(f"{name}: {error}", file=sys.stderr, flush=True)
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
