"""A memory as something that is copied, checked, written out and read in."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from recollect.capture.fields import check_path
from recollect.errors import InputError
from recollect.hosted import Hosted
from recollect.quotas import Added, check_quotas, quota_of
from recollect.records import Imported
from recollect.spaces import need_on, preset_of_space
from recollect.storage.store import Tables

if TYPE_CHECKING:
    from recollect.importers.values import Older


class Transferable(Hosted):
    """Backups, checks, exports and imports."""

    def backup(self, target: str | os.PathLike[str] | None = None) -> Path:
        """A whole copy at `target`, or the next of three rolling copies beside the memory."""
        self._refuse_fork()
        if target is not None:
            check_path(target)
            self._note_copy(target, "backup")
        made = self.backups.make(target)
        self._audit("backup", detail={"file": made.name})
        return made

    def check(self, *, repair: bool = False) -> list[str]:
        """What is wrong with the store; with `repair`, also what was done about it. All well is []."""
        return self.store.check(repair=repair)

    def export(
        self, path: str | os.PathLike[str], *, user: str | None = None, space: str | None = None,
        format: str | None = None, encryption_key: str | bytes | None = None, plain: bool = False,
    ) -> int:  # fmt: skip
        """Write everything to a file; returns how many lines or records.

        JSON lines (the default) can be read back with `import_`. "json" and "markdown", which the file's ending also
        stands for, are for people: everything in time order, replaced things too, with what is current. With a key, or
        when the memory is encrypted, JSON lines are sealed with that key; `plain` writes them readable all the same.
        """
        from recollect.storage import readable_export as markdown
        from recollect.storage import transfer

        check_path(path)
        self._flush_touches()
        form = markdown.form_of(path, format)
        key = None if plain else self._sealing_key(encryption_key)
        self._note_copy(path, "export")
        if form == "jsonl":
            written = transfer.export(self.store, path, space=space, user=user, now=self.clock(), key=key)
        elif key is not None:
            raise InputError(f"only JSON lines can be sealed: export as jsonl, or as {form} with plain=True (--plain)")
        else:
            written = markdown.export(self.store, path, form, space=space, user=user, now=self.clock())
        about = {"user": user} if user is not None else {}
        self._audit("export", space=space, detail={"format": form, "written": written, "sealed": bool(key), **about})
        return written

    def import_(
        self, path: str | os.PathLike[str], *, user: str | None = None, space: str | None = None, trusted: bool = False,
        encryption_key: str | bytes | None = None,
    ) -> Imported:  # fmt: skip
        """Read an export or an older store into this memory, all of it or nothing; what is here already stays.

        Everything passes the gate. Only a `trusted` export, one that you wrote yourself, keeps what a person grants:
        marks as validated, pins, roles and the trust in a person's own words; `left_out` of the result counts these.

        An older store is a SQLite file with a table `facts` or a folder of ChromaDB; it goes into `space`, as `user`'s
        where it does not say whose a memory is, and is left as it was. A sealed export is opened with `encryption_key`,
        or with the key of this memory.
        """
        from recollect.capture.import_gate import ERASED, ImportGate, left_out
        from recollect.importers.read import read, recognise
        from recollect.storage import transfer

        check_path(path)
        if (what := recognise(path)) is not None:
            return self._take_in(read(path, what), what, user=user, space=space)
        gate = ImportGate(trusted=trusted)
        key, now = self._sealing_key(encryption_key), self.clock()

        def check(tables: Tables, before: int) -> None:
            _check_added(tables, before, now=now)

        taken = transfer.import_(self.store, path, screen=gate.screen, key=key, check=check)
        self._audit("import", detail={"what": "export", "read": taken.lines})
        self._known = {self.space.name: self._known[self.space.name]}
        if taken.erased:
            self._finish_erasure()
        erased = {ERASED: taken.erased} if taken.erased else {}
        return Imported(what="export", read=taken.lines, left_out={**left_out(gate.counts), **erased})

    def _note_copy(self, path: str | os.PathLike[str], what: Literal["backup", "export"]) -> None:
        """Keep where a copy goes, before it is there: an erasure lists it, and removes what a killed process left."""
        now, place = self.clock(), os.path.realpath(path)
        self._write(lambda t: t.copies.add(place, what, at=now))

    def _take_in(self, items: Sequence[Older], what: str, *, user: str | None, space: str | None) -> Imported:
        from recollect.capture.older import arriving, take_in

        now = self.clock()
        home, preset = self._at(space)
        arrivals = list(arriving(items, what, preset=preset, space=home, user=user, now=now))

        def work(tables: Tables) -> Imported:
            need_on(tables, home.name)
            tables.audit.add(home.name, "import", at=now, actor=user, detail={"what": what, "read": len(arrivals)})
            before = tables.transfer.last()
            taken = take_in(tables, arrivals, what, preset=preset)
            _check_added(tables, before, now=now)
            return taken

        return self._write(work)


def _check_added(tables: Tables, before: int, *, now: datetime) -> None:
    """Refuse an import that passes a quota; `before` is the place of the newest record before it."""
    added = {owner: Added(one.records, one.bytes) for owner, one in tables.amounts.added_after(before).items()}
    spaces = [tables.people.space(name) for name in {space for space, _ in added}]
    quotas = {s.name: quota_of(tables.people.state(s.name), preset_of_space(s)[0]) for s in spaces if s is not None}
    check_quotas(tables, added, quotas=quotas, now=now, is_imported=True)
