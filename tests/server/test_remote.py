"""A memory on a server has the same operations with the same answers, and says so when it cannot be reached."""

from __future__ import annotations

import asyncio
import inspect
import re
import socket
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import START, ManualClock, OpenMemory
from tests.operations import all_operations
from tests.server.serving import OPEN_LIMITS, Serving, serving
from toldonce import AsyncMemory, Document, Memory, Quota, Skipped, TenantQuota
from toldonce.capture.remember import Statement
from toldonce.client import RemoteMemory
from toldonce.errors import InputError, MemoryOffline, NotAllowed, RecordNotFound, ToldonceError
from toldonce.operations.routes import GROUPS, ROUTES
from toldonce.operations.sealed import SealedItem
from toldonce.records import DocumentEntry
from toldonce.server.settings import ServerSettings


def open_remote(server: Serving, **given: Any) -> Memory:
    rights = given.pop("rights", ["read", "write", "manage"])
    return Memory.open(server.url, api_key=server.key("remote", rights=rights, role="person", **given))


def test_every_operation_is_there_with_the_same_arguments(server: Serving) -> None:
    with open_remote(server) as memory:
        assert isinstance(memory, RemoteMemory)
        for name in set(all_operations()) - {"open", "close", "keys.identify"}:
            group, _, method = name.rpartition(".")
            found = getattr(getattr(memory, group) if group else memory, method)
            wanted = inspect.signature(getattr(GROUPS[group], method))
            assert list(inspect.signature(found).parameters) == list(wanted.parameters)[1:], name
            assert inspect.getdoc(found) == inspect.getdoc(getattr(GROUPS[group], method))


def add_line(document: Document) -> Document:
    return replace(document, version=document.version + 1, entries=(DocumentEntry(section="x", text="one"),))


