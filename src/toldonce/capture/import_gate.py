"""The gate of an import: every line of a file passes what messages and statements pass, before it becomes a row.

Checked values of a line go in, values that may be stored go out. Changes and drops are counted; their text is never
reported. What only a person can grant (validated, pinned, roles, trust in a person's own words) is accepted from a
trusted file only.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from toldonce.capture.fields import MOST_LISTED, check_lists, check_metadata, check_names, check_texts
from toldonce.capture.gate import GateLimits, admit_through_gate
from toldonce.capture.observe import redact_nested
from toldonce.errors import TooMany
from toldonce.presets.policy import Preset
from toldonce.records import Trust

VALIDATED = "marks as validated"
PINNED = "pins"
TRUST = "records whose trust was lowered"
ROLES = "roles of members"
SETTINGS = "settings"
SECRETS = "secrets redacted"
CONTROLS = "texts with control characters cleaned"
ERASED = "of a person who was erased"
# What a person may bring along when they say that a file is their own.
NEEDS_TRUST = (VALIDATED, PINNED, TRUST, ROLES, SETTINGS)

Values = dict[str, Any]
_NAMES: Mapping[str, tuple[str, ...]] = {
    "space": ("name",), "person": ("id", "username", "display_name", "language"), "member": ("person",),
    "conversation": ("id", "key", "user", "session", "channel"),
    "record": (
        "id", "user", "session", "channel", "branch", "subject", "author", "made_by", "state_reason", "superseded_by"
    ),
    "change": ("record", "reason", "by", "other"), "entity": ("id", "name", "entity_type"),
    "document": ("owner", "name"), "question": ("id", "user"), "setting": ("key",),
    "sealed": ("id", "user", "seal", "model_name"),
}  # fmt: skip


class ImportGate:
    """Screens the lines of one file; `counts` says what was taken out of them."""

    def __init__(self, *, trusted: bool) -> None:
        self.counts: Counter[str] = Counter()
        self._trusted = trusted
        self._screens: Mapping[str, Callable[[Values, Preset], Values | None]] = {
            "record": self._record, "document": self._document, "question": self._question, "member": self._member,
            "setting": self._setting, "entity": self._entity, "change": self._change, "person": self._person,
        }  # fmt: skip

    def screen(self, type_: str, values: Values, preset: Preset) -> Values | None:
        """The values as they may be kept; None to leave the line out. Raises InputError for what cannot be taken."""
        check_names(**{name: values[name] for name in _NAMES.get(type_, ())})
        screen = self._screens.get(type_)
        return values if screen is None else screen(values, preset)

    def _record(self, values: Values, preset: Preset) -> Values:
        kind = preset.kind(values["kind"])
        tags = json.loads(values["tags"])
        check_lists(tags=tags)
        check_names(**{f"tags[{place}]": tag for place, tag in enumerate(tags)})
        check_texts(summary=values["summary"], title=values["title"])
        secrets_go = preset.capture.redact_secrets
        metadata = redact_nested(check_metadata(json.loads(values["metadata"])), secrets_go)
        text = self._admitted(values["text"], preset, most=kind.max_chars)
        named = {name: redact_nested(values[name], secrets_go) for name in ("title", "summary") if values[name]}
        screened = {
            **values, **named, "text": text, "metadata": json.dumps(metadata, ensure_ascii=False),
            "tags": json.dumps(redact_nested(tags, secrets_go), ensure_ascii=False),
        }  # fmt: skip
        return screened if self._trusted else self._without_authority(screened)

    def _without_authority(self, values: Values) -> Values:
        """The record without what only a person can grant it."""
        self.counts.update({VALIDATED: values["validated"], PINNED: values["pinned"]})
        self.counts[TRUST] += values["trust"] > Trust.AGENT
        role = "system" if values["role"] == "person" else values["role"]
        made_by = "import" if values["made_by"] == "person" else values["made_by"]
        origin = "import" if values["origin"] == "user_input" else values["origin"]
        return {
            **values,
            "validated": 0,
            "pinned": 0,
            "trust": min(values["trust"], Trust.AGENT),
            "role": role,
            "made_by": made_by,
            "origin": origin,
        }

    def _document(self, values: Values, preset: Preset) -> Values:
        entries = json.loads(values["entries"])
        check_lists(entries=entries)
        for entry in entries:
            check_names(section=entry["section"])
            check_lists(sources=entry["sources"])
        told = [{**entry, "text": self._admitted(entry["text"], preset)} for entry in entries]
        data = redact_nested(check_metadata(json.loads(values["data"])), preset.capture.redact_secrets)
        dumped = {"entries": json.dumps(told, ensure_ascii=False), "data": json.dumps(data, ensure_ascii=False)}
        return {**values, **dumped}

    def _question(self, values: Values, preset: Preset) -> Values:
        check_texts(answer=values["answer"])
        answer = redact_nested(values["answer"], preset.capture.redact_secrets)
        return {**values, "text": self._admitted(values["text"], preset), "answer": answer}

    def _member(self, values: Values, preset: Preset) -> Values:
        if self._trusted or values["role"] == "member":
            return values
        self.counts[ROLES] += 1
        return {**values, "role": "member"}

    def _setting(self, values: Values, preset: Preset) -> Values | None:
        """How far background work had come, and the like; a stranger's file must not steer it."""
        check_texts(value=values["value"])
        if self._trusted:
            return values
        self.counts[SETTINGS] += 1
        return None

    def _entity(self, values: Values, preset: Preset) -> Values:
        aliases = json.loads(values["aliases"])
        if len(aliases) > MOST_LISTED:
            raise TooMany(f"an entity may have at most {MOST_LISTED} aliases", limit=MOST_LISTED)
        for alias in aliases:
            check_names(**alias)
        return values

    def _change(self, values: Values, preset: Preset) -> Values:
        return {**values, "reason": redact_nested(values["reason"], preset.capture.redact_secrets)}

    def _person(self, values: Values, preset: Preset) -> Values:
        secrets_go = preset.capture.redact_secrets
        return {**values, **{name: redact_nested(values[name], secrets_go) for name in ("username", "display_name")}}

    def _admitted(self, text: str, preset: Preset, *, most: int | None = None) -> str:
        limits = GateLimits(max_chars=most or GateLimits().max_chars, redact_secrets=preset.capture.redact_secrets)
        admitted = admit_through_gate(text, limits=limits)
        for change in admitted.changes:
            self.counts[SECRETS if change.what == "secret" else CONTROLS] += change.count
        return admitted.text


def summarise_left_out(counts: Counter[str]) -> dict[str, int]:
    """What an import changed or dropped, as its result tells it."""
    return {what: count for what, count in counts.items() if count}


def lost_by_distrust(dropped: Mapping[str, int]) -> bool:
    """Whether something was dropped that a trusted file keeps."""
    return any(dropped.get(what) for what in NEEDS_TRUST)
