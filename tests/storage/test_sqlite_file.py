"""What is SQLite's own: the schema and its migrations, the named queries, what a file may be, and how it fails."""

from __future__ import annotations

import ast
import contextlib
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import pytest

from toldonce import Memory, Record
from toldonce.conformance.samples import a_record, a_view, found_texts, keep_records, keep_texts, shown_texts
from toldonce.errors import CorruptStore, DiskFull, NewerSchema, NotAMemory, ReadOnlyStore, StoreError
from toldonce.storage.named_queries import load_queries, query_parameters
from toldonce.storage.sqlite.connect import open_connection
from toldonce.storage.sqlite.database import Database, SqliteRows
from toldonce.storage.sqlite.file import APPLICATION_ID, SCHEMA_VERSION, load_migrations, migrate_file
from toldonce.storage.sqlite.store import SqliteStore

QUERIES = load_queries("toldonce.storage.sqlite")
STORAGE = Path(__file__).resolve().parents[2] / "src" / "toldonce" / "storage"
DATA = Path(__file__).resolve().parents[1] / "data"

# What runs once for every message or question: none of it may walk through a whole table.
OFTEN = (
    "add_record", "get_space", "get_person", "see_person", "find_aliases", "add_mention", "open_conversation",
    "extend_conversation", "other_open_conversations", "put_job", "get_records", "get_by_seq", "find_entities",
    "same_text", "same_subject", "conversation_messages", "window_messages", "expired_records", "list_changes",
    "list_links", "put_vector", "mark_embedded", "get_document", "get_setting", "given_way", "find_derived",
    "find_readable_derived", "any_doubted", "find_doubted", "find_doubted_among", "find_over_doubted", "find_pinned",
    "units", "windows", "vectors_of", "search_subjects", "mentions_of_one",
)  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def connection() -> Iterator[apsw.Connection]:
    with contextlib.closing(open_connection(":memory:")) as connection:
        migrate_file(connection, load_migrations())
        yield connection


def pragma(path: Path, name: str, value: int | None = None) -> Any:
    with contextlib.closing(apsw.Connection(str(path))) as connection:
        return connection.pragma(name) if value is None else connection.pragma(name, value)


def schema_of(connection: apsw.Connection) -> set[tuple[Any, ...]]:
    return set(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name <> 'sqlite_stat1'"))


def made(path: Path, *texts: str) -> Path:
    """A memory file at rest with these records."""
    with contextlib.closing(SqliteStore(path)) as store:
        keep_texts(store, *texts)
    return path


def folder(path: Path) -> dict[str, bytes]:
    """Every file beside a path, with its bytes."""
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if file.is_file()}


def refused(path: Path, error: type[StoreError], *, says: str) -> None:
    """Opening is refused in those words, and nothing in the folder has changed."""
    before = folder(path)
    with pytest.raises(error, match=says) as raised:
        SqliteStore(path)
    assert str(path) in str(raised.value)
    assert folder(path) == before


# Schema and queries


def test_a_fresh_schema_equals_a_migrated_one(tmp_path: Path, connection: apsw.Connection) -> None:
    """A change of schema.sql needs a new version and a migration, or older files would miss it.

    Until a version is released its file may be made again instead: tests/data/make_memory.py.
    """
    for old in sorted(DATA.glob("memory-v*.db")):
        copy = Path(shutil.copy(old, tmp_path / old.name))
        SqliteStore(copy).close()
        with contextlib.closing(apsw.Connection(str(copy))) as migrated:
            assert schema_of(migrated) == schema_of(connection)
            assert migrated.pragma("user_version") == SCHEMA_VERSION


