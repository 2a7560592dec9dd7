"""A message that is sent again with its idempotency key is stored once, whoever stores it and whenever it comes."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from tests.conftest import START, ManualClock, OpenMemory
from tests.shell import Shell
from toldonce import AsyncMemory, Memory, Record
from toldonce.capture.observe import REPEATED, TAKEN_OUT, Skipped
from toldonce.errors import InputError, KeyReused, QuotaExceeded
from toldonce.operations.quotas import Quota

TEXT = "My sister Rita lives in Porto"


def send(memory: Memory, text: str = TEXT, user: str | None = "ana", *, key: str = "k1", **given: str) -> Record:
    kept = memory.observe(text, user, session="s", idempotency_key=key, **given)  # type: ignore[arg-type]
    assert isinstance(kept, Record), kept
    return kept


def count_messages(memory: Memory, user: str | None = "ana") -> int:
    return len(memory.review.records(user, kinds=["message"], limit=100))


def test_a_message_that_comes_again_with_its_key_is_stored_once(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    first = send(memory)
    clock.pass_time(hours=1)
    again = send(memory)
    assert again == first and again.notices == (REPEATED,) and first.notices == ()
    assert send(memory, at=str(START - timedelta(days=1))).at == first.at
    assert count_messages(memory) == 1
    assert memory.stats()["kinds"]["message"] == {"active": 1}


def test_without_a_key_what_is_said_twice_was_said_twice(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    for _ in range(2):
        memory.observe(TEXT, "ana", session="s")
    assert count_messages(memory) == 2


def test_the_key_of_another_message_is_refused(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    send(memory)
    for text, role in (("My brother Rui lives in Porto", "user"), (TEXT, "assistant")):
        with pytest.raises(KeyReused, match="was used for another message"):
            send(memory, text, role=role)
    assert count_messages(memory) == 1


def test_keys_are_those_of_a_person_in_a_space(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.spaces.add("work", preset="assistant")
    kept = [send(memory), send(memory, user="bob"), send(memory, user=None), send(memory, space="work")]
    assert len({record.id for record in kept}) == 4


@pytest.mark.parametrize("key", ["", " ", "x" * 201, "a\nb", 7])
def test_a_key_that_is_none_is_refused(open_memory: OpenMemory, key: str) -> None:
    with pytest.raises(InputError, match="idempotency"):
        open_memory("assistant").observe(TEXT, "ana", idempotency_key=key)


def test_each_of_many_messages_has_its_own_key(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    several = [{"text": f"Room {n} is blue", "user": "ana", "idempotency_key": f"k{n}"} for n in (1, 2, 1)]
    first = memory.observe_many(several)
    assert first[0] == first[2] and count_messages(memory) == 2
    assert memory.observe_many(several) == first
    with pytest.raises(KeyReused, match="^message 1: ") as refused:
        memory.observe_many([{"text": "New", "user": "ana"}, {**several[1], "text": "Room 9 is red"}])
    assert refused.value.place == 1 and count_messages(memory) == 2


def test_a_secret_in_it_does_not_make_it_another_message(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    told = "The password of the garage is Xk9-wolf-77qa"
    first = send(memory, told)
    assert "wolf" not in first.text and send(memory, told) == first
    later = send(memory, "The wifi at home: Brisa-Azul-2041-Casa", key="k2")
    send(memory, "My password is Brisa-Azul-2041-Casa", key="k3")
    assert send(memory, "The wifi at home: Brisa-Azul-2041-Casa", key="k2").id == later.id


def test_a_message_in_several_parts_comes_again_as_its_first(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    long = " ".join(f"Sentence number {n} is about the harbour." for n in range(12_000))
    first = send(memory, long)
    stored = memory.store.read(lambda t: t.records.read_page(None))
    assert len(stored) > 1 and send(memory, long) == first
    assert memory.store.read(lambda t: t.records.read_page(None)) == stored
    with pytest.raises(KeyReused):
        send(memory, long.removesuffix("harbour.") + "lake.")


def test_what_was_forgotten_purged_or_erased_does_not_come_back(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    forgotten, purged = send(memory, key="f"), send(memory, key="p")
    send(memory, key="e", user="bob")
    memory.forget(forgotten.id)
    memory.purge(purged.id)
    memory.erase(user="bob")
    clock.pass_time(days=1)
    for key, user in (("f", "ana"), ("p", "ana"), ("e", "bob")):
        assert memory.observe(TEXT, user, session="s", idempotency_key=key) == Skipped(TAKEN_OUT)
    assert count_messages(memory) == 0 and count_messages(memory, "bob") == 0
    memory.restore(forgotten.id)
    assert send(memory, key="f").id == forgotten.id


def test_a_repetition_uses_up_no_quota(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.spaces.set_quota(Quota(records_per_space=1))
    first = send(memory)
    assert send(memory) == first
    with pytest.raises(QuotaExceeded):
        send(memory, key="k2")


def test_processes_and_threads_that_send_at_once_store_it_once(
    open_memory: OpenMemory, find_place: Callable[[str], str]
) -> None:
    memory = open_memory("assistant")
    command = [sys.executable, "-c", SENDER, find_place("memory.db"), "done"]
    others = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    with ThreadPoolExecutor(4) as pool:
        ids = {record.id for record in pool.map(lambda _: send(memory), range(8))}
    for other in others:
        ids.add(other.communicate(timeout=120)[0].decode().strip())
    assert len(ids) == 1 and count_messages(memory) == 1


SENDER = f"""
import os, signal, sys
from toldonce import Memory
with Memory.open(sys.argv[1], embedder=None, background=False) as memory:
    kept = memory.observe({TEXT!r}, "ana", session="s", idempotency_key="k1")
    if sys.argv[2] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    print(kept.id)
