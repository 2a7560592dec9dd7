"""Values that the tests put into a store, and the short ways to put them there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from toldonce.records import Conversation, Record, Space, new_id
from toldonce.storage.store import Store, Tables, View
from toldonce.text.words import text_grams

T = TypeVar("T")
Reopen = Callable[[Store], Store]
OpenCopy = Callable[[str], Store]

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SPACE = "home"


def moment_after(**lengths: float) -> datetime:
    """A moment that long after the first."""
    return NOW + timedelta(**lengths)


def a_record(text: str = "The kettle is on the shelf", **given: Any) -> Record:
    """A derived record of the space, said at the first moment unless told otherwise."""
    at = given.pop("at", NOW)
    values: dict[str, Any] = {"kind": "fact", "space": SPACE, "created_at": at, **given}
    return Record(id=values.pop("id", None) or new_id("fact", at), text=text, at=at, **values)


def a_view(**given: Any) -> View:
    """Everything in the space that counts, unless told otherwise."""
    return View(**{"spaces": (SPACE,), "now": moment_after(days=1), **given})


def a_conversation(**given: Any) -> Conversation:
    """An open conversation in the space."""
    values: dict[str, Any] = {
        "id": new_id("talk", NOW), "space": SPACE, "key": "session:s1", "user": "alex", "session": "s1",
        "channel": None, "started_at": NOW, "updated_at": NOW, "messages": 0,
    }  # fmt: skip
    return Conversation(**{**values, **given})


def a_space(name: str = SPACE, **given: Any) -> Space:
    """A space of the assistant preset."""
    return Space(**{"name": name, "preset": "assistant", **given})


def put_record(tables: Tables, record: Record) -> int:
    """Keep a record as capture does, with the pairs of its unspaced parts; returns its place."""
    return tables.records.add(record, embed=True, grams=text_grams(record.text))


def keep_records(store: Store, *records: Record) -> list[int]:
    """Keep records in one write; returns their places."""
    return store.write(lambda t: [put_record(t, record) for record in records])


def write_each(store: Store, values: Iterable[T], work: Callable[[Tables, T], object]) -> None:
    """Do the work for each value, each in a write of its own."""

    def one(value: T) -> None:
        store.write(lambda t: work(t, value))

    for value in values:
        one(value)


def keep_texts(store: Store, *texts: str, **given: Any) -> list[Record]:
    """Keep one record for each text; returns them."""
    records = [a_record(text, **given) for text in texts]
    keep_records(store, *records)
    return records


def read_back(store: Store, record: Record) -> Record:
    """The record as the store has it now."""
    return store.read(lambda t: t.records.get([record.id]))[record.id]


def shown_texts(store: Store, view: View) -> list[str]:
    """The texts of all records that a view shows, newest first."""
    return [r.text for r in store.read(lambda t: t.records.find(view, limit=100))]


def any_words(*words: str) -> tuple[str, ...]:
    """The words to look for, any of them."""
    return words


def found_texts(store: Store, *words: str, view: View | None = None, limit: int = 10) -> list[str]:
    """The texts that any of the words find, best first."""
    where = view or a_view()

    def look(tables: Tables) -> list[str]:
        places = tables.search.find_by_words(any_words(*words), where, limit=limit)
        records = tables.records.by_seq(seq for seq, _ in places)
        return [records[seq].text for seq, _ in places]

    return store.read(look)