def test_every_version_has_a_file_of_its_time() -> None:
    versions = [pragma(DATA / f"memory-v{n}.db", "user_version") for n in range(1, SCHEMA_VERSION + 1)]
    assert versions == list(range(1, SCHEMA_VERSION + 1))
    assert set(load_migrations()) == set(range(2, SCHEMA_VERSION + 1))


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION + 1))
def test_a_memory_of_every_version_opens_and_answers(version: int, tmp_path: Path) -> None:
    copy = shutil.copy(DATA / f"memory-v{version}.db", tmp_path)
    with Memory.open(copy, embedder=None, background=False) as memory:
        assert memory.storage.check() == []
        assert memory.recall("where does Alex live?", "alex", kinds=["fact"])[0].record.text == "Alex lives in Lisbon"
        assert memory.recall("東京", "alex")[0].record.text == "東京にも行きたい"
        cats = memory.recall("cats", "alex", kinds=["fact"])[0].record
        assert [r.text for r in memory.history(cats.id).chain] == ["Alex has two cats", "Alex has three cats"]
        assert isinstance(memory.observe("I bought a kayak in Lisbon", "alex", session="s9"), Record)
        assert memory.recall("kayak", "alex")


def test_migrations_run_one_after_the_other_up_to_the_target(connection: apsw.Connection) -> None:
    connection.pragma("user_version", 1)
    steps = {
        2: "CREATE TABLE moods (name TEXT); INSERT INTO moods VALUES ('glad');", 3: "ALTER TABLE moods ADD COLUMN n",
        4: "DROP TABLE moods",
    }  # fmt: skip
    migrate_file(connection, steps, target=3)
    assert connection.execute("SELECT name, n FROM moods").fetchall() == [("glad", None)]
    assert connection.pragma("user_version") == 3


def test_a_fresh_file_is_made_at_once_and_needs_no_step() -> None:
    with contextlib.closing(apsw.Connection(":memory:")) as connection:
        migrate_file(connection, {2: "not even SQL"}, target=2)
        assert connection.pragma("user_version") == 2
        assert connection.pragma("application_id") == APPLICATION_ID


def test_a_missing_step_is_told(connection: apsw.Connection) -> None:
    connection.pragma("user_version", 1)
    with pytest.raises(CorruptStore, match="no way from schema 2 to 3"):
        migrate_file(connection, {2: "CREATE TABLE moods (name TEXT)"}, target=3)


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_every_query_prepares_and_takes_named_values_only(connection: apsw.Connection, name: str) -> None:
    names = query_parameters(QUERIES[name])
    cursor = connection.execute("EXPLAIN " + QUERIES[name], dict.fromkeys(names))
    assert set(cursor.bindings_names) == names


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_every_query_says_what_it_is_for(name: str) -> None:
    assert QUERIES[name].startswith("-- ")
    assert QUERIES[name].splitlines()[0].endswith((".", ":"))


def test_every_query_is_used_and_every_use_has_a_query() -> None:
    """Names that a table puts together, such as export_record, are known by their beginning."""
    put_together = ("export_", "move_out_", "move_in_", "count_moved_")
    words: set[str] = set()
    asked: set[str] = set()
    for file in STORAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            words |= {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("_rows.all", "_rows.one", "_rows.run")):
                asked |= {arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant)}
    assert {name for name in QUERIES if name not in words and not name.startswith(put_together)} == set()
    assert asked - set(QUERIES) == set()


