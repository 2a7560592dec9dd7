"""Shows what a backup holds and, once a person agrees, puts it in the place of the memory."""

from __future__ import annotations

from pathlib import Path

from recollect.cli.invocation import Door
from recollect.cli.page import counted, size
from recollect.config import is_path
from recollect.errors import CorruptStore, InputError
from recollect.storage.encryption import EncryptionKey
from recollect.storage.restore import Contents, Preview, newest_sound, preview, restore_backup
from recollect.storage.signing import MEANING


def is_backup(what: str | None) -> bool:
    """Whether this names a backup rather than a record: nothing, a file, or something that is written like a path."""
    return what is None or Path(what).is_file() or Path(what).name != what


def restore_memory(door: Door, what: str | None, *, yes: bool) -> None:
    """Show a backup, ask, and put it in place."""
    if not is_path(door.place):
        raise InputError("this memory is not a file: there is nothing to restore")
    key = door.key_of(door.place)
    chosen = _choose(door.place, what, key)
    door.note("\n".join(_shown(chosen, door)))
    if not door.sure(f"Put {chosen.backup} in the place of {door.place}?", yes=yes):
        door.note("Nothing was restored.")
        return
    kept = restore_backup(Path(chosen.backup), door.place, key=key)
    after = f"; the replaced file is kept as {kept}" if kept else ""
    value = {"restored": chosen.backup, "kept": kept, "preview": chosen}
    door.answer(value, lambda: [f"{chosen.backup} is in place now{after}."])


def _choose(place: str, what: str | None, key: EncryptionKey | None) -> Preview:
    if what is not None:
        if not Path(what).is_file():
            raise InputError(f"there is no backup at {what}: check the path")
        chosen = preview(Path(what), place, key=key)
        if chosen.problem:
            raise CorruptStore(f"{what} cannot be restored: {chosen.problem}; nothing was changed")
        return chosen
    found, passed = newest_sound(place, key=key)
    if found is None:
        why = "".join(f"; {Path(one.backup).name}: {one.problem}" for one in passed)
        raise InputError(f"there is no sound backup beside {place} to restore{why}; nothing was changed")
    return found


def _shown(chosen: Preview, door: Door) -> list[str]:
    return [
        f"{chosen.backup}, {size(chosen.bytes)}: {MEANING[chosen.checksum]}.",
        f"  it holds  {_told(chosen.holds)}",
        f"  now       {_told(chosen.present)} in {door.place}",
    ]


def _told(holds: Contents | None) -> str:
    if holds is None:
        return "nothing that can be read"
    newest = f", the newest of {holds.newest:%Y-%m-%d %H:%M} UTC" if holds.newest else ""
    return f"{counted(holds.records, 'record')} of {counted(holds.people, 'person', 'people')}{newest}"
