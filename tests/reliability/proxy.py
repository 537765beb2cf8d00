"""`Proxy`: nginx, HAProxy or Caddy with TLS in front of test servers, with the configuration in contrib."""

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
from tests.waiting import TIMEOUT_SECONDS, wait_for

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
"""The context of the documented configuration. nginx writes into a folder of the test only."""

CADDY = """
{{
    admin off
    auto_https disable_redirects
    default_bind 127.0.0.1
    local_certs
    skip_install_trust
    storage file_system {folder}/storage
{options}
}}
{site}
"""
"""The context of the documented configuration. Caddy signs its own certificates and writes into one folder only."""


@dataclass(frozen=True)
class Proxy:
    """A running proxy: its address, and the certificate file with which clients verify it."""

    url: str
    ca_file: Path


def find_proxy(kind: str) -> str | None:
    """The path of a proxy, or None if it is not installed, or openssl is not, which all but Caddy need here."""
    # Debian installs them into a folder that is on root's PATH only.
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    return shutil.which(kind, path=path) if kind == "caddy" or shutil.which("openssl") else None


@contextmanager
def run_proxy(ports: Sequence[int], kind: str, program: str, folder: Path) -> Iterator[Proxy]:
    """Run a proxy in front of servers on `ports` of 127.0.0.1, and stop it at the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    config, certificate = folder / kind, folder / "site.pem"
    if kind == "nginx":
        config.write_text(NGINX.format(folder=folder, site=_nginx_site(port, ports, certificate)))
        ca_file = certificate
        command = [program, "-p", str(folder), "-c", str(config), "-e", str(folder / "error.log")]
    elif kind == "haproxy":
        config.write_text(_haproxy_site(port, ports, certificate))
        ca_file = certificate
        command = [program, "-db", "-f", str(config)]
    else:
        options, site = _caddy_site(port, ports)
        config.write_text(CADDY.format(folder=folder, options=options, site=site))
        ca_file = folder / "storage" / "pki" / "authorities" / "local" / "root.crt"
        command = [program, "run", "--config", str(config), "--adapter", "caddyfile"]
    with (folder / "proxy.log").open("ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "HOME": str(folder)})
    try:
        _wait_until_ready(port, process, folder / "proxy.log")
        yield Proxy(f"https://localhost:{port}", ca_file)
    finally:
        process.terminate()
        process.wait(TIMEOUT_SECONDS)


FILES = {"nginx": "nginx.conf", "haproxy": "haproxy.cfg", "caddy": "Caddyfile"}


def documented_config(kind: str) -> str:
    return (ROOT / "contrib" / FILES[kind]).read_text(encoding="utf-8")


def _nginx_site(port: int, ports: Sequence[int], certificate: Path) -> str:
    """Return the documented configuration with the port, servers and certificate of the test."""
    key = _make_certificate(certificate)
    site = documented_config("nginx")
    site = _replace_once(r"listen 443\b", f"listen 127.0.0.1:{port}", site)
    site = _replace_once(r"\n *listen \[::\]:443[^\n]*", "", site)
    site = _replace_once(r"\S*/yahtzee\.example\.pem", str(certificate), site)
    site = _replace_once(r"\S*/yahtzee\.example\.key", str(key), site)
    return _replace_once(
        r"server 127\.0\.0\.1:8000([^;]*);", "".join(rf"server 127.0.0.1:{port}\1;" for port in ports), site
    )


def _haproxy_site(port: int, ports: Sequence[int], certificate: Path) -> str:
    both = certificate.with_name("both.pem")
    both.write_bytes(_make_certificate(certificate).read_bytes() + certificate.read_bytes())
    site = _replace_once(r"bind :443 ssl", f"bind 127.0.0.1:{port} ssl", documented_config("haproxy"))
    site = _replace_once(r"\n *bind :::443[^\n]*", "", site)
    site = _replace_once(r"crt \S*/yahtzee\.example\.pem", f"crt {both}", site)
    servers = "".join(rf"\n    server number{index} 127.0.0.1:{one} \1" for index, one in enumerate(ports))
    return _replace_once(r"\n *server one 127\.0\.0\.1:8000 ([^\n]*)", servers, site)


def _make_certificate(certificate: Path) -> Path:
    key = certificate.with_suffix(".key")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",  # noqa: S607
         "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    return key


def _caddy_site(port: int, ports: Sequence[int]) -> tuple[str, str]:
    options, _, site = documented_config("caddy").partition("\n}\n\n")
    site = _replace_once(r"yahtzee\.example \{", f"localhost:{port} {{", site)
    site = _replace_once(r"127\.0\.0\.1:8000", " ".join(f"127.0.0.1:{port}" for port in ports), site)
    return options.removeprefix("{\n"), site


def _replace_once(pattern: str, replacement: str, text: str) -> str:
    replaced, count = re.subn(pattern, replacement, text)
    assert count == 1, f"{pattern} occurs {count} times in the documented configuration, not once"
    return replaced


def _wait_until_ready(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    unchecked = ssl._create_unverified_context()  # noqa: S323 - the certificate is self-signed

    def is_ready() -> bool:
        assert process.poll() is None, log.read_text()
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS) as plain:
                unchecked.wrap_socket(plain, server_hostname="localhost").close()
        except OSError:
            return False
        return True

    wait_for(is_ready, "the proxy accepts connections")