@pytest.mark.parametrize("name", OFTEN)
def test_what_runs_for_every_message_never_walks_through_a_table(connection: apsw.Connection, name: str) -> None:
    tables = {"r", *(row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"))}
    given = dict.fromkeys(query_parameters(QUERIES[name]))
    plan = [row[3] for row in connection.execute("EXPLAIN QUERY PLAN " + QUERIES[name], given)]
    walks = [step for step in plan if step.startswith("SCAN ") and step.split()[1] in tables]
    walks += [step for step in plan if step.endswith("(tenant=?)")]
    assert walks == []


@pytest.mark.parametrize("name", ["drawn_records", "end_of_page", "records_after", "export_record", "export_link"])
def test_a_page_or_an_erasure_reads_no_records_but_its_own(connection: apsw.Connection, name: str) -> None:
    plan = connection.execute("EXPLAIN QUERY PLAN " + QUERIES[name], dict.fromkeys(query_parameters(QUERIES[name])))
    assert [row[3] for row in plan if row[3].endswith("(tenant=?)") or row[3].startswith(("SCAN r", "SCAN s "))] == []


def test_what_is_known_of_an_attribute_is_found_by_an_index(connection: apsw.Connection) -> None:
    """Else every question that names one reads all facts of its space."""
    query = QUERIES["search_subjects"]
    plan = connection.execute("EXPLAIN QUERY PLAN " + query, dict.fromkeys(query_parameters(query)))
    assert any("records_by_attribute (tenant=? AND space=? AND <expr>=?)" in row[3] for row in plan)


@pytest.mark.parametrize("name", [name for name in OFTEN if "INSERT INTO" not in QUERIES[name]])
def test_what_is_read_for_every_message_is_prepared_once(connection: apsw.Connection, name: str) -> None:
    again: list[int] = []

    def note(event: dict[str, Any]) -> None:
        again.append(event["stmt_status"]["SQLITE_STMTSTATUS_REPREPARE"])

    connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, note)
    for value in ("[1]", "[2]", "[3]"):
        # Some refuse such values: what counts is that the plan stays.
        with contextlib.suppress(apsw.Error):
            connection.execute(QUERIES[name], dict.fromkeys(query_parameters(QUERIES[name]), value)).fetchall()
    assert again
    assert not any(again)


# What may be opened


def test_an_empty_file_becomes_a_memory(path: Path) -> None:
    path.touch()
    made(path, "here")
    assert pragma(path, "application_id") == APPLICATION_ID


def test_a_memory_is_one_file_once_it_is_closed(path: Path) -> None:
    made(path, "here")
    assert set(folder(path)) == {"memory.db"}


def test_a_newer_schema_is_refused_and_left_as_it_is(path: Path) -> None:
    made(path, "from the future")
    pragma(path, "user_version", SCHEMA_VERSION + 1)
    refused(path, NewerSchema, says="upgrade this installation")
    pragma(path, "user_version", SCHEMA_VERSION)
    with contextlib.closing(SqliteStore(path)) as store:
        assert shown_texts(store, a_view()) == ["from the future"]


def test_a_newer_schema_that_is_still_in_the_log_is_refused(path: Path) -> None:
    """Another process of a newer version may have the file open at this moment."""
    made(path, "here")
    with contextlib.closing(apsw.Connection(str(path))) as newer:
        newer.pragma("user_version", SCHEMA_VERSION + 4)
        with pytest.raises(NewerSchema) as raised:
            SqliteStore(path)
        assert (raised.value.found, raised.value.known) == (SCHEMA_VERSION + 4, SCHEMA_VERSION)


def test_a_database_of_something_else_is_refused_and_left_as_it_is(path: Path) -> None:
    with contextlib.closing(apsw.Connection(str(path))) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')")
    refused(path, NotAMemory, says="not a Toldonce memory: choose another path")


def test_a_database_of_something_else_with_a_log_is_refused_and_left_as_it_is(path: Path) -> None:
    """Its log belongs to its owner: nobody else may bring it in."""
    away = path.with_name("away")
    with contextlib.closing(apsw.Connection(str(path))) as connection:
        connection.pragma("journal_mode", "wal")
        connection.execute("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')")
        shutil.copytree(path.parent, away)
    left = away / path.name
    assert (away / "memory.db-wal").stat().st_size > 0
    (away / "memory.db-shm").unlink()
    log = (away / "memory.db-wal").read_bytes()
    with pytest.raises(NotAMemory, match="choose another path"):
        SqliteStore(left)
    assert (away / "memory.db-wal").read_bytes() == log
    with contextlib.closing(apsw.Connection(str(left))) as connection:
        assert connection.execute("SELECT name FROM recipes").fetchall() == [("soup",)]


@pytest.mark.parametrize(
    "content", [b"Dear diary,\n", b"\0" * 5000, b"SQLite format 3\0", b"SQLite format 3\0" + b"x" * 5000]
)
def test_any_other_file_is_refused_and_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    refused(path, NotAMemory, says="choose another path")


def test_a_folder_is_not_a_memory(path: Path) -> None:
    path.mkdir()
    refused(path, NotAMemory, says="give the path of a file")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReadOnlyStore, match="nowhere does not exist: create it first"):
        SqliteStore(tmp_path / "nowhere" / "memory.db")
    assert list(tmp_path.iterdir()) == []


