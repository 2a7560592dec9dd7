"""Every public operation of `Memory`, those of its groups with their group's name, for tests that walk over all."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from toldonce.aio import (
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
from toldonce.memory import Memory
from toldonce.operations.audit import Audit
from toldonce.operations.documents import Documents
from toldonce.operations.jobs import Jobs
from toldonce.operations.journals import Journals
from toldonce.operations.keys import Keys
from toldonce.operations.people import People
from toldonce.operations.review import Review
from toldonce.operations.sealed import Sealed
from toldonce.operations.sessions import Sessions
from toldonce.operations.spaces import Spaces
from toldonce.operations.team import Team
from toldonce.operations.transfer import Storage
from toldonce.operations.webhooks import Webhooks

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
    return {name for name, member in inspect.getmembers(owner, callable) if not name.startswith("_")}


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
