"""Bad input and bad places: each gives an error that says what to do, and nothing that was kept is lost."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.conftest import OpenMemory
from toldonce import InputError, Memory, Record, Skipped, StoreError
from toldonce.errors import (
    BadPreset,
    CorruptStore,
    DiskFull,
    EmptyText,
    NewerSchema,
    NotAllowed,
    NotAMemory,
    ReadOnlyStore,
    RecordNotFound,
    SpaceNotFound,
    TextTooLong,
    UnknownKind,
    UnknownPreset,
)

PRESETS = ("assistant", "coding", "community", "companion", "life")
MEGABYTE = "word " * 200_000


@pytest.fixture
def memory(open_memory: OpenMemory) -> Iterator[Memory]:
    """A memory that knows one thing, and after each test still knows that and nothing else."""
    memory = open_memory("assistant")
    memory.observe("The trams of Porto are yellow", "alex", session="s1")
    yield memory
    assert texts(memory) == ["The trams of Porto are yellow"]
    assert memory.storage.check() == []


def texts(memory: Memory) -> list[str]:
    """Everything that is kept, in any state."""
    return [record.text for _, record in memory.store.read(lambda t: t.records.read_page(None, limit=10_000))]


# Texts and what comes beside them


@pytest.mark.parametrize("text", ["", "   ", "\n\t\r\n", "\x00\x07", "\u2003"])
def test_empty_text_is_refused(memory: Memory, text: str) -> None:
    for give in (memory.observe, memory.remember):
        with pytest.raises(EmptyText, match=r"visible character|nothing left to remember"):
            give(text)


def test_a_text_that_is_all_private_is_not_kept(memory: Memory) -> None:
    text = "<private>all of it</private>"
    assert isinstance(memory.observe(text), Skipped)
    with pytest.raises(EmptyText, match="nothing left to remember"):
        memory.remember(text)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_statement_of_a_megabyte_is_refused_with_its_length_and_the_limit(
    open_memory: OpenMemory, preset: str
) -> None:
    memory = open_memory(preset)
    with pytest.raises(TextTooLong, match="split it into parts") as raised:
        memory.remember(MEGABYTE)
    assert raised.value.length == len(MEGABYTE) > raised.value.limit > 0
    assert texts(memory) == []


@pytest.mark.parametrize("preset", PRESETS)
def test_a_message_has_a_limit_too(open_memory: OpenMemory, preset: str) -> None:
    """A long message is kept in parts, but not one of any length."""
    memory = open_memory(preset)
    text = MEGABYTE * 5
    with pytest.raises(TextTooLong, match="split it into parts") as raised:
        memory.observe(text)
    assert raised.value.length == len(text) > raised.value.limit > 0
    assert texts(memory) == []


@pytest.mark.parametrize("text", [None, 5, b"bytes", ["list"], {"a": 1}])
def test_what_is_not_text_is_refused(memory: Memory, text: Any) -> None:
    for give in (memory.observe, memory.remember, memory.recall):
        with pytest.raises(InputError, match="must be a string"):
            give(text)


@pytest.mark.parametrize("field", ["user", "session", "channel", "branch", "username", "display_name"])
@pytest.mark.parametrize("value", [5, b"x", ["x"], object(), "x" * 1_001])
def test_names_that_are_no_short_text_are_refused_by_name(memory: Memory, field: str, value: Any) -> None:
    with pytest.raises(InputError, match=field):
        memory.observe("A tram came by", **{field: value})


@pytest.mark.parametrize("user", ["", " ", "\n\t", 5, ["alex"]])
def test_a_blank_user_is_refused_and_never_taken_for_everybody(memory: Memory, user: Any) -> None:
    for call in (
        lambda: memory.observe("A tram came by", user),
        lambda: memory.remember("Porto has trams", user=user),
        lambda: memory.recall("trams", user),
        lambda: memory.context("trams", user),
        lambda: memory.entity("Porto", user=user),
        lambda: memory.timeline(user),
        lambda: memory.people.block(user),
    ):
        with pytest.raises(InputError, match="user (?:is blank|must be a text)"):
            call()


@pytest.mark.parametrize("given", [{"title": 5}, {"subject": []}, {"tags": ["ok", 5]}, {"source": [5]}, {"user": 1}])
def test_a_statement_with_fields_of_the_wrong_type_is_refused_by_name(memory: Memory, given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(given))):
        memory.remember("Porto has trams", **given)


@pytest.mark.parametrize(
    "metadata", [{"a": object()}, {"a": {1, 2}}, {"a": float("nan")}, [1], "text", {"a": "x" * 70_000}]
)
def test_metadata_that_cannot_be_kept_is_refused(memory: Memory, metadata: Any) -> None:
    for give in (memory.observe, memory.remember):
        with pytest.raises(InputError, match="metadata"):
            give("A tram came by", metadata=metadata)


def test_half_characters_in_a_name_are_refused(memory: Memory) -> None:
    with pytest.raises(InputError, match="valid Unicode"):
        memory.observe("A tram came by", "al\ud800ex")


@pytest.mark.parametrize("at", ["yesterday", "", "2026-13-01", 5, object()])
def test_a_time_that_is_none_is_refused_with_an_example(memory: Memory, at: Any) -> None:
    with pytest.raises(InputError, match=r"write it like 2026-|must be a datetime"):
        memory.observe("A tram came by", at=at)


@pytest.mark.parametrize(
    "bad, says",
    [
        ({"text": ""}, "message 1: .*visible character"),
        ("A tram", "message 1: must be a table"),
        ({"text": "A tram", "usr": "alex"}, "message 1: .*usr"),
        ({"user": "alex"}, "message 1: .*text"),
        ({"text": "A tram", "at": "soon"}, "message 1: .*not a time"),
        ({"text": "A tram", "metadata": {"a": object()}}, "metadata"),
        ({"text": MEGABYTE * 5}, "split it"),
    ],
)
def test_one_bad_message_among_many_stops_them_all(memory: Memory, bad: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        memory.observe_many([{"text": "A blue tram came by"}, bad, {"text": "A red tram came by"}])


# Kinds, spaces, ids


def test_a_wrong_kind_is_refused_with_those_there_are(memory: Memory) -> None:
    with pytest.raises(UnknownKind, match=r"no kind 'recipe'; it has .*fact"):
        memory.remember("Porto has trams", "recipe")
    with pytest.raises(UnknownKind, match="recipe"):
        memory.recall("trams", kinds=["recipe"])


def test_an_unknown_space_is_refused_with_the_way_to_make_it(memory: Memory) -> None:
    with pytest.raises(SpaceNotFound, match=r"spaces.add\('attic'"):
        memory.observe("A tram came by", space="attic")
    with pytest.raises(SpaceNotFound):
        memory.recall("trams", space="attic")


def test_an_unknown_record_is_refused_with_its_id(memory: Memory) -> None:
    operations: list[Callable[[], object]] = [
        lambda: memory.get("fact_none"), lambda: memory.confirm("fact_none"), lambda: memory.forget("fact_none"),
        lambda: memory.correct("fact_none", "x"), lambda: memory.restore("fact_none"),
        lambda: memory.history("fact_none"), lambda: memory.purge("fact_none"),
        lambda: memory.remember("Porto has trams", source="fact_none"),
    ]  # fmt: skip
    for operation in operations:
        with pytest.raises(RecordNotFound, match="fact_none") as raised:
            operation()
        assert raised.value.record_id == "fact_none"


# Questions


@pytest.mark.parametrize(
    "question",
    [
        "",
        " ",
        "🎉🎉",
        '"',
        "'; DROP TABLE records; --",
        "AND",
        "NOT OR",
        "NEAR(a b, 5)",
        "a* ^b -c +d",
        "text:x {y} : z",
        "((((",
        "\\",
        "%_%",
        "\x00",
        "x" * 100_000,
        "?" * 1000,
    ],
)
def test_no_question_can_break_the_search(memory: Memory, question: str) -> None:
    assert memory.recall(question, "alex") == []


@pytest.mark.parametrize("question", ['"trams" OR "', "trams AND NOT", "trams*", "(trams", "text:trams", "NEAR(trams"])
def test_signs_of_a_query_language_are_only_signs(memory: Memory, question: str) -> None:
    assert [hit.record.text for hit in memory.recall(question, "alex")] == ["The trams of Porto are yellow"]


@pytest.mark.parametrize("user", ['"', "a OR b", "*", "🎉", "'; --"])
def test_no_name_can_break_the_search(memory: Memory, user: str) -> None:
    assert memory.recall("trams", user) == []


@pytest.mark.parametrize(
    "given, says",
    [
        ({"limit": 0}, "at least 1"),
        ({"limit": "5"}, "limit must be a whole number"),
        ({"limit": True}, "whole number"),
        ({"limit": 2.5}, "whole number"),
        ({"since": "soon"}, "not a time"),
        ({"as_of": "soon"}, "not a time"),
        ({"where": {"a": object()}}, "where takes"),
        ({"where": "a=1"}, "where must be a table"),
    ],
)
def test_a_question_with_a_wrong_filter_is_refused(memory: Memory, given: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        memory.recall("trams", "alex", **given)


@pytest.mark.parametrize("budget, says", [(-1, "at least 0"), ("600", "whole number"), (1.5, "whole")])
def test_a_budget_that_is_no_number_of_tokens_is_refused(memory: Memory, budget: Any, says: str) -> None:
    with pytest.raises(InputError, match=f"budget must be .*{says}"):
        memory.context("trams", "alex", budget=budget)


@pytest.mark.parametrize("place", [None, 5, b"memory.db"])
def test_a_place_that_is_no_path_is_refused(place: Any) -> None:
    with pytest.raises(InputError, match="needs the path of a file"):
        Memory.open(place)


# Presets


def test_a_wrong_preset_is_refused_with_those_there_are_and_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(UnknownPreset, match="choose one of assistant, coding, community, companion, life"):
        Memory.open(tmp_path / "memory.db", preset="asistant")
    with pytest.raises(UnknownPreset, match="cannot be read"):
        Memory.open(tmp_path / "memory.db", preset=str(tmp_path / "none.toml"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text, says",
    [
        ("name = 'own", "own.toml: not valid TOML"),
        ("colour = 'red'", "own.toml: unknown key 'colour'"),
        ("", "missing"),
    ],
)
def test_a_preset_file_with_a_mistake_is_refused_by_file_and_key(tmp_path: Path, text: str, says: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(BadPreset, match=says):
        Memory.open(tmp_path / "memory.db", preset=str(own))
    assert list(tmp_path.iterdir()) == [own]


def test_a_memory_keeps_the_preset_it_was_made_with(memory: Memory, open_memory: OpenMemory) -> None:
    with pytest.raises(NotAllowed, match=r"made with the preset 'assistant', not 'life': open it without"):
        open_memory("life")
    assert open_memory().recall("trams", "alex")


# Files that are no memory


def refused(path: Path, error: type[StoreError], *, says: str) -> None:
    """Opening is refused in those words, and what stands at the path has not changed."""
    before = path.read_bytes()
    with pytest.raises(error, match=says) as raised:
        Memory.open(path, preset="assistant", embedder=None)
    assert str(path) in str(raised.value)
    assert path.read_bytes() == before


def test_a_text_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    diary = tmp_path / "diary.txt"
    diary.write_text("Dear diary, today I saw a tram.\n", encoding="utf-8")
    refused(diary, NotAMemory, says="choose another path; this file was left as it is")


def test_a_foreign_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "recipes.db"
    with contextlib.closing(apsw.Connection(str(path))) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')")
    refused(path, NotAMemory, says="not a Toldonce memory: choose another path")


@pytest.mark.in_a_file
def test_a_memory_of_a_newer_version_is_refused_and_left_as_it_is(memory: Memory, tmp_path: Path) -> None:
    path = memory.storage.backup(tmp_path / "newer.db")
    with contextlib.closing(apsw.Connection(str(path))) as connection:
        connection.pragma("user_version", 99)
    refused(path, NewerSchema, says=r"schema 99, this one knows \d+\): upgrade this installation")


@pytest.mark.in_a_file
def test_a_damaged_memory_says_what_to_do(memory: Memory, tmp_path: Path) -> None:
    path = memory.storage.backup(tmp_path / "damaged.db")
    content = bytearray(path.read_bytes())
    content[8192:] = random.Random(1).randbytes(len(content) - 8192)
    path.write_bytes(content)
    with pytest.raises(CorruptStore, match=r"damaged\.db: .*run `toldonce doctor`, or restore one of its backups"):
        Memory.open(path, embedder=None)


def test_other_addresses_than_files_are_refused() -> None:
    for place in ("ftp://example.org/memory", "", "memory\0.db"):
        with pytest.raises(InputError, match="the path of a file"):
            Memory.open(place, embedder=None)


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(ReadOnlyStore, match="does not exist: create it first"):
        Memory.open(tmp_path / "none" / "memory.db", embedder=None)
    assert list(tmp_path.iterdir()) == []


# Places that cannot be written


@pytest.fixture
def common_folder() -> Iterator[Path]:
    """A folder that every user of the machine can reach."""
    folder = Path(tempfile.mkdtemp(prefix="toldonce-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def as_somebody_else(script: str, *arguments: Path) -> list[str]:
    """What a script prints that runs without the rights of root.

    Everything of the package is loaded before the rights are given up: it may lie where only root can read.
    """
    program = f"""
        import os, sys, tempfile
        from toldonce import Memory, StoreError
        with tempfile.TemporaryDirectory() as folder:
            options = dict(preset="assistant", embedder=None, background=False)
            for kept in (":memory:", folder + "/memory.db", folder + "/memory.db"):
                with Memory.open(kept, **options) as memory:
                    memory.observe("A red tram came by", "alex")
            try:
                Memory.open(folder + "/none/memory.db", **options)
            except StoreError:
                os.chdir("/")
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        def attempt(path):
            try:
                with Memory.open(path, preset="assistant", embedder=None, background=False) as memory:
                    memory.observe("A red tram came by", "alex")
                print("kept")
            except StoreError as problem:
                print(type(problem).__name__, problem)
        {script}
    """
    command = [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.parametrize("mode", [0o555, 0o444, 0o000])
def test_a_folder_that_cannot_be_written_is_named_and_nothing_is_made(common_folder: Path, mode: int) -> None:
    common_folder.chmod(mode)
    (line,) = as_somebody_else("attempt(sys.argv[1])", common_folder / "memory.db")
    assert line.startswith(f"ReadOnlyStore {common_folder / 'memory.db'}")
    assert "make the file and its folder writable" in line
    common_folder.chmod(0o755)
    assert list(common_folder.iterdir()) == []


@pytest.mark.parametrize("file_mode, folder_mode", [(0o444, 0o777), (0o444, 0o555), (0o666, 0o555), (0o000, 0o777)])
def test_a_memory_that_cannot_be_written_is_named_and_left_as_it_is(
    common_folder: Path, file_mode: int, folder_mode: int
) -> None:
    path = common_folder / "memory.db"
    with Memory.open(path, preset="assistant", embedder=None, background=False) as memory:
        memory.observe("The trams of Porto are yellow", "alex")
    before = path.read_bytes()
    path.chmod(file_mode)
    common_folder.chmod(folder_mode)
    (line,) = as_somebody_else("attempt(sys.argv[1])", path)
    assert line.startswith(f"ReadOnlyStore {path}")
    assert "writable" in line
    assert path.read_bytes() == before
    common_folder.chmod(0o755)
    path.chmod(0o644)
    with Memory.open(path, embedder=None, background=False) as memory:
        assert memory.recall("trams", "alex")


# Full disks


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own with little room."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount a disk; the other test of a full disk needs none")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def fill(memory: Memory) -> list[str]:
    """Observe until there is no room, and a little longer; what was acknowledged comes back."""
    kept: list[str] = []
    refusals = 0
    for n in range(5_000):
        try:
            record = memory.observe(f"Tram number {n} is {os.urandom(100).hex()}", "alex", session="s1")
            assert isinstance(record, Record)
            kept.append(record.id)
        except DiskFull as problem:
            refusals += "free some space and try again" in str(problem)
            if refusals == 5:
                return kept
    pytest.fail("the disk was never full")


def ids(memory: Memory) -> list[str]:
    return [record.id for _, record in memory.store.read(lambda t: t.records.read_page(None, limit=10_000))]


def test_a_full_disk_loses_nothing_and_the_memory_goes_on_once_there_is_room(small_disk: Path) -> None:
    with Memory.open(small_disk / "memory.db", preset="assistant", embedder=None, background=False) as memory:
        kept = fill(memory)
        assert kept
        assert ids(memory) == kept
        assert memory.recall("tram number", "alex")
        subprocess.run(["mount", "-o", "remount,size=50m", str(small_disk)], check=True)
        memory.observe("There is room again", "alex", session="s1")
        assert ids(memory)[:-1] == kept
        assert memory.storage.check() == []


def test_a_memory_on_a_disk_that_is_full_from_the_start_says_so(small_disk: Path) -> None:
    with Memory.open(small_disk / "memory.db", preset="assistant", embedder=None, background=False) as memory:
        memory.observe("The trams of Porto are yellow", "alex")
    with (small_disk / "ballast").open("wb", buffering=0) as ballast, contextlib.suppress(OSError):
        while True:
            ballast.write(b"x" * 4096)
    for name in ("memory.db", "another.db"):
        with pytest.raises(DiskFull, match=name), Memory.open(small_disk / name, embedder=None) as memory:
            memory.observe("A red tram came by", "alex")
    (small_disk / "ballast").unlink()
    with Memory.open(small_disk / "memory.db", embedder=None, background=False) as memory:
        assert texts(memory) == ["The trams of Porto are yellow"]


@pytest.mark.in_a_file
def test_a_file_that_may_not_grow_loses_nothing_and_goes_on_once_it_may(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    limit(memory, pages=150)
    kept = fill(memory)
    assert kept
    assert ids(memory) == kept
    limit(memory, pages=1_000_000)
    memory.observe("There is room again", "alex", session="s1")
    assert ids(memory)[:-1] == kept
    assert memory.storage.check() == []


def limit(memory: Memory, *, pages: int) -> None:
    """Let the database file grow no further than that, as a full disk would."""
    memory.store._database.exclusive(lambda c: c.pragma("max_page_count", pages))  # type: ignore[attr-defined]


ENGINE_NAMES = (
    "about", "area", "change", "cites", "enriched_at", "file", "files", "fixed", "journal", "language", "message_part",
    "participants", "person", "place", "sort", "span", "speaker", "sub_area", "subjects", "times", "topics", "value",
    "words",
)  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS)
def test_metadata_of_any_shape_is_kept_or_refused_and_never_breaks_what_reads_it(
    preset: str, open_memory: OpenMemory, tmp_path: Path
) -> None:
    memory = open_memory(preset)
    odd: list[Any] = [3, "x", ["a"], {"a": 1}, [1, [2]], None, True, {"number": 1, "of": "x"}]
    kept = []
    for number, (name, value) in enumerate(itertools.product(ENGINE_NAMES, odd)):
        given: dict[str, Any] = {"user": "ana", "metadata": {name: value}}
        with contextlib.suppress(InputError):
            kept.append(memory.remember(f"painting {number} hangs in Porto", subject="ana/home", **given).id)
        memory.observe(f"painting {number} is mine, and I live in Braga now", session="s", **given)
    assert len(set(kept)) == len(kept) > 150
    memory.settle()
    memory.recall("which painting hangs in Porto?", user="ana", limit=50)
    memory.context("which painting hangs in Porto?", "ana", session="t")
    assert [run for run in memory.tend() if run.status == "failed"] == []
    memory.export(tmp_path / "all.jsonl")


def test_the_same_word_in_the_metadata_of_two_texts_makes_them_no_twins(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    given: dict[str, Any] = {"user": "ana", "subject": "ana/residence", "metadata": {"value": "x"}}
    first = memory.remember("Ana keeps the spare key under the mat", **given)
    second = memory.remember("Ana painted the boat green", **given)
    assert first.id != second.id and second.metadata == {"value": "x"}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_block_that_is_pasted_back_is_skipped(preset: str, open_memory: OpenMemory) -> None:
    memory = open_memory(preset)
    memory.observe("I live in Porto", user="ana", session="a", channel="c")
    memory.remember("Ana lives in Porto", user="ana", pinned=True)
    block = memory.context("where does ana live?", "ana", session="b", channel="d").text
    assert "toldonce-memory" in block
    skipped = memory.observe(f"\n{block}\n", user="ana", session="b")
    assert isinstance(skipped, Skipped) and "block written by memory" in skipped.reason
    kept, again = memory.observe_many([{"text": "hello", "user": "ana"}, {"text": block, "user": "ana"}])
    assert kept and not again
    with pytest.raises(EmptyText):
        memory.observe("  ", user="ana")
