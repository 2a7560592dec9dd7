"""`toldonce serve`, `keys`, `login`, `logout` and `whoami` as people call them."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import keyring.backends.fail
import pytest

from toldonce.cli.saved_login import login_file
from toldonce.server.run import _WorkerSockets, listen_at


@pytest.fixture(autouse=True)
def no_keychain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(keyring.backends.fail.Keyring())
    yield
    keyring.set_keyring(before)


@contextmanager
def serve(shell: Any, *args: str) -> Iterator[tuple[str, str]]:
    """The address of a server in a process of its own, and the link that it prints."""
    server: subprocess.Popen[bytes] = shell.process("serve", "--port", "0", "--place", "m.db", *args)
    assert server.stderr is not None
    lines: list[str] = []
    try:
        for line in iter(server.stderr.readline, b""):
            lines.append(line.decode())
            if "sign-in" in lines[-1]:
                break
        text = "".join(lines)
        address, link = re.search(r"Serving at (\S+)", text), re.search(r"(http://\S+sign-in\S+)", text)
        assert address and link, text
        yield address[1], link[1]
    finally:
        server.send_signal(signal.SIGTERM)
        _, err = server.communicate(timeout=60)
        assert server.returncode == 0, err


def test_a_newcomer_serves_opens_the_link_and_uses_a_key(shell: Any) -> None:
    secret = shell("keys", "add", "laptop", "--user", "alex", "--place", "m.db").stdout.strip()
    assert secret.startswith("tk_")
    with serve(shell) as (address, link):
        with httpx.Client() as browser:
            assert browser.get(link).status_code == 303
            assert browser.get(f"{address}/docs").status_code == 200
        headers = {"Authorization": f"Bearer {secret}"}
        kept = httpx.post(f"{address}/v1/records", json={"text": "Alex likes tea"}, headers=headers).json()
        assert kept["user"] == "alex"
        listed = shell("keys", "--place", "m.db").stdout
        assert "laptop" in listed and "used" in listed and secret not in listed


def test_sample_data_opens_with_one_line_and_a_tour(shell: Any) -> None:
    server: subprocess.Popen[bytes] = shell.process("serve", "--sample", "--port", "0")
    assert server.stderr is not None
    try:
        line = server.stderr.readline().decode()
        link = re.search(r"(http://\S+sign-in\S+)", line)
        assert link, line
        with httpx.Client(headers={"Accept": "text/html"}, follow_redirects=True) as browser:
            shown = browser.get(link[1])
            assert shown.status_code == 200 and str(shown.url).endswith("/?tour=1")
            assert "Step 1 of 5" in shown.text and "Marta" in shown.text
    finally:
        server.send_signal(signal.SIGTERM)
        out, err = server.communicate(timeout=60)
    assert (server.returncode, out, err) == (0, b"", b"")


def test_several_processes_serve_one_memory(shell: Any) -> None:
    secret = shell("keys", "add", "all", "--everyone", "--right", "read", "--right", "write", "--right", "manage",
                   "--place", "m.db").stdout.strip()  # fmt: skip
    with serve(shell, "--workers", "2") as (address, _):
        with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {secret}"}, timeout=30) as client:
            made = [client.post("/v1/records", json={"text": f"Room {n} has colour {n}", "user": "alex"}).json()["id"]
                    for n in range(10)]  # fmt: skip
        # Each has a connection of its own, so that either process may answer.
        for record in made:
            answer = httpx.get(f"{address}/v1/records/{record}", headers={"Authorization": f"Bearer {secret}"})
            assert answer.status_code == 200
        figures = httpx.get(f"{address}/metrics", headers={"Authorization": f"Bearer {secret}"}).text
        counted = re.search(r'requests_total{method="POST",path="/v1/records",status="200"} (\d+)', figures)
        assert counted and counted[1] == "10"


def test_others_can_reach_it_only_with_a_credential(shell: Any) -> None:
    told = shell("serve", "--host", "0.0.0.0", "--port", "0", "--place", "m.db", code=2).stderr
    assert "make a key first" in told
    told = shell("serve", "--jwks-url", "https://id.example/keys", "--place", "m.db", code=2).stderr
    assert "--jwt-issuer" in told
    assert "https" in shell("serve", "--jwks-url", "http://id.example/keys", "--jwt-issuer", "a", "--jwt-audience", "b",
                            "--place", "m.db", code=2).stderr  # fmt: skip


def test_a_key_says_whom_it_is_for(shell: Any) -> None:
    assert "--everyone" in shell("keys", "add", "x", "--place", "m.db", code=2).stderr
    assert "--everyone" in shell("keys", "add", "x", "--user", "a", "--everyone", "--place", "m.db", code=2).stderr
    made = shell.json("keys", "add", "laptop", "--user", "alex", "--expires", "90d", "--place", "m.db")
    assert made["key"]["person"] == "alex" and made["key"]["expires_at"]
    rotated = shell.json("keys", "rotate", "laptop", "--place", "m.db")
    assert rotated["secret"] != made["secret"]
    assert shell.json("keys", "revoke", "laptop", "--place", "m.db")["key"]["revoked_at"]
    assert "no key" in shell("keys", "revoke", "laptop", "--place", "m.db", code=2).stderr


def test_signed_in_means_remote_until_signed_out(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(shell.folder / "config"))
    secret = shell("keys", "add", "laptop", "--user", "alex", "--role", "person", "--place", "m.db").stdout.strip()
    with serve(shell) as (address, _):
        assert "does not hold" in shell("login", address, input="tk_wrong\n", code=2).stderr
        told = shell("login", address, input=f"{secret}\n").stdout
        assert address in told and "alex" in told and secret not in told
        assert stat.S_IMODE(login_file().stat().st_mode) == 0o600
        assert shell.json("whoami")["person"] == "alex"
        shell("remember", "Alex keeps bees on the roof")
        assert "bees" in shell("recall", "bees").stdout
        assert "bees" in shell("recall", "bees", "--place", "m.db").stdout
    told = shell("recall", "bees", code=3).stderr
    assert "cannot be reached" in told and "toldonce logout" in told
    assert address in shell("logout").stdout
    assert not login_file().exists()
    assert "Not signed in" in shell("whoami").stdout


def test_a_sealed_sign_in_stores_what_the_server_cannot_read(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(shell.folder / "config"))
    monkeypatch.setenv("TOLDONCE_EMBEDDER", "default")
    secret = shell("keys", "add", "laptop", "--user", "alex", "--place", "m.db").stdout.strip()
    with serve(shell) as (address, _):
        told = shell("login", address, "--sealed", input=f"{secret}\n").stdout
        key = re.search(r"hex:[0-9a-f]{64}", told)
        assert key and "Write it down" in told
        shell("remember", "Alex keeps bees on the roof")
        assert "bees" in shell("recall", "insects").stdout
        assert shell.json("stats")["kinds"] == {"sealed": {"active": 1}}
        assert "does not work with a sealed memory" in shell("settle", code=2).stderr
        notes = shell.folder / "AGENTS.md"
        notes.write_text("# Rules\n", encoding="utf-8")
        assert "was written" in shell("context", "--write", str(notes)).stdout
        text = notes.read_text(encoding="utf-8")
        assert text.startswith("# Rules\n") and "keeps bees" in text
        assert "is current" in shell("context", "--write", str(notes)).stdout
        shell("logout")
        monkeypatch.setenv("TOLDONCE_SEAL_KEY", key[0])
        shell("login", address, "--sealed", input=f"{secret}\n")
        assert "bees" in shell("recall", "insects").stdout
        monkeypatch.setenv("TOLDONCE_SEAL_KEY", "another passphrase")
        shell("login", address, "--sealed", input=f"{secret}\n")
        assert "another key" in shell("recall", "insects", code=3).stderr
    for path in shell.folder.glob("m.db*"):
        assert b"bees" not in path.read_bytes()


def test_commands_and_memory_load_nothing_of_the_server() -> None:
    program = (
        "import sys; from toldonce import Memory; import toldonce.cli.main, toldonce.cli.serve, toldonce.cli.keys\n"
        "names = {'fastapi', 'starlette', 'uvicorn', 'pydantic', 'jwt', 'mcp', 'keyring', 'numpy', 'http.client'}\n"
        "print(sorted(names & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux divides connections among sockets of one address")
def test_connections_are_divided_among_workers_that_listen() -> None:
    with _WorkerSockets(listen_at("127.0.0.1", 0)) as sockets, ExitStack() as opened:
        assert not sockets.are_open()
        workers = []
        for _ in range(3):
            with sockets.for_worker() as number:
                workers.append(opened.enter_context(socket.socket(fileno=os.dup(number))))
        *ready, starting = workers
        for one in ready:
            one.listen(512)
            one.settimeout(10)
        assert sockets.are_open()
        address = starting.getsockname()
        for _ in range(64):
            opened.enter_context(socket.create_connection(address, timeout=10))
        for one in ready:
            opened.enter_context(one.accept()[0])
        ready[0].close()
        for _ in range(16):
            opened.enter_context(socket.create_connection(address, timeout=10))
    listen_at(*address).close()
