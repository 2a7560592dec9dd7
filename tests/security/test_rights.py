"""Who may do what with a record: one table of standing, operation and visibility, tried at every interface."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import httpx
import pytest

from tests.conftest import OpenMemory
from tests.server.serving import Serving, serving
from tests.shell import Shell
from toldonce import Memory
from toldonce.errors import NotAllowed, RecordNotFound
from toldonce.mcp.calls import CallingClient, answer_call
from toldonce.records import Record, Visibility
from toldonce.tools.confirmations import Confirmations
from toldonce.tools.definition import Caller
from toldonce.tools.table import Toolbox

SPACE = "team"
ROLES = {"olga": "owner", "ada": "admin", "mo": "member", "zoe": None}
KEEPER = "ana"
DECIDING = ("forget", "flag", "pin", "restore", "share")
# What comes of an operation on a record of Ana's: done, proposed to her, refused, or as if it were not there.
EXPECTED: dict[tuple[str, str], dict[str, str]] = {
    ("ana", "private"): {"all": "done"},
    ("ana", "team"): {"all": "done"},
    ("ana", "project"): {"all": "done"},
    **{
        (person, visibility): {"all": "done", "correct": "proposed"}
        for person, visibility in product(("olga", "ada"), ("team", "project"))
    },
    **{(person, "private"): {"all": "hidden"} for person in ("olga", "ada", "mo", "zoe")},
    ("mo", "team"): {"all": "refused", "correct": "proposed", "confirm": "done", "get": "done"},
    ("mo", "project"): {"all": "refused", "correct": "proposed", "confirm": "done", "get": "done"},
    ("zoe", "team"): {"all": "hidden"},
    ("zoe", "project"): {"all": "refused", "correct": "proposed", "get": "done"},
}
PATHS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "get": ("GET", "", {}), "confirm": ("POST", "/confirm", {}), "correct": ("POST", "/correct", {"text": "It is tin"}),
    "pin": ("POST", "/pin", {}), "flag": ("POST", "/flag", {}), "forget": ("POST", "/forget", {}),
    "restore": ("POST", "/restore", {}), "share": ("POST", "/share", {"visibility": "project"}),
    "purge": ("DELETE", "", {}),
}  # fmt: skip
OPERATIONS = tuple(PATHS)
TOOLS = {"get": "get_memory", "confirm": "confirm_fact", "correct": "correct_fact", "forget": "forget_memory"}
COMMANDS = ("confirm", "correct", "pin", "flag", "forget", "restore", "purge")


def expected(person: str, visibility: str, operation: str, *, is_agent: bool = False) -> str:
    row = EXPECTED[person, visibility]
    told = row.get(operation, row["all"])
    return "refused" if is_agent and operation == "purge" and told == "done" else told


def judge(answer: Callable[[], Any]) -> str:
    """What came of a call of the library."""
    try:
        made = answer()
    except RecordNotFound:
        return "hidden"
    except NotAllowed:
        return "refused"
    return "proposed" if isinstance(made, Record) and made.state == "proposed" else "done"


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    made = open_memory("assistant", space=SPACE)
    for person, role in ROLES.items():
        if role is not None:
            made.people.add_member(person, role)
    return made


def hers(memory: Memory, visibility: Visibility, user: str | None = KEEPER) -> Record:
    """A new record of Ana's that has no conversation."""
    number = len(memory.review.records(limit=10_000, states=["active", "forgotten", "flagged", "superseded"]))
    return memory.remember(f"The box number {number} is of wood", user=user, visibility=visibility)


EVERYBODY = (*ROLES, KEEPER)
VISIBILITIES: tuple[Visibility, ...] = ("private", "team", "project")


@pytest.mark.parametrize("visibility", VISIBILITIES)
@pytest.mark.parametrize("person", EVERYBODY)
def test_the_library_keeps_to_the_table(memory: Memory, person: str, visibility: Visibility) -> None:
    works: dict[str, Callable[[str], Any]] = {
        "get": lambda i: memory.get(i, user=person),
        "confirm": lambda i: memory.confirm(i, user=person),
        "correct": lambda i: memory.correct(i, "It is tin", user=person),
        "pin": lambda i: memory.pin(i, user=person),
        "flag": lambda i: memory.flag(i, user=person),
        "forget": lambda i: memory.forget(i, user=person),
        "restore": lambda i: memory.restore(i, user=person),
        "share": lambda i: memory.review.share(i, "project", user=person),
        "purge": lambda i: memory.purge(i, user=person),
    }
    assert works.keys() == set(OPERATIONS)
    for name, work in works.items():
        record = hers(memory, visibility)
        assert judge(lambda work=work, record=record: work(record.id)) == expected(person, visibility, name), name


@pytest.fixture
def server(memory: Memory) -> Iterator[Serving]:
    with serving(memory) as running:
        yield running


