"""Copies of a memory: backups and checks (`memory.storage`), exports, and imports with their gate and quotas."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from toldonce.capture.fields import check_path
from toldonce.errors import InputError
from toldonce.operations.engine import Engine
from toldonce.operations.erasing import finish_erasure
from toldonce.operations.quotas import AddedAmount, check_quotas, quota_of
from toldonce.operations.space_state import preset_of_space, require_on
from toldonce.records import BackupFile, Imported
from toldonce.storage.store import Tables

if TYPE_CHECKING:
    from toldonce.importers.values import OlderMemory
    from toldonce.storage.encryption import EncryptionKey


class Storage:
    """Back up a memory and check that it is sound."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def backup(self, target: str | os.PathLike[str] | None = None, *, replace_since: datetime | None = None) -> Path:
        """A whole copy at `target`, or the next of three rolling copies beside the memory.

        A newest rolling copy that was made after `replace_since` is replaced instead of kept as an older one.
        """
        self._engine.refuse_fork()
        if target is not None:
            check_path(target)
            _note_copy(self._engine, target, "backup")
        made = self._engine.backups.make_backup(target, replace_since=replace_since)
        self._engine.add_audit_entry("backup", detail={"file": made.name})
        return made

    def backups(self) -> list[BackupFile]:
        """The rolling copies beside the memory, newest first; none of a memory in a database."""
        return self._engine.backups.list_backups()

    def check(self, *, repair: bool = False) -> list[str]:
        """What is wrong with the store; with `repair`, also what was done about it. All well is []."""
        return self._engine.store.check(repair=repair)


def export_memory(
    engine: Engine,
    path: str | os.PathLike[str] | BinaryIO,
    *,
    user: str | None,
    space: str | None,
    format: str | None,
    encryption_key: str | bytes | None,
    plain: bool,
) -> int:
    """Write everything to a file; returns how many lines or records."""
    from toldonce.storage import readable_export, transfer, vault_export

    file = path if not isinstance(path, str | os.PathLike) and hasattr(path, "write") else None
    if file is None:
        check_path(path)
    engine.flush_notes()
    form = readable_export.choose_form("" if file else path, format)  # type: ignore[arg-type]
    key = None if plain else _find_export_key(engine, encryption_key)
    if form != "jsonl" and key is not None:
        raise InputError(f"only JSON lines can be sealed: export as jsonl, or as {form} with plain=True (--plain)")
    about_whom: dict[str, Any] = {"space": space, "user": user, "now": engine.clock()}
    if form == "obsidian" and file is not None:
        raise InputError("a vault is a folder: name the path of a new one")
    if file is not None:
        written = (
            transfer.write_lines(engine.store, file, **about_whom, key=key)
            if form == "jsonl"
            else readable_export.write_readable(engine.store, file, form, **about_whom)
        )
    else:
        assert isinstance(path, str | os.PathLike)
        _note_copy(engine, path, "export")
        if form == "obsidian":
            written = vault_export.export_vault(engine.store, path, **about_whom)
        elif form == "jsonl":
            written = transfer.export_lines(engine.store, path, **about_whom, key=key)
        else:
            written = readable_export.export_readable(engine.store, path, form, **about_whom)
    about = {"user": user} if user is not None else {}
    engine.add_audit_entry(
        "export", space=space, detail={"format": form, "written": written, "sealed": bool(key), **about}
    )
    return written


def import_memory(
    engine: Engine,
    path: str | os.PathLike[str] | BinaryIO,
    *,
    user: str | None,
    space: str | None,
    trusted: bool,
    encryption_key: str | bytes | None,
    format: str | None = None,
    me: str | None = None,
    columns: Mapping[str, str] | None = None,
    preview: bool = False,
) -> Imported:
    """Read an export, an older store or a file of another program into this memory."""
    from toldonce.capture.import_gate import ERASED, ImportGate, summarise_left_out
    from toldonce.importers.formats import find_format
    from toldonce.importers.read import read_older_store, recognise_older_store
    from toldonce.importers.values import ReadOptions
    from toldonce.storage import transfer

    if not hasattr(path, "read"):
        check_path(path)
    if (form := find_format(path, format, columns=columns)) is not None:
        from toldonce.operations.importing import import_other_format

        options = ReadOptions(me=me, columns=columns or {})
        return import_other_format(
            engine, path, form, user=user, space=space, trusted=trusted, options=options, preview=preview
        )
    older = recognise_older_store(path) if isinstance(path, str | os.PathLike) else None
    if preview:
        raise InputError(
            "a preview is for files of other programs: this is an export or an older store, or a stream whose format"
            " was not named"
        )
    if older is not None and isinstance(path, str | os.PathLike):
        return _import_items(engine, read_older_store(path, older), older, user=user, space=space)
    gate = ImportGate(trusted=trusted)
    key, now = _find_export_key(engine, encryption_key), engine.clock()

    def check(tables: Tables, before: int) -> None:
        check_added(tables, before, now=now)

    taken = transfer.import_lines(engine.store, path, screen=gate.screen, key=key, check=check)
    engine.add_audit_entry("import", detail={"what": "export", "read": taken.lines})
    engine.drop_known_spaces()
    if taken.erased:
        finish_erasure(engine)
    erased = {ERASED: taken.erased} if taken.erased else {}
    return Imported(what="export", read=taken.lines, left_out={**summarise_left_out(gate.counts), **erased})


def _import_items(
    engine: Engine, items: Sequence[OlderMemory], what: str, *, user: str | None, space: str | None
) -> Imported:
    from toldonce.capture.older import convert_older_items, import_older_items

    now = engine.clock()
    home, preset = engine.find_space(space)
    arrivals = list(convert_older_items(items, what, preset=preset, space=home, user=user, now=now))

    def work(tables: Tables) -> Imported:
        require_on(tables, home.name)
        tables.audit.add(home.name, "import", at=now, actor=user, detail={"what": what, "read": len(arrivals)})
        before = tables.transfer.last_place()
        taken = import_older_items(tables, arrivals, what, preset=preset)
        check_added(tables, before, now=now)
        return taken

    return engine.write(work)


def _find_export_key(engine: Engine, said: str | bytes | None) -> EncryptionKey | None:
    """The key that seals an export or opens one: the given one, else that of the memory."""
    from toldonce.storage.encryption import EncryptionKey

    return EncryptionKey.read(said) if said is not None else engine.store.key


def _note_copy(engine: Engine, path: str | os.PathLike[str], what: Literal["backup", "export"]) -> None:
    """Store where a copy goes, before it is there: an erasure lists it, and removes what a killed process left."""
    now, place = engine.clock(), os.path.realpath(path)
    engine.write(lambda t: t.copies.add(place, what, at=now))


def check_added(tables: Tables, before: int, *, now: datetime) -> None:
    """Refuse an import that exceeds a quota; `before` is the place of the newest record before it."""
    added = {owner: AddedAmount(one.records, one.bytes) for owner, one in tables.amounts.added_after(before).items()}
    spaces = [tables.people.space(name) for name in {space for space, _ in added}]
    quotas = {
        s.name: quota_of(tables.people.read_space_state(s.name), preset_of_space(s)[0]) for s in spaces if s is not None
    }
    tenant = tables.amounts.tenant_quota()
    check_quotas(tables, added, quotas=quotas, tenant=tenant, now=now, is_imported=True)