SEALED = SealedItem(id="sealed_1", seal="s", model="m", vector="ADwAAAAAAAA=", box="Ym94", user="alex", at=START)
Step = tuple[str, Callable[[Memory, dict[str, Any]], Any]]
# Every operation that has a path, in an order in which each has something to do. `ids` holds what later steps need.
# Nobody listens there.
HOOK = "http://127.0.0.1:9/hook"
STEPS: tuple[Step, ...] = (
    ("observe", lambda m, ids: m.observe("I live in Lisbon and I work at Acme", "alex", session="s1")),
    ("observe", lambda m, ids: m.observe("  ", "alex")),
    ("observe_many", lambda m, ids: m.observe_many([{"text": "It rains", "user": "sam", "session": "s2"}])),
    ("remember", lambda m, ids: m.remember("Alex has two cats", user="alex", tags=("pets",), metadata={"a": 1})),
    ("remember", lambda m, ids: m.remember("Alex wants a boat", user="alex", proposed=True)),
    ("recall", lambda m, ids: m.recall("cats", "alex", where={"a": 1}, explain=True, counted=False)),
    ("context", lambda m, ids: m.context("What pets does Alex have?", "alex", budget=200)),
    ("review.records", lambda m, ids: m.review.records("alex", where={"a": 1})),
    ("review.waiting", lambda m, ids: m.review.waiting(user="alex")),
    ("review.propose", lambda m, ids: m.review.propose([Statement(text="Alex may ski", kind="fact", user="alex")])),
    ("get", lambda m, ids: m.get(ids["cats"], user="alex")),
    ("history", lambda m, ids: m.history(ids["cats"])),
    ("why_not", lambda m, ids: m.why_not(ids["cats"], "weather", user="alex")),
    ("confirm", lambda m, ids: m.confirm(ids["cats"], user="alex")),
    ("confirm", lambda m, ids: m.confirm(ids["cats"], confirmed=False, user="alex")),
    ("pin", lambda m, ids: m.pin(ids["cats"], user="alex")),
    ("review.share", lambda m, ids: m.review.share(ids["cats"], "team", user="alex")),
    ("review.records", lambda m, ids: m.review.records("alex", visibility="team", derived=True)),
    ("review.activity", lambda m, ids: m.review.activity("alex", weeks=2)),
    ("review.count", lambda m, ids: m.review.count("alex", states=["active", "forgotten"])),
    ("forget", lambda m, ids: m.forget(ids["cats"], reason="a test", user="alex")),
    ("restore", lambda m, ids: m.restore(ids["cats"], user="alex")),
    ("flag", lambda m, ids: m.flag(ids["cats"], reason="wrong", user="alex")),
    ("restore", lambda m, ids: m.restore(ids["cats"], user="alex")),
    ("correct", lambda m, ids: m.correct(ids["cats"], "Alex has three cats", user="alex")),
    ("sessions.unsettled", lambda m, ids: m.sessions.unsettled(user="alex")),
    ("sessions.window", lambda m, ids: m.sessions.window("s1", user="alex")),
    ("sessions.around", lambda m, ids: m.sessions.around(m.sessions.window("s1", user="alex")[0].id, user="alex")),
    ("settle", lambda m, ids: m.settle(session="s1", user="alex")),
    ("sessions.settle_each", lambda m, ids: m.sessions.settle_each([], reader=None, now=START)),
    ("sessions.settle_one", lambda m, ids: m.sessions.settle_one(m.sessions.unsettled(session="s2")[0], now=START)),
    ("sessions.mark_shown", lambda m, ids: m.sessions.mark_shown("s1", {"a", "b"})),
    ("sessions.shown", lambda m, ids: m.sessions.shown("s1")),
    ("sessions.mark_settled", lambda m, ids: m.sessions.mark_settled("s2")),
    ("questions", lambda m, ids: m.questions("alex")),
    ("profile", lambda m, ids: m.profile("alex", reader="alex")),
    ("entity", lambda m, ids: m.entity("Lisbon", user="alex")),
    ("entity", lambda m, ids: m.entity("Atlantis", user="alex")),
    ("review.entities", lambda m, ids: [(e.name, e.mentions) for e in m.review.entities("alex").entities]),
    ("timeline", lambda m, ids: m.timeline("alex", limit=3)),
    ("report", lambda m, ids: m.report("week", "alex", since="2026-02-01")),
    ("stats", lambda m, ids: {k: v for k, v in m.stats(user="alex").items() if k != "bytes"}),
    ("documents.get", lambda m, ids: m.documents.get("board")),
    ("documents.change", lambda m, ids: m.documents.change("board", add_line)),
    ("documents.change", lambda m, ids: m.documents.change("board", add_line)),
    ("documents.get", lambda m, ids: m.documents.get("board")),
    ("documents.all", lambda m, ids: m.documents.all("bo")),
    ("documents.remove", lambda m, ids: m.documents.remove("board")),
    ("documents.all", lambda m, ids: m.documents.all()),
    ("documents.forget_line", lambda m, ids: m.documents.forget_line("alex", "nothing", reader="alex")),
    ("people.all", lambda m, ids: m.people.all()),
    ("people.update", lambda m, ids: m.people.update("alex", display_name="Alex", zone="Europe/Lisbon")),
    ("people.block", lambda m, ids: m.people.block("spam/mer")),
    ("people.is_kept_out", lambda m, ids: m.people.is_kept_out("spam/mer")),
    ("people.set_consent", lambda m, ids: m.people.set_consent("alex", is_given=True, means="a form").means),
    ("people.consents", lambda m, ids: [one.purpose for one in m.people.consents("alex")]),
    ("people.add_member", lambda m, ids: m.people.add_member("alex", "owner")),
    ("people.add_member", lambda m, ids: m.people.add_member("sam", by="bob")),
    ("people.members", lambda m, ids: m.people.members()),
    ("people.remove_member", lambda m, ids: m.people.remove_member("alex")),
    ("spaces.add", lambda m, ids: m.spaces.add("work", preset="coding")),
    ("spaces.all", lambda m, ids: m.spaces.all()),
    ("spaces.preset", lambda m, ids: m.spaces.preset("work")),
    ("spaces.why_off", lambda m, ids: m.spaces.why_off()),
    ("spaces.switch", lambda m, ids: m.spaces.switch(on=False, space="work")),
    ("spaces.delete", lambda m, ids: m.spaces.delete("work")),
    ("spaces.restore", lambda m, ids: m.spaces.restore("work")),
    ("spaces.set_quota", lambda m, ids: m.spaces.set_quota(Quota(records_per_person=9_000))),
    ("spaces.quota", lambda m, ids: m.spaces.quota()),
    ("spaces.set_tenant_quota", lambda m, ids: m.spaces.set_tenant_quota(TenantQuota(records=9_000))),
    ("spaces.tenant_quota", lambda m, ids: m.spaces.tenant_quota()),
    ("tend", lambda m, ids: [(run.name, run.status, dict(run.counts)) for run in m.tend(START)]),
    ("jobs.all", lambda m, ids: [(job.name, job.timeout, job.cron) for job in m.jobs.all()]),
    ("jobs.runs", lambda m, ids: [(run.name, run.status) for run in m.jobs.runs()]),
    ("jobs.costs", lambda m, ids: m.jobs.costs(by="day")),
    ("jobs.usage", lambda m, ids: m.jobs.usage()),
    ("jobs.reembed", lambda m, ids: m.jobs.reembed()),
    ("jobs.refused_vectors", lambda m, ids: m.jobs.refused_vectors()),
    ("audit.entries", lambda m, ids: [entry.action for entry in m.audit.entries(limit=5, action="set quota")]),
    ("audit.verify", lambda m, ids: m.audit.verify().problems),
    ("audit.keep_days", lambda m, ids: m.audit.keep_days(400)),
    ("audit.expire", lambda m, ids: m.audit.expire(now=START)),
    ("audit.record_key_change", lambda m, ids: m.audit.record_key_change("rekey")),
    ("storage.backup", lambda m, ids: m.storage.backup().suffix),
    ("storage.backups", lambda m, ids: len(m.storage.backups())),
    ("storage.check", lambda m, ids: m.storage.check()),
    ("keys.all", lambda m, ids: [key.person for key in m.keys.all() if key.person]),
    ("keys.add", lambda m, ids: m.keys.add("laptop", user="alex").key.rights),
    ("keys.rotate", lambda m, ids: m.keys.rotate(m.keys.all()[-1].id).key.name),
    ("keys.revoke", lambda m, ids: m.keys.revoke(m.keys.all()[-1].id).name),
    ("team.search", lambda m, ids: m.team.search("cats", "alex", limit=3)),
    ("team.figures", lambda m, ids: m.team.figures("alex").confirmed_by),
    ("sealed.put", lambda m, ids: m.sealed.put([SEALED])),
    ("sealed.search", lambda m, ids: m.sealed.search("ADwAAAAAAAA=", model="m", seals=["s"], user="alex")),
    ("sealed.get", lambda m, ids: m.sealed.get("sealed_1", user="alex")),
    ("sealed.get", lambda m, ids: m.sealed.get("sealed_2", user="alex")),
    ("sealed.all", lambda m, ids: m.sealed.all(user="alex")),
    ("sealed.count", lambda m, ids: m.sealed.count(user="alex")),
    ("webhooks.add", lambda m, ids: m.webhooks.add(HOOK, events=["record_added"], private=True).webhook),
    ("webhooks.all", lambda m, ids: m.webhooks.all()),
    ("webhooks.test", lambda m, ids: m.webhooks.test(m.webhooks.all()[0].id)),
    ("webhooks.remove", lambda m, ids: m.webhooks.remove(m.webhooks.all()[0].id)),
    ("sealed.delete", lambda m, ids: m.sealed.delete("sealed_1", user="alex")),
    ("journals.write", lambda m, ids: m.journals.write("A note", user="alex", on=date(2026, 3, 1), name="a.md").here),
    ("journals.notes", lambda m, ids: [(n.name, n.on, len(n.entries)) for n in m.journals.notes(user="alex")]),
    ("journals.forget", lambda m, ids: m.journals.forget("a.md", user="alex")),
    ("review.supersede", lambda m, ids: m.review.supersede(ids["cats"], ids["cats"])),
    ("answer", lambda m, ids: m.answer("question_none", "yes")),
    ("purge", lambda m, ids: m.purge(ids["cats"], user="alex")),
    ("get", lambda m, ids: m.get("../none", user="alex")),
    ("erase", lambda m, ids: m.erase(user="sam").removed),
)  # fmt: skip


