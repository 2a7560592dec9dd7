"""Whether the indexes of words match the records, and making them again where they do not."""

from __future__ import annotations

from toldonce.storage.store import Tables
from toldonce.text.words import text_grams


def check_indexes(tables: Tables, *, repair: bool) -> list[str]:
    """What is wrong, in words; with `repair`, what was done about it."""
    return [*_check_words(tables, repair=repair), *_check_grams(tables, repair=repair), *_check_orphans(tables)]


def _check_words(tables: Tables, *, repair: bool) -> list[str]:
    rows = tables.rows
    row = rows.one("count_unmatched_words")
    if row is None or not any(row):
        return []
    found = ["the word index does not match the records"]
    if repair:
        rows.run("clear_words")
        for seq, text, title, author, audience in rows.all("texts_to_index"):
            rows.run("index_words", seq=seq, text=text, title=title, author=author, audience=audience)
        rows.run("recount_words")
        found.append("repaired: the word index was rebuilt")
    return found


def _check_grams(tables: Tables, *, repair: bool) -> list[str]:
    rows = tables.rows
    indexed = {row[0] for row in rows.all("places_with_grams")}
    wanted = {seq: grams for seq, text in rows.all("texts_beyond_ascii") if (grams := text_grams(text))}
    if indexed == wanted.keys():
        return []
    found = ["the index of scripts without spaces does not match the records"]
    if repair:
        rows.run("clear_grams")
        for seq, grams in wanted.items():
            rows.run("add_grams", seq=seq, grams=grams)
        found.append("repaired: the index of scripts without spaces was rebuilt")
    return found


def _check_orphans(tables: Tables) -> list[str]:
    lost = tables.rows.one("orphans", tenant=tables.tenant) or ()
    names = ("vectors", "mentions", "times", "links", "changes")
    return [f"{count} {name} point to records that are gone" for name, count in zip(names, lost, strict=True) if count]
