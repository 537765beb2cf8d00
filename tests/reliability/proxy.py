"""A `Proxy`: nginx or Caddy before servers of ours, by the very lines of docs/deployment.md, with TLS."""

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.repository import ROOT
from tests.waiting import wait_for

DEPLOYMENT = ROOT / "docs" / "deployment.md"
SECONDS = 20

NGINX = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    scgi_temp_path {folder}/scgi;
    uwsgi_temp_path {folder}/uwsgi;
    {site}
}}
"""
"""What surrounds the documented lines: all that nginx writes goes into a folder of the test."""

CADDY = """
{{
    admin off
    auto_https disable_redirects
    default_bind 127.0.0.1
    local_certs
    skip_install_trust
    storage file_system {folder}/storage
}}
{site}
"""
"""What surrounds the documented lines: certificates are Caddy's own, and it changes nothing outside of a folder."""


@dataclass(frozen=True)
class Proxy:
    """A running proxy: its address, and the file of the certificate that vouches for it."""

    url: str
    authority: Path


def proxy_program(kind: str) -> str | None:
    """The path of nginx or Caddy; None where it, or what makes a certificate for it, is not there."""
    # On Debian nginx is where only root's PATH looks.
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    return shutil.which(kind, path=path) if kind == "caddy" or shutil.which("openssl") else None


@contextmanager
def proxy_before(ports: Sequence[int], kind: str, program: str, folder: Path) -> Iterator[Proxy]:
    """A proxy before servers at these ports of 127.0.0.1, which ends with the context."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    config, certificate = folder / kind, folder / "site.pem"
    if kind == "nginx":
        config.write_text(NGINX.format(folder=folder, site=_nginx_site(port, ports, certificate)))
        authority = certificate
        command = [program, "-p", str(folder), "-c", str(config), "-e", str(folder / "error.log")]
    else:
        config.write_text(CADDY.format(folder=folder, site=_caddy_site(port, ports)))
        authority = folder / "storage" / "pki" / "authorities" / "local" / "root.crt"
        command = [program, "run", "--config", str(config), "--adapter", "caddyfile"]
    with (folder / "proxy.log").open("ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "HOME": str(folder)})
    try:
        _wait(port, process, folder / "proxy.log")
        yield Proxy(f"https://localhost:{port}", authority)
    finally:
        process.terminate()
        process.wait(SECONDS)


def documented(kind: str) -> str:
    """The lines that docs/deployment.md gives for a proxy."""
    text = DEPLOYMENT.read_text(encoding="utf-8")
    [lines] = re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)
    return str(lines)


def _nginx_site(port: int, ports: Sequence[int], certificate: Path) -> str:
    """The documented lines, where they say what is another here: the port, the servers and the certificate."""
    key = certificate.with_suffix(".key")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",  # noqa: S607
         "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    site = documented("nginx")
    site = _replaced(r"listen 443\b", f"listen 127.0.0.1:{port}", site)
    site = _replaced(r"\n *listen \[::\]:443[^\n]*", "", site)
    site = _replaced(r"\S*/yahtzee\.example\.pem", str(certificate), site)
    site = _replaced(r"\S*/yahtzee\.example\.key", str(key), site)
    return _replaced(
        r"server 127\.0\.0\.1:8000([^;]*);", "".join(rf"server 127.0.0.1:{port}\1;" for port in ports), site
    )


def _caddy_site(port: int, ports: Sequence[int]) -> str:
    site = _replaced(r"yahtzee\.example \{", f"localhost:{port} {{", documented("caddy"))
    return _replaced(r"127\.0\.0\.1:8000", " ".join(f"127.0.0.1:{port}" for port in ports), site)


def _replaced(pattern: str, replacement: str, text: str) -> str:
    replaced, count = re.subn(pattern, replacement, text)
    assert count == 1, f"{pattern} is {count} times in the documented lines, not once"
    return replaced


def _wait(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until the proxy takes connections by TLS."""
    unchecked = ssl._create_unverified_context()  # noqa: S323 - its certificate is of its own making

    def answers() -> bool:
        assert process.poll() is None, log.read_text()
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as plain:
                unchecked.wrap_socket(plain, server_hostname="localhost").close()
        except OSError:
            return False
        return True

    wait_for(answers, "the proxy takes connections", SECONDS)
