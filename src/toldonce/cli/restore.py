"""Shows what a backup contains and, after confirmation, replaces the memory with it."""

from __future__ import annotations

from pathlib import Path

from toldonce.cli.invocation import Invocation
from toldonce.cli.page import count_noun, format_size
from toldonce.config import is_path
from toldonce.errors import CorruptStore, InputError
from toldonce.storage.encryption import EncryptionKey
from toldonce.storage.restore import BackupPreview, FileContents, find_newest_sound, preview_backup, restore_backup
from toldonce.storage.signing import MEANING


def is_backup(what: str | None) -> bool:
    """Whether this names a backup rather than a record: nothing, a file, or something that is written like a path."""
    return what is None or Path(what).is_file() or Path(what).name != what


def restore_memory(invocation: Invocation, what: str | None, *, yes: bool, allow_unproven: bool) -> None:
    """Show a backup, ask, and put it in place."""
    if not is_path(invocation.place):
        raise InputError("this memory is not a file: there is nothing to restore")
    key = invocation.key_of(invocation.place)
    chosen = _choose_backup(invocation.place, what, key, allow_unproven=allow_unproven)
    invocation.note("\n".join(_format_preview(chosen, invocation)))
    if not invocation.confirm_action(f"Replace {invocation.place} with {chosen.backup}?", yes=yes):
        invocation.note("Nothing was restored.")
        return
    kept = restore_backup(Path(chosen.backup), invocation.place, key=key, allow_unproven=allow_unproven)
    after = f"; the replaced file is kept as {kept}" if kept else ""
    value = {"restored": chosen.backup, "kept": kept, "preview": chosen}
    invocation.answer(value, lambda: [f"{chosen.backup} is in place now{after}."])


def _choose_backup(place: str, what: str | None, key: EncryptionKey | None, *, allow_unproven: bool) -> BackupPreview:
    if what is not None:
        if not Path(what).is_file():
            raise InputError(f"there is no backup at {what}: check the path")
        chosen = preview_backup(Path(what), place, key=key, allow_unproven=allow_unproven)
        if chosen.problem:
            raise CorruptStore(f"{what} cannot be restored: {chosen.problem}; nothing was changed")
        return chosen
    found, passed = find_newest_sound(place, key=key, allow_unproven=allow_unproven)
    if found is None:
        why = "".join(f"; {Path(one.backup).name}: {one.problem}" for one in passed)
        raise InputError(f"there is no sound backup beside {place} to restore{why}; nothing was changed")
    return found


def _format_preview(chosen: BackupPreview, invocation: Invocation) -> list[str]:
    return [
        f"{chosen.backup}, {format_size(chosen.bytes)}: {MEANING[chosen.checksum]}.",
        f"  it holds  {_format_contents(chosen.holds)}",
        f"  now       {_format_contents(chosen.present)} in {invocation.place}",
    ]


def _format_contents(holds: FileContents | None) -> str:
    if holds is None:
        return "nothing that can be read"
    newest = f", the newest of {holds.newest:%Y-%m-%d %H:%M} UTC" if holds.newest else ""
    return f"{count_noun(holds.records, 'record')} of {count_noun(holds.people, 'person', 'people')}{newest}"
