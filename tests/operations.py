"""Every public operation of `Memory`, those of its groups with their group's name, for tests that walk over all."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from recollect.aio import (
    AsyncAudit,
    AsyncDocuments,
    AsyncJobs,
    AsyncJournals,
    AsyncKeys,
    AsyncMemory,
    AsyncPeople,
    AsyncReview,
    AsyncSealed,
    AsyncSessions,
    AsyncSpaces,
    AsyncStorage,
    AsyncTeam,
    AsyncWebhooks,
)
from recollect.memory import Memory
from recollect.operations.audit import Audit
from recollect.operations.documents import Documents
from recollect.operations.jobs import Jobs
from recollect.operations.journals import Journals
from recollect.operations.keys import Keys
from recollect.operations.people import People
from recollect.operations.review import Review
from recollect.operations.sealed import Sealed
from recollect.operations.sessions import Sessions
from recollect.operations.spaces import Spaces
from recollect.operations.team import Team
from recollect.operations.transfer import Storage
from recollect.operations.webhooks import Webhooks

# Name of the group, its class and the awaited one; "" is Memory itself.
GROUPS: dict[str, tuple[type, type]] = {
    "": (Memory, AsyncMemory),
    "audit": (Audit, AsyncAudit),
    "documents": (Documents, AsyncDocuments),
    "jobs": (Jobs, AsyncJobs),
    "journals": (Journals, AsyncJournals),
    "keys": (Keys, AsyncKeys),
    "people": (People, AsyncPeople),
    "review": (Review, AsyncReview),
    "sealed": (Sealed, AsyncSealed),
    "sessions": (Sessions, AsyncSessions),
    "spaces": (Spaces, AsyncSpaces),
    "storage": (Storage, AsyncStorage),
    "team": (Team, AsyncTeam),
    "webhooks": (Webhooks, AsyncWebhooks),
}


def methods_of(owner: type) -> set[str]:
    return {name for name, member in inspect.getmembers(owner, callable) if not name.startswith("_")} - {"job_runner"}


def all_operations() -> list[str]:
    """As callers write them after `memory.`: observe, people.block, ..."""
    return sorted(
        f"{group}.{name}".removeprefix(".") for group, (owner, _) in GROUPS.items() for name in methods_of(owner)
    )


def signature_of(name: str) -> inspect.Signature:
    group, _, method = name.rpartition(".")
    return inspect.signature(getattr(GROUPS[group][0], method))


def bound_operation(memory: Memory, name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = attrgetter(name)(memory)
    return found
