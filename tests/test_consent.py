"""What a person agreed to is recorded, decides whether they are remembered, and goes with everything else of theirs."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.shell import Shell
from toldonce import Memory
from toldonce.access import expecting
from toldonce.errors import InputError, RecordNotFound, ToldonceError
from toldonce.records import Record


def test_consent_is_kept_with_moment_means_and_wording(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    memory.people.set_consent("ana", is_given=True, means="form at sign-up", wording="I agree to be remembered.")
    clock.pass_time(days=1)
    memory.people.set_consent("ana", is_given=True, purpose="newsletter")
    newest, first = memory.people.consents("ana")
    assert (newest.purpose, newest.at) == ("newsletter", clock.now)
    assert (first.means, first.wording, first.is_given) == ("form at sign-up", "I agree to be remembered.", True)
    assert memory.people.consents("bruno") == []
    assert "give consent" in [entry.action for entry in memory.audit.entries(limit=10)]


def test_who_withdraws_is_kept_out_until_they_agree_again(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    memory.people.set_consent("ana", is_given=False, means="said so")
    assert not isinstance(memory.observe("My cat is called Miso", "ana"), Record)
    assert memory.people.is_kept_out("ana")
    memory.people.set_consent("ana", is_given=True, means="said so")
    assert isinstance(memory.observe("My cat is called Miso", "ana"), Record)


def test_consent_to_something_else_does_not_open_memory(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    memory.people.block("ana")
    memory.people.set_consent("ana", is_given=True, purpose="newsletter")
    assert memory.people.is_kept_out("ana")


def test_consent_is_exported_and_erased_with_the_person(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory("life")
    memory.observe("My cat is called Miso", "ana")
    memory.people.set_consent("ana", is_given=True, wording="I agree to the purple terms.")
    assert memory.export(tmp_path / "ana.jsonl", user="ana", plain=True)
    assert "purple terms" in (tmp_path / "ana.jsonl").read_text()
    receipt = memory.erase(user="ana")
    assert receipt.traces == {}
    assert memory.people.consents("ana") == []


def test_consent_needs_a_plain_yes_or_no(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    with pytest.raises(InputError):
        memory.people.set_consent("ana", is_given="yes")  # type: ignore[arg-type]
    with pytest.raises(InputError):
        memory.people.set_consent("ana", is_given=True, wording="x" * 20_000)


@pytest.mark.parametrize("form", ["jsonl", "json", "markdown"])
def test_an_export_goes_into_an_open_file_and_is_no_copy_to_erase(open_memory: OpenMemory, form: str) -> None:
    memory = open_memory("life")
    memory.observe("My cat is called Miso", "ana")
    file = io.BytesIO()
    assert memory.export(file, format=form, user="ana")
    assert b"Miso" in file.getvalue()
    assert memory.erase(user="ana").copies == ()


def test_a_change_is_refused_in_its_transaction_when_the_record_is_another_by_then(open_memory: OpenMemory) -> None:
    """Two who saw the same version: whoever comes second is refused, however close together they are."""
    memory = open_memory("life")
    kept = memory.remember("Clara sings", "fact", user="ana")
    results: list[bool] = []
    start = threading.Barrier(4)

    def refuse_changed(record: Record) -> None:
        if record.pinned:
            raise RecordNotFound("changed", record_id=record.id)

    def pin() -> None:
        start.wait()
        try:
            with expecting(refuse_changed):
                memory.pin(kept.id, user="ana")
            results.append(True)
        except ToldonceError:
            results.append(False)

    threads = [threading.Thread(target=pin) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [False, False, False, True]


def test_the_tool_answers_questions_of_its_own_space_only(open_memory: OpenMemory) -> None:
    from toldonce.tools.definition import Caller
    from toldonce.tools.table import Toolbox

    memory = open_memory("life")
    memory.spaces.add("other", preset="life")
    question = make_question(memory)
    box = Toolbox(memory, Caller(user="ana", space="other"))
    with pytest.raises(RecordNotFound):
        box.call("answer_question", {"questionId": question, "answer": "yes, Porto"})
    assert [one.id for one in memory.questions("ana")] == [question]


def make_question(memory: Memory) -> str:
    """A doubt of ana's in the home space."""
    memory.remember("Ana lives in Porto", user="ana", subject="ana/residence", author="person")
    memory.remember("Ana lives in Lisbon", user="ana", subject="ana/residence", confidence=0.95)
    (found,) = memory.questions("ana")
    return found.id


def run_at_terminal(shell: Shell, answer: bytes, *args: str) -> tuple[int, str]:
    """The exit status of a command whose input is a terminal where this is typed, and what it wrote."""
    ours, theirs = os.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "toldonce.cli.main", *args],
            cwd=shell.folder,
            env={**os.environ, **shell.env},
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        os.write(ours, answer)
        told, _ = process.communicate(timeout=60)
    finally:
        os.close(ours)
        os.close(theirs)
    return process.returncode, told.decode()


def test_init_asks_at_a_terminal_and_records_the_answer(shell: Shell) -> None:
    status, told = run_at_terminal(shell, b"y\n", "init", "home", "--user", "ana")
    assert status == 0 and "Nothing leaves this machine" in told and "Do you agree" in told
    (consent,) = shell.json("people", "consent", "ana", "--place", "home/memory.db")["consents"]
    assert consent["is_given"] and consent["means"] == "toldonce init" and "memory.db" in consent["wording"]


def test_without_a_yes_at_a_terminal_nothing_is_made(shell: Shell) -> None:
    status, told = run_at_terminal(shell, b"n\n", "init", "home", "--user", "ana")
    assert status != 0 and "Nothing was made" in told
    assert not (shell.folder / "home").exists()


def test_a_script_is_not_asked_and_may_say_that_the_person_agrees(shell: Shell) -> None:
    shell("init", "one", "--user", "ana")
    assert shell.json("people", "consent", "ana", "--place", "one/memory.db")["consents"] == []
    shell("init", "two", "--user", "ana", "--consent")
    (consent,) = shell.json("people", "consent", "ana", "--place", "two/memory.db")["consents"]
    assert consent["is_given"] and consent["means"] == "toldonce init --consent"
