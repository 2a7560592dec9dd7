"""Export and import: a memory goes into a file of lines and comes back the same, whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import START, ManualClock, OpenMemory
from toldonce import Memory
from toldonce.errors import BadImport, InputError, ReadOnlyStore, SpaceNotFound
from toldonce.operations.sealed import SealedItem
from toldonce.records import Conversation, Document, DocumentEntry, Link, Question, Record
from toldonce.storage import transfer
from toldonce.storage.export_format import SHAPES
from toldonce.storage.open import open_store
from toldonce.storage.store import Tables
from toldonce.storage.tables import transfer as transfer_table

Line = dict[str, Any]


def lines_of(path: Path) -> list[Line]:
    """Everything after the header."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[1:-1]]


def of_type(lines: list[Line], type_: str) -> list[Line]:
    return [line for line in lines if line["type"] == type_]


def write_lines(path: Path, *lines: Any, header: Line | None = None) -> Path:
    """A file as someone else might have written it: without the number of lines."""
    first = header or {"toldonce": 1, "exported_at": "2026-03-02T09:00:00.000000+00:00", "space": None, "user": None}
    rows = [line if isinstance(line, str) else json.dumps(line) for line in (first, *lines)]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def exported(memory: Memory, path: Path, **only: str) -> list[Line]:
    memory.export(path, **only)
    return lines_of(path)


def message(memory: Memory, text: str, **given: Any) -> Record:
    kept = memory.observe(text, **{"user": "alex", "session": "s1", **given})
    assert isinstance(kept, Record)
    return kept


def live_a_little(memory: Memory, clock: ManualClock) -> dict[str, Record]:
    """Two spaces, two people, two conversations, a record in every state, documents, a question, settings."""
    said = message(
        memory, "I moved to Lisbon with Maria Silva last week", metadata={"mood": "glad", "n": [1, 2.5, None]}
    )
    message(memory, "日本語でも覚えてください", session="s1")
    message(memory, "Ana likes the tram in Lisbon", user="ana", session="s2", display_name="Ana <b>\u2028</b>")
    clock.pass_time(minutes=5)

    def remember(text: str, **given: Any) -> Record:
        clock.pass_time(seconds=1)
        return memory.remember(text, "fact", user="alex", source=said.id, **given)

    kept = {
        "active": remember("Alex keeps bees on the roof", tags=("hobby",), pinned=True),
        "proposed": remember("Alex wants a boat", proposed=True),
        "superseded": remember("Alex plays the cello badly"),
        "forgotten": remember("Alex dislikes coriander"),
        "flagged": remember("Alex was born in Oslo"),
        "faded": remember("Alex might buy a kite"),
        "expired": remember("Alex is at the dentist"),
    }
    clock.pass_time(hours=1)
    memory.correct(kept["superseded"].id, "Alex plays the cello well")
    memory.forget(kept["forgotten"].id, reason="asked to")
    memory.flag(kept["flagged"].id, reason="wrong country")
    memory.confirm(kept["active"].id)
    for state in ("faded", "expired"):
        end(memory, kept[state], state, clock)
    memory.recall("bees", user="alex")
    other = memory.spaces.add("garden", zone="Europe/Lisbon")
    message(memory, "The beans came up", space=other.name, session="s3", channel="beds")
    memory.people.update("ana", display_name="Ana Souza", zone="Europe/Lisbon", language="pt")
    memory.people.block("bot")
    sealed = {"seal": "s", "model": "m", "vector": "ADwAAAAAAAA=", "box": "Ym94"}
    memory.sealed.put([SealedItem(id="sealed_1", user="alex", **sealed)])  # type: ignore[arg-type]
    memory.store.write(lambda t: keep_the_rest(t, kept))
    return kept


def end(memory: Memory, record: Record, state: Any, clock: ManualClock) -> None:
    memory.store.write(lambda t: t.records.set_state(record, state, action=state, at=clock(), reason="time"))


