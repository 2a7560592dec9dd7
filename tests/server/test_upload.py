"""The first sign-in: what would go is shown, what goes arrives once, and the copy here says where it went."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import Serving
from tests.server.test_serve import no_keychain, serve  # noqa: F401  (a fixture)
from toldonce import Memory
from toldonce.operations.space_state import find_moved_to
from toldonce.operations.uploading import plan_upload, upload_memory

RIGHTS = ["read", "write", "manage"]


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "local.db", "assistant", embedder=None, background=False) as memory:
        for n in range(30):
            memory.observe(f"Maria Silva paints boat number {n}", "alex", session=f"s{n // 7}")
        memory.settle(session="s1")
        wrong = memory.remember("Alex has two cats", user="alex")
        memory.correct(wrong.id, "Alex has three cats")
        memory.spaces.add("work", preset="coding")
        memory.remember("Tests run with make test", "convention", user="alex", space="work")
        yield memory


def list_lines(memory: Memory, path: Path) -> set[str]:
    memory.export(path)
    return {line for line in path.read_text(encoding="utf-8").splitlines()[1:] if '"type":"setting"' not in line}


def test_the_plan_counts_by_space_what_would_go(local: Memory) -> None:
    plan = {one.space: one for one in plan_upload(local.store)}
    assert plan["work"].preset == "coding" and plan["work"].records == 1
    assert plan["main"].records > 30 and plan["main"].vectors >= 30 and plan["main"].secrets == 0


def test_everything_arrives_once_with_its_history_and_links(server: Serving, local: Memory, tmp_path: Path) -> None:
    with Memory.open(server.url, api_key=server.key("all", rights=RIGHTS)) as remote:
        done = upload_memory(local.store, remote, address=server.url, records_per_part=7)
        assert done.parts > 4 and done.parts_before == 0
        wanted = list_lines(local, tmp_path / "here.jsonl")
        assert list_lines(server.memory, tmp_path / "there.jsonl") >= {w for w in wanted if '"type":"space"' not in w}
        again = upload_memory(local.store, remote, address=server.url, records_per_part=7)
        assert again.parts_before == again.parts
        # What arrived but was not noted any more is sent again, and changes nothing.
        before = list_lines(server.memory, tmp_path / "before.jsonl")
        local.store.write(lambda t: t.documents.set_setting("", f"sent to {server.url}", ""))
        assert upload_memory(local.store, remote, address=server.url, records_per_part=9).parts_before == 0
        assert list_lines(server.memory, tmp_path / "after.jsonl") == before
    moved = local.store.read(find_moved_to)
    assert moved is not None and moved.address == server.url


PROGRAM = """
import sys
from toldonce import Memory
from toldonce.operations.uploading import upload_memory

def tell(done, of):
    print("part", done, flush=True)
    if done == 3 and "--stop" in sys.argv:
        sys.stdin.read()

path, address, key = sys.argv[1:4]
with Memory.open(path, background=False, embedder=None) as local, Memory.open(address, api_key=key) as remote:
    done = upload_memory(local.store, remote, address=address, tell=tell, records_per_part=5)
    print("done", done.parts_before, done.parts, flush=True)
"""


def test_an_upload_that_was_killed_goes_on_without_duplicates(server: Serving, local: Memory, tmp_path: Path) -> None:
    local.close()
    key = server.key("all", rights=RIGHTS)
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "local.db"), server.url, key]
    first = subprocess.Popen([*command, "--stop"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert first.stdout is not None
    while b"part 3" not in first.stdout.readline():
        pass
    first.send_signal(signal.SIGKILL)
    first.communicate()
    second = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1].split()
    assert second[0] == "done" and int(second[1]) == 3 and int(second[2]) > 5
    with Memory.open(tmp_path / "local.db", embedder=None, background=False) as again:
        wanted = {r.id for r in again.review.records(limit=500)}
        found = [r.id for r in server.memory.review.records(limit=500)]
        assert set(found) == wanted and len(found) == len(wanted)


def test_login_shows_what_would_go_sends_it_and_marks_the_copy(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(shell.folder / "config"))
    shell("remember", "Alex keeps bees on the roof", "--user", "alex")
    add = ("keys", "add", "all", "--everyone", "--place", "m.db")
    secret = shell(*add, "--right", "read", "--right", "write", "--right", "manage").stdout.strip()
    plain = shell("keys", "add", "mine", "--user", "alex", "--place", "m.db").stdout.strip()
    with serve(shell) as (address, _):
        told = shell("login", address, input=f"{secret}\n").stderr
        assert "with a secret" in told and "Nothing was sent" in told
        assert "may not import" in shell("login", address, "--yes", input=f"{plain}\n", code=2).stderr
        shell("login", address, "--no-upload", input=f"{secret}\n")
        assert "bees" not in shell("recall", "bees").stdout
        assert "1 records are on" in shell("login", address, "--yes", input=f"{secret}\n").stderr
        assert "bees" in shell("recall", "bees").stdout
        assert "nothing is sent again" in shell("login", address, "--yes", input=f"{secret}\n").stderr
    shell("logout")
    assert f"This memory went to {address}" in shell("recall", "bees").stderr
