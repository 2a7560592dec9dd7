"""Makes memory-vN.db, a small memory of the current schema version with something in every table, beside this file.

Run as `python tests/data/make_memory.py` when the schema version rises; the file of a released version never changes.
"""

from __future__ import annotations

import contextlib
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import numpy as np

from toldonce import Memory, Record
from toldonce.operations.sealed import SealedItem
from toldonce.storage.sqlite.file import SCHEMA_VERSION
from toldonce.storage.store import Tables
from toldonce.storage.tables.usage import Usage
from toldonce.storage.vectors.index import encode_vector

TARGET = Path(__file__).with_name(f"memory-v{SCHEMA_VERSION}.db")
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


def main() -> None:
    """Live a little in a new memory, then keep a packed copy of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        live(path)
        TARGET.unlink(missing_ok=True)
        with contextlib.closing(apsw.Connection(str(path))) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA page_size = 1024")
            connection.execute("VACUUM")
        TARGET.write_bytes(path.read_bytes())


def live(path: Path) -> None:
    """A record in every state, two spaces, people, a conversation of each state, documents, a question, vectors."""
    moments = (START + timedelta(minutes=n) for n in range(10_000))
    with Memory.open(path, preset="life", embedder=None, background=False, clock=lambda: next(moments)) as memory:
        memory.observe("I live in Lisbon and my goal is to run a marathon", "alex", session="s1", display_name="Alex")
        memory.observe("東京にも行きたい", "alex", session="s1")
        memory.settle(session="s1")
        memory.observe("Maria Silva visits on Sunday", "alex", session="s2", metadata={"mood": "glad"})
        wrong = memory.remember("Alex has two cats", user="alex", tags=("pets",))
        memory.correct(wrong.id, "Alex has three cats")
        memory.forget(memory.remember("Alex dislikes coriander", user="alex").id, reason="asked to")
        memory.flag(memory.remember("Alex was born in Oslo", user="alex").id, reason="wrong country")
        memory.remember("Alex wants a boat", user="alex", proposed=True)
        memory.confirm(_residence(memory).id)
        memory.observe("I live in Porto", "alex", session="s3")
        memory.settle(session="s3")
        memory.spaces.add("work", preset="coding")
        memory.remember("Tests run with make test", "convention", user="alex", space="work")
        memory.observe("Call me <private>on 555 0100</private> tomorrow", "alex", session="s4")
        memory.context("how do tests run?", "alex", session="s5", space="work")
        memory.store.write(lambda t: t.people.set_member("work", "alex", "owner"))
        memory.people.block("spammer")
        memory.keys.add("laptop", user="alex")
        memory.store.write(
            lambda t: t.held_values.hold("link", "x", "{}", now=START, expires_at=START + timedelta(days=9_000))
        )
        memory.sealed.put(
            [SealedItem(id="sealed_1", seal="s", model="test-8", box="Ym94", vector="ADwAAAAAAAA=", user="alex")]
        )
        memory.webhooks.add("http://127.0.0.1:9/hook", private=True)
        sent = memory.observe("Sent once, and destroyed", "alex", session="s4", idempotency_key="once")
        memory.purge(sent.id if isinstance(sent, Record) else "")
        memory.observe("Lee was only passing through", "lee", session="s6")
        memory.erase(user="lee")
        memory.store.write(lambda t: _books(t, at=memory.clock()))
        memory.tend()
        _embed(memory)


def _residence(memory: Memory) -> Record:
    return next(hit.record for hit in memory.recall("Lisbon", "alex", kinds=["fact"]))


def _books(tables: Tables, *, at: datetime) -> None:
    tables.ledger.put("main", "0" * 64, "{}", at=at)
    tables.ledger.count(Usage(space="main", task="note", model="test", calls=1, input_tokens=9, cost=2), at=at)


def _embed(memory: Memory) -> None:
    wanted = memory.store.read(lambda t: t.vectors.find_waiting(limit=100))
    vectors = np.random.default_rng(1).standard_normal((len(wanted), 8)).astype(np.float32)

    def put(tables: Tables) -> None:
        model = tables.vectors.register_model("test-8", 8)
        tables.vectors.put(model, [(seq, [encode_vector(v)]) for (seq, _), v in zip(wanted, vectors, strict=True)])

    memory.store.write(put)


if __name__ == "__main__":
    main()
