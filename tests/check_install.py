"""`make check-install`: builds the wheel, and installs it with each extra into an environment outside the sources.

It checks there which commands work, what the others say, how many packages there are, and what they take on the disk.
"""

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
import venv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from tests.installed import (
    BASE_COMMANDS,
    EXTRA_COMMANDS,
    EXTRA_OPTIONS,
    IMPORTS,
    MAX_BASE_MEBIBYTES,
    MAX_BASE_PACKAGES,
    PROJECT,
)
from tests.repository import ROOT

POSTGRES = "backup other.txt --database-url postgresql://nobody@127.0.0.1:1/none"
NO_DRIVER = 'A PostgreSQL database needs the extra "postgres": pip install "fivedice[postgres]"'
VALUES = """
from hashlib import sha256
import fivedice
print(sha256(fivedice.solve("crag").values.tobytes()).hexdigest())
"""


class CheckFailedError(Exception):
    """A check failed. The message says which."""


class Environment:
    """An environment with nothing but the wheel and the packages it brings, and an empty folder to run commands in."""

    def __init__(self, folder: Path, wheel: Path, extra: str) -> None:
        self.extra = extra
        self.environment, self.work = folder / "environment", folder / "work"
        self.work.mkdir(parents=True)
        venv.create(self.environment, symlinks=True)
        self.bin = self.environment / "bin"
        self.pip("install", "--quiet", "--no-compile", f"{wheel}[{extra}]" if extra else str(wheel))
        self.pip("check")

    def pip(self, *arguments: str) -> str:
        """The output of pip about this environment."""
        python = str(self.bin / "python")
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python, *arguments]
        return self._run(command).stdout

    def fivedice(self, command: str) -> str:
        """What the command prints, on both streams."""
        done = self._run([str(self.bin / "fivedice"), *shlex.split(command)], check=False)
        return done.stdout + done.stderr

    def python(self, code: str) -> str:
        """What code prints."""
        return self._run([str(self.bin / "python"), "-c", code]).stdout

    def expect(self, command: str, part: str) -> None:
        """Raises `CheckFailedError` unless the command prints this."""
        output = self.fivedice(command)
        if part not in output:
            raise CheckFailedError(f"fivedice {command}: want {part!r} in the output, which is {output!r}")

    @property
    def variables(self) -> Mapping[str, str]:
        """Environment variables that keep everything in the folder."""
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "HOME")}
        return {**kept, "FIVEDICE_DATA": str(self.work), "FIVEDICE_CACHE": str(self.work / "cache"), "COLUMNS": "120"}

    def _run(self, command: list[str], *, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(  # noqa: S603
            command,
            cwd=self.work,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if check and done.returncode:
            raise CheckFailedError(f"{shlex.join(command)}: {done.stdout}{done.stderr}")
        return done


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


def here(code: str) -> str:
    """What code prints with the kernels of this checkout."""
    return subprocess.check_output([sys.executable, "-c", code], text=True)  # noqa: S603


def check(environment: Environment) -> None:
    """Check one environment; raises `CheckFailedError`."""
    extras = _with_included(environment.extra)
    if not extras:
        check_size(environment)
        environment.expect("--version", "with kernels built for")
    if environment.extra in ("", "all"):
        check_base(environment)
    for extra, code in IMPORTS.items():
        if extra in extras:
            environment.python(code)
    if "serve" in extras:
        check_server(environment)
    for command, extra in EXTRA_COMMANDS.items():
        if extra not in extras:
            name = command.split()[0]
            environment.expect(command, f'fivedice {name} needs the extra "{extra}": pip install "fivedice[{extra}]"')
    for command, (extra, what) in EXTRA_OPTIONS.items():
        if not extras:
            environment.expect(command, f'{what} needs the extra "{extra}": pip install "fivedice[{extra}]"')
    if "postgres" in extras:
        environment.expect(POSTGRES, "cannot be used")
    elif "serve" in extras:
        environment.expect(POSTGRES, NO_DRIVER)


def check_base(environment: Environment) -> None:
    """Check what the base install can do, and that its kernels give the same bits as those of this checkout."""
    for command, part in BASE_COMMANDS.items():
        environment.expect(command, part)
    if environment.python(VALUES) != here(VALUES):
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
    """Start the server, load the page, and make and read a backup of its database."""
    with server_of(environment) as url:
        for path, part in (("/", "<html"), ("/health", "")):
            with urlopen(url + path, timeout=30) as response:  # noqa: S310
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
    """Check the base install and every extra, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    extras = ["base", *PROJECT["optional-dependencies"]]
    parser.add_argument("extras", nargs="*", choices=[*extras, []], help="by default all")
    parser.add_argument("--wheel", type=Path, help="an existing wheel instead of one that is built first")
    options = parser.parse_args()
    chosen = options.extras or extras
    failures = 0
    with TemporaryDirectory() as folder:
        wheel = options.wheel.resolve() if options.wheel else build_wheel(Path(folder) / "wheel")
        for name in chosen:
            with TemporaryDirectory() as place:
                try:
                    check(Environment(Path(place), wheel, "" if name == "base" else name))
                    print(f"{name}: installed and checked")
                except CheckFailedError as error:
                    failures += 1
                    print(f"{name}: {error}", file=sys.stderr)
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