def test_a_memory_whose_maker_was_killed_at_once_opens(path: Path) -> None:
    """The file then has a header and nothing else, or everything is still in the log."""
    with contextlib.closing(apsw.Connection(str(path))) as connection:
        connection.pragma("journal_mode", "wal")
    assert path.stat().st_size > 0
    made(path, "kept")
    away = path.with_name("away")
    with contextlib.closing(SqliteStore(away.with_suffix(".db"))) as store:
        keep_texts(store, "still in the log")
        away.mkdir()
        for file in ("away.db", "away.db-wal"):
            shutil.copy(path.parent / file, away / file)
    with contextlib.closing(SqliteStore(away / "away.db")) as store:
        assert shown_texts(store, a_view()) == ["still in the log"]


# Damage


def test_a_damaged_memory_says_so_and_what_to_do(path: Path) -> None:
    made(path, *(f"number {n} " + "x" * 500 for n in range(400)))
    content = bytearray(path.read_bytes())
    for page in range(2, len(content) // 4096, 2):
        content[page * 4096 : page * 4096 + 2048] = b"\xa5" * 2048
    path.write_bytes(content)
    problems = look_over(path)
    assert problems
    assert any("restore" in problem for problem in problems)
    assert path.read_bytes()[:4096] == content[:4096]


def test_a_memory_cut_short_says_so_and_what_to_do(path: Path) -> None:
    made(path, *(f"number {n} " + "x" * 500 for n in range(400)))
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 3])
    problems = look_over(path)
    assert any("restore" in problem for problem in problems)


def look_over(path: Path) -> list[str]:
    """What opening, reading and checking say of a damaged file, whichever of them notices."""
    problems: list[str] = []
    try:
        with contextlib.closing(SqliteStore(path)) as store:
            try:
                store.read(lambda t: t.records.read_page(None, limit=10_000))
            except CorruptStore as problem:
                problems.append(str(problem))
            problems += store.check(repair=False)
            problems += store.check(repair=True)
    except CorruptStore as problem:
        problems.append(str(problem))
    return problems


def test_a_word_index_that_lost_touch_is_found_and_built_anew(path: Path) -> None:
    made(path, "A copper kettle", "A red lamp")
    with contextlib.closing(apsw.Connection(str(path))) as connection:
        connection.execute("INSERT INTO record_text (record_text) VALUES ('delete-all')")
    with contextlib.closing(SqliteStore(path)) as store:
        assert found_texts(store, "kettle") == []
        assert "the word index does not match the records" in store.check(repair=False)
        assert "repaired: the word index was rebuilt" in store.check(repair=True)
        assert found_texts(store, "kettle") == ["A copper kettle"]
        assert store.check(repair=False) == []


def test_an_index_of_pairs_that_lost_touch_is_found_and_built_anew(path: Path) -> None:
    made(path, "我住在上海", "Só português")
    with contextlib.closing(apsw.Connection(str(path))) as connection:
        connection.execute("INSERT INTO record_grams (record_grams) VALUES ('delete-all')")
    with contextlib.closing(SqliteStore(path)) as store:
        assert store.check(repair=False) == ["the index of scripts without spaces does not match the records"]
        assert any(line.startswith("repaired:") for line in store.check(repair=True))
        assert store.check(repair=False) == []
        assert len(store.read(lambda t: t.search.find_by_grams(("上海",), a_view(), limit=5))) == 1


