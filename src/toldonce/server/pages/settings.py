"""Settings: spaces, members, keys, consent, quotas, models, jobs, backups and all data, one page a part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from toldonce.access import MANAGERS, ROLES
from toldonce.operations.routes import RouteRight
from toldonce.presets import shipped_presets
from toldonce.presets.policy import Quota
from toldonce.server.pages.call import Done, PageCall, PageView
from toldonce.server.problems import FieldProblem, RequestProblem

_RIGHTS = ("read", "write", "manage")
_MILLIONTH = 1_000_000
_RUNS = 40


def show_settings(call: PageCall) -> PageView:
    """One part of the settings, with the list of all that this person may see."""
    parts = [name for name, (right, _) in PARTS.items() if call.identity.may(right)]
    wanted = call.named.get("part") or parts[0]
    if wanted not in PARTS:
        raise RequestProblem(404, "nothing-there", "there is no such part of the settings")
    right, read = PARTS[wanted]
    if not call.identity.may(right):
        raise RequestProblem(403, "NotAllowed", f"this part needs a credential with the right {right!r}")
    return PageView({"parts": parts, "part": wanted, **read(call)}, template="settings.html")


def _read_view(call: PageCall) -> dict[str, Any]:
    return {"place": call.memory.store.place if call.identity.may("own") else ""}


def _read_spaces(call: PageCall) -> dict[str, Any]:
    return {
        "all_spaces": call.run("spaces.all")["items"],
        "presets": shipped_presets(),
        "may_add": call.identity.may("own"),
    }


def _read_members(call: PageCall) -> dict[str, Any]:
    members = call.run("people.members")
    own = members.get(call.person or "")
    may_manage = call.identity.may("write") and (call.identity.may("manage") or own in MANAGERS)
    return {"members": members, "roles": ROLES, "may_manage": may_manage, "own_role": own}


def _read_keys(call: PageCall) -> dict[str, Any]:
    keys = call.run("keys.all", limit=200)["items"]
    return {"keys": [{**key, "status": _status_of_key(call, key)} for key in keys], "rights": _RIGHTS, "secret": ""}


def _status_of_key(call: PageCall, key: Mapping[str, Any]) -> str:
    if key["revoked_at"]:
        return "revoked"
    return "expired" if key["expires_at"] and call.t.local(key["expires_at"]) <= call.t.now else "active"


def _read_consent(call: PageCall) -> dict[str, Any]:
    people = call.run("people.all", limit=200)["items"]
    rows = []
    for person in people:
        consents = call.run("people.consents", user=person["id"])["items"]
        rows.append(
            {
                "id": person["id"],
                "name": person["display_name"] or person["username"] or person["id"],
                "href": f"/people/{quote(person['id'], safe='')}",
                "blocked": person["blocked"],
                "newest": consents[0] if consents else None,
            }
        )
    return {"consent_rows": rows}


def _read_quotas(call: PageCall) -> dict[str, Any]:
    return {
        "quota": call.run("spaces.quota"),
        "quota_names": list(asdict(Quota())),
        "stats": call.memory.stats(space=call.space.name),
    }


def _read_models(call: PageCall) -> dict[str, Any]:
    usage = call.run("jobs.usage", limit=200)["items"]
    rows = [{**one, "money": one["cost"] / _MILLIONTH} for one in usage]
    return {
        "usage": rows,
        "total": sum(one["money"] for one in rows),
        "embedder": call.memory.embedder.name if call.memory.embedder else "",
        "refused": len(call.run("jobs.refused_vectors", limit=200)["items"]),
    }


def _read_jobs(call: PageCall) -> dict[str, Any]:
    runs = call.run("jobs.runs", limit=200)["items"]
    shown = [one for one in runs if one["status"] != "skipped"][:_RUNS]
    rows = [
        {**one, "seconds": (call.t.local(one["ended_at"]) - call.t.local(one["started_at"])).total_seconds()}
        for one in shown
    ]
    return {"planned": call.run("jobs.all", limit=200)["items"], "runs": rows}


def _read_backups(call: PageCall) -> dict[str, Any]:
    return {"backups": call.run("storage.backups"), "place": call.memory.store.place}


def _read_data(call: PageCall) -> dict[str, Any]:
    person = call.person
    erase = f"/people/{quote(person, safe='')}/erase" if person else ""
    return {
        "person": person or "",
        "erase": erase,
        "export": call.url("/v1/export", user=person, space=call.space.name),
    }


PARTS: dict[str, tuple[RouteRight, Callable[[PageCall], dict[str, Any]]]] = {
    "view": ("read", _read_view),
    "spaces": ("read", _read_spaces),
    "members": ("read", _read_members),
    "consent": ("manage", _read_consent),
    "quotas": ("manage", _read_quotas),
    "keys": ("own", _read_keys),
    "models": ("own", _read_models),
    "jobs": ("own", _read_jobs),
    "backups": ("own", _read_backups),
    "data": ("read", _read_data),
}


# Acts


def add_space(call: PageCall) -> Done:
    """Create a space."""
    name = call.field("name", most=100)
    if not name:
        raise FieldProblem(call.t("settings.name_empty"), field="s-name")
    call.run("spaces.add", name=name, preset=call.field("preset"))
    return Done("/settings/spaces", "space_added")


def switch_space(call: PageCall) -> Done:
    """Switch memory on or off in a space."""
    is_on = call.field("on") == "yes"
    call.run("spaces.switch", on=is_on, space=call.field("space"))
    return Done("/settings/spaces", "space_on" if is_on else "space_off")


def set_member(call: PageCall) -> Done:
    """Give a person a role, or take it away."""
    user, role = call.field("user", most=200), call.field("role")
    if not user:
        raise FieldProblem(call.t("settings.person_empty"), field="s-user")
    if role == "none":
        call.run("people.remove_member", user=user)
        return Done("/settings/members", "member_removed")
    call.run("people.add_member", user=user, role=role)
    return Done("/settings/members", "member_set")


def add_key(call: PageCall) -> PageView:
    """Make a key; its secret is shown once, on this page only."""
    name, person = call.field("name", most=100), call.field("user", most=200)
    rights = [right for right in call.form.get("rights", ()) if right in _RIGHTS] or ["read", "write"]
    if not name:
        raise FieldProblem(call.t("settings.name_empty"), field="s-name")
    made = call.run("keys.add", name=name, user=person or None, rights=rights)
    values = {"parts": [part for part, (right, _) in PARTS.items() if call.identity.may(right)], "part": "keys"}
    return PageView({**values, **_read_keys(call), "secret": made["secret"]}, template="settings.html")


def revoke_key(call: PageCall) -> Done:
    """Make a key useless for good."""
    call.run("keys.revoke", key_id=call.named["key_id"])
    return Done("/settings/keys", "key_revoked")


def set_quota(call: PageCall) -> Done:
    """Set the limits of a space."""
    amounts = {}
    for name in asdict(Quota()):
        said = call.field(name, most=20) or "0"
        if not said.isdecimal():
            raise FieldProblem(call.t("settings.number_wrong"), field=f"s-{name}")
        amounts[name] = int(said)
    call.run("spaces.set_quota", quota=Quota(**amounts))
    return Done("/settings/quotas", "quota_set")


def run_jobs(call: PageCall) -> Done:
    """Run every job that is due."""
    call.run("tend")
    return Done("/settings/jobs", "jobs_run")


def make_backup(call: PageCall) -> Done:
    """Make the next rolling copy."""
    call.run("storage.backup")
    return Done("/settings/backups", "backup_made")
