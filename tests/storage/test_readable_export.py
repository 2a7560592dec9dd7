"""An export for people: everything in time order, replaced things too, each with whether it still counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.errors import InputError, SpaceNotFound
from toldonce.storage.readable_export import choose_form, inline_markdown


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("life")


@pytest.fixture
def moved(memory: Memory, clock: ManualClock) -> Memory:
    """Somebody who lived in one place and then in another."""
    for session, text in (("s1", "I live in Recife"), ("s2", "I moved to Curitiba")):
        memory.observe(text, user="maria", session=session, display_name="Maria")
        memory.settle(session=session)
        clock.pass_time(days=1)
    memory.remember("Bruno plays chess", user="bruno", author="person")
    return memory


def exported(memory: Memory, place: Path, **options: Any) -> Any:
    memory.export(place, **options)
    return json.loads(place.read_text(encoding="utf-8"))


def test_json_tells_everything_in_time_order_with_what_is_current(moved: Memory, tmp_path: Path) -> None:
    told = exported(moved, tmp_path / "out.json")["records"]
    assert [r["at"] for r in told] == sorted(r["at"] for r in told)
    facts = {r["content"]: r for r in told if r["type"] == "fact"}
    old, new = facts["Maria lives in Recife"], facts["Maria moved to Curitiba"]
    assert (old["is_current"], new["is_current"]) == (False, True)
    assert (old["superseded_by"], old["superseded_at"]) == (new["id"], old["history"][0]["at"])
    assert old["confidence"] == 0.95
    assert old["history"][0]["action"] == "superseded"


def test_one_persons_data_is_only_theirs(moved: Memory, tmp_path: Path) -> None:
    told = exported(moved, tmp_path / "out.json", user="bruno")
    assert [r["content"] for r in told["records"]] == ["Bruno plays chess"]
    assert told["documents"] == []


def test_a_space_is_exported_alone(moved: Memory, tmp_path: Path) -> None:
    moved.spaces.add("work")
    moved.remember("The report is due", user="maria", space="work")
    assert [r["space"] for r in exported(moved, tmp_path / "out.json", space="work")["records"]] == ["work"]
    with pytest.raises(SpaceNotFound):
        moved.export(tmp_path / "other.json", space="nowhere")


def test_the_newest_version_of_documents_is_there(moved: Memory, tmp_path: Path) -> None:
    (document,) = exported(moved, tmp_path / "out.json", user="maria")["documents"]
    assert (document["name"], document["version"]) == ("user_memory", moved.profile("maria").version)
    assert document["entries"][0]["sources"]


def test_what_ran_out_is_not_current(open_memory: OpenMemory, tmp_path: Path, clock: ManualClock) -> None:
    memory = open_memory("companion")
    memory.remember("Table set for four", kind="context", user="ana")
    clock.pass_time(days=2)
    (told,) = exported(memory, tmp_path / "out.json")["records"]
    assert (told["state"], told["is_current"]) == ("active", False)


def test_markdown_strikes_out_what_no_longer_counts(moved: Memory, tmp_path: Path) -> None:
    count = moved.export(tmp_path / "out.md", user="maria")
    text = (tmp_path / "out.md").read_text(encoding="utf-8")
    assert f"records: {count}." in text
    assert "~~Maria lives in Recife~~" in text
    assert "fact, maria: Maria moved to Curitiba" in text
    assert text.index("### 2026-03-02") < text.index("### 2026-03-03")
    assert "superseded" in text


def test_remembered_text_cannot_become_markup(memory: Memory, tmp_path: Path) -> None:
    memory.observe("# Hello\n<script>x</script> [click](http://x.example)", user="maria", session="s1")
    memory.export(tmp_path / "out.md")
    text = (tmp_path / "out.md").read_text(encoding="utf-8")
    assert r": # Hello \<script>x\</script> \[click\](http://x.example)" in text


def test_an_empty_memory_exports_to_a_valid_file(memory: Memory, tmp_path: Path) -> None:
    assert exported(memory, tmp_path / "out.json")["records"] == []
    assert memory.export(tmp_path / "out.md") == 0


def test_the_ending_chooses_the_form_and_a_named_form_wins(moved: Memory, tmp_path: Path) -> None:
    assert [choose_form(f"x{end}") for end in (".json", ".md", ".MD", ".jsonl", "")] == [
        "json",
        "markdown",
        "markdown",
        "jsonl",
        "jsonl",
    ]
    assert exported(moved, tmp_path / "out.txt", format="json")["records"]
    with pytest.raises(InputError, match="jsonl, json, markdown"):
        moved.export(tmp_path / "out.txt", format="pdf")


def test_what_is_inline_stays_on_one_line() -> None:
    assert inline_markdown(" a\n\n- b `c` ") == r"a - b \`c\`"
