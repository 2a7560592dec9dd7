"""The doctor says what it found and did, repairs what it may, and exits 1 while something is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.scripted import embedding
from toldonce import Memory
from toldonce.storage.tables.jobs import Job


def by_check(told: Any) -> dict[str, tuple[str, str]]:
    return {f["check"]: (f["status"], f["text"]) for f in told["findings"]}


def spoil(place: Path) -> None:
    content = bytearray(place.read_bytes())
    for page in range(4096, len(content), 4096):
        content[page : page + 512] = b"\xff" * 512
    place.write_bytes(content)


def test_a_sound_memory_is_well_and_nothing_is_changed(made: Any) -> None:
    made("remember", "Alex is vegetarian")
    told = made.json("doctor")
    assert told["ok"] is True and all(status in ("ok", "note") for status, _ in by_check(told).values())
    assert set(by_check(told)) == {"settings", "disk", "file", "integrity", "spaces", "vectors", "jobs", "backups"}
    assert "no embedder is set" in by_check(told)["vectors"][1]
    assert not list(made.folder.glob("*.bak.*"))


def test_it_says_where_each_setting_comes_from(made: Any) -> None:
    said = by_check(made.json("doctor"))["settings"][1]
    assert (
        f"place, preset, zone from {made.folder / 'toldonce.toml'}" in said
        and "embedder from TOLDONCE_EMBEDDER" in said
    )


def test_it_says_which_reranker_is_set_and_what_is_sent_to_it(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOLDONCE_RERANKER", "http://localhost:1/rerank#small")
    status, said = by_check(made.json("doctor"))["reranker"]
    assert status == "ok" and "localhost#small" in said and "are sent to it" in said
    monkeypatch.setenv("TOLDONCE_RERANKER", "small")
    status, said = by_check(made.json("doctor", code=1))["file"]
    assert status == "wrong" and "unknown reranker 'small'; use none" in said


def test_repair_makes_a_missing_backup_and_runs_what_is_overdue(made: Any) -> None:
    made("observe", "I moved to Lisbon last week", "-u", "alex", "-s", "s1", "--at", "40d")
    made("observe", "hello", "-u", "alex", "-s", "s2")
    told = by_check(made.json("doctor", "--repair"))
    assert told["backups"][0] == "repaired" and Path(f"{made.folder / 'memory.db'}.bak.1").is_file()
    assert made.json("runs")["runs"] and told["jobs"][0] == "ok"


def test_it_tells_that_nobody_tends_the_memory(made: Any) -> None:
    made("tend", "--now", "2020-01-01")
    status, text = by_check(made.json("doctor"))["jobs"]
    assert status == "note" and "toldonce tend" in text


def test_a_word_index_that_does_not_match_is_built_anew(made: Any) -> None:
    made("remember", "Alex is vegetarian")
    connection = apsw.Connection("memory.db")
    connection.execute("INSERT INTO record_text (record_text) VALUES ('delete-all')")
    connection.close()
    assert "the word index does not match" in str(made.json("doctor", code=1))
    assert by_check(made.json("doctor", "--repair"))["integrity"] == ("repaired", "the word index was rebuilt")
    assert made.json("doctor")["ok"] is True and len(made.json("recall", "vegetarian")["hits"]) == 1


def test_a_job_that_failed_for_good_is_wrong(made: Any) -> None:
    with Memory.open("memory.db", embedder=None, background=False) as memory:
        job = Job(space="main", key="settle:lost", name="settle", due_at=memory.clock(), args={}, max_attempts=1)
        memory.store.write(lambda t: t.jobs.put(job))
    made("tend", code=1)
    status, text = by_check(made.json("doctor", code=1))["jobs"]
    assert status == "wrong" and "settle:lost failed 1 time" in text


def test_a_job_that_failed_and_will_be_tried_again_is_told(made: Any) -> None:
    with Memory.open("memory.db", embedder=None, background=False) as memory:
        job = Job(space="main", key="settle:lost", name="settle", due_at=memory.clock(), args={}, max_attempts=3)
        memory.store.write(lambda t: t.jobs.put(job))
    made("tend", code=1)
    status, text = by_check(made.json("doctor"))["jobs"]
    assert status == "note" and text.startswith("settle:lost failed in its last run, and will be tried again: ")


def test_a_missing_memory_is_wrong_and_says_what_to_do(shell: Any) -> None:
    assert "toldonce init" in by_check(shell.json("doctor", code=1))["file"][1]


def test_wrong_settings_are_a_finding(made: Any) -> None:
    (made.folder / "toldonce.toml").write_text("zone = 3", encoding="utf-8")
    status, text = by_check(made.json("doctor", code=1))["settings"]
    assert status == "wrong" and "zone must be a str" in text


def test_a_preset_in_the_settings_that_the_memory_does_not_have_is_told(made: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("TOLDONCE_PRESET", "coding")
    status, text = by_check(made.json("doctor"))["spaces"]
    assert status == "note" and "made with assistant and keeps it" in text


def test_a_newer_file_is_wrong_but_not_damaged(made: Any) -> None:
    connection = apsw.Connection("memory.db")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    told = by_check(made.json("doctor", code=1))
    assert "newer Toldonce" in told["file"][1] and "damage" not in told


def test_a_damaged_file_without_a_backup_is_left_as_it_is(made: Any) -> None:
    spoil(made.folder / "memory.db")
    before = (made.folder / "memory.db").read_bytes()
    told = by_check(made.json("doctor", "--repair", code=1))
    assert told["damage"][0] == "wrong" and "there is no backup" in told["backups"][1]
    assert "no sound backup" in made("restore", "--yes", code=2).stderr
    assert (made.folder / "memory.db").read_bytes() == before


def test_a_damaged_file_is_replaced_by_its_newest_sound_backup_and_kept_aside(made: Any) -> None:
    kept = made.remember("Alex is vegetarian")
    made("backup")
    made("backup")
    for path in (made.folder / "memory.db", made.folder / "memory.db.bak.1"):
        spoil(path)
    before = (made.folder / "memory.db").read_bytes()
    assert "`toldonce restore`" in by_check(made.json("doctor", code=1))["backups"][1]
    told = made.json("restore", "--yes")
    assert told["restored"].endswith("bak.2") and told["preview"]["checksum"] == "sound"
    assert (made.folder / "memory.db.replaced.1").read_bytes() == before
    assert made.json("doctor")["ok"] is True
    assert made.json("recall", "vegetarian")["hits"][0]["record"]["id"] == kept
    assert not list(made.folder.glob("*.restoring*"))


def test_people_read_one_line_per_finding(made: Any) -> None:
    said = made("doctor").stdout
    assert (
        said.startswith("toldonce ") and "\nok        integrity   no damage" in said and "\nnote      backups" in said
    )


def test_it_names_what_the_embedder_refused_and_says_what_helps(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with embedding() as server:
        monkeypatch.setenv("TOLDONCE_EMBEDDER", server.setting)
        server.refuse("poison")
        ids = [made.remember(f"poison number {n} is bitter") for n in range(5)]
        made.remember("Alex is vegetarian")
        made("tend")
        assert made.json("stats")["refused a vector"] == 5
        notes = [f for f in made.json("doctor")["findings"] if f["check"] == "vectors" and f["status"] == "note"]
        assert notes[0]["text"].startswith("5 records were refused by scripted/4, or made with another embedder")
        assert f"{ids[4]}, {ids[3]}, {ids[2]} and 2 more" in notes[0]["text"]
        assert "toldonce reembed" in notes[0]["text"] and "bitter" not in notes[0]["text"]
        server.refuse("poison number 1")
        assert "4 of 5 records got a new vector.\n1 was refused: see `toldonce doctor`." in made("reembed").stdout
        server.refuse()
        told = made.json("reembed")
        assert (told["asked"], told["refused"], told["waiting"], told["models"]) == (1, 0, 0, {"scripted/4": 6})