def run_steps(memory: Memory) -> list[tuple[str, Any]]:
    ids: dict[str, Any] = {}
    results = []
    for name, step in STEPS:
        try:
            result = step(memory, ids)
        except ToldonceError as problem:
            result = type(problem)
        if name == "remember" and "cats" not in ids:
            ids["cats"] = result.id
        results.append((name, result))
    return results


def blur(value: Any, ids: dict[str, str]) -> Any:
    """A value with its ids replaced by when they were first seen, since each memory makes its own."""

    def number(match: re.Match[str]) -> str:
        return ids.setdefault(match[0], f"id{len(ids)}")

    return re.sub(r"\b[a-z]+_[0-9a-z]{21}\b", number, repr(value).replace("AskedSignal", "Signal"))


def test_every_operation_answers_as_a_memory_of_this_machine(open_memory: OpenMemory) -> None:
    here = open_memory("assistant", file="here.db", clock=ManualClock())
    settings = ServerSettings(limits=OPEN_LIMITS, private_webhooks=True)
    with serving(open_memory("assistant", file="there.db", clock=ManualClock()), settings) as server:
        there = open_remote(server)
        mine, theirs = run_steps(here), run_steps(there)
        there.close()
    first, second = {}, {}
    for (name, one), (_, other) in zip(mine, theirs, strict=True):
        assert type(one) is type(other), (name, one, other)
        assert blur(one, first) == blur(other, second), name
    assert {name for name, _ in STEPS} | {"export", "import_"} == set(ROUTES)
    assert isinstance(theirs[1][1], Skipped | type)


