"""What an import leaves out is told, what cannot be recognised is refused by name, and a preview says what comes in."""

from __future__ import annotations

import io
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest

from tests.conftest import OpenMemory
from tests.importers import samples
from tests.importers.samples import write_json
from tests.importers.test_formats import all_messages
from toldonce import Memory
from toldonce.errors import BadImport

ID = "1f0a2b3c4d5e6f708192a3b4c5d6e7f8"


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("life")


def write_note(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    return path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Trip\nFull date: Sunday, March 2, 2025\n\nWalked.", datetime(2025, 3, 2, tzinfo=UTC)),
        ("# Trip\n\n**Created:** 2025-03-02T18:30:00Z\n\nWalked.", datetime(2025, 3, 2, 18, 30, tzinfo=UTC)),
        ("\tDate:\t2 March 2025 at 18:30:00 WEST\n\nWalked.", datetime(2025, 3, 2, tzinfo=UTC)),
        ("Data: 2 de março de 2025\n\nAndei.", datetime(2025, 3, 2, tzinfo=UTC)),
        ("Fecha: 2 de marzo de 2025\n\nCaminé.", datetime(2025, 3, 2, tzinfo=UTC)),
        ("# Trip\nDate: next week\n\nWalked.", datetime.fromtimestamp(1_700_000_000, UTC)),
        ("# Trip\n\nWalked.", datetime.fromtimestamp(1_700_000_000, UTC)),
    ],
)
def test_a_note_is_from_the_day_that_it_says_else_from_when_its_file_was_written(
    memory: Memory, tmp_path: Path, text: str, expected: datetime
) -> None:
    memory.import_(write_note(tmp_path, "Trip.md", text), user="ana")
    assert {record.at for record in memory.review.records("ana")} == {expected}


def test_a_note_in_an_archive_has_the_time_that_the_archive_says(memory: Memory, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "notes.zip", "w") as archive:
        archive.writestr(ZipInfo("Trip.md", (2024, 5, 6, 7, 8, 10)), "Walked to the river.")
        archive.writestr(ZipInfo("Other.md", (1980, 1, 1, 0, 0, 0)), "Baked bread.")
    memory.import_(tmp_path / "notes.zip", user="ana")
    times = {record.title or record.text: record.at for record in memory.review.records("ana")}
    assert datetime(2024, 5, 6, 7, 8, 10, tzinfo=UTC) in times.values()
    assert all(at.year != 1980 for at in times.values())


def test_a_note_whose_file_was_touched_does_not_come_back(memory: Memory, tmp_path: Path) -> None:
    path = write_note(tmp_path, "Trip.md", "Walked to the river.")
    memory.import_(path, user="ana")
    (record,) = memory.review.records("ana")
    memory.forget(record.id)
    os.utime(path, (1_710_000_000, 1_710_000_000))
    assert memory.import_(path, user="ana").left_out == {"here already": 1}


def test_a_file_of_the_future_is_from_now(memory: Memory, tmp_path: Path) -> None:
    path = write_note(tmp_path, "Trip.md", "Walked to the river.")
    os.utime(path, (4_000_000_000, 4_000_000_000))
    memory.import_(path, user="ana")
    assert [record.at for record in memory.review.records("ana")] == [memory.clock()]


def test_the_ids_of_notion_are_no_part_of_titles(memory: Memory, tmp_path: Path) -> None:
    memory.import_(write_note(tmp_path, f"Trip to Faro {ID}.md", "Walked."), user="ana")
    (record,) = memory.review.records("ana")
    assert (record.text, record.metadata["title"]) == ("Trip to Faro: Walked.", "Trip to Faro")


def make_zip(path: Path, name: str, content: bytes | str) -> Path:
    with ZipFile(path, "w") as archive:
        archive.writestr(name, content)
    return path


def make_unknown(folder: Path) -> dict[str, Path]:
    """What no format reads: an archive in an archive, pages of Notion, Day One, Instagram, a text."""
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("Trip.md", "Walked.")
    page = folder / "page.html"
    page.write_text("<html><body>Trip</body></html>", encoding="utf-8")
    text = folder / "letter.txt"
    text.write_text("Dear Ana,", encoding="utf-8")
    (folder / "pages").mkdir()
    (folder / "pages" / "Trip.html").write_text("<p>Trip</p>", encoding="utf-8")
    entries = {"metadata": {"version": "1.0"}, "entries": [{"creationDate": "2025-03-02T18:30:00Z", "text": "x"}]}
    talk = {"participants": [{"name": "a"}], "messages": [{"sender_name": "a", "timestamp_ms": 1, "content": "x"}]}
    return {
        "holds another archive, Export-Part-1.zip": make_zip(folder / "a.zip", "Export-Part-1.zip", packed.getvalue()),
        "an archive of no format": make_zip(folder / "b.zip", f"Trip {ID}.html", "<p>Trip</p>"),
        "archive of no format that is known": make_zip(folder / "c.zip", "Journal.json", json.dumps(entries)),
        "archive of no format that": make_zip(folder / "d.zip", "messages/inbox/a_1/message_1.json", json.dumps(talk)),
        "is not the header of an export": write_json(folder / "Journal.json", entries),
        "a page of HTML": page,
        "line 1: is not the header": text,
        "a folder of no format": folder / "pages",
    }