def test_a_damaged_pack_of_vectors_is_found_and_dropped(path: Path) -> None:
    made(path, "here")
    with contextlib.closing(SqliteStore(path)) as store:
        model = store.write(lambda t: t.vectors.register_model("mini", 8))
        store.write(lambda t: t.vectors.put_pack(model, 1, b"not a pack"))
        assert store.check(repair=False) == ["a packed part of the vector index of mini is damaged"]
        assert any(line.startswith("repaired:") for line in store.check(repair=True))
        assert store.read(lambda t: t.vectors.read_packs(model)) == []


def test_rows_that_point_nowhere_are_found(path: Path) -> None:
    made(path, "here")
    with contextlib.closing(apsw.Connection(str(path))) as connection:
        connection.execute("INSERT INTO mentions (entity, record) VALUES (77, 1)")
    with contextlib.closing(SqliteStore(path)) as store:
        (problem,) = store.check(repair=False)
        assert "mentions points to a missing row of entities" in problem


# What is destroyed is destroyed


def test_purged_text_is_nowhere_left_on_disk(path: Path) -> None:
    words = ["zyxwvutsr", "qponmlkji"]
    with contextlib.closing(SqliteStore(path)) as store:
        keep_records(store, *(a_record(f"plain {n}") for n in range(50)))
        keep_texts(store, f"{words[0]} " * 400, f"秘密上海 {words[1]}", title=words[1])
        places = store.read(lambda t: t.purge.of_space("home"))
        store.write(lambda t: t.purge.destroy(places[-2:]))
        store.compact()
        everything = b"".join(folder(path).values())
    for word in (*words, "秘密"):
        assert word.encode() not in everything
    assert b"plain" in everything


# Shared commits


def test_writers_that_wait_share_one_commit(path: Path) -> None:
    """While one writer holds its turn the others queue, and all of them are flushed at once."""
    with contextlib.closing(SqliteStore(path)) as store, watched(path) as commits:
        database = database_of(store)
        threads = queue_up(database, [partial(note, n=n) for n in range(20)])
        assert finish(threads) == []
        assert commits() <= 3
        assert len(store.read(lambda t: t.jobs.runs())) == 20


def test_a_transaction_that_sqlite_gives_up_is_told_to_everyone_in_it(path: Path) -> None:
    """Whoever wrote into the shared commit before is refused, who was acknowledged is there, and the others go on."""
    with contextlib.closing(SqliteStore(path)) as store:
        works = [*(partial(note, n=n) for n in range(10)), give_up, *(partial(note, n=n) for n in range(10, 20))]
        threads = queue_up(database_of(store), works)
        problems = finish(threads)
        refused = {n for n, (_, problems) in enumerate(threads[1:]) if problems}
        assert 10 in refused
        assert all(isinstance(problem, StoreError) for problem in problems)
        kept = sorted(n if n < 10 else n - 1 for n in range(21) if n not in refused)
        assert sorted(run.started_at.microsecond for run in store.read(lambda t: t.jobs.runs())) == kept
        store.write(lambda t: t.documents.set_setting("home", "colour", "red"))
        assert store.read(lambda t: t.documents.read_setting("home", "colour")) == "red"


def test_a_first_write_whose_transaction_is_gone_is_never_acknowledged(path: Path) -> None:
    with contextlib.closing(SqliteStore(path)) as store:
        with pytest.raises(StoreError):
            database_of(store).write(give_up)
        keep_texts(store, "after")
        assert shown_texts(store, a_view()) == ["after"]


def test_the_reason_why_sqlite_gave_up_is_told(path: Path) -> None:
    with contextlib.closing(SqliteStore(path)) as store:
        database = database_of(store)

        def fail(rows: SqliteRows) -> None:
            give_up(rows)
            raise apsw.FullError("database or disk is full")

        with pytest.raises(DiskFull):
            database.write(fail)
        assert finish(queue_up(database, [partial(note, n=1)])) == []


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="this system has no alarm to interrupt a wait with")
def test_an_interrupted_writer_leaves_the_queue(path: Path) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with contextlib.closing(SqliteStore(path)) as store:
        database = database_of(store)
        inside, go_on = threading.Event(), threading.Event()
        holder = threading.Thread(target=lambda: database.write(lambda _: (inside.set(), go_on.wait(30))))
        holder.start()
        inside.wait(30)
        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        try:
            with pytest.raises(KeyboardInterrupt):
                database.write(lambda _: None)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            go_on.set()
            holder.join(30)
        assert waiting(database) == 0
        keep_texts(store, "after")
        assert shown_texts(store, a_view()) == ["after"]


