"""Memories, notes and tables of other programs come in as facts with their owners and dates."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import OpenMemory
from tests.importers import samples
from tests.importers.older_stores import make_chroma
from tests.importers.samples import (
    Harmful,
    PointStruct,
    make_agent_files,
    make_mem0_history,
    make_qdrant,
    make_vault,
    write_json,
)
from toldonce import Memory
from toldonce.errors import BadImport, InputError
from toldonce.importers.formats import find_format
from toldonce.records import Record


@pytest.fixture
def assistant(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


def all_records(memory: Memory) -> dict[str, Record]:
    """Every record by its text."""
    return {found.record.text: found.record for found in memory.timeline(limit=1000)}


def test_mem0_memories_keep_owner_date_and_metadata(assistant: Memory, tmp_path: Path) -> None:
    brought = assistant.import_(write_json(tmp_path / "all.json", samples.mem0_results()))
    assert (brought.what, brought.kept, brought.people) == ("mem0", 3, {"rui": 2, "marta": 1})
    record = all_records(assistant)["Likes rye bread"]
    assert (record.user, record.kind, record.at) == ("rui", "fact", samples.BEGAN)
    assert record.metadata["imported"] == {"from": "mem0", "id": "m-1", "type": "fact"}
    assert record.metadata["category"] == "food"
    assert assistant.import_(tmp_path / "all.json").kept == 0


def test_points_of_qdrant_are_read_and_nothing_in_them_runs(assistant: Memory, tmp_path: Path) -> None:
    payload = {"data": "Likes rye bread", "user_id": "rui", "hash": "x", "created_at": "2025-03-02T10:00:00-08:00"}
    harmful = Harmful(tmp_path / "harm")
    brought = assistant.import_(make_qdrant(tmp_path / "qdrant", PointStruct("p-1", payload), harmful))
    assert (brought.kept, brought.left_out) == (1, {"a point that cannot be read": 1})
    assert "point 2" in brought.problems[0]
    assert not os.path.exists(harmful.target)
    assert all_records(assistant)["Likes rye bread"].at.hour == 18


def test_the_history_of_mem0_gives_what_holds_last(assistant: Memory, tmp_path: Path) -> None:
    brought = assistant.import_(make_mem0_history(tmp_path / "history.db"), user="rui")
    assert (brought.kept, brought.left_out) == (1, {"deleted in mem0": 1})
    assert list(all_records(assistant)) == ["Mora no Porto"]


def test_a_fact_that_ended_is_kept_as_expired(assistant: Memory, tmp_path: Path) -> None:
    brought = assistant.import_(write_json(tmp_path / "graph.json", samples.graphiti_graph()))
    assert (brought.what, brought.kinds) == ("graphiti", {"fact": 2, "message": 3})
    found = [
        hit.record.text for hit in assistant.recall("where does Rui live", user="rui") if hit.record.kind == "fact"
    ]
    assert found == ["Rui lives in Porto"]
    assert all_records(assistant)["Rui lives in Braga"].expires_at is not None


def test_letta_gives_what_was_said_and_the_lines_of_its_blocks(assistant: Memory, tmp_path: Path) -> None:
    brought = assistant.import_(write_json(tmp_path / "bento.af", samples.letta_file()), user="clara")
    assert brought.what == "letta"
    assert set(all_records(assistant)) == {
        "Name: Clara",
        "Allergic to shrimp",
        "passei no exame de condução",
        "Nice, congratulations!",
        "mañana compro el coche",
    }
    assert brought.left_out["what the agent is instructed to be"] == 1


def test_notes_give_sections_and_observations(assistant: Memory, tmp_path: Path) -> None:
    brought = assistant.import_(make_vault(tmp_path / "vault"), user="clara")
    assert (brought.what, brought.left_out) == ("notes", {"a note without text": 1})
    records = all_records(assistant)
    assert set(records) == {
        "2025-03-02: Walked to the river with Clara.\n#porto",
        "Pour over gives a cleaner cup #pour-over",
        "A água deve ter 93 graus (testado)",
        "Coffee Brewing: - [ ] buy filters",
    }
    observation = records["Pour over gives a cleaner cup #pour-over"]
    assert (observation.at.isoformat()[:10], observation.kind) == ("2025-01-05", "fact")
    assert observation.metadata["tags"] == ["brewing", "coffee", "pour-over"]
    assert observation.metadata["links"] == ["Desserts"]
    assert records["2025-03-02: Walked to the river with Clara.\n#porto"].at.isoformat()[:10] == "2025-03-02"


def test_rules_of_coding_agents_are_conventions(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory("coding")
    brought = memory.import_(make_agent_files(tmp_path / "r"))
    assert (brought.what, brought.kinds) == ("agent-files", {"convention": 3})


CSV = 'body,who,when\n"Likes tea, not coffee",ana,2025-03-02\nMora em Lisboa,rui,1740940200\nLate,ana,someday\nshort\n'


@pytest.mark.parametrize("separator", [";", "\t", "|", ","])
def test_the_header_says_what_separates_the_columns(assistant: Memory, tmp_path: Path, separator: str) -> None:
    file = tmp_path / "facts.csv"
    rows = (
        ["body", "author", "written_on"],
        ["odeia coentros; muito" if separator != ";" else "chá", "ana", "2025-03-02"],
    )
    file.write_text("\ufeff" + "\r\n".join(separator.join(row) for row in rows), encoding="utf-8")
    brought = assistant.import_(file, columns={"text": "body", "user": "author", "at": "written_on"})
    assert (brought.kept, brought.people) == (1, {"ana": 1})


def test_a_column_for_the_session_makes_messages(assistant: Memory, tmp_path: Path) -> None:
    file = tmp_path / "chat.csv"
    file.write_text(
        "session,role,at,text\nmon,user,2025-03-02T10:00:00,i live in Faro\nmon,bot,2025-03-02T10:01:00,nice\n", "utf-8"
    )
    assert assistant.import_(file, user="ana").kinds == {"message": 2}


def test_a_very_long_value_does_not_stop_a_table(assistant: Memory, tmp_path: Path) -> None:
    file = tmp_path / "facts.csv"
    file.write_text(f"text,user\n{'a' * 200_000},ana\nhates cor\x00iander,ana\n", "utf-8")
    brought = assistant.import_(file)
    assert (brought.kept, brought.problems) == (1, ("line 2: too long",))


def test_a_table_in_another_encoding_is_refused_in_words(assistant: Memory, tmp_path: Path) -> None:
    file = tmp_path / "facts.csv"
    file.write_text("text,user\ncafé,ana\n", "latin-1")
    with pytest.raises(BadImport, match="no UTF-8 text"):
        assistant.import_(file)


def test_a_csv_file_is_read_by_a_mapping_and_bad_rows_are_reported(assistant: Memory, tmp_path: Path) -> None:
    file = tmp_path / "facts.csv"
    file.write_text(CSV, encoding="utf-8")
    brought = assistant.import_(file, columns={"text": "body", "user": "who", "at": "when"})
    assert (brought.what, brought.kept) == ("table", 2)
    assert brought.problems == (
        "line 4: a time that cannot be read",
        "line 5: a row with more or fewer columns than the header",
    )
    assert all_records(assistant)["Likes tea, not coffee"].user == "ana"


def test_rows_with_a_session_are_messages_and_a_bad_row_leaves_its_session_out(
    assistant: Memory, tmp_path: Path
) -> None:
    file = tmp_path / "chat.jsonl"
    file.write_text(samples.TABLE + '{"msg": "and", "s": "3", "t": "2025-03-04"}\n{broken\n', encoding="utf-8")
    brought = assistant.import_(file, user="ana", columns=samples.TABLE_COLUMNS)
    assert (brought.kinds, brought.problems) == ({"message": 4}, ("line 6: no JSON object",))
    assert brought.left_out["in a conversation that is damaged elsewhere"] == 1
    assert {record.role for record in all_records(assistant).values()} == {"user", "assistant"}


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"text": "nope"}, "say which column holds the text"),
        ({"text": "body", "user": "nope"}, "there is no column 'nope': there are body, who, when"),
        ({"words": "body"}, "there is no field 'words' to map"),
    ],
)
def test_a_wrong_mapping_names_what_there_is(
    assistant: Memory, tmp_path: Path, columns: dict[str, str], problem: str
) -> None:
    file = tmp_path / "facts.csv"
    file.write_text(CSV, encoding="utf-8")
    with pytest.raises((BadImport, InputError), match=problem):
        assistant.import_(file, columns=columns)


def test_a_palace_gives_drawers_as_notes_and_triples_as_facts_with_their_time(
    assistant: Memory, tmp_path: Path
) -> None:
    brought = assistant.import_(samples.make_mempalace(tmp_path / ".mempalace"), user="clara")
    assert (brought.what, brought.kinds) == ("mempalace", {"note": 3, "fact": 3})
    assert brought.left_out == {"a mark that a file was read": 1}
    records = all_records(assistant)
    drawer = records["la masa madre está lista"]
    assert (drawer.at.isoformat()[:10], drawer.metadata["wing"], drawer.metadata["room"]) == (
        "2025-03-03",
        "wing_home",
        "diary",
    )
    assert records["> which oven do i buy?\nA small one is enough."].at.isoformat()[:10] == "2025-02-01"
    assert records["o forno novo chega amanhã"].at.isoformat()[:16] == "2025-03-02T18:30"
    past = records["Clara lives in Braga"]
    assert (past.at.isoformat()[:10], str(past.expires_at)[:10]) == ("2024-01-01", "2025-03-02")
    assert records["João brother of Clara"].metadata["predicate"] == "brother_of"
    lives = [hit.record.text for hit in assistant.recall("where does Clara live", user="clara")]
    assert "Clara lives in Braga" not in lives
    assert "Clara lives in Porto" in lives


def test_a_palace_alone_and_its_graph_alone_are_recognised(tmp_path: Path) -> None:
    folder = samples.make_mempalace(tmp_path / ".mempalace")
    for place in (folder / "palace", folder / "palace" / "chroma.sqlite3", folder / "knowledge_graph.sqlite3"):
        found = find_format(place)
        assert found is not None
        assert found.name == "mempalace"


def test_a_folder_of_chroma_without_rooms_is_no_palace(tmp_path: Path) -> None:
    assert find_format(make_chroma(tmp_path / "chroma")) is None
