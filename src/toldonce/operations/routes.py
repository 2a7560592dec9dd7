"""The one table of operations over HTTP: which method and path each has, and what a credential needs for it.

The server makes its REST API of it, and the remote memory its calls. Arguments, types and texts come from the
operations themselves.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from toldonce.access import MANAGERS, ROLES
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
from toldonce.operations.wire import resolve_hints

PREFIX = "/v1"
GROUPS: dict[str, type] = {
    "": Memory, "audit": Audit, "documents": Documents, "jobs": Jobs, "journals": Journals, "keys": Keys,
    "people": People, "review": Review, "sealed": Sealed, "sessions": Sessions, "spaces": Spaces,
    "storage": Storage, "team": Team, "webhooks": Webhooks,
}  # fmt: skip

# "own" is for whoever owns the whole memory: every space, for everybody.
RouteRight = Literal["read", "write", "manage", "own"]
Listing = Literal["", "newest first", "newest last"]
# Arguments that name records, whose spaces a credential must reach.
RECORD_ARGUMENTS = ("record_id", "older_id", "newer_id", "source")


@dataclass(frozen=True, slots=True)
class Route:
    """One operation.

    `acts_as` is the argument that says on whose behalf: a credential of a person fixes it. `about` names whom the
    operation is about: a person may name themselves only, unless the credential may manage. `each` is an argument with
    many things that each name a person and a space. With `for_all` it concerns everybody, and a credential of a person
    must be allowed to manage. `across` is an argument that lists spaces: those that the credential reaches. `without`
    lists arguments that cannot travel. A person with one of `roles` in the space needs no more than `read` or `write`,
    and gets it for that space alone. With `by_host`, whoever owns the whole memory does it as its host, unless they
    say on whose behalf. One that `is_keyed` takes idempotency keys itself.
    """

    operation: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    right: RouteRight = "read"
    acts_as: str = ""
    about: str = ""
    each: str = ""
    for_all: bool = False
    across: str = ""
    listing: Listing = ""
    without: tuple[str, ...] = ()
    by_host: bool = False
    roles: tuple[str, ...] = ()
    is_keyed: bool = False

    @property
    def function(self) -> Callable[..., Any]:
        """The operation as its class defines it."""
        group, _, name = self.operation.rpartition(".")
        found: Callable[..., Any] = getattr(GROUPS[group], name)
        return found

    @property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """The arguments that travel."""
        return _list_parameters(self)

    @property
    def result(self) -> Any:
        """The type of the answer."""
        return resolve_hints(self.function)["return"]

    @property
    def is_write(self) -> bool:
        """Whether the operation changes something that a repeated request must not change twice."""
        return self.right != "read" and self.method != "GET"


@cache
def _list_parameters(route: Route) -> dict[str, inspect.Parameter]:
    given = inspect.signature(route.function).parameters
    return {name: p for name, p in given.items() if name != "self" and name not in route.without}


_RECORD = "/records/{record_id}"
# Their answers are or take files, so that their arguments are in the query.
FILES = ("export", "import_")

TABLE: tuple[Route, ...] = (
    Route("observe", "POST", "/messages", "write", acts_as="user", is_keyed=True),
    Route("observe_many", "POST", "/messages/batch", "write", each="messages", is_keyed=True),
    Route("remember", "POST", "/records", "write", acts_as="user"),
    Route("settle", "POST", "/settle", "write", acts_as="user"),
    Route("recall", "POST", "/recall", acts_as="user"),
    Route("context", "POST", "/context", acts_as="viewer", about="user", without=("annotate", "around")),
    Route("review.records", "GET", "/records", acts_as="user", listing="newest first"),
    Route("review.activity", "GET", "/records/activity", acts_as="user"),
    Route("review.count", "GET", "/records/counts", acts_as="user"),
    Route("get", "GET", _RECORD, acts_as="user"),
    Route("history", "GET", f"{_RECORD}/history", acts_as="user"),
    Route("why_not", "POST", f"{_RECORD}/why-not", acts_as="user"),
    Route("confirm", "POST", f"{_RECORD}/confirm", "write", acts_as="user"),
    Route("correct", "POST", f"{_RECORD}/correct", "write", acts_as="user"),
    Route("flag", "POST", f"{_RECORD}/flag", "write", acts_as="user"),
    Route("pin", "POST", f"{_RECORD}/pin", "write", acts_as="user"),
    Route("review.share", "POST", f"{_RECORD}/share", "write", acts_as="user"),
    Route("forget", "POST", f"{_RECORD}/forget", "write", acts_as="user"),
    Route("restore", "POST", f"{_RECORD}/restore", "write", acts_as="user"),
    Route("purge", "DELETE", _RECORD, "write", acts_as="user"),
    Route("review.supersede", "POST", "/records/{older_id}/supersede", "write", acts_as="user"),
    Route("review.propose", "POST", "/proposals", "write", each="statements"),
    Route("review.waiting", "GET", "/proposals", acts_as="user", listing="newest first"),
    Route("questions", "GET", "/questions", acts_as="user", listing="newest first"),
    Route("answer", "POST", "/questions/{question_id}/answer", "write", acts_as="user"),
    Route("profile", "GET", "/profile", acts_as="reader"),
    Route("documents.forget_line", "POST", "/profile/forget-line", "write", acts_as="reader"),
    Route("documents.all", "GET", "/documents", acts_as="user", listing="newest last"),
    Route("documents.remove", "DELETE", "/documents/{name}", "write", about="owner"),
    Route("documents.get", "GET", "/documents/{name}", acts_as="user"),
    Route("documents.change", "PUT", "/documents/{name}", "write", about="owner", without=("change", "writer")),
    Route("journals.write", "POST", "/journal", "write", acts_as="user"),
    Route("journals.notes", "GET", "/journal", acts_as="user", listing="newest first"),
    Route("journals.forget", "POST", "/journal/forget", "write", acts_as="user"),
    Route("entity", "GET", "/entity", acts_as="user"),
    Route("review.entities", "GET", "/entities", acts_as="user"),
    Route("timeline", "GET", "/timeline", acts_as="user", listing="newest last"),
    Route("report", "POST", "/reports", "write", acts_as="user"),
    Route("stats", "GET", "/stats", acts_as="user"),
    Route("people.all", "GET", "/people", for_all=True, listing="newest first"),
    Route("people.update", "PATCH", "/people", "write", about="user"),
    Route("people.block", "POST", "/people/block", "write", about="user"),
    Route("people.is_kept_out", "GET", "/people/kept-out", about="user"),
    Route("people.consents", "GET", "/people/consents", about="user", listing="newest first"),
    Route("people.set_consent", "POST", "/people/consents", "write", about="user"),
    Route("people.members", "GET", "/people/members"),
    Route("people.add_member", "PUT", "/people/members", "manage", acts_as="by", by_host=True, roles=MANAGERS),
    Route("people.remove_member", "POST", "/people/members/remove", "manage", acts_as="by", by_host=True, roles=ROLES),
    Route("erase", "POST", "/people/erase", "write", about="user"),
    Route("sessions.window", "GET", "/sessions/window", acts_as="user", listing="newest last"),
    Route("sessions.around", "GET", f"{_RECORD}/around", acts_as="user"),
    Route("sessions.shown", "GET", "/sessions/shown", acts_as="user"),
    Route("sessions.mark_shown", "POST", "/sessions/shown", "write", acts_as="user"),
    Route("sessions.mark_settled", "POST", "/sessions/mark-settled", "write", for_all=True),
    Route("sessions.unsettled", "GET", "/conversations", acts_as="user", listing="newest first"),
    Route("sessions.settle_each", "POST", "/conversations/settle", "own"),
    Route("sessions.settle_one", "POST", "/conversations/settle-one", "own"),
    Route("spaces.all", "GET", "/spaces", listing="newest first"),
    Route("spaces.add", "POST", "/spaces", "own"),
    Route("spaces.preset", "GET", "/spaces/preset"),
    Route("spaces.why_off", "GET", "/spaces/why-off"),
    Route("spaces.switch", "POST", "/spaces/switch", "manage"),
    Route("spaces.delete", "POST", "/spaces/delete", "manage"),
    Route("spaces.restore", "POST", "/spaces/restore", "manage"),
    Route("spaces.quota", "GET", "/spaces/quota"),
    Route("spaces.set_quota", "PUT", "/spaces/quota", "manage"),
    Route("spaces.tenant_quota", "GET", "/tenant/quota", "own"),
    Route("spaces.set_tenant_quota", "PUT", "/tenant/quota", "own"),
    Route("tend", "POST", "/jobs/tend", "own"),
    Route("jobs.all", "GET", "/jobs", "own", listing="newest first"),
    Route("jobs.runs", "GET", "/jobs/runs", "own", listing="newest first"),
    Route("jobs.costs", "GET", "/jobs/costs", "own", listing="newest last"),
    Route("jobs.usage", "GET", "/jobs/usage", "own", listing="newest first"),
    Route("jobs.reembed", "POST", "/jobs/reembed", "own"),
    Route("jobs.refused_vectors", "GET", "/jobs/refused-vectors", "own", listing="newest first"),
    Route("audit.entries", "GET", "/audit", "own", listing="newest first", roles=MANAGERS),
    Route("audit.verify", "GET", "/audit/verify", "own"),
    Route("audit.keep_days", "PUT", "/audit/keep-days", "own"),
    Route("audit.expire", "POST", "/audit/expire", "own"),
    Route("audit.record_key_change", "POST", "/audit/key-change", "own"),
    Route("storage.backup", "POST", "/storage/backup", "own", without=("target",)),
    Route("storage.backups", "GET", "/storage/backups", "own"),
    Route("storage.check", "POST", "/storage/check", "own"),
    Route("keys.add", "POST", "/keys", "own"),
    Route("keys.all", "GET", "/keys", "own", listing="newest first"),
    Route("keys.rotate", "POST", "/keys/{key_id}/rotate", "own"),
    Route("keys.revoke", "POST", "/keys/{key_id}/revoke", "own"),
    Route("webhooks.add", "POST", "/webhooks", "own"),
    Route("webhooks.all", "GET", "/webhooks", "own", listing="newest first"),
    Route("webhooks.remove", "DELETE", "/webhooks/{webhook_id}", "own"),
    Route("webhooks.test", "POST", "/webhooks/{webhook_id}/test", "own"),
    Route("team.search", "POST", "/team/search", acts_as="user", across="spaces"),
    Route("team.figures", "POST", "/team/figures", acts_as="user", across="spaces"),
    Route("sealed.put", "POST", "/sealed", "write", each="items"),
    Route("sealed.search", "POST", "/sealed/search", acts_as="user"),
    Route("sealed.all", "GET", "/sealed", acts_as="user", listing="newest first"),
    Route("sealed.count", "GET", "/sealed/count", acts_as="user"),
    Route("sealed.get", "GET", "/sealed/{item_id}", acts_as="user"),
    Route("sealed.delete", "DELETE", "/sealed/{item_id}", "write", acts_as="user"),
    Route("export", "GET", "/export", about="user", without=("path", "encryption_key", "plain")),
    Route("import_", "POST", "/import", "own", without=("path", "encryption_key")),
)

# Operations of a memory that have no path: the first three are the client's own, the last is the server's.
LOCAL = ("open", "close", "on", "keys.identify")
ROUTES: dict[str, Route] = {route.operation: route for route in TABLE}
