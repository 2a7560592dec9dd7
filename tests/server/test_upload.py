"""The first sign-in: what would go is shown, what goes arrives once, and the copy here says where it went."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import OpenMemory
from tests.jobs.receiver import Receiver, is_signed_by
from tests.server.serving import OPEN_LIMITS, Serving, serving
from tests.server.test_serve import no_keychain, serve  # noqa: F401  (a fixture)
from toldonce import InputError, Memory, Record
from toldonce.jobs.handing_over import hand_over_webhooks
from toldonce.operations.space_state import find_moved_to
from toldonce.operations.uploading import plan_upload, upload_memory
from toldonce.server.settings import ServerSettings

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
from toldonce import InputError, Memory, Record
from toldonce.jobs.handing_over import hand_over_webhooks
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


@pytest.fixture
def open_server(open_memory: OpenMemory) -> Iterator[Serving]:
    """A server that sends to private addresses, and does no background work by itself."""
    settings = ServerSettings(limits=OPEN_LIMITS, private_webhooks=True)
    with serving(open_memory("assistant"), settings) as running:
        yield running


def test_webhooks_go_on_from_the_server(open_server: Serving, local: Memory, receiver: Receiver) -> None:
    """What waits is sent first, once; what happens on the server is sent from there with the same secret."""
    made = local.webhooks.add(receiver.url, events=["record_added", "session_completed"], private=True)
    local.observe("The boat needs paint", "alex", session="new")
    local.settle(session="new")
    receiver.answers = [500]
    with Memory.open(open_server.url, api_key=open_server.key("all", rights=RIGHTS)) as remote:
        upload_memory(local.store, remote, address=open_server.url)
        left = hand_over_webhooks(local, remote, address=open_server.url)
        assert left.webhooks == 0 and "not taken" in left.left[made.webhook.id] and remote.webhooks.all() == []
        # Killed after the server has it, and before that is noted here: the second time changes nothing there.
        remote.webhooks.add(made.webhook.url, events=made.webhook.events, private=True, secret=made.secret)
        assert hand_over_webhooks(local, remote, address=open_server.url).left == {}
        waited = len(receiver.taken)
        assert len(set(receiver.ids)) == waited - 1 > 1
        assert hand_over_webhooks(local, remote, address=open_server.url).webhooks == 0
        assert len(remote.webhooks.all()) == 1
        kept = remote.observe("The boat is painted", "alex", session="later")
    local.observe("Nobody hears of this", "alex")
    local.tend()
    open_server.memory.tend()
    sent = receiver.taken[waited:]
    assert isinstance(kept, Record) and sent[0]["data"]["id"] == kept.id
    assert len({(one["type"], one["data"]["id"]) for one in receiver.taken}) == len(receiver.taken) - 1
    assert is_signed_by(made.secret, sent[0])
    assert local.webhooks.all()[0].last_error == f"moved to {open_server.url}"


def test_a_webhook_that_the_server_refuses_stays_here(server: Serving, local: Memory, receiver: Receiver) -> None:
    made = local.webhooks.add(receiver.url, private=True)
    with Memory.open(server.url, api_key=server.key("all", rights=RIGHTS)) as remote:
        left = hand_over_webhooks(local, remote, address=server.url).left
    assert "--private-webhooks" in left[made.webhook.id] and local.webhooks.all()[0].ended_at is None


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_AAAA", "whsec_%%", "A" * 44])
def test_a_secret_that_signs_nothing_is_refused(local: Memory, secret: str) -> None:
    with pytest.raises(InputError, match="24 to 64 bytes"):
        local.webhooks.add("https://127.0.0.1/hook", private=True, secret=secret)


def test_login_shows_what_would_go_sends_it_and_marks_the_copy(
    shell: Any, monkeypatch: pytest.MonkeyPatch, receiver: Receiver
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(shell.folder / "config"))
    shell("remember", "Alex keeps bees on the roof", "--user", "alex")
    hook = shell.json("webhooks", "add", receiver.url, "--private")["webhook"]["id"]
    add = ("keys", "add", "all", "--everyone", "--place", "m.db")
    secret = shell(*add, "--right", "read", "--right", "write", "--right", "manage").stdout.strip()
    plain = shell("keys", "add", "mine", "--user", "alex", "--place", "m.db").stdout.strip()
    with serve(shell) as (address, _):
        told = shell("login", address, input=f"{secret}\n").stderr
        assert "with a secret" in told and "Nothing was sent" in told
        assert "may not import" in shell("login", address, "--yes", input=f"{plain}\n", code=2).stderr
        shell("login", address, "--no-upload", input=f"{secret}\n")
        assert "bees" not in shell("recall", "bees").stdout
        told = shell("login", address, "--yes", input=f"{secret}\n").stderr
        assert "1 records are on" in told and f"{hook} stays here" in told and "--private-webhooks" in told
        assert "bees" in shell("recall", "bees").stdout
        assert "nothing is sent again" in shell("login", address, "--yes", input=f"{secret}\n").stderr
    shell("logout")
    assert f"This memory went to {address}" in shell("recall", "bees").stderr
