"""What a store must offer, and the view of it that a caller may see.

A backend is a `Store` that lends `Rows`: three ways to run the queries that its `queries.sql` names. Everything above
is written once over those names, so a backend brings SQL files, a connection, and nothing else; `conformance` is
the contract as tests.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from toldonce.clock import to_micros
from toldonce.errors import InputError
from toldonce.records import LOCAL_TENANT
from toldonce.storage.encryption import EncryptionKey
from toldonce.storage.rows import Rows
from toldonce.storage.tables.access_keys import AccessKeyTable
from toldonce.storage.tables.amounts import AmountTable
from toldonce.storage.tables.audit import AuditTable
from toldonce.storage.tables.conversations import ConversationTable
from toldonce.storage.tables.copies import CopyTable
from toldonce.storage.tables.documents import DocumentTable
from toldonce.storage.tables.doubts import DoubtTable
from toldonce.storage.tables.entities import EntityTable
from toldonce.storage.tables.events import EventTable
from toldonce.storage.tables.held_values import HeldValueTable
from toldonce.storage.tables.jobs import JobTable
from toldonce.storage.tables.moving import MoveTable
from toldonce.storage.tables.people import PeopleTable
from toldonce.storage.tables.purge import PurgeTable
from toldonce.storage.tables.records import RecordTable
from toldonce.storage.tables.sealed import SealedTable
from toldonce.storage.tables.search import SearchTable
from toldonce.storage.tables.times import TimeTable
from toldonce.storage.tables.tombstones import TombstoneTable
from toldonce.storage.tables.transfer import TransferTable
from toldonce.storage.tables.usage import LedgerTable
from toldonce.storage.tables.vectors import VectorTable
from toldonce.storage.tables.webhooks import WebhookTable

if TYPE_CHECKING:
    from toldonce.storage.vectors.search import NearestRecords

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Which records a caller may see, and as of when. Nothing said about a field leaves it open."""

    spaces: tuple[str, ...]
    now: datetime
    tenant: str = LOCAL_TENANT
    user: str | None = None
    kinds: tuple[str, ...] | None = None
    session: str | None = None
    not_session: str | None = None
    channel: str | None = None
    branches: tuple[str, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    where: Mapping[str, Any] | None = field(default=None, hash=False)

    def values(self) -> dict[str, Any]:
        """The parameters of the `visible` part of every query."""
        return {
            "tenant": self.tenant,
            "spaces": _dump_names(self.spaces),
            "user": self.user,
            "kinds": None if self.kinds is None else _dump_names(self.kinds),
            "session": self.session,
            "not_session": self.not_session,
            "channel": self.channel,
            "branches": None if self.branches is None else _dump_names(self.branches),
            "since": None if self.since is None else to_micros(self.since),
            "until": None if self.until is None else to_micros(self.until),
            "now": to_micros(self.as_of or self.now),
            "as_of": None if self.as_of is None else to_micros(self.as_of),
            "where": _dump_filter(self.where) if self.where else None,
        }


@lru_cache(maxsize=256)
def _dump_names(names: tuple[str, ...]) -> str:
    """Names as JSON; every query of a search takes the same ones."""
    return json.dumps(names)


def _dump_filter(where: Mapping[str, Any]) -> str:
    if not isinstance(where, Mapping):
        raise InputError(f"where must be a table of names and values, not {type(where).__name__}")
    try:
        return json.dumps(dict(where), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as problem:
        raise InputError("where takes texts, numbers, true, false, null, and lists of these") from problem


class Tables:
    """The tables of a store as one transaction sees them."""

    __slots__ = (
        "access_keys", "amounts", "audit", "conversations", "copies", "documents", "doubts", "entities", "events",
        "held_values", "jobs", "ledger", "moving", "people", "purge", "records", "rows", "sealed", "search", "tenant",
        "times", "tombstones", "transfer", "vectors", "webhooks",
    )  # fmt: skip

    access_keys: AccessKeyTable
    amounts: AmountTable
    audit: AuditTable
    conversations: ConversationTable
    copies: CopyTable
    documents: DocumentTable
    doubts: DoubtTable
    entities: EntityTable
    events: EventTable
    held_values: HeldValueTable
    jobs: JobTable
    ledger: LedgerTable
    moving: MoveTable
    people: PeopleTable
    purge: PurgeTable
    records: RecordTable
    sealed: SealedTable
    search: SearchTable
    times: TimeTable
    tombstones: TombstoneTable
    transfer: TransferTable
    vectors: VectorTable
    webhooks: WebhookTable

    def __init__(self, rows: Rows, tenant: str) -> None:
        self.rows = rows
        self.tenant = tenant

    def __getattr__(self, name: str) -> Any:
        """A table when it is first used: most transactions use a few of them."""
        if name not in _TABLES:
            raise AttributeError(name)
        table = _TABLES[name](self.rows, self.tenant)
        setattr(self, name, table)
        return table

    def fetch_ahead(self, *works: Callable[[Tables], object]) -> bool:
        """Ask at once for what each of these reads first; see `storage.rows`."""
        return self.rows.fetch_ahead([partial(_read_first, work, self.tenant) for work in works])


def _read_first(work: Callable[[Tables], object], tenant: str, rows: Rows) -> None:
    work(Tables(rows, tenant))


_TABLES: Mapping[str, Callable[[Rows, str], Any]] = {
    "access_keys": AccessKeyTable, "amounts": AmountTable, "audit": AuditTable,
    "conversations": ConversationTable, "copies": CopyTable,
    "documents": DocumentTable, "doubts": DoubtTable, "entities": EntityTable, "events": EventTable,
    "held_values": HeldValueTable, "jobs": JobTable, "ledger": LedgerTable, "moving": MoveTable,
    "people": PeopleTable, "purge": PurgeTable, "records": RecordTable, "sealed": SealedTable, "search": SearchTable,
    "times": TimeTable,
    "tombstones": TombstoneTable, "transfer": TransferTable, "vectors": VectorTable,
    "webhooks": WebhookTable,
}  # fmt: skip


class Store(Protocol):
    """A place where memory is kept. `key` is what its files are encrypted with, if they are."""

    key: EncryptionKey | None

    @property
    def place(self) -> str:
        """Where it is, for messages: a path or an address without secrets."""

    def read(self, work: Callable[[Tables], T], *, person: str | None = None) -> T:
        """What `work` makes of one unchanging view of the store. Called from any thread, many at once.

        With `person`, a store that guards its rows shows nothing that is private to others; else the engine reads.
        """

    def write(self, work: Callable[[Tables], T], *, alone: bool = True) -> T:
        """What `work` returns, once all it wrote is durable; if it raises, nothing of it is kept.

        `work` may run only once and must not wait for anything but the store: no model, no network. With `alone=False`
        other writers may come between its statements, where the store allows it: for work that is safe then, as leases.
        """

    def listen(self, wake: Callable[[], object]) -> Callable[[], None]:
        """Call `wake` when any process plans a job that is due, if the store can notice; returns how to stop."""

    def vector_search(self, *, model: str, dimensions: int) -> NearestRecords:
        """The search by vectors of one model in this store."""

    def backup(self, target: str) -> None:
        """A whole, consistent copy at `target`, while others go on."""

    def check(self, *, repair: bool) -> list[str]:
        """What is wrong with the store, in words; with `repair`, what was done about it. Nothing wrong is []."""

    def compact(self) -> None:
        """Give back room and bring what was written to its final place."""

    def rewrite(self) -> tuple[str, ...]:
        """Write the whole store again, so that nothing deleted is left in its files and statistics.

        Returns what is left all the same and why, in words: others may read older states. Call it again later then.
        """

    def find_in_statistics(self, texts: Collection[str]) -> set[str]:
        """Which of these texts a server keeps beside its tables to plan queries, as far as one may look.

        Nothing where `files` are all there is.
        """

    def files(self) -> list[str]:
        """The paths of the files that the store is made of, as far as they exist."""

    def size(self) -> int:
        """Bytes the store takes."""

    def close(self) -> None:
        """Finish pending writes and close the store."""
