"""Looks a memory file over: its pages, its references, its indexes; repairs an index, and never a record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import apsw

from toldonce.errors import CorruptStore
from toldonce.text.words import text_grams

_ADVICE = (
    "damaged: records may be lost: stop what uses the memory and restore a backup with `toldonce restore`; "
    "without a backup, `toldonce export` saves what can still be read"
)


def check_file(connection: apsw.Connection) -> list[str]:
    """What is wrong with pages and references, in words; the connection must see one unchanging state.

    It must also be a fresh one: SQLite's check of a full-text index trusts what its connection read of it before, and
    takes it for damage when another process has written since.
    """
    found = _find_damage(connection)
    if any(line == _ADVICE for line in found):
        return found
    for table, rowid, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        found.append(f"row {rowid} of {table} points to a missing row of {parent}")
    return found


def check_indexes(
    connection: apsw.Connection, queries: Mapping[str, str], *, found: Sequence[str], repair: bool
) -> list[str]:
    """Differences between indexes and records, unreadable values, and with `repair` what was done about them.

    `found` is what `check_file` said. It runs inside a write transaction.
    """
    from toldonce.storage.sqlite.poison_check import check_poison

    made = _rebuild_indexes(connection) if repair and any(line.startswith(_UNMATCHED) for line in found) else []
    made += check_poison(connection, queries, repair=repair)
    return (
        made
        + _check_word_index(connection, queries, repair=repair)
        + _check_gram_index(connection, queries, repair=repair)
    )


def _find_damage(connection: apsw.Connection) -> list[str]:
    """What SQLite's own check says; a word index can be rebuilt, anything else takes a backup."""
    try:
        said = [row[0] for row in connection.execute("PRAGMA integrity_check(20)")]
    except apsw.CorruptError as problem:
        said = [str(problem)]
    lines = [f"damaged: {line}" for line in said if line != "ok"]
    if _is_of_indexes(lines):
        return [line.replace("damaged", _UNMATCHED, 1) for line in lines]
    return [*lines, _ADVICE] if any("fts5" not in line.casefold() for line in lines) else lines


_UNMATCHED = "an index does not match its table"
# What SQLite says of an entry of an index that does not match its table; the table itself is sound then.
_INDEX_ENTRY = re.compile(
    r"(?:missing from|wrong # of entries in|in wrong order in) index|non-unique entry in index", re.I
)


def _is_of_indexes(lines: Sequence[str]) -> bool:
    """Whether all the damage lies in indexes, which can be made again from the records."""
    return bool(lines) and all(_INDEX_ENTRY.search(line) for line in lines)


def _rebuild_indexes(connection: apsw.Connection) -> list[str]:
    """The result of rebuilding every index, for those that did not match."""
    connection.execute("REINDEX")
    return _find_damage(connection) or ["repaired: every index was made again from the records"]


def _check_word_index(connection: apsw.Connection, queries: Mapping[str, str], *, repair: bool) -> list[str]:
    try:
        connection.execute(queries["check_words"])
        return []
    except apsw.CorruptError:
        found = ["the word index does not match the records"]
    if repair:
        connection.execute(queries["rebuild_words"])
        found.append("repaired: the word index was rebuilt")
    return found


def _check_gram_index(connection: apsw.Connection, queries: Mapping[str, str], *, repair: bool) -> list[str]:
    indexed = {row[0] for row in connection.execute(queries["places_with_grams"])}
    wanted = {seq for seq, text in connection.execute(queries["texts_beyond_ascii"]) if text_grams(str(text))}
    if indexed == wanted:
        return []
    found = ["the index of scripts without spaces does not match the records"]
    if repair:
        rebuild_grams(connection, queries)
        found.append("repaired: the index of scripts without spaces was rebuilt")
    return found


def count_rows(connection: apsw.Connection, queries: Mapping[str, str]) -> tuple[int, ...]:
    """How many rows the tables have that matter most."""
    return tuple(connection.execute(queries["count_copied"]).fetchone() or ())


def verify_copy(copy: apsw.Connection, queries: Mapping[str, str], *, counts: tuple[int, ...], path: str) -> None:
    """CorruptStore unless a copy is sound and has as many rows as the original."""
    said = [row[0] for row in copy.execute("PRAGMA quick_check(1)")]
    if said != ["ok"] or count_rows(copy, queries) != counts:
        raise CorruptStore(f"{path}: the copy is not the same as the memory: check the disk, then make another")


def rebuild_indexes(connection: apsw.Connection, queries: Mapping[str, str]) -> None:
    """Make both word indexes again from the records, inside the transaction under way."""
    connection.execute(queries["rebuild_words"])
    rebuild_grams(connection, queries)


def rebuild_grams(connection: apsw.Connection, queries: Mapping[str, str]) -> None:
    """Make the index of scripts without spaces again from the records, inside the transaction under way."""
    connection.execute(queries["clear_grams"])
    for seq, text in connection.execute(queries["texts_beyond_ascii"]).fetchall():
        if grams := text_grams(str(text)):
            connection.execute(queries["add_grams"], {"seq": seq, "grams": grams})