def judge_answer(answer: httpx.Response) -> str:
    if answer.status_code == 404:
        return "hidden"
    if answer.status_code == 403:
        return "refused"
    assert answer.status_code == 200, answer.text
    return "proposed" if answer.json().get("state") == "proposed" else "done"


@pytest.mark.parametrize("role", ["agent", "person"])
@pytest.mark.parametrize("person", EVERYBODY)
def test_http_keeps_to_the_table(server: Serving, person: str, role: str) -> None:
    client = server.of(person, role=role)
    for visibility, (name, (method, path, body)) in product(VISIBILITIES, PATHS.items()):
        record = hers(server.memory, visibility)
        sent = {"json": body} if method == "POST" else {}
        told = judge_answer(client.request(method, f"/v1/records/{record.id}{path}", **sent))
        assert told == expected(person, visibility, name, is_agent=role == "agent"), (name, visibility)


def test_an_agent_never_purges_even_with_a_key_that_owns_everything(server: Serving) -> None:
    agent = server.client(server.key("robot", rights=["read", "write", "manage"]))
    record = hers(server.memory, "project")
    answer = agent.delete(f"/v1/records/{record.id}")
    assert answer.status_code == 403 and "agent" in answer.json()["detail"]
    assert agent.post(f"/v1/records/{record.id}/forget", json={}).status_code == 200
    assert server.owner().delete(f"/v1/records/{record.id}").status_code == 200


@pytest.mark.parametrize("person", EVERYBODY)
def test_tools_over_mcp_keep_to_the_table(memory: Memory, person: str) -> None:
    box = Toolbox(memory, Caller(user=person, role="person", space=SPACE), Confirmations())
    for visibility, (operation, name) in product(VISIBILITIES, TOOLS.items()):
        record = hers(memory, visibility)
        argument = {"get": "id", "forget": "memory_id"}.get(operation, "fact_id")
        given = {argument: record.id} | ({"content": "It is tin"} if operation == "correct" else {})
        answer = answer_call(box, name, given, CallingClient(can_ask=True, ask=lambda _: True))
        after = memory.get(record.id)
        wanted = expected(person, visibility, operation)
        if operation == "forget":
            assert (after.state == "forgotten") == (wanted == "done"), (name, visibility, answer)
        elif wanted == "proposed":
            assert answer["structuredContent"]["waits"] and after.state == "active"
        else:
            assert answer["isError"] == (wanted in ("hidden", "refused")), (name, visibility, answer)


@pytest.mark.parametrize("person", EVERYBODY)
def test_the_command_line_keeps_to_the_table(person: str, shell: Shell) -> None:
    place = str(shell.folder / "memory.db")
    with Memory.open(place, "assistant", space=SPACE, embedder=None, background=False) as memory:
        for other, role in ROLES.items():
            if role is not None:
                memory.people.add_member(other, role)
        kept = {case: hers(memory, case[0]) for case in product(VISIBILITIES, COMMANDS)}
    for (visibility, name), record in kept.items():
        words = [name, record.id, *(["It is tin"] if name == "correct" else ["--yes"] if name == "purge" else [])]
        wanted = expected(person, visibility, name)
        code = 0 if wanted in ("done", "proposed") else 2
        done = shell(*words, "--user", person, "--json", "--place", place, "--space", SPACE, code=code)
        if name == "correct" and code == 0:
            assert ('"state": "proposed"' in done.stdout) == (wanted == "proposed"), (visibility, done.stdout)


def test_what_belongs_to_nobody_is_the_admins_to_change(memory: Memory) -> None:
    for person, may in (("olga", True), ("ada", True), ("mo", False), ("zoe", False), (None, True)):
        record = hers(memory, "project", user=None)
        assert judge(lambda record=record, person=person: memory.forget(record.id, user=person)) == (
            "done" if may else "refused"
        )
        record = hers(memory, "project", user=None)
        assert judge(lambda record=record, person=person: memory.purge(record.id, user=person)) == (
            "done" if may else "refused"
        )
        record = hers(memory, "project", user=None)
        assert judge(lambda record=record, person=person: memory.correct(record.id, "It is tin", user=person)) == (
            "done" if may else "proposed"
        )


def test_where_nobody_has_a_role_common_records_are_kept_by_their_readers_but_never_purged(
    open_memory: OpenMemory,
) -> None:
    memory = open_memory("assistant")
    assert judge(lambda: memory.forget(hers(memory, "project", user=None).id, user="zoe")) == "done"
    assert judge(lambda: memory.purge(hers(memory, "project", user=None).id, user="zoe")) == "refused"


def test_one_cannot_end_anothers_record_by_a_newer_one_of_theirs(memory: Memory) -> None:
    old, new = hers(memory, "project"), hers(memory, "project")
    for person in ("mo", "zoe"):
        with pytest.raises(NotAllowed):
            memory.review.supersede(old.id, new.id, user=person)
    assert memory.review.supersede(old.id, new.id, user="ada").confidence < old.confidence