def database_of(store: SqliteStore) -> Database:
    return store._database


def waiting(database: Database) -> int:
    return database._waiting


def note(rows: SqliteRows, n: int) -> None:
    rows.run(
        "add_run",
        tenant="local",
        space="",
        key="k",
        name="n",
        started_at=n,
        ended_at=n,
        status="completed",
        counts="{}",
        error="",
        detail="{}",
    )


def give_up(rows: SqliteRows) -> None:
    """What SQLite does by itself when a disk fails inside a transaction."""
    rows._connection.execute("ROLLBACK")


Work = Callable[[SqliteRows], object]


def queue_up(database: Database, works: list[Work]) -> list[tuple[threading.Thread, list[Exception]]]:
    """Threads that wait in that order while the first one, which only waits for them, holds its turn."""

    def hold(_: SqliteRows) -> None:
        while waiting(database) < len(works) and not too_late.is_set():
            queued.wait(0.01)

    queued, too_late = threading.Event(), threading.Event()
    threads = []
    for place, work in enumerate([hold, *works]):
        thread = guarded(database, work)
        threads.append(thread)
        thread[0].start()
        while place and waiting(database) < place and thread[0].is_alive():
            queued.wait(0.01)
    return threads


def guarded(database: Database, work: Work) -> tuple[threading.Thread, list[Exception]]:
    problems: list[Exception] = []

    def run() -> None:
        try:
            database.write(work)
        except StoreError as problem:
            problems.append(problem)

    return threading.Thread(target=run, daemon=True), problems


def finish(threads: list[tuple[threading.Thread, list[Exception]]]) -> list[Exception]:
    for thread, _ in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread, _ in threads)
    return [problem for _, problems in threads for problem in problems]


@contextlib.contextmanager
def watched(path: Path) -> Iterator[Callable[[], int]]:
    """How many commits of others an outside connection has seen since."""
    with contextlib.closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as outside:
        log = Path(f"{path}-wal")
        frames = [log.stat().st_size]
        yield lambda: commit_frames(log, outside.pragma("page_size"), frames[0])


def commit_frames(log: Path, page_size: int, start: int) -> int:
    """How many frames of the log after a place end a transaction: they carry the size of the database."""
    content = log.read_bytes()
    step = page_size + 24
    places = range(max(start, 32), len(content) - step + 1, step)
    return sum(int.from_bytes(content[place + 4 : place + 8], "big") > 0 for place in places)


@pytest.mark.skipif(os.name != "posix", reason="rights of files are told otherwise there")
def test_a_memory_and_its_copies_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with Memory.open(tmp_path / "memory.db", embedder=None, background=False) as memory:
            memory.observe("The key is under the pot", user="alex")
            memory.storage.backup()
            memory.export(tmp_path / "out.jsonl")
            made = {path.name: path.stat().st_mode & 0o077 for path in tmp_path.iterdir()}
        assert {"memory.db", "memory.db-wal", "memory.db.bak.1", "out.jsonl"} <= made.keys()
        assert set(made.values()) == {0}
    finally:
        os.umask(before)


def test_the_rights_that_somebody_gave_to_a_memory_stay(tmp_path: Path) -> None:
    place = tmp_path / "memory.db"
    Memory.open(place, embedder=None, background=False).close()
    place.chmod(0o640)
    Memory.open(place, embedder=None, background=False).close()
    assert place.stat().st_mode & 0o777 == (0o640 if os.name == "posix" else place.stat().st_mode & 0o777)
