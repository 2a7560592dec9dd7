"""Anthropic's memory tool over a memory: the commands alone, and the real SDK with a scripted model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from anthropic import Anthropic

from tests.conftest import OpenMemory
from tests.integrations.table import Integration
from tests.scripted import Request, Server, Status
from toldonce import Memory
from toldonce.errors import InputError
from toldonce.integrations.anthropic_memory import ToldonceMemoryTool
from toldonce.integrations.memory_files import DOCUMENT, MemoryFiles

INTEGRATION = Integration(
    name="Anthropic's memory tool",
    package="anthropic",
    module="toldonce.integrations.anthropic_memory",
    page="anthropic.md",
    works={
        "all six commands": "test_a_file_is_written_changed_read_moved_and_deleted",
        "the SDK's tool runner": "test_the_sdk_runs_the_tool",
        "paths that lead nowhere else": "test_no_path_leaves_the_folder",
    },
    lacks=("recall does not search the files: the model reads them itself",),
)
NOTES = "/memories/notes.md"


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


@pytest.fixture
def files(memory: Memory) -> MemoryFiles:
    return MemoryFiles(memory, "alex")


def run(files: MemoryFiles, command: str, **given: Any) -> str:
    return files.run({"command": command, **given})


def test_a_file_is_written_changed_read_moved_and_deleted(files: MemoryFiles, memory: Memory) -> None:
    run(files, "create", path=NOTES, file_text="likes tea\nlives in Porto")
    run(files, "str_replace", path=NOTES, old_str="Porto", new_str="Braga")
    run(files, "insert", path=NOTES, insert_line=1, insert_text="has two kids\n")
    assert run(files, "view", path=NOTES).splitlines()[1:] == [
        "     1\tlikes tea",
        "     2\thas two kids",
        "     3\tlives in Braga",
    ]
    assert run(files, "view", path=NOTES, view_range=[3, -1]).endswith("     3\tlives in Braga")
    run(files, "rename", old_path=NOTES, new_path="/memories/people/alex.md")
    assert [row.split("\t")[1] for row in run(files, "view", path="/memories").splitlines()[1:]] == [
        "/memories",
        "/memories/people/",
        "/memories/people/alex.md",
    ]
    run(files, "delete", path="/memories/people")
    assert len(run(files, "view", path="/memories/").splitlines()) == 2
    document = memory.documents.get(DOCUMENT, owner="alex")
    assert document is not None and document.version == 5


def test_every_person_has_their_own_files(memory: Memory, files: MemoryFiles) -> None:
    run(files, "create", path=NOTES, file_text="mine")
    with pytest.raises(InputError, match="no file"):
        run(MemoryFiles(memory, "bob"), "view", path=NOTES)


def test_the_files_go_with_the_person(memory: Memory, files: MemoryFiles) -> None:
    run(files, "create", path=NOTES, file_text="mine")
    memory.erase(user="alex")
    assert memory.documents.get(DOCUMENT, owner="alex") is None


def test_secrets_are_not_kept(files: MemoryFiles) -> None:
    key = "ghp_" + "a1B2" * 9
    run(files, "create", path=NOTES, file_text=f"the key is {key}")
    assert key not in run(files, "view", path=NOTES)


def test_nothing_is_stored_while_memory_is_off(files: MemoryFiles, memory: Memory) -> None:
    memory.spaces.switch(on=False)
    with pytest.raises(InputError, match="switched off"):
        run(files, "create", path=NOTES, file_text="x")


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "notes.md",
        "/memories/../etc",
        "/memories/./x",
        "/memoriesx/a",
        "/memories/a\x00b",
        "/memories/a\ud83d",
        "/memories/\u202etxt.a",
        "/memories/" + "a" * 500,
        "/memories\\a",
        "",
        7,
    ],
)
def test_no_path_leaves_the_folder(files: MemoryFiles, path: Any) -> None:
    with pytest.raises(InputError, match="path"):
        run(files, "create", path=path, file_text="x")


@pytest.mark.parametrize(
    ("command", "given", "told"),
    [
        ("create", {"path": "/memories"}, "cannot be a file"),
        ("create", {"path": f"{NOTES}/inside"}, "cannot be a file"),
        ("create", {"path": "/memories/b", "file_text": None}, "file_text"),
        ("create", {"path": "/memories/b", "file_text": "x" * 1_000_001}, "bytes"),
        ("str_replace", {"path": NOTES, "old_str": "a", "new_str": "b"}, "occurs 2 times, in lines 1, 2"),
        ("str_replace", {"path": NOTES, "old_str": "none", "new_str": "b"}, "occurs 0 times"),
        ("insert", {"path": NOTES, "insert_line": 9, "insert_text": "x"}, "within 0 and 2"),
        ("view", {"path": NOTES, "view_range": [2, 9]}, "within 1 and 2"),
        ("view", {"path": "/memories/none"}, "no file"),
        ("delete", {"path": "/memories"}, "stays"),
        ("delete", {"path": "/memories/none"}, "no file"),
        ("rename", {"old_path": NOTES, "new_path": NOTES}, "exists"),
        ("rename", {"old_path": "/memories/none", "new_path": "/memories/b"}, "no file"),
        ("destroy", {"path": NOTES}, "no command"),
    ],
)
def test_wrong_commands_say_what_to_do_and_change_nothing(
    files: MemoryFiles, command: str, given: dict[str, Any], told: str
) -> None:
    run(files, "create", path=NOTES, file_text="a\na")
    with pytest.raises(InputError, match=told):
        run(files, command, **{"file_text": "x", **given})
    assert run(files, "view", path=NOTES).endswith("     1\ta\n     2\ta")


def answer(*content: dict[str, Any], stop: str = "tool_use") -> Status:
    body = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": list(content),
        "stop_reason": stop, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip
    return Status(200, body=body)


def use(**given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{given['command']}", "name": "memory", "input": given}


@pytest.fixture
def model() -> Iterator[Server]:
    steps = iter(
        [
            answer(use(command="view", path="/memories")),
            answer(use(command="create", path=NOTES, file_text="Alex is left-handed")),
            answer(use(command="view", path="/etc/passwd")),
            answer({"type": "text", "text": "Noted."}, stop="end_turn"),
        ]
    )

    def respond(_: Request) -> Status:
        return next(steps)

    server = Server(respond)
    yield server
    server.close()


def test_the_sdk_runs_the_tool(memory: Memory, model: Server) -> None:
    client = Anthropic(api_key="none", base_url=model.url.removesuffix("/v1"), max_retries=0)
    runner = client.beta.messages.tool_runner(
        model="claude",
        max_tokens=100,
        messages=[{"role": "user", "content": "im left-handed, remember that"}],
        tools=[ToldonceMemoryTool(memory, "alex")],
    )
    last = runner.until_done()
    assert last.content[0].type == "text" and last.content[0].text == "Noted."
    assert model.requests[0].body["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    told = [request.body["messages"][-1]["content"][0]["content"] for request in model.requests[1:]]
    assert "created" in str(told[1]) and "must be a path below /memories" in str(told[2])
    document = memory.documents.get(DOCUMENT, owner="alex")
    assert document is not None and document.data["files"] == {NOTES: "Alex is left-handed"}
