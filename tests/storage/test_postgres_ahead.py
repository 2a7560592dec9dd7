"""Queries that share a round trip to PostgreSQL, those among them that are sent on a guess."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.postgres import Databases
from toldonce import Memory
from toldonce.conformance.samples import a_record, keep_records
from toldonce.storage.open import open_store
from toldonce.storage.postgres.ahead import FirstQueries, Guesses, QueryKey, Row, make_key
from toldonce.storage.postgres.exchange import Exchange
from toldonce.storage.store import Store, Tables


@pytest.fixture
def store(databases: Databases) -> Iterator[Store]:
    address = databases.take()
    opened = open_store(address)
    yield opened
    opened.close()
    databases.give_back(address)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many queries were sent in each round trip."""
    trips: list[int] = []
    ask = Exchange.ask

    def count(self: Exchange, asked: Any, **options: Any) -> Any:
        trips.append(len(asked))
        return ask(self, asked, **options)

    monkeypatch.setattr(Exchange, "ask", count)
    return trips


def read_by_size(tables: Tables) -> tuple[int, list[Row]]:
    """The number of records, and then a query whose values depend on it."""
    size = tables.search.size()
    return size, tables.rows.all("records_to_embed", limit=size, among=None)


def fetch_and_read(tables: Tables) -> tuple[int, list[Row]]:
    tables.fetch_ahead(read_by_size)
    return read_by_size(tables)


def test_a_right_guess_saves_a_round_trip(store: Store, sent: list[int]) -> None:
    keep_records(store, a_record("one"), a_record("two"))
    sent.clear()
    first = store.read(fetch_and_read)
    assert sent == [1, 1], "the size, the records"
    sent.clear()
    assert store.read(fetch_and_read) == first
    assert sent == [2], "the size with the records"


def test_recall_and_a_prompt_block_take_few_round_trips(databases: Databases, sent: list[int]) -> None:
    """A server is often a millisecond away, and each round trip takes that long."""
    address = databases.take()
    with Memory.open(address, "assistant", embedder=None, background=False) as memory:
        memory.observe_many(
            {"text": text, "user": "ana", "session": f"s{number}"}
            for number, text in enumerate(
                ("I'm allergic to nuts", "My sister Ines lives in Porto", "I love the garden")
            )
        )
        memory.settle()
        for question in ("where does my sister live?", "what about the garden?"):
            memory.recall(question, user="ana")
            memory.context(question, user="ana")
        sent.clear()
        assert memory.recall("what about the garden?", user="ana")
        assert len(sent) <= 5
        sent.clear()
        assert memory.context("what about the garden?", user="ana").hits
        assert len(sent) <= 11
        sent.clear()
        memory.observe("ok thanks", user="ana", session="s9")
        assert len(sent) <= 10, "what was shown is counted in one round trip, what was redacted is read in another"
    databases.give_back(address)


def test_a_wrong_guess_changes_no_rows(store: Store, sent: list[int]) -> None:
    keep_records(store, a_record("one"))
    store.read(fetch_and_read)
    keep_records(store, a_record("two"), a_record("three"))
    sent.clear()
    size, rows = store.read(fetch_and_read)
    assert (size, len(rows)) == (3, 3)
    assert sent == [2, 1], "the records were asked for again, with the right number"


def test_a_guess_of_other_values_is_none(store: Store, sent: list[int]) -> None:
    def count(tables: Tables, words: tuple[str, ...]) -> int:
        tables.fetch_ahead(lambda t: t.search.count_matches(words, most=9) and t.search.size())
        return tables.search.count_matches(words, most=9)

    keep_records(store, a_record("a kettle"), a_record("a blue kettle"))
    sent.clear()
    assert [store.read(lambda t, word=word: count(t, (word,))) for word in ("kettle", "blue", "kettle")] == [2, 1, 2]  # type: ignore[misc]
    assert sent == [1, 1, 1, 1, 2], "the count, then the size; known words are counted with the size"


def test_a_transaction_that_may_write_guesses_nothing(store: Store, sent: list[int]) -> None:
    store.read(fetch_and_read)
    sent.clear()
    assert store.write(fetch_and_read) == (0, [])
    assert sent == [1, 1, 1], "the size, the records, the commit"


def test_only_queries_about_the_state_of_a_store_are_guessed() -> None:
    size, page = make_key("count_records", {}), make_key("records_to_embed", {"limit": 9, "among": None})
    guesses = Guesses()
    guesses.keep([(size, [(9,)]), (page, [(1, "text", "")])])
    first = FirstQueries({}, guesses, tenant="t")
    first.note(
        [
            lambda rows: (
                rows.all("records_to_embed", limit=rows.all("count_records")[0][0], among=None) + rows.all("never")
            )
        ]
    )
    assert list(first.found) == [size, page]


def test_guesses_take_little_memory_and_the_latest_stay() -> None:
    def key(number: int) -> QueryKey:
        return make_key("count_word_matches", {"match": str(number)})

    guesses = Guesses(most=3)
    for number in range(10):
        guesses.keep([(key(number), [(number,)]), (key(0), [(0,)])])
    assert len(guesses) == 3
    assert [guesses.find(key(number)) for number in (0, 7, 8, 9)] == [[(0,)], None, [(8,)], [(9,)]]


def test_threads_share_guesses() -> None:
    guesses = Guesses(most=5)

    def keep_many(thread: int) -> None:
        for number in range(500):
            key = make_key("count_word_matches", {"match": f"{thread} {number}"})
            guesses.keep([(key, [(number,)])])
            assert guesses.find(key) in ([(number,)], None)

    threads = [threading.Thread(target=keep_many, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(guesses) == 5
