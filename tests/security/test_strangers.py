"""Every operation, tool and command, called as a stranger, gives nothing of another person's private memory.

The walk is generated: an operation, tool or command that is added without a place here fails.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tests.conftest import ManualClock, OpenMemory
from tests.operations import all_operations, bound_operation, signature_of
from toldonce import Memory, Record
from toldonce.access import may_change, may_read
from toldonce.cli.json_output import to_json_document
from toldonce.cli.main import COMMANDS, cli
from toldonce.errors import InputError, ToldonceError
from toldonce.tools.definition import Caller
from toldonce.tools.table import TABLE, Toolbox

PRESETS = ("assistant", "companion", "life", "community", "coding")
CANARY = "zanzibar"
STRANGER = "mallory"

# Operations of whoever holds the memory itself; no interface calls them with a person's rights.
HOST_ONLY = {
    "audit.entries", "audit.expire", "audit.keep_days", "audit.record_key_change", "audit.verify", "close",
    "documents.change", "documents.remove", "erase", "export", "import_", "jobs.all", "jobs.costs", "jobs.reembed",
    "jobs.refused_vectors", "jobs.runs", "jobs.usage", "keys.add", "keys.all", "keys.identify", "keys.revoke",
    "keys.rotate", "on", "open",
    "people.add_member", "people.all", "people.block", "people.consents", "people.is_kept_out",
    "people.members", "people.remove_member", "people.set_consent", "people.update", "review.propose",
    "sessions.mark_settled", "sessions.mark_shown", "sessions.settle_each", "sessions.settle_one", "sessions.shown",
    "spaces.add", "spaces.all", "spaces.delete", "spaces.preset", "spaces.quota", "spaces.restore",
    "spaces.set_quota", "spaces.set_tenant_quota", "spaces.switch", "spaces.tenant_quota", "spaces.why_off",
    "storage.backup", "storage.backups", "storage.check", "tend", "webhooks.add",
    "webhooks.all", "webhooks.remove", "webhooks.test",
}  # fmt: skip
# They store what the caller brings; what they return is the caller's own.
WRITES = {"observe", "observe_many", "remember", "sealed.put", "journals.write"}


def live(memory: Memory, clock: ManualClock) -> list[Record]:
    """Ana says private things in several ways; returns everything of hers."""
    said: list[object] = []
    preset = memory.spaces.preset()
    if preset.kind(preset.capture.kind).visibility_for("person") == "private":
        said.append(
            memory.observe(f"I moved to {CANARY} with Doctor Quill because of my job", "ana", session="s", channel="c")
        )
        said.append(memory.observe(f"How nice that you moved to {CANARY}", session="s", channel="c", role="assistant"))
    kind = preset.default_kind
    told = [
        memory.remember(f"Ana lives in {CANARY}", user="ana", visibility="private", subject="ana/residence"),
        memory.remember(f"Ana hides gold in {CANARY}", kind, user="ana", visibility="private", proposed=True),
    ]
    told.append(memory.correct(memory.remember(f"Ana likes {CANARY}", user="ana", visibility="private").id, CANARY))
    clock.pass_time(hours=3)
    made = [record for settled in memory.settle() for record in settled.kept]
    for _ in range(3):
        memory.tend()
        clock.pass_time(days=1)
    return [record for record in [*said, *told, *made] if isinstance(record, Record) and record.user == "ana"]


def private(records: list[Record]) -> list[Record]:
    return [record for record in records if not may_read(record, STRANGER)]


def arguments(name: str, operation: Any, record: Record, now: datetime) -> dict[str, Any]:
    """Arguments for a call that asks for as much as it can, as the stranger."""
    values: dict[str, Any] = {
        "record_id": record.id, "older_id": record.id, "newer_id": record.id, "question_id": record.id, "text": CANARY,
        "query": CANARY, "name": "profile", "owner": "ana", "session": "s", "about": "month", "min_score": 0.0,
        "as_of": None, "reader": STRANGER, "since": now - timedelta(days=400), "limit": 200, "explain": True,
        "visibility": "project", "item_id": "none", "vector": "AAAA", "model": "none", "seals": ["none"],
    }  # fmt: skip
    taken = inspect.signature(operation).parameters
    whose = "ana" if "reader" in taken else STRANGER
    given = {key: value for key, value in values.items() if key in taken and value is not None}
    return given | ({"user": whose} if "user" in taken else {}) | ({"name": CANARY} if name == "entity" else {})


@pytest.mark.parametrize("name", all_operations())
def test_every_operation_takes_the_reader_or_belongs_to_the_host(name: str) -> None:
    assert name in HOST_ONLY | WRITES or {"user", "reader"} & signature_of(name).parameters.keys()


def test_the_lists_name_operations_only() -> None:
    assert set(all_operations()) >= (HOST_ONLY | WRITES)


def shown(value: object) -> str:
    told = value.text if hasattr(value, "tokens") else to_json_document(value)
    return str(told).casefold()


@pytest.mark.parametrize("preset", PRESETS)
def test_operations_give_a_stranger_nothing(preset: str, open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory(preset)
    records = private(live(memory, clock))
    assert records, "there is something to hide"
    for name in all_operations():
        if name in HOST_ONLY | WRITES:
            continue
        operation = bound_operation(memory, name)
        for record in records:
            given = arguments(name, operation, record, clock())
            try:
                told = shown(operation(**given))
            except InputError as problem:
                told = str(problem).casefold()
            assert CANARY not in told.replace(str(given).casefold(), ""), f"{name} told a stranger"
    assert [memory.get(r.id) for r in records] == [memory.get(r.id, user="ana") for r in records]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_stranger_changes_nothing(preset: str, open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory(preset)
    records = private(live(memory, clock))
    before = [memory.get(record.id) for record in records]
    for record in records:
        for change in (memory.confirm, memory.flag, memory.forget, memory.pin, memory.restore, memory.purge):
            with pytest.raises(InputError, match="no record"):
                change(record.id, user=STRANGER)
        with pytest.raises(InputError, match="no record"):
            memory.correct(record.id, "nothing", user=STRANGER)
    assert [memory.get(record.id) for record in records] == before


def test_what_another_said_aloud_may_be_read_and_not_hidden(open_memory: OpenMemory) -> None:
    memory = open_memory("community")
    said = memory.observe("The meetup is in Porto", "ana", channel="c")
    assert isinstance(said, Record) and memory.get(said.id, user=STRANGER).id == said.id
    with pytest.raises(InputError, match="another person said"):
        memory.forget(said.id, user=STRANGER)
    memory.store.write(lambda t: t.people.set_member("main", STRANGER, "admin"))
    assert memory.forget(said.id, user=STRANGER).state == "forgotten"


def test_a_personal_space_is_there_for_its_person_alone(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.remember(f"The safe is in {CANARY}", space="@ana")
    assert memory.recall(CANARY, "ana", space="@ana")
    for ask in (memory.recall, memory.context, memory.why_not):
        with pytest.raises(InputError, match="no space"):
            ask(CANARY, CANARY, user=STRANGER, space="@ana") if ask == memory.why_not else ask(
                CANARY, STRANGER, space="@ana"
            )


def test_a_reply_belongs_to_whom_it_answers_also_after_the_conversation_ended(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.observe("I take sertraline", "ana", session="s")
    memory.settle(session="s")
    late = memory.observe("Sertraline is best taken in the morning", session="s", role="assistant")
    memory.observe("I take vitamins", "bob")
    alone = memory.observe("Vitamins go well with breakfast", role="assistant")
    assert isinstance(late, Record) and isinstance(alone, Record)
    assert (late.user, alone.user) == ("ana", "bob")


def tool_calls(records: list[Record]) -> Iterator[tuple[str, dict[str, Any]]]:
    """For every tool, calls whose arguments name what a stranger wants."""
    fact = {"content": CANARY, "source_ids": [records[0].id]}
    for tool in TABLE.values():
        for record in records:
            given: dict[str, Any] = {}
            for name, schema in tool.arguments.items():
                if name in ("query", "currentTopic", "name", "content", "text", "task", "title", "description"):
                    given[name] = CANARY
                elif name == "user":
                    given[name] = "ana"
                elif name.endswith(("_id", "Id")):
                    given[name] = "s" if name.startswith("session") else record.id
                elif name in tool.required:
                    given[name] = [fact] if name == "facts" else _some(schema)
            yield tool.name, given


def _some(schema: Any) -> Any:
    kinds = {"array": [], "integer": 1, "number": 0.5, "boolean": True, "object": {}}
    return kinds.get(schema["type"], "fact")


@pytest.mark.parametrize("role", ["agent", "consolidator", "person"])
@pytest.mark.parametrize("preset", PRESETS)
def test_tools_give_a_stranger_nothing(
    preset: str, role: Any, open_memory: OpenMemory, clock: ManualClock, tmp_path: Path
) -> None:
    memory = open_memory(preset)
    records = private(live(memory, clock))
    box = Toolbox(memory, Caller(user=STRANGER, session="t", role=role, root=str(tmp_path)))
    mine = {tool.name for tool in box.tools()}
    for name, given in tool_calls(records):
        if name not in mine:
            continue
        try:
            told = box.call(name, given, confirmed=True).text().casefold()
        except ToldonceError as problem:
            told = str(problem).casefold()
        own = [r.text.casefold() for r in memory.review.records(STRANGER) if r.user == STRANGER]
        for words in (*own, f'"name": "{CANARY}"'):
            told = told.replace(words, "")
        assert not {"quill", "gold", "lives in"} & {w for w in ("quill", "gold", "lives in") if w in told}, name
    assert [memory.get(record.id) for record in records] == [memory.get(r.id, user="ana") for r in records]


# Commands of whoever holds the memory file; they take no person to act as, or name the person they are about.
HOST_COMMANDS = {
    "audit", "backup", "bench", "bot", "completion", "doctor", "erase", "export", "hook", "import", "init", "install",
    "jobs", "journal", "locate", "map", "mcp", "metrics", "move", "people", "presets", "profile", "quota", "reembed",
    "runs", "scan", "serve", "settle", "spaces", "tend", "tool", "tools", "trust", "uninstall", "usage", "encrypt",
    "decrypt", "rekey", "worker", "keys", "login", "logout", "whoami", "try-model", "team", "webhooks",
}  # fmt: skip


def commands() -> list[str]:
    return [name for section in COMMANDS.values() for name in section]


def command_of(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", commands())
def test_every_command_takes_the_person_or_belongs_to_the_host(name: str) -> None:
    taken = {param.name for param in command_of(name).params}
    assert "user" in taken or name in HOST_COMMANDS


def test_commands_give_a_stranger_nothing(
    open_memory: OpenMemory, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    memory = open_memory("assistant")
    records = private(live(memory, clock))
    memory.close()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOLDONCE_PLACE", memory.store.place)
    for name in (n for n in commands() if n not in HOST_COMMANDS | {"observe", "remember"}):
        for record in records:
            args = [_argument(p, record) for p in command_of(name).params if isinstance(p, click.Argument)]
            flags = ["--yes"] if any(p.name == "yes" for p in command_of(name).params) else []
            done = CliRunner().invoke(cli, [name, *args, "--user", STRANGER, "--json", *flags])
            told = done.output.casefold().replace(json.dumps(CANARY), "").replace("nobody mentioned", "")
            assert not [word for word in ("quill", "gold", "lives in") if word in told], name
    with open_memory("assistant") as again:
        assert [again.get(record.id).state for record in records] == [record.state for record in records]


def _argument(param: click.Parameter, record: Record) -> str:
    named = {"record_id": record.id, "question_id": record.id, "about": "month", "user": "ana"}
    return named.get(str(param.name), CANARY)


@pytest.mark.parametrize("visibility", ["private", "team", "project"])
@pytest.mark.parametrize("owner", [None, "ana", STRANGER])
@pytest.mark.parametrize("role", [None, "member", "admin"])
def test_queries_and_the_rule_agree_on_who_may_read(
    visibility: Any, owner: str | None, role: str | None, open_memory: OpenMemory
) -> None:
    memory = open_memory("assistant")
    record = memory.remember("The kettle is blue", user=owner, visibility=visibility)
    if role is not None:
        memory.store.write(lambda t: t.people.set_member("main", STRANGER, role))
    expected = may_read(record, STRANGER, role=role)
    assert [r.id for r in memory.review.records(STRANGER)] == ([record.id] if expected else [])
    assert memory.store.read(lambda t: t.people.may_read(record, STRANGER)) == expected
    assert memory.store.read(lambda t: t.people.may_change(record, STRANGER)) == may_change(record, STRANGER, role=role)
