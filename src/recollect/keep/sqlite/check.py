"""Looks a memory file over: its pages, its references, its indexes; repairs an index, and never a record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import apsw

from recollect.keep.grams import grams_of
from recollect.keep.sqlite.poison_check import check_poison

_ADVICE = (
    "damaged: records may be lost: stop what uses the memory and restore a backup with `recollect doctor --restore`; "
    "without a backup, `recollect export` saves what can still be read"
)


def check(connection: apsw.Connection, queries: Mapping[str, str], *, repair: bool) -> list[str]:
    """What is wrong, in words, and with `repair` what was done about it; nothing wrong is []."""
    found = _damage(connection)
    if _is_of_indexes(found):
        found = _reindexed(connection, found) if repair else found
    elif any(line == _ADVICE for line in found):
        return found
    for table, rowid, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        found.append(f"row {rowid} of {table} points to a missing row of {parent}")
    found += check_poison(connection, queries, repair=repair)
    found += _words(connection, queries, repair=repair)
    found += _grams(connection, queries, repair=repair)
    if repair:
        connection.execute("PRAGMA optimize")
    return found


def _damage(connection: apsw.Connection) -> list[str]:
    """What SQLite's own check says; an index of words can be built anew, anything else takes a backup."""
    try:
        said = [row[0] for row in connection.execute("PRAGMA integrity_check(20)")]
    except apsw.CorruptError as problem:
        said = [str(problem)]
    lines = [f"damaged: {line}" for line in said if line != "ok"]
    if _is_of_indexes(lines):
        return [line.replace("damaged", "an index does not match its table", 1) for line in lines]
    return [*lines, _ADVICE] if any("FTS5" not in line for line in lines) else lines


# What SQLite says of an entry of an index that does not match its table; the table itself is sound then.
_INDEX_ENTRY = re.compile(
    r"(?:missing from|wrong # of entries in|in wrong order in) index|non-unique entry in index", re.I
)


def _is_of_indexes(lines: Sequence[str]) -> bool:
    """Whether all the damage lies in indexes, which can be made again from the records."""
    return bool(lines) and all(_INDEX_ENTRY.search(line) for line in lines)


def _reindexed(connection: apsw.Connection, found: list[str]) -> list[str]:
    """The findings with what became of them once every index was made again."""
    connection.execute("REINDEX")
    left = _damage(connection)
    return [*found, *(left or ["repaired: every index was made again from the records"])]


def _words(connection: apsw.Connection, queries: Mapping[str, str], *, repair: bool) -> list[str]:
    try:
        connection.execute(queries["check_words"])
        return []
    except apsw.CorruptError:
        found = ["the word index does not match the records"]
    if repair:
        connection.execute(queries["rebuild_words"])
        found.append("repaired: the word index was built anew")
    return found


def _grams(connection: apsw.Connection, queries: Mapping[str, str], *, repair: bool) -> list[str]:
    indexed = {row[0] for row in connection.execute(queries["places_with_grams"])}
    wanted = {seq for seq, text in connection.execute(queries["texts_beyond_ascii"]) if grams_of(str(text))}
    if indexed == wanted:
        return []
    found = ["the index of scripts without spaces does not match the records"]
    if repair:
        with connection:
            connection.execute(queries["clear_grams"])
            for seq, text in connection.execute(queries["texts_beyond_ascii"]).fetchall():
                if grams := grams_of(str(text)):
                    connection.execute(queries["add_grams"], {"seq": seq, "grams": grams})
        found.append("repaired: the index of scripts without spaces was built anew")
    return found