def keep_the_rest(tables: Tables, kept: dict[str, Record]) -> None:
    tables.people.set_member("main", "alex", "owner")
    tables.people.set_member("garden", "ana", "member")
    entry = DocumentEntry(section="hobbies", text="Keeps bees", sources=(kept["active"].id,), at=START)
    for version in (1, 2):
        tables.documents.put(
            Document(
                name="profile",
                owner="alex",
                space="main",
                version=version,
                entries=(entry,),
                at=START,
                data={"subjects": {"alex/hobby": "Keeps bees"}},
            )
        )
    tables.documents.put(Document(name="about", owner="", space="garden", version=1, entries=(), at=START))
    older, newer = kept["active"].id, kept["proposed"].id
    tables.conversations.ask(
        Question(id="ask_1", space="main", user="alex", text="Bees?", older=older, newer=newer, created_at=START)
    )
    answered = START + timedelta(hours=1)
    tables.conversations.ask(
        Question(
            id="ask_2",
            space="main",
            user="alex",
            text="Boat?",
            older=older,
            newer=newer,
            created_at=START,
            answered_at=answered,
            answer="newer",
        )
    )
    tables.documents.set_setting("main", "shown:s1", older)
    tables.records.link("main", newer, older, type="related_to", at=START)
    tables.entities.add_alias(1, space="main", alias="lx", shown="LX", type="other")


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


@pytest.fixture
def file(memory: Memory, clock: ManualClock, tmp_path: Path) -> Path:
    """An export of a memory that has seen everything."""
    live_a_little(memory, clock)
    memory.export(tmp_path / "whole.jsonl")
    return tmp_path / "whole.jsonl"


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[[Path], list[Line]]:
    """Imports a file into an empty store and gives what that store exports."""

    def copied(path: Path) -> list[Line]:
        store = open_store(tmp_path / "copy.db")
        try:
            transfer.import_lines(store, path)
            assert store.check(repair=False) == []
            transfer.export_lines(store, tmp_path / "copy.jsonl", space=None, user=None, now=START)
        finally:
            store.close()
        return lines_of(tmp_path / "copy.jsonl")

    return copied


# The way there and back


def test_import_into_an_empty_memory_gives_the_same_lines(file: Path, copy_of: Callable[[Path], list[Line]]) -> None:
    lines = lines_of(file)
    assert {line["type"] for line in lines} == SHAPES.keys()
    assert {line["state"] for line in of_type(lines, "record")} >= {
        "active",
        "proposed",
        "superseded",
        "forgotten",
        "flagged",
        "faded",
        "expired",
    }
    assert copy_of(file) == lines


def test_imported_memory_answers_like_the_one_exported(
    file: Path, memory: Memory, open_memory: OpenMemory, clock: ManualClock
) -> None:
    copy = open_memory("assistant", file="copy.db")
    copy.import_(file, trusted=True)
    bees = next(hit.record for hit in memory.recall("bees on the roof", user="alex", kinds=["fact"]))
    assert copy.get(bees.id) == memory.get(bees.id)
    assert copy.history(bees.id) == memory.history(bees.id)
    for question in ("Where did Alex move?", "日本語", "who likes the tram?", "cello"):
        ours = [(hit.record.id, hit.score) for hit in memory.recall(question, user="alex")]
        assert [(hit.record.id, hit.score) for hit in copy.recall(question, user="alex")] == ours
    lisbon, there = memory.entity("Lisbon"), copy.entity("LX")
    assert lisbon is not None and there is not None
    assert (there.id, there.mentions, there.aliases) == (lisbon.id, lisbon.mentions, lisbon.aliases)