@pytest.mark.parametrize("preview", [False, True])
def test_what_no_format_recognises_is_refused_with_the_formats_that_there_are(
    memory: Memory, tmp_path: Path, preview: bool
) -> None:
    for why, path in make_unknown(tmp_path).items():
        with pytest.raises(
            BadImport, match=r"is not recognised: .*The formats are chatgpt, claude, .*notes"
        ) as refused:
            memory.import_(path, preview=preview)
        assert why in str(refused.value)


def test_gemini_brings_what_is_shown_and_no_scripts(memory: Memory, tmp_path: Path) -> None:
    answer = "<style>p{}</style><p>Walk &amp; rest.</p><script>alert('x < y')</script><!-- a -- b --><p>Drink.</p>"
    entry = {"header": "Gemini Apps", "title": "Prompted plan", "time": "2025-03-02T10:10:00Z"}
    memory.import_(write_json(tmp_path / "MyActivity.json", [{**entry, "safeHtmlItem": [{"html": answer}]}]), user="a")
    assert [one.text for one in all_messages(memory)] == ["plan", "Walk & rest.\nDrink."]


def test_an_entry_of_gemini_that_cannot_be_read_takes_no_day_with_it(memory: Memory, tmp_path: Path) -> None:
    entries = samples.gemini_activity()
    broken = [{**entries[1], "time": "soon"}, {**entries[1], "title": 7}]
    brought = memory.import_(write_json(tmp_path / "MyActivity.json", [*entries, *broken]), user="ana")
    assert (brought.kept, len(brought.problems)) == (6, 2)


def test_a_preview_counts_what_an_import_brings(open_memory: OpenMemory, tmp_path: Path) -> None:
    community = open_memory("community", space="guild")
    value = samples.discord_channel(9)
    value["messages"] += [value["messages"][1], {**value["messages"][2], "id": "77"}]
    file = write_json(tmp_path / "general.json", value)
    community.people.block("102")
    preview, brought = community.import_(file, preview=True), community.import_(file)
    assert (preview.read, preview.kept, preview.left_out) == (brought.read, brought.kept, brought.left_out)
    assert brought.left_out["this person is kept out of memory"] > 0
    community.erase(user="101")
    for again in (file, write_json(tmp_path / "second.json", samples.discord_channel(9))):
        preview, brought = community.import_(again, preview=True), community.import_(again)
        assert (preview.kept, preview.left_out) == (brought.kept, brought.left_out)


def test_a_preview_counts_a_memory_that_a_file_says_twice_once(memory: Memory, tmp_path: Path) -> None:
    value = samples.mem0_results()
    value["results"].append({**value["results"][0], "id": "m-9"})
    file = write_json(tmp_path / "all.json", value)
    assert memory.import_(file, preview=True).kept == memory.import_(file).kept == 3


def test_a_form_of_letta_that_is_not_filled_in_says_nothing(memory: Memory, tmp_path: Path) -> None:
    form = "Name: Ana\nAge: ?\nCity: unknown\nHobbies:\nAllergies: none\nPets: N/A"
    agent = {"agents": [{"id": "a", "messages": [], "block_ids": ["b"]}]}
    value = {**agent, "blocks": [{"id": "b", "label": "human", "value": form}]}
    brought = memory.import_(write_json(tmp_path / "agent.af", value), user="ana")
    assert {record.text for record in memory.review.records("ana")} == {"Name: Ana", "Allergies: none"}
    assert brought.left_out == {"a line of a form that is not filled in": 4}


def test_an_agent_of_letta_that_was_saved_as_a_text_in_json_comes_in(memory: Memory, tmp_path: Path) -> None:
    plain = write_json(tmp_path / "plain.af", samples.letta_file())
    packed = write_json(tmp_path / "packed.af", json.dumps(samples.letta_file()))
    assert memory.import_(plain, user="ana", preview=True).kept == memory.import_(packed, user="ana").kept == 5
    with pytest.raises(BadImport):
        memory.import_(write_json(tmp_path / "other.af", "no agent"), user="ana")
