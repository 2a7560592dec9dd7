"""What every store must do, as tests. A backend's test file gives the fixtures and a subclass for each class here.

    class TestRecords(conformance.RecordsConformance): ...

Fixtures: `store`, an empty `Store`; `reopen`, which closes a store and opens the same place again, or skips where a
store lives no longer than its process; `open_copy`, which opens what `Store.backup` made; `spare_store`, a second empty
store; `copy_path`, where a backup or an export may go. The package never imports this folder; it needs pytest.
"""

import pytest

pytest.register_assert_rewrite(
    *(
        f"{__name__}.{name}"
        for name in (
            "access",
            "amounts",
            "audit",
            "conversations",
            "documents",
            "doubts",
            "entities",
            "erasure",
            "events",
            "jobs",
            "ledger",
            "moving",
            "people",
            "purge",
            "records",
            "sealed",
            "search",
            "times",
            "transactions",
            "transfer",
            "upkeep",
            "vectors",
            "views",
            "webhooks",
        )
    )
)

# Their assertions are rewritten only when they are imported after that.
from toldonce.conformance.access import AccessConformance  # noqa: E402
from toldonce.conformance.amounts import AmountsConformance  # noqa: E402
from toldonce.conformance.audit import AuditConformance  # noqa: E402
from toldonce.conformance.conversations import ConversationsConformance  # noqa: E402
from toldonce.conformance.documents import DocumentsConformance  # noqa: E402
from toldonce.conformance.doubts import DoubtsConformance  # noqa: E402
from toldonce.conformance.entities import EntitiesConformance  # noqa: E402
from toldonce.conformance.erasure import ErasureConformance  # noqa: E402
from toldonce.conformance.events import EventsConformance  # noqa: E402
from toldonce.conformance.jobs import JobsConformance  # noqa: E402
from toldonce.conformance.ledger import LedgerConformance  # noqa: E402
from toldonce.conformance.moving import MovingConformance  # noqa: E402
from toldonce.conformance.people import PeopleConformance  # noqa: E402
from toldonce.conformance.purge import PurgeConformance  # noqa: E402
from toldonce.conformance.records import RecordsConformance  # noqa: E402
from toldonce.conformance.sealed import SealedConformance  # noqa: E402
from toldonce.conformance.search import SearchConformance  # noqa: E402
from toldonce.conformance.times import TimesConformance  # noqa: E402
from toldonce.conformance.transactions import TransactionsConformance  # noqa: E402
from toldonce.conformance.transfer import TransferConformance  # noqa: E402
from toldonce.conformance.upkeep import UpkeepConformance  # noqa: E402
from toldonce.conformance.vectors import VectorsConformance  # noqa: E402
from toldonce.conformance.views import ViewsConformance  # noqa: E402
from toldonce.conformance.webhooks import WebhooksConformance  # noqa: E402

__all__ = [
    "AccessConformance",
    "AmountsConformance",
    "AuditConformance",
    "ConversationsConformance",
    "DocumentsConformance",
    "DoubtsConformance",
    "EntitiesConformance",
    "ErasureConformance",
    "EventsConformance",
    "JobsConformance",
    "LedgerConformance",
    "MovingConformance",
    "PeopleConformance",
    "PurgeConformance",
    "RecordsConformance",
    "SealedConformance",
    "SearchConformance",
    "TimesConformance",
    "TransactionsConformance",
    "TransferConformance",
    "UpkeepConformance",
    "VectorsConformance",
    "ViewsConformance",
    "WebhooksConformance",
]