def test_an_export_is_written_here_and_imported_there(server: Serving, tmp_path: Path) -> None:
    memory = open_remote(server)
    kept = memory.remember("Alex lives in Lisbon", user="alex")
    assert memory.export(tmp_path / "all.jsonl") == server.memory.export(tmp_path / "same.jsonl")
    memory.purge(kept.id)
    assert memory.import_(tmp_path / "all.jsonl", trusted=True).what == "export"
    assert memory.get(kept.id).text == "Alex lives in Lisbon"
    with pytest.raises(InputError, match="not sealed"):
        memory.export(tmp_path / "sealed", encryption_key="x" * 20)
    memory.close()


def test_a_server_that_is_away_is_an_error_that_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    memory = Memory.open(f"http://127.0.0.1:{port}", api_key="tk_x")
    with pytest.raises(MemoryOffline, match="nothing was stored anywhere else"):
        memory.remember("Alex lives in Lisbon", user="alex")
    assert list(tmp_path.iterdir()) == []


def test_errors_are_those_of_the_engine(server: Serving) -> None:
    memory = open_remote(server, user="alex", rights=["read", "write"])
    with pytest.raises(RecordNotFound):
        memory.get("fact_none")
    with pytest.raises(NotAllowed, match="acts for its own person"):
        memory.recall("x", "sam")
    with pytest.raises(NotAllowed, match="is on a server"):
        memory.store.size()
    with pytest.raises(InputError, match="annotate cannot be sent"):
        memory.context("x", annotate=lambda record, kind: "")
    memory.close()
    wrong = Memory.open(server.url, api_key="tk_wrong")
    with pytest.raises(NotAllowed, match="does not hold"):
        wrong.stats()
    wrong.close()


@pytest.mark.parametrize("address", ["http://memory.example.org", "https://", "https://key@host"])
def test_an_address_that_is_not_safe_is_refused(address: str) -> None:
    with pytest.raises(InputError):
        Memory.open(address, api_key="tk_x")


def test_a_memory_on_a_server_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOLDONCE_API_KEY", raising=False)
    with pytest.raises(InputError, match="TOLDONCE_API_KEY"):
        Memory.open("https://memory.example.org")


def test_an_async_memory_works_over_a_server_too(server: Serving) -> None:
    async def story() -> list[str]:
        key = server.key("alex", user="alex")
        async with await AsyncMemory.open(server.url, api_key=key) as memory:
            await memory.remember("Alex lives in Lisbon", user="alex")
            return [hit.record.text for hit in await memory.recall("Lisbon", user="alex")]

    assert asyncio.run(story()) == ["Alex lives in Lisbon"]
