"""Webhooks: a real receiver gets every event once by its id, signed, in order, whatever fails meanwhile."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import START, ManualClock, OpenMemory
from tests.jobs.receiver import Receiver, is_signed_by
from toldonce import InputError, Memory
from toldonce.errors import WebhookError
from toldonce.jobs.webhooks import lacks_deliveries
from toldonce.operations import webhook_sending
from toldonce.operations.events import EVENTS
from toldonce.operations.webhook_sending import is_public, sign_delivery
from toldonce.operations.webhooks import WEBHOOK


def settle_one(memory: Memory, session: str = "monday") -> str:
    memory.observe(f"I live in Lisbon, and this is {session}", "alex", session=session)
    (settled,) = memory.settle(session=session)
    return settled.conversation


def test_a_completed_session_is_delivered_signed_and_without_text(open_memory: OpenMemory, receiver: Receiver) -> None:
    memory = open_memory("life")
    made = memory.webhooks.add(receiver.url, private=True)
    conversation = settle_one(memory)
    memory.tend()
    memory.tend()
    (sent,) = receiver.taken
    assert (sent["type"], sent["data"]["id"]) == ("session_completed", conversation)
    assert sent["data"]["session"] == "monday" and sent["data"]["records"] > 0
    assert b"Lisbon" not in sent["body"]
    assert is_signed_by(made.secret, sent)
    assert not is_signed_by(memory.webhooks.add(receiver.url, private=True).secret, sent)
    assert (memory.webhooks.all()[0].delivered, memory.webhooks.all()[0].last_error) == (1, "")
    assert made.secret not in repr(memory.webhooks.all())


def test_what_fails_twice_is_sent_again_with_the_same_id_and_nothing_overtakes_it(
    open_memory: OpenMemory, receiver: Receiver, clock: ManualClock
) -> None:
    memory = open_memory("life")
    memory.webhooks.add(receiver.url, private=True)
    first, second = settle_one(memory, "monday"), settle_one(memory, "tuesday")
    receiver.answers = [500, 302]
    memory.tend()
    memory.tend()
    assert [sent["data"]["id"] for sent in receiver.taken] == [first]
    assert memory.webhooks.all()[0].last_error == "the receiver answered 500"
    clock.pass_time(minutes=1)
    memory.tend()
    assert memory.webhooks.all()[0].last_error == "the receiver answered 302"
    clock.pass_time(minutes=5)
    memory.tend()
    assert [sent["data"]["id"] for sent in receiver.taken] == [first, first, first, second]
    assert len(set(receiver.ids[:3])) == 1 and receiver.ids[3] != receiver.ids[0]
    assert (memory.webhooks.all()[0].delivered, memory.webhooks.all()[0].last_error) == (2, "")


KILLED = """
import sys
from datetime import datetime
from toldonce import Memory
now = datetime.fromisoformat(sys.argv[2])
Memory.open(sys.argv[1], embedder=None, background=False, clock=lambda: now).tend()
"""


def test_a_killed_worker_loses_nothing(
    open_memory: OpenMemory, find_place: Callable[[str], str], receiver: Receiver, clock: ManualClock
) -> None:
    memory = open_memory("life")
    memory.webhooks.add(receiver.url, private=True)
    conversation = settle_one(memory)
    command = [sys.executable, "-c", KILLED, find_place("memory.db"), START.isoformat()]
    worker = subprocess.Popen(command)
    receiver.before_answer = worker.kill
    worker.wait(60)
    receiver.before_answer = lambda: None
    assert memory.webhooks.all()[0].delivered == 0
    memory.tend()
    assert len(receiver.taken) == 1, "the lease of the killed worker still holds"
    clock.pass_time(minutes=5)
    memory.tend()
    assert [sent["data"]["id"] for sent in receiver.taken] == [conversation, conversation]
    assert len(set(receiver.ids)) == 1
    assert memory.webhooks.all()[0].delivered == 1


def test_an_event_that_is_never_taken_is_given_up_and_counted(
    open_memory: OpenMemory, receiver: Receiver, clock: ManualClock
) -> None:
    memory = open_memory("life")
    memory.webhooks.add(receiver.url, private=True)
    settle_one(memory, "monday")
    second = settle_one(memory, "tuesday")
    receiver.answers = [500] * 28
    for _ in range(40):
        memory.tend()
        clock.pass_time(hours=1)
    found = memory.webhooks.all()[0]
    assert (found.dropped, found.delivered) == (1, 1)
    assert receiver.taken[-1]["data"]["id"] == second


def test_a_receiver_that_is_gone_is_sent_nothing_until_it_was_tested(
    open_memory: OpenMemory, receiver: Receiver
) -> None:
    memory = open_memory("life")
    hook = memory.webhooks.add(receiver.url, private=True).webhook
    settle_one(memory, "monday")
    receiver.answers = [410]
    memory.tend()
    assert memory.webhooks.all()[0].ended_at is not None
    settle_one(memory, "tuesday")
    memory.tend()
    assert len(receiver.taken) == 1
    memory.webhooks.test(hook.id)
    assert receiver.taken[1]["type"] == "test"
    memory.tend()
    assert [sent["data"].get("session") for sent in receiver.taken] == ["monday", None, "monday", "tuesday"]


def test_text_is_sent_only_when_asked_for_and_never_of_what_was_forgotten(
    open_memory: OpenMemory, receiver: Receiver
) -> None:
    memory = open_memory("assistant")
    memory.webhooks.add(receiver.url, events=["record_added", "record_changed"], with_text=True, private=True)
    shown, hidden = (memory.remember(text, user="alex") for text in ("Alex likes tea", "Alex has a secret plan"))
    memory.forget(hidden.id)
    memory.tend()
    sent = {(one["type"], one["data"]["id"]): one["data"].get("text") for one in receiver.taken}
    assert sent == {
        ("record_added", shown.id): "Alex likes tea",
        ("record_added", hidden.id): None,
        ("record_changed", hidden.id): None,
    }


def test_deliveries_are_no_events_for_deliveries(open_memory: OpenMemory, receiver: Receiver) -> None:
    memory = open_memory("life")
    memory.webhooks.add(receiver.url, events=list(EVENTS), private=True)
    settle_one(memory)
    for _ in range(3):
        memory.tend()
    names = [sent["data"]["id"] for sent in receiver.taken if sent["type"] == "job_finished"]
    assert names and WEBHOOK not in names
    assert not memory.store.read(lacks_deliveries)
    assert len(set(receiver.ids)) == len(receiver.ids)


def test_only_what_happens_after_it_was_added_is_sent(open_memory: OpenMemory, receiver: Receiver) -> None:
    memory = open_memory("life")
    settle_one(memory, "monday")
    memory.webhooks.add(receiver.url, private=True)
    settle_one(memory, "tuesday")
    memory.tend()
    assert [sent["data"]["session"] for sent in receiver.taken] == ["tuesday"]


def test_a_removed_webhook_is_sent_nothing(open_memory: OpenMemory, receiver: Receiver) -> None:
    memory = open_memory("life")
    hook = memory.webhooks.add(receiver.url, private=True).webhook
    settle_one(memory)
    assert memory.webhooks.remove(hook.id).url == receiver.url
    memory.tend()
    assert receiver.taken == [] and memory.webhooks.all() == []
    with pytest.raises(InputError, match="toldonce webhooks list"):
        memory.webhooks.remove(hook.id)


def test_tenants_of_one_database_hear_nothing_of_each_other(
    backend: str, find_place: Callable[[str], str], receiver: Receiver, clock: ManualClock
) -> None:
    if backend != "postgres":
        pytest.skip("a file has one tenant")
    place = find_place("memory.db")
    given: dict[str, Any] = {"embedder": None, "background": False, "clock": clock}
    with (
        Memory.open(f"{place}&tenant=one", preset="life", **given) as one,
        Memory.open(f"{place}&tenant=two", preset="life", **given) as two,
    ):
        one.webhooks.add(receiver.url, private=True)
        settle_one(two)
        two.tend()
        one.tend()
        assert receiver.taken == [] and two.webhooks.all() == []
        settle_one(one)
        two.tend()
        assert receiver.taken == []
        one.tend()
        assert len(receiver.taken) == 1


@pytest.mark.in_a_file
def test_an_encrypted_memory_keeps_the_secret_encrypted(open_memory: OpenMemory, tmp_path: Path) -> None:
    for name, key in (("plain.db", None), ("sealed.db", "a passphrase")):
        memory = open_memory("life", file=name, encryption_key=key)
        secret = memory.webhooks.add("http://127.0.0.1:9/hook", private=True).secret
        memory.close()
        content = b"".join(file.read_bytes() for file in tmp_path.glob(f"{name}*"))
        assert (secret.encode() in content) == (key is None)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://example.org/hook", "https"),
        ("ftp://example.org", "looks like"),
        ("https://user:password@example.org", "looks like"),
        ("https://", "looks like"),
        ("", "looks like"),
        ("https://example.org:x/", "looks like"),
        ("https://exämple.org/", "plain characters"),
        ("https://127.0.0.1/hook", "private or loopback"),
        ("https://[::1]/hook", "private or loopback"),
        ("https://localhost/hook", "private or loopback"),
        ("https://169.254.169.254/latest/meta-data", "private or loopback"),
        ("https://[::ffff:10.0.0.1]/", "private or loopback"),
        ("https://does-not-exist.invalid/", "cannot be resolved"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused(open_memory: OpenMemory, url: str, message: str) -> None:
    memory = open_memory("assistant")
    with pytest.raises(InputError, match=message):
        memory.webhooks.add(url)
    assert memory.webhooks.all() == []


def test_wrong_events_are_refused(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    wrong: list[Any] = ["session_completed", [], ["session_complete"]]
    for events in wrong:
        with pytest.raises(InputError, match="events|there is no event"):
            memory.webhooks.add("https://127.0.0.1/", events=events, private=True)


def test_a_name_that_moves_to_a_private_address_is_not_followed(
    open_memory: OpenMemory, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is resolved for each delivery; one private address among public ones is enough to refuse."""
    moved = "8.8.8.8"
    port = int(receiver.url.split(":")[2].partition("/")[0])

    def resolve(host: str, *_: object, **__: object) -> list[Any]:
        found = ["8.8.8.8", moved] if host == "hooks.example.org" else [host]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(webhook_sending.socket, "getaddrinfo", resolve)
    memory = open_memory("life")
    hook = memory.webhooks.add(f"https://hooks.example.org:{port}/").webhook
    moved = "127.0.0.1"
    with pytest.raises(WebhookError, match="private or loopback"):
        memory.webhooks.test(hook.id)
    settle_one(memory)
    memory.tend()
    assert receiver.taken == []
    assert "private or loopback" in memory.webhooks.all()[0].last_error


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True), ("2606:4700:4700::1111", True), ("::ffff:8.8.8.8", True), ("64:ff9b::808:808", True),
        ("10.1.2.3", False), ("192.168.0.1", False), ("172.16.0.1", False), ("100.64.0.1", False), ("0.0.0.0", False),
        ("169.254.169.254", False), ("224.0.0.1", False), ("::1", False), ("fe80::1%eth0", False), ("fd00::1", False),
        ("::ffff:127.0.0.1", False), ("64:ff9b::7f00:1", False), ("2002:7f00:1::", False),
        ("::127.0.0.1", False), ("::10.0.0.1", False), ("64:ff9b:1::a00:1", False), ("64:ff9b:1:a00:0:100::", False),
    ],
)  # fmt: skip
def test_public_addresses_are_told_from_private_ones(address: str, public: bool) -> None:
    assert is_public(address) == public


def test_the_signature_is_that_of_the_standard() -> None:
    """The example of the Standard Webhooks specification's own libraries."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    signed = sign_delivery(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