"""


def test_a_sender_that_was_killed_before_it_heard_the_answer_sends_again(
    open_memory: OpenMemory, find_place: Callable[[str], str]
) -> None:
    open_memory("assistant").close()
    place = find_place("memory.db")
    killed = subprocess.run([sys.executable, "-c", SENDER, place, "killed"], check=False)
    assert killed.returncode == -signal.SIGKILL
    again = subprocess.run([sys.executable, "-c", SENDER, place, "done"], check=True, stdout=subprocess.PIPE)
    with Memory.open(place, embedder=None, background=False) as memory:
        assert count_messages(memory) == 1
        assert send(memory).id == again.stdout.decode().strip()


@pytest.mark.in_a_file
def test_the_awaited_memory_takes_keys_too(tmp_path: Path, backend: str) -> None:
    async def send_twice() -> list[object]:
        async with await AsyncMemory.open(tmp_path / "memory.db", embedder=None, background=False) as memory:
            one = await memory.observe(TEXT, "ana", idempotency_key="k1")
            return [one, *await memory.observe_many([{"text": TEXT, "user": "ana", "idempotency_key": "k1"}])]

    first, again = asyncio.run(send_twice())
    assert first == again


@pytest.mark.in_a_file
def test_the_command_line_takes_keys(shell: Shell, backend: str) -> None:
    def observe(*words: str, input: str | None = None, code: int = 0) -> str:
        return shell("observe", "--user", "ana", *words, input=input, code=code).output

    observe(TEXT, "--idempotency-key", "k1")
    assert REPEATED in observe(TEXT, "--idempotency-key", "k1")
    assert "was used for another message" in observe("Another", "--idempotency-key", "k1", code=2)
    assert REPEATED in observe("--jsonl", input=f'{{"text": "{TEXT}", "idempotency_key": "k1"}}')
    assert "each line" in observe("--idempotency-key", "k1", input="one\ntwo\n", code=2)
    assert shell.json("stats")["kinds"]["message"] == {"active": 1}
