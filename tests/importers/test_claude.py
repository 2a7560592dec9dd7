"""An export of Claude: branches, texts that were pasted, what Claude remembered, and projects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import OpenMemory
from tests.importers.samples import pack, write_json
from tests.importers.test_formats import all_messages
from toldonce import Memory

ROOT = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


def said(uuid: str, parent: str | None, sender: str, text: str, minute: int, **more: Any) -> dict[str, Any]:
    """A message as the archive has it."""
    at = f"2025-11-02T10:{minute:02d}:00.120Z"
    block = {"type": "text", "text": text}
    parents = {} if parent is None else {"parent_message_uuid": parent}
    return {"uuid": uuid, "sender": sender, "text": text, "content": [block], "created_at": at, **parents, **more}


def write_chat(folder: Path, messages: list[dict[str, Any]], **more: Any) -> Path:
    chat = {"uuid": "k-1", "name": "Trip", "created_at": "2025-11-02T10:00:00Z", "chat_messages": messages, **more}
    return write_json(folder / "conversations.json", [chat])


RETRIED = [
    said("m1", ROOT, "human", "where should we go in May?", 0),
    said("m2", "m1", "assistant", "To Madeira.", 1),
    said("m3", "m1", "assistant", "To the Azores.", 2),
    said("m4", "m3", "human", "too wet, we went there in 2019", 3),
    said("m5", "m3", "human", "we go with my sister Inês", 4),
    said("m6", "m5", "assistant", "Then São Miguel.", 5),
]


@pytest.mark.parametrize("order", [RETRIED, RETRIED[::-1]], ids=["in order", "newest first"])
def test_only_the_branch_that_was_shown_last_comes_in(
    memory: Memory, tmp_path: Path, order: list[dict[str, Any]]
) -> None:
    brought = memory.import_(write_chat(tmp_path, order), user="ana")
    assert [one.text for one in all_messages(memory)] == [
        "where should we go in May?",
        "To the Azores.",
        "we go with my sister Inês",
        "Then São Miguel.",
    ]
    assert brought.left_out == {"on a branch that was left for another": 2}


def test_the_message_that_the_export_names_as_the_last_decides(memory: Memory, tmp_path: Path) -> None:
    memory.import_(write_chat(tmp_path, RETRIED, current_leaf_message_uuid="m2"), user="ana")
    assert [one.text for one in all_messages(memory)] == ["where should we go in May?", "To Madeira."]


def test_messages_that_name_no_parent_all_come_in(memory: Memory, tmp_path: Path) -> None:
    old = [said(f"o{number}", None, "human", f"thought {number}", number) for number in range(3)]
    assert memory.import_(write_chat(tmp_path, old), user="ana").kept == 3


def test_a_loop_of_parents_ends(memory: Memory, tmp_path: Path) -> None:
    loop = [said("a", "b", "human", "first thought", 0), said("b", "a", "assistant", "an answer", 1)]
    assert memory.import_(write_chat(tmp_path, loop), user="ana").kept == 2


def test_pasted_text_comes_in_and_is_not_taken_for_the_persons_own_words(memory: Memory, tmp_path: Path) -> None:
    pasted = {"file_name": "letter.txt", "file_type": "txt", "extracted_content": "My name is Olga. I live in Riga.\n"}
    messages = [
        said("m1", ROOT, "human", "shorten this letter of my landlady", 0, attachments=[pasted]),
        said("m2", "m1", "human", "", 1, content=[], attachments=[{**pasted, "extracted_content": "Rent: 900 euros"}]),
        said("m3", "m2", "human", "", 2, content=[], attachments=[], files=[{"file_name": "photo.jpg"}]),
    ]
    brought = memory.import_(write_chat(tmp_path, messages), user="ana")
    assert (brought.kept, brought.left_out) == (2, {"without text (images, files)": 1})
    first, second = all_messages(memory)
    assert first.text == ("shorten this letter of my landlady\n\n~~~ letter.txt\nMy name is Olga. I live in Riga.\n~~~")
    assert "Rent: 900 euros" in second.text
    memory.tend()
    derived = [record.text for record in memory.review.records("ana") if record.kind not in ("message", "note")]
    assert not any("Riga" in text or "Olga" in text for text in derived)


def test_memories_and_projects_of_the_archive_are_notes(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    write_chat(folder, RETRIED[:2])
    write_json(folder / "users.json", [{"uuid": "u", "full_name": "Ana"}])
    write_json(folder / "design_chats.json", [{"uuid": "d"}])
    told = {
        "conversations_memory": "**Work**\n\nAna restores tiles in Porto.",
        "project_memories": {"p1": "Uses lime."},
    }
    write_json(folder / "memories.json", [told])
    doc = {
        "uuid": "d1",
        "filename": "glaze.md",
        "content": "# Glaze\nCobalt at 980 degrees.",
        "created_at": "2025-05-01",
    }
    project = {"uuid": "p1", "name": "Tiles", "prompt_template": "Answer in metric units.", "docs": [doc]}
    starter = {"uuid": "p0", "name": "How to use", "is_starter_project": True, "docs": []}
    write_json(folder / "projects.json", [{**project, "created_at": "2025-04-01T00:00:00Z"}, starter])
    brought = memory.import_(pack(folder, tmp_path / "export.zip"), user="ana")
    assert brought.left_out == {"a project that came with the account": 1, "a file of the archive that is not read": 1}
    notes = {record.text: record for record in memory.review.records("ana") if record.kind != "message"}
    assert set(notes) == {
        "**Work**\n\nAna restores tiles in Porto.",
        "Uses lime.",
        "Tiles: Answer in metric units.",
        "glaze.md: Cobalt at 980 degrees.",
    }
    assert notes["glaze.md: Cobalt at 980 degrees."].at.month == 5
    assert memory.import_(tmp_path / "export.zip", user="ana").kept == 0


def test_the_memories_alone_are_recognised(memory: Memory, tmp_path: Path) -> None:
    file = write_json(tmp_path / "memories.json", [{"conversations_memory": "Ana has a dog.", "account_uuid": "u"}])
    brought = memory.import_(file, user="ana")
    assert (brought.what, brought.kept) == ("claude", 1)


def test_memories_of_a_wrong_type_are_reported(memory: Memory, tmp_path: Path) -> None:
    write_chat(tmp_path / "x", RETRIED[:2])
    write_json(tmp_path / "x" / "memories.json", [{"conversations_memory": 7}, "x"])
    write_json(tmp_path / "x" / "projects.json", [{"uuid": "p", "name": "x", "docs": [7]}, {"name": "y"}])
    brought = memory.import_(tmp_path / "x", user="ana")
    assert brought.kept == 2
    assert len(brought.problems) == 4
