"""The commands that tell what happened, and those that take memory out and bring it in, as a person calls them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.importers.older_stores import make_chroma, make_facts
from tests.importers.samples import WHATSAPP


@pytest.fixture
def lived(shell: Any) -> Any:
    """A memory of the life preset in which somebody moved and took their weight."""
    shell("init", "--preset", "life")
    for session, day, text in (("s1", 2, "I live in Recife"), ("s2", 3, "I moved to Curitiba. I weigh 82 kg now")):
        shell("observe", text, "-u", "maria", "--session", session, "--at", f"2026-03-0{day}T09:00")
        shell("settle", "--session", session)
    return shell


def test_timeline_shows_days_and_what_became_of_things(lived: Any) -> None:
    out = lived("timeline", "-u", "maria").stdout
    assert out.startswith("2026-03-02\n  09:00  message: I live in Recife\n")
    assert "\n2026-03-03\n" in out
    assert "fact superseded (a newer value was given): maria lives in Recife" in out
    assert "now: maria moved to Curitiba" in out


def test_timeline_takes_a_stretch_a_kind_and_a_limit(lived: Any) -> None:
    told = lived.json("timeline", "--until", "2026-03-03", "--kind", "message")["timeline"]
    assert [(h["action"], h["record"]["text"]) for h in told] == [("added", "I live in Recife")]
    assert len(lived.json("timeline", "--limit", "1")["timeline"]) == 1
    assert "newest 1" in lived("timeline", "--limit", "1").stderr
    assert lived("timeline", "--since", "2026-06-01", "--until", "2026-07-01").stdout == "Nothing happened then.\n"


def test_report_prints_markdown(lived: Any) -> None:
    out = lived("report", "week", "-u", "maria", "--until", "2026-03-04").stdout
    assert out.startswith("# The week of 25 February 2026 to 3 March 2026\n")
    assert "## Measures" in out


def test_report_is_written_to_a_file_and_not_over_another(lived: Any) -> None:
    place = lived.folder / "week.md"
    said = ("report", "week", "-u", "maria", "--until", "2026-03-04", "--out", "week.md")
    assert lived(*said).stdout == "Wrote the report to week.md.\n"
    assert "Curitiba" in place.read_text(encoding="utf-8")
    assert "--force" in lived(*said, code=2).stderr
    assert lived.json(*said, "--force")["file"] == "week.md"
    assert "cannot be written" in lived("report", "week", "--out", "no/such/folder.md", code=3).stderr


def test_report_is_kept_when_asked(lived: Any) -> None:
    made = lived.json("report", "appointment", "-u", "maria", "--keep")
    assert made["record"]["kind"] == "report"
    assert lived.json("timeline", "--kind", "report")["timeline"][0]["record"]["id"] == made["record"]["id"]


def test_a_preset_without_reports_says_so(made: Any) -> None:
    assert "keeps no reports" in made("report", "week", "--keep", code=2).stderr
    assert "Nothing is known" in made("report", "week").stdout


def test_export_takes_the_form_of_the_ending(lived: Any) -> None:
    assert lived("export", "all.md").stdout.endswith(" records to all.md.\n")
    assert (lived.folder / "all.md").read_text(encoding="utf-8").startswith("# Memory of ")
    count = lived.json("export", "all.json", "-u", "maria")["records"]
    assert len(json.loads((lived.folder / "all.json").read_text(encoding="utf-8"))["records"]) == count
    assert lived.json("export", "all.out", "--format", "jsonl")["lines"] > count


def test_import_recognises_a_table_of_facts(shell: Any) -> None:
    make_facts(shell.folder / "bot.db")
    result = shell("import", "bot.db")
    assert result.stdout == "Read 4 memories of facts from bot.db: 3 are new; 1 left out: empty.\n"
    assert "(preset community)" in result.stderr
    assert shell.json("import", "bot.db")["left_out"] == {"here already": 3, "empty": 1}


def test_import_recognises_a_chroma_folder(shell: Any) -> None:
    make_chroma(shell.folder / "chroma")
    brought = shell.json("import", "chroma", "--user", "ana")
    assert (brought["what"], brought["read"], brought["kept"]) == ("ChromaDB", 6, 6)
    assert shell.json("stats")["preset"] == "companion"


def test_preview_of_an_import_says_what_would_come_and_makes_no_memory(shell: Any) -> None:
    (shell.folder / "chat.txt").write_text(WHATSAPP["android-br.txt"], encoding="utf-8")
    lines = shell("import", "chat.txt", "--preview", "--me", "Rui", "--user", "rui").stdout.splitlines()
    assert lines == [
        "Read 5 items of whatsapp from chat.txt: 3 would be new.",
        "Time: 2025-03-02 to 2025-03-13.",
        "Kinds: message 3.",
        "By: Rui 2, Marta Kühn 1.",
        "Left out 1: a notice of the program, said by nobody.",
        "Left out 1: media that the export leaves out.",
    ]
    assert not list(shell.folder.glob("**/*.db"))
    brought = shell.json("import", "chat.txt", "--me", "Rui", "--user", "rui")
    assert (brought["kept"], brought["first_at"][:10], brought["problems"]) == (3, "2025-03-02", [])
    assert shell.json("import", "chat.txt", "--preview")["kept"] == 0


def test_import_reads_a_table_by_a_mapping(shell: Any) -> None:
    (shell.folder / "facts.csv").write_text("body,who\nLikes tea,ana\n", encoding="utf-8")
    assert "--map text=COLUMN" in shell("import", "facts.csv", code=2).stderr
    assert shell.json("import", "facts.csv", "--map", "text=body,user=who")["people"] == {"ana": 1}
    assert "is a list like" in shell("import", "facts.csv", "--map", "text", code=2).stderr


def test_import_still_reads_an_export(lived: Any) -> None:
    lines = lived.json("export", "all.jsonl")["lines"]
    told = lived.json("import", "all.jsonl", "--place", "copy.db", "--trusted")
    assert told == {"file": "all.jsonl", "lines": lines, "left_out": {}}


def test_import_says_what_a_file_that_is_not_trusted_lost(lived: Any) -> None:
    lived.json("export", "all.jsonl")
    result = lived("import", "all.jsonl", "--place", "copy.db")
    assert "--trusted" in result.stderr and "trust was lowered" in result.stderr


@pytest.mark.parametrize("path", ["nothing", "."])
def test_import_of_nothing_is_told(shell: Any, path: str) -> None:
    assert "error: " in shell("import", path, code=2).stderr


def test_profile_shows_items_by_area_with_ids(lived: Any) -> None:
    out = lived("profile", "maria", "--items").stdout
    assert "\nhealth\n" in out
    assert "\n  - maria weighs 82 kg\n    fact_" in out
    assert "high, conversation" in out
    items = lived.json("profile", "maria", "--items")["items"]
    assert {record["metadata"]["area"] for record in items["health"]} == {"health"}
    assert lived("profile", "nobody", "--items").stdout == "Nothing is known of nobody yet.\n"


def test_profile_loses_one_line_or_all(lived: Any) -> None:
    assert "Curitiba" not in lived("profile", "maria", "--forget", "maria moved to Curitiba").stdout
    assert "no such line" in lived("profile", "maria", "--forget", "maria flies", code=2).stderr
    assert "--yes" in lived("profile", "maria", "--clear", code=2).stderr
    assert lived("profile", "maria", "--clear", "--yes").stdout == "The profile is empty.\n"


def test_a_preset_without_profiles_says_what_to_forget_instead(made: Any) -> None:
    assert "forget the records" in made("profile", "alex", "--clear", "--yes", code=2).stderr
