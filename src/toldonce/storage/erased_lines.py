"""Which lines of an import are of a person who was erased after they were written: those stay out.

An export made before an erasure must not bring the person back; what the same person says afterwards is welcome.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toldonce.clock import from_micros, to_micros
from toldonce.records import PERSONAL
from toldonce.storage import erase
from toldonce.storage.store import Tables

Values = dict[str, Any]
_PAGE = 500

# For each type of line the field that names a person, and the moment that it is from.
_OWNERS: Mapping[str, tuple[str, str]] = {
    "person": ("id", "seen_at"),
    "record": ("user", "created_at"),
    "document": ("owner", "at"),
    "question": ("user", "created_at"),
    # The moment of a sealed item is a client's: what an export has was there when it was written.
    "sealed": ("user", ""),
}


class ErasedLines:
    """Decides line by line, in the order of an export: what a line names has come before it."""

    def __init__(self, tables: Tables, *, exported_at: int) -> None:
        self.count = 0
        self._tables = tables
        self._exported_at = exported_at
        self._is_needed = not tables.tombstones.is_empty()
        self._erased: dict[tuple[str, str], int] = {}
        self._spaces: set[str] = set()
        self._records: set[str] = set()
        self._drawn: set[str] = set()
        self._answers_erased: dict[str, bool] = {}
        self._speakers: dict[tuple[str, str], set[bool]] = {}
        self._unnamed: dict[tuple[str, str], list[str]] = {}
        self._special: Mapping[str, Callable[[Values], bool]] = {
            "space": self._is_own_space, "member": self._is_member, "conversation": self._without_name,
            "record": self._is_record, "change": lambda v: v["record"] in self._records, "link": self._is_link,
            "entity": self._is_entity, "document": self._is_document, "question": self._is_question,
            "setting": self._is_setting,
        }  # fmt: skip

    def refuse(self, type_: str, values: Values) -> bool:
        """Whether a line stays out; one that stays in may have lost what came from an erased person."""
        if not self._is_needed:
            return False
        is_refused = values.get("space") in self._spaces or self._is_owned(type_, values)
        if type_ == "record":
            self._track_speaker(values, is_refused=is_refused)
        is_refused = is_refused or (type_ in self._special and self._special[type_](values))
        if is_refused and type_ == "record":
            self._records.add(values["id"])
        self.count += is_refused
        return is_refused

    def finish(self) -> None:
        """Destroy what came in before it showed that it was drawn from something refused."""
        alone = [ids for place, ids in self._unnamed.items() if self._speakers.get(place) == {True}]
        late = {*self._drawn, *(id_ for ids in alone for id_ in ids)}
        if late:
            seqs = self._tables.purge.with_derived(self._tables.records.find_places(sorted(late)), whole=True)
            self.count += erase.destroy_records(self._tables, seqs, now=from_micros(self._exported_at), whole=True)
        if self.count:
            self._tables.purge.drop_lone()

    def _is_erased(self, user: str | None, space: str, at: int) -> bool:
        if not user:
            return False
        if (user, space) not in self._erased:
            erased_at = self._tables.tombstones.erased_at(user, space)
            self._erased[user, space] = -1 if erased_at is None else to_micros(erased_at)
        return at <= self._erased[user, space]

    def _is_owned(self, type_: str, values: Values) -> bool:
        if type_ not in _OWNERS:
            return False
        person, moment = _OWNERS[type_]
        return self._is_erased(values[person], values["space"], values[moment] if moment else self._exported_at)

    def _track_speaker(self, values: Values, *, is_refused: bool) -> None:
        """Keep in mind who spoke last in a conversation, and who spoke at all in a session."""
        if values["conversation"] and values["role"] == "user":
            self._answers_erased[values["conversation"]] = is_refused
        if values["session"] and values["user"]:
            self._speakers.setdefault((values["space"], values["session"]), set()).add(is_refused)

    def _is_record(self, values: Values) -> bool:
        told = json.loads(values["metadata"]).get("participants")
        people = told if isinstance(told, list) else ()
        if any(isinstance(p, str) and self._is_erased(p, values["space"], values["created_at"]) for p in people):
            return True
        if values["user"] is not None:
            return False
        if values["session"]:
            self._unnamed.setdefault((values["space"], values["session"]), []).append(values["id"])
        return values["role"] != "user" and self._answers_erased.get(values["conversation"] or "", False)

    def _is_own_space(self, values: Values) -> bool:
        name = values["name"]
        is_own = name.startswith(PERSONAL) and self._is_erased(name[len(PERSONAL) :], name, values["created_at"])
        if is_own:
            self._spaces.add(name)
        return is_own

    def _is_member(self, values: Values) -> bool:
        return self._is_erased(values["person"], values["space"], self._exported_at)

    def _without_name(self, values: Values) -> bool:
        """Others may have spoken in a conversation that an erased person began, so only the name goes."""
        if self._is_erased(values["user"], values["space"], values["started_at"]):
            if values["key"] == f"user:{values['user']}":
                values["key"] = f"erased:{values['id']}"
            values["user"] = None
        return False

    def _is_link(self, values: Values) -> bool:
        source, target = values["source"] in self._records, values["target"] in self._records
        if target and not source and values["link_type"] == "derived_from":
            self._drawn.add(values["source"])
        return source or target

    def _is_entity(self, values: Values) -> bool:
        """An entity stays out that only refused records mention."""
        named = json.loads(values["records"])
        left = [record for record in named if record not in self._records]
        values["records"] = json.dumps(left)
        if left and len(left) < len(named):
            self._drop_aliases(values, left)
        return bool(named) and not left

    def _drop_aliases(self, values: Values, records: Sequence[str]) -> None:
        """Without the ways to write an entity that only refused records used, where another way is left."""
        aliases = json.loads(values["aliases"])
        unsaid = {alias["shown"] for alias in aliases}
        for start in range(0, len(records), _PAGE):
            texts = [r.text.casefold() for r in self._tables.records.get(records[start : start + _PAGE]).values()]
            unsaid = {shown for shown in unsaid if not any(shown.casefold() in text for text in texts)}
        kept = [alias for alias in aliases if alias["shown"] not in unsaid]
        if kept and len(kept) < len(aliases):
            values["aliases"] = json.dumps(kept, ensure_ascii=False)
            shown = {alias["shown"] for alias in kept}
            values["name"] = values["name"] if values["name"] in shown else min(shown)

    def _is_document(self, values: Values) -> bool:
        entries = json.loads(values["entries"])
        left = [entry for entry in entries if self._records.isdisjoint(entry["sources"])]
        if len(left) < len(entries):
            texts, data = {entry["text"] for entry in left}, json.loads(values["data"])
            data["subjects"] = {k: v for k, v in data.get("subjects", {}).items() if v in texts}
            values["entries"], values["data"] = json.dumps(left, ensure_ascii=False), json.dumps(data)
        return False

    def _is_question(self, values: Values) -> bool:
        return values["older"] in self._records or values["newer"] in self._records

    def _is_setting(self, values: Values) -> bool:
        session = values["key"].removeprefix("shown:")
        if session == values["key"]:
            return False
        names = (session, session.rpartition("/")[0])
        is_alone = any(self._speakers.get((values["space"], name)) == {True} for name in names)
        return is_alone or not self._records.isdisjoint(values["value"].split())