def test_imported_records_of_embedded_kinds_wait_for_a_vector(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory, copy = open_memory("life"), open_memory("life", file="copy.db")
    told = message(memory, "I keep bees")
    memory.export(tmp_path / "out.jsonl")
    copy.import_(tmp_path / "out.jsonl", trusted=True)
    assert [text for _, text in copy.store.read(lambda t: t.vectors.find_waiting(limit=10))] == [f"alex: {told.text}"]
    plain = next(name for name, kind in memory.spaces.preset().kinds.items() if not kind.embedded)
    memory.remember("What was done this week", plain, user="alex", author="system")
    memory.export(tmp_path / "out.jsonl")
    copy.import_(tmp_path / "out.jsonl", trusted=True)
    assert len(copy.store.read(lambda t: t.vectors.find_waiting(limit=10))) == 1


def test_header_names_format_time_and_scope_and_says_how_many_lines_follow(memory: Memory, tmp_path: Path) -> None:
    message(memory, "hello there")
    count = memory.export(tmp_path / "out.jsonl", user="alex", space="main")
    header = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8").partition("\n")[0])
    exported_at = "2026-03-02T09:00:00.000000+00:00"
    assert len(header.pop("sha256")) == 64
    assert header == {"toldonce": 3, "exported_at": exported_at, "space": "main", "user": "alex", "lines": count}
    assert count == len(lines_of(tmp_path / "out.jsonl"))


def test_every_column_that_is_kept_is_told(memory: Memory) -> None:
    """A new column must be exported, or be listed here with the reason why not."""
    tables = {
        "spaces": "space", "people": "person", "memberships": "member", "conversations": "conversation",
        "records": "record", "changes": "change", "links": "link", "documents": "document", "questions": "question",
        "settings": "setting",
    }  # fmt: skip
    worked_out_anew = {"tenant", "seq", "fingerprint", "embedding", "audience"}
    of_this_file_alone = {("spaces", "purges")}
    taken_from_the_record = {("changes", "space"), ("links", "space")}
    renamed = {("links", "type"): "link_type"}
    schema = memory.store._database  # type: ignore[attr-defined]
    for table, type_ in tables.items():
        columns = schema.exclusive(lambda c, t=table: [row[1] for row in c.execute(f"PRAGMA table_info({t})")])
        told = {
            renamed.get((table, c), c)
            for c in columns
            if c not in worked_out_anew and (table, c) not in taken_from_the_record | of_this_file_alone
        }
        assert told == SHAPES[type_].keys()


def test_many_records_and_mentions_are_told_page_by_page(
    memory: Memory, tmp_path: Path, copy_of: Callable[[Path], list[Line]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer_table, "PAGE", 7)
    monkeypatch.setattr(transfer_table, "MENTIONS_A_LINE", 5)
    monkeypatch.setattr(transfer, "_LINES_TOGETHER", 3)
    kept = memory.observe_many(
        [{"text": f"Lisbon, day {n}", "user": f"u{n % 9}", "session": f"s{n}"} for n in range(40)]
    )
    for place, record in enumerate(kept[:20]):
        assert isinstance(record, Record)
        memory.remember(f"number {place} stands for itself", "fact", user="alex", source=record.id)
        memory.pin(record.id)
    lines = exported(memory, tmp_path / "out.jsonl")
    ids = [line["id"] for line in of_type(lines, "record")]
    assert len(ids) == len(set(ids)) == 60
    assert len(of_type(lines, "link")) == 20 and len(of_type(lines, "change")) == 20
    assert len(of_type(lines, "conversation")) == 40
    lisbon = [line for line in of_type(lines, "entity") if line["name"] == "Lisbon"]
    assert [len(line["records"]) for line in lisbon] == [5] * 8
    assert copy_of(tmp_path / "out.jsonl") == lines


# Parts of a memory


def test_export_of_a_space_holds_only_that_space(
    file: Path, memory: Memory, tmp_path: Path, copy_of: Callable[[Path], list[Line]]
) -> None:
    lines = exported(memory, tmp_path / "garden.jsonl", space="garden")
    spaces = {line.get("space", line.get("name")) for line in lines if line["type"] not in ("change", "link")}
    assert spaces == {"garden"}
    assert [line["text"] for line in of_type(lines, "record")] == ["The beans came up"]
    assert copy_of(tmp_path / "garden.jsonl") == lines


def test_export_of_a_person_holds_nothing_of_anybody_else(
    file: Path, memory: Memory, tmp_path: Path, copy_of: Callable[[Path], list[Line]]
) -> None:
    memory.observe("I drove it myself", user="ana", session="s1")
    memory.remember("Ana drives the tram", "fact", user="ana", source=memory.recall("cello")[0].record.id)
    lines = exported(memory, tmp_path / "ana.jsonl", user="ana")
    assert {line["user"] for line in of_type(lines, "record")} == {"ana"}
    assert [line["id"] for line in of_type(lines, "person")] == ["ana"]
    assert [line["person"] for line in of_type(lines, "member")] == ["ana"]
    assert of_type(lines, "document") == of_type(lines, "question") == of_type(lines, "setting") == []
    text = (tmp_path / "ana.jsonl").read_text(encoding="utf-8")
    assert "bees" not in text and "cello" not in text and '"alex"' not in text
    assert copy_of(tmp_path / "ana.jsonl") == lines


def test_export_of_a_person_holds_their_documents_and_questions(file: Path, memory: Memory, tmp_path: Path) -> None:
    lines = exported(memory, tmp_path / "alex.jsonl", user="alex")
    assert {(line["owner"], line["version"]) for line in of_type(lines, "document")} == {("alex", 1), ("alex", 2)}
    assert [line["id"] for line in of_type(lines, "question")] == ["ask_1", "ask_2"]
    assert {line["user"] for line in of_type(lines, "record")} == {"alex"}
    assert {line["name"] for line in of_type(lines, "space")} == {"garden", "main"}


def test_export_of_an_unknown_space_is_refused(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(SpaceNotFound):
        memory.export(tmp_path / "out.jsonl", space="nowhere")
    assert list(tmp_path.glob("*out.jsonl*")) == []


# What is here already


def test_importing_twice_is_importing_once(file: Path, tmp_path: Path) -> None:
    store = open_store(tmp_path / "copy.db")
    once, twice = tmp_path / "once.jsonl", tmp_path / "twice.jsonl"
    assert transfer.import_lines(store, file) == (len(lines_of(file)), 0)
    transfer.export_lines(store, once, space=None, user=None, now=START)
    assert transfer.import_lines(store, file) == (len(lines_of(file)), 0)
    transfer.export_lines(store, twice, space=None, user=None, now=START)
    store.close()
    assert once.read_bytes() == twice.read_bytes()


def test_importing_into_the_memory_itself_changes_nothing(file: Path, memory: Memory, tmp_path: Path) -> None:
    memory.import_(file)
    assert exported(memory, tmp_path / "again.jsonl") == lines_of(file)


def test_record_that_is_here_stays_as_it_is_with_its_history(
    file: Path, memory: Memory, open_memory: OpenMemory, clock: ManualClock
) -> None:
    copy = open_memory("assistant", file="copy.db")
    copy.import_(file, trusted=True)
    bees = memory.recall("bees on the roof", user="alex", kinds=["fact"])[0].record
    clock.pass_time(days=1)
    copy.forget(bees.id, reason="not here")
    memory.pin(bees.id, pinned=False)
    memory.export(file)
    copy.import_(file, trusted=True)
    assert copy.get(bees.id).state == "forgotten"
    assert [c.action for c in copy.history(bees.id).changes] == ["confirmed", "forgotten"]


def test_new_records_join_the_entities_that_are_here(open_memory: OpenMemory, tmp_path: Path) -> None:
    one, other = open_memory("assistant"), open_memory("assistant", file="other.db")
    message(one, "We met in Lisbon")
    message(other, "They left Lisbon")
    one.export(tmp_path / "one.jsonl")
    other.import_(tmp_path / "one.jsonl", trusted=True)
    lisbon = other.entity("Lisbon")
    assert lisbon is not None and lisbon.mentions == 2
    assert other.stats()["entities"] == 1


def test_open_conversation_gives_way_to_the_one_that_goes_on_here(open_memory: OpenMemory, tmp_path: Path) -> None:
    one, other = open_memory("assistant"), open_memory("assistant", file="other.db")
    theirs, ours = message(one, "told there"), message(other, "told here")
    one.export(tmp_path / "one.jsonl")
    other.import_(tmp_path / "one.jsonl", trusted=True)
    found = {c.id: c for c in other.store.read(lambda t: t.conversations.all(None))}
    assert (found[ours.conversation or ""].state, found[theirs.conversation or ""].state) == ("open", "ended")
    assert found[theirs.conversation or ""].ended_by == "import"


def test_links_from_new_records_to_records_that_are_here_are_drawn(open_memory: OpenMemory, tmp_path: Path) -> None:
    one, other = open_memory("assistant"), open_memory("assistant", file="other.db")
    told = message(one, "I keep bees")
    one.export(tmp_path / "one.jsonl")
    other.import_(tmp_path / "one.jsonl", trusted=True)
    fact = one.remember("Alex keeps bees", user="alex", source=told.id)
    one.export(tmp_path / "one.jsonl")
    other.import_(tmp_path / "one.jsonl", trusted=True)
    assert other.get(fact.id).sources == (told.id,)
    links = other.store.read(lambda t: t.records.read_links(told.id))
    assert links == [Link(source=fact.id, target=told.id, type="derived_from", at=START)]


# Files that do not fit

GOOD_SPACE: Line = {
    "type": "space", "name": "main", "preset": "assistant", "preset_text": None, "zone": "UTC", "enabled": True,
    "created_at": "2026-03-02T09:00:00.000000+00:00", "deleted_at": None,
}  # fmt: skip
GOOD_RECORD: Line = {
    "type": "record", "id": "fact_1", "space": "main", "kind": "fact", "text": "SECRET", "title": "", "summary": "",
    "author": "", "role": "agent", "user": "alex", "session": None, "channel": None, "branch": None,
    "visibility": "private", "subject": None, "state": "active", "state_reason": "", "state_at": None,
    "superseded_by": None, "confidence": 1, "validated": False, "pinned": False, "origin": "conversation",
    "made_by": "agent", "trust": 3, "conversation": None, "at": "2026-03-02T10:00:00+01:00",
    "created_at": "2026-03-02T09:00:00+00:00", "expires_at": None, "accessed_at": None, "access_count": 0,
    "faded_at": None, "tags": [], "metadata": {},
}  # fmt: skip
GOOD_CHANGE: Line = {
    "type": "change", "record": "fact_1", "at": "2026-03-02T09:00:00+00:00", "action": "pinned", "state": "active",
    "reason": "", "by": "", "other": None,
}  # fmt: skip

GOOD_ENTITY: Line = {
    "type": "entity", "id": "ent_1", "space": "main", "name": "x", "entity_type": "other", "aliases": [], "records": [],
}  # fmt: skip


def test_file_written_by_hand_is_taken(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory("assistant")
    assert memory.import_(write_lines(tmp_path / "in.jsonl", GOOD_SPACE, GOOD_RECORD, GOOD_CHANGE)).read == 3
    kept = memory.get("fact_1")
    assert (kept.text, kept.at, kept.confidence) == ("SECRET", START, 1.0)
    assert [hit.record.id for hit in memory.recall("secret")] == ["fact_1"]


def without(line: Line, field: str) -> Line:
    return {name: value for name, value in line.items() if name != field}


DAMAGED = [
    pytest.param("{", "line 4: is not valid JSON", id="broken JSON"),
    pytest.param("", "line 4: is not valid JSON", id="empty line"),
    pytest.param("NaN", "line 4: is not valid JSON", id="not a number"),
    pytest.param("[" * 100_000, "line 4: is not valid JSON", id="too deep"),
    pytest.param('"text"', "line 4: must be a table", id="not a table"),
    pytest.param({}, "line 4: has no known type", id="no type"),
    pytest.param({"type": ["record"]}, "line 4: has no known type", id="type is no text"),
    pytest.param({"type": "recipe"}, "line 4: has no known type", id="unknown type"),
    pytest.param(without(GOOD_RECORD, "confidence"), "lacks the field 'confidence', which", id="missing field"),
    pytest.param({**GOOD_RECORD, "SECRET": 1}, "has a field that no record has", id="unknown field"),
    pytest.param({**GOOD_RECORD, "text": 5}, "'text' of the record must be a text", id="number for text"),
    pytest.param({**GOOD_RECORD, "text": "\ud800"}, "'text' of the record must be a text", id="half a character"),
    pytest.param({**GOOD_RECORD, "user": 5}, "'user' of the record must be a text or null", id="number for a name"),
    pytest.param({**GOOD_RECORD, "at": "yesterday"}, "'at' of the record must be a moment", id="no moment"),
    pytest.param({**GOOD_RECORD, "at": "2026-03-02T09:00:00"}, "'at' of the record must be a moment", id="no zone"),
    pytest.param({**GOOD_RECORD, "at": None}, "'at' of the record must be a moment", id="null for a moment"),
    pytest.param({**GOOD_RECORD, "expires_at": 12}, "'expires_at' of the record must be a moment", id="micros"),
    pytest.param({**GOOD_RECORD, "state": "SECRET"}, "'state' of the record must be one of", id="unknown state"),
    pytest.param({**GOOD_RECORD, "confidence": 1.5}, "'confidence' of the record must be", id="too sure"),
    pytest.param({**GOOD_RECORD, "confidence": True}, "'confidence' of the record", id="truth for a number"),
    pytest.param({**GOOD_RECORD, "pinned": 1}, "'pinned' of the record must be true or false", id="one for true"),
    pytest.param({**GOOD_RECORD, "access_count": -1}, "'access_count' of the record", id="negative count"),
    pytest.param({**GOOD_RECORD, "access_count": 2**63}, "'access_count' of the record", id="huge count"),
    pytest.param({**GOOD_RECORD, "trust": 4}, "'trust' of the record", id="unknown trust"),
    pytest.param({**GOOD_RECORD, "tags": ["a", 1]}, "'tags' of the record must be a list of texts", id="mixed tags"),
    pytest.param({**GOOD_RECORD, "metadata": []}, "'metadata' of the record must be a table", id="list for a table"),
    pytest.param(
        json.dumps({**GOOD_RECORD, "metadata": {"n": 0}}).replace('"n": 0', '"n": 1e999'),
        "'metadata' of the record must be a table", id="infinite number",
    ),
    pytest.param({**GOOD_RECORD, "kind": "recipe"}, "'kind' of the record", id="kind of another preset"),
    pytest.param({**GOOD_RECORD, "space": "moon"}, "names a space that is neither here nor in an", id="unknown space"),
    pytest.param({**GOOD_CHANGE, "record": "fact_9"}, "names a record that is neither here", id="unknown record"),
    pytest.param(
        {"type": "link", "source": "fact_1", "link_type": "derived_from", "target": "msg_9", "at": GOOD_RECORD["at"]},
        "names a record that is neither here", id="link to nowhere",
    ),
    pytest.param(
        {**GOOD_ENTITY, "aliases": [{}]},
        "lacks the field 'alias', which every alias has", id="bad alias",
    ),
    pytest.param(
        {"type": "member", "space": "main", "person": "alex", "role": "king"}, "'role' of the member must be one of",
        id="unknown role",
    ),
    pytest.param({**GOOD_SPACE, "zone": "Mars/Base"}, "'zone' of the space must be a time zone", id="unknown zone"),
    pytest.param({**GOOD_SPACE, "name": "b", "preset": "x.toml"}, "'preset' of the space is", id="strange preset"),
    pytest.param({**GOOD_SPACE, "name": "b", "preset_text": "x ="}, "'preset_text' of the space", id="broken preset"),
    pytest.param({**GOOD_SPACE, "preset": "coding"}, "was exported with the preset 'coding'", id="another preset"),
]  # fmt: skip


@pytest.mark.parametrize("line, message", DAMAGED)
def test_damaged_line_is_refused_by_number_and_nothing_is_taken(
    open_memory: OpenMemory, tmp_path: Path, line: Any, message: str
) -> None:
    memory = open_memory("assistant")
    before = exported(memory, tmp_path / "before.jsonl")
    path = write_lines(tmp_path / "in.jsonl", GOOD_SPACE, GOOD_RECORD, line, GOOD_CHANGE)
    with pytest.raises(BadImport) as refused:
        memory.import_(path)
    assert refused.value.line == 4
    assert message in str(refused.value) and str(refused.value).startswith("line 4: ")
    assert "SECRET" not in str(refused.value)
    assert exported(memory, tmp_path / "after.jsonl") == before
    assert message_is_kept_afterwards(memory)


@pytest.mark.parametrize("together", [1, 2, 3, 500])
def test_the_first_damaged_line_is_named_however_many_are_read_at_once(
    open_memory: OpenMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    monkeypatch.setattr(transfer, "_LINES_TOGETHER", together)
    stray = {**GOOD_CHANGE, "record": "fact_unknown"}
    path = write_lines(tmp_path / "in.jsonl", GOOD_SPACE, GOOD_RECORD, GOOD_CHANGE, stray, "{", GOOD_RECORD)
    with pytest.raises(BadImport, match=r"line 5: names a record that is neither here"):
        open_memory("assistant").import_(path)


def message_is_kept_afterwards(memory: Memory) -> bool:
    return bool(memory.observe("still at work", user="alex"))


def test_line_that_is_not_utf8_is_refused(memory: Memory, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", GOOD_SPACE)
    path.write_bytes(path.read_bytes() + b'{"type":"record\xff"}\n')
    with pytest.raises(BadImport, match="line 3: is not UTF-8 text"):
        memory.import_(path)


HEADERS = [
    pytest.param(b"", "line 1: is not valid JSON", id="empty file"),
    pytest.param(b"\xff\xfe", "line 1: is not UTF-8", id="another encoding"),
    pytest.param(b"[]\n", "line 1: is not the header of an export", id="another JSON file"),
    pytest.param(b'{"text": "hi"}\n', "line 1: is not the header of an export", id="other lines"),
    pytest.param(b'{"toldonce": true}\n', "line 1: is not the header of an export", id="format is no number"),
    pytest.param(b'{"toldonce": 1}\n', "line 1: lacks the field 'exported_at'", id="bare header"),
    pytest.param(
        b'{"toldonce": 1, "exported_at": "2026-03-02T09:00:00+00:00", "space": null, "user": null, "lines": "x"}\n',
        "line 1: 'lines' of the header", id="lines is no number",
    ),
    pytest.param(b'{"toldonce": 4, "magic": 1}\n', "format 4, this Toldonce reads up to 3: upgrade", id="newer"),
]  # fmt: skip


@pytest.mark.parametrize("content, message", HEADERS)
def test_file_without_a_fitting_header_is_refused(memory: Memory, tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadImport, match=message) as refused:
        memory.import_(path)
    assert refused.value.line == 1


def test_file_that_was_cut_short_is_refused(file: Path, tmp_path: Path) -> None:
    store = open_store(tmp_path / "copy.db")
    whole = file.read_bytes()
    file.write_bytes(whole[: whole.rindex(b"\n", 0, -1) + 1])
    with pytest.raises(BadImport, match="cut short") as refused:
        transfer.import_lines(store, file)
    assert refused.value.line == len(lines_of(file)) + 1
    assert store.read(lambda t: t.people.spaces()) == []
    store.close()


def test_every_cut_inside_a_file_is_noticed(memory: Memory, tmp_path: Path) -> None:
    message(memory, "short and sweet")
    memory.export(tmp_path / "out.jsonl")
    whole = (tmp_path / "out.jsonl").read_bytes()
    store = open_store(":memory:")
    for size in range(0, len(whole) - 1, 13):
        (tmp_path / "cut.jsonl").write_bytes(whole[:size])
        with pytest.raises(BadImport):
            transfer.import_lines(store, tmp_path / "cut.jsonl")
    assert store.read(lambda t: t.people.spaces()) == []
    store.close()


def test_line_too_long_to_hold_is_refused(memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "LONGEST_LINE", 1000)
    path = write_lines(tmp_path / "in.jsonl", GOOD_SPACE, {**GOOD_RECORD, "text": "long " * 1000})
    with pytest.raises(BadImport, match="line 3: is too long"):
        memory.import_(path)


def test_missing_file_is_refused(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(BadImport, match="cannot be read"):
        memory.import_(tmp_path / "nothing.jsonl")
    with pytest.raises(BadImport, match="is not recognised"):
        memory.import_(tmp_path)


# The file that is written


def test_an_export_is_read_from_an_open_file(memory: Memory, open_memory: OpenMemory) -> None:
    memory.remember("Ana lives in Faro", user="ana")
    file = BytesIO()
    memory.export(file)
    file.seek(0)
    other = open_memory("assistant", file="other.db")
    assert other.import_(file).what == "export"
    assert [hit.record.text for hit in other.recall("where does Ana live", "ana")] == ["Ana lives in Faro"]
    with pytest.raises(InputError, match="path"):
        other.import_(5)  # type: ignore[arg-type]


def test_export_replaces_an_older_file_and_leaves_no_other(memory: Memory, tmp_path: Path) -> None:
    message(memory, "first")
    memory.export(tmp_path / "out.jsonl")
    message(memory, "second")
    lines = exported(memory, tmp_path / "out.jsonl")
    assert [line["text"] for line in of_type(lines, "record")] == ["first", "second"]
    assert [p.name for p in tmp_path.iterdir() if "out" in p.name] == ["out.jsonl"]


def test_export_that_fails_leaves_the_older_file(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    message(memory, "first")
    memory.export(tmp_path / "out.jsonl")
    before = (tmp_path / "out.jsonl").read_bytes()
    message(memory, "second")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Exception, match="No space left"):
        memory.export(tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if "out" in p.name] == ["out.jsonl"]


def test_export_never_replaces_the_memory_or_what_is_no_file(memory: Memory, tmp_path: Path) -> None:
    message(memory, "hello")
    link = tmp_path / "link.jsonl"
    link.symlink_to(memory.store.place)
    for target in (memory.store.place, memory.store.place + "-wal", link, tmp_path, "/dev/null"):
        with pytest.raises(InputError):
            memory.export(target)
    assert memory.storage.check() == []


def test_export_into_a_missing_folder_says_so(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(ReadOnlyStore, match="does not exist: create it first"):
        memory.export(tmp_path / "no" / "out.jsonl")


def test_exported_file_is_for_its_owner_only(memory: Memory, tmp_path: Path) -> None:
    memory.export(tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").stat().st_mode & 0o077 == 0


def test_conversations_that_are_open_stay_open_in_the_copy(
    memory: Memory, open_memory: OpenMemory, tmp_path: Path
) -> None:
    told = message(memory, "to be continued")
    memory.export(tmp_path / "out.jsonl")
    copy = open_memory("assistant", file="copy.db")
    copy.import_(tmp_path / "out.jsonl", trusted=True)
    went_on = message(copy, "and so it was")
    assert went_on.conversation == told.conversation
    found = copy.store.read(lambda t: t.conversations.get(told.conversation or ""))
    assert isinstance(found, Conversation) and found.messages == 2
