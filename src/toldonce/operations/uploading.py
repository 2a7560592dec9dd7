"""A memory of this machine goes to a server: what would go is shown, then sent in parts, then the copy here is marked.

Each part arrives whole or not at all, and what arrived is noted in the memory here: an upload that was cut short is
started again and goes on. A part that arrives twice changes nothing.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toldonce.capture.secrets.redact import redact_secrets
from toldonce.clock import system_clock
from toldonce.errors import InputError
from toldonce.operations.space_state import MovedTo, mark_moved, preset_of_space
from toldonce.storage.export_parts import split_export
from toldonce.storage.store import Store, Tables
from toldonce.storage.transfer import export_lines

if TYPE_CHECKING:
    from toldonce.memory import Memory

RECORDS_PER_PART = 2_000
_SENT = "sent to "
# Columns of an exported record: space, kind and the three texts.
_SPACE, _KIND, _TEXTS = 1, 2, slice(3, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceUpload:
    """What would go of one space; `secrets` seem to hold one, `vectors` are made again there."""

    space: str
    preset: str
    records: int
    secrets: int
    vectors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Uploaded:
    """How many records went, and how many of the parts had arrived before."""

    records: int
    parts: int
    parts_before: int


def plan_upload(store: Store) -> list[SpaceUpload]:
    """What would go, by space, without changing anything."""
    return store.read(_plan_spaces)


def _plan_spaces(tables: Tables) -> list[SpaceUpload]:
    spaces = {space.name: space for space in tables.people.spaces()}
    presets = {name: preset_of_space(space)[0] for name, space in spaces.items()}
    records: Counter[str] = Counter()
    secrets: Counter[str] = Counter()
    vectors: Counter[str] = Counter()
    for row in tables.transfer.read_rows("record", space=None, user=None):
        name = row[_SPACE]
        records[name] += 1
        secrets[name] += any(redact_secrets(text).found for text in row[_TEXTS])
        kind = presets[name].kinds.get(row[_KIND])
        vectors[name] += kind is not None and kind.embedded
    return [
        SpaceUpload(
            space=name,
            preset=space.preset,
            records=records[name],
            secrets=secrets[name],
            vectors=vectors[name],
        )
        for name, space in spaces.items()
    ]


def upload_memory(
    store: Store,
    remote: Memory,
    *,
    address: str,
    space: str | None = None,
    tell: Callable[[int, int], None] = lambda *_: None,
    records_per_part: int = RECORDS_PER_PART,
) -> Uploaded:
    """Send what is kept here to a server, all of it or one space, and mark this copy; call it again to go on."""
    sent = _read_list(store, _SENT + address)
    with tempfile.TemporaryDirectory(prefix="toldonce-upload-") as name:
        folder = Path(name)
        export_lines(store, folder / "all.jsonl", space=space, user=None, now=system_clock())
        parts = split_export(folder / "all.jsonl", folder, records_per_part=records_per_part)
        before = sum(part.digest in sent for part in parts)
        for number, part in enumerate(parts, 1):
            if part.digest not in sent:
                remote.import_(part.path, trusted=True)
                sent.append(part.digest)
                _write_setting(store, _SENT + address, json.dumps(sent))
            tell(number, len(parts))
    at = system_clock().isoformat(timespec="seconds")
    store.write(lambda t: mark_moved(t, MovedTo(address=address, at=at)))
    return Uploaded(records=sum(part.records for part in parts), parts=len(parts), parts_before=before)


def require_upload_right(known: dict[str, object]) -> None:
    """Raise InputError unless a key may import a whole memory: one of everyone, for all spaces, that may manage."""
    rights = known["rights"]
    if known["person"] is not None or known["spaces"] or not isinstance(rights, list) or "manage" not in rights:
        raise InputError(
            "this key may not import a memory: it needs one of everyone with the right 'manage', made there with "
            "`toldonce keys add NAME --everyone --right read --right write --right manage`"
        )


def _read_list(store: Store, key: str) -> list[str]:
    value = store.read(lambda t: t.documents.read_setting("", key))
    return list(json.loads(value)) if value else []


def _write_setting(store: Store, key: str, value: str) -> None:
    store.write(lambda t: t.documents.set_setting("", key, value))
