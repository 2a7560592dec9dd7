"""Puts Toldonce into an agent's own settings and takes it out again.

A change is planned from the files as they are, shown, and only then written: everything else in them stays, what was
there before is kept as a copy, and a file that cannot be read as it should stops all of it before anything is written.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Any, Literal

from toldonce.coding.hooks import state
from toldonce.coding.hooks.agent_files import AGENTS, AgentFile, HookCommand
from toldonce.errors import InputError

Scope = Literal["user", "project"]
_KEPT = "installed.json"
_AGENTS_OWN = (".claude", ".codex", ".cursor", ".gemini", ".opencode", "opencode", "plugins")


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file before and after; None is a file that is not there."""

    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def is_one(self) -> bool:
        """Whether anything changes."""
        return self.before != self.after

    def difference(self) -> list[str]:
        """The change as people read it."""
        old, new = (_content_lines(side) for side in (self.before, self.after))
        was = str(self.path) if self.before is not None else "nothing"
        now = str(self.path) if self.after is not None else "nothing"
        return list(unified_diff(old, new, was, now, lineterm="", n=2))


@dataclass(frozen=True, slots=True)
class InstallTarget:
    """Which agent, for whom, and where its files lie."""

    agent: str
    scope: Scope
    root: Path
    home: Path

    @property
    def key(self) -> str:
        """By what an installation is known again."""
        return f"{self.agent} {self.scope} {self.root if self.scope == 'project' else self.home}"

    def files(self) -> list[tuple[Path, AgentFile]]:
        """The files that are changed for this agent."""
        if self.agent not in AGENTS:
            raise InputError(f"no agent {self.agent!r} is known here: choose one of {', '.join(AGENTS)}")
        base = self.root if self.scope == "project" else self.home
        found = [(base / file.path(self.scope, os.environ), file) for file in AGENTS[self.agent]]
        if self.scope == "project":
            for path, _ in found:
                self._refuse_outside(path)
        return found

    def _refuse_outside(self, path: Path) -> None:
        """A link in a stranger's project must not lead to the user's own files."""
        if not path.resolve().is_relative_to(self.root.resolve()):
            raise InputError(f"{path} leads out of the project by a link: remove it first; nothing was changed")


def plan_install(target: InstallTarget, caller: HookCommand) -> list[FileChange]:
    """What installing changes."""
    changes = []
    for path, file in target.files():
        before = _read_config_file(path)
        after = file.put(_decode_config(before, path), agent=target.agent, caller=caller, path=path)
        changes.append(FileChange(path, before, after.encode("utf-8") if after is not None else before))
    return [change for change in changes if change.is_one]


def plan_uninstall(target: InstallTarget) -> list[FileChange]:
    """What taking it out changes: files that are as installing left them become what they were, to the byte."""
    known = state.load_state(_KEPT).get(target.key)
    noted: Mapping[str, Any] = known if isinstance(known, dict) else {}
    changes = []
    for path, file in target.files():
        before = _read_config_file(path)
        note = noted.get(str(path))
        if before is None:
            continue
        if isinstance(note, dict) and note.get("digest") == _digest_of_content(before):
            changes.append(FileChange(path, before, _read_original(note.get("copy"))))
            continue
        after = file.take(_decode_config(before, path), agent=target.agent, path=path)
        changes.append(FileChange(path, before, after.encode("utf-8") if after is not None else None))
    return [change for change in changes if change.is_one]


def apply_install(target: InstallTarget, changes: Sequence[FileChange]) -> list[Path]:
    """Write the files, with copies of what was there; returns the copies."""
    kept = state.load_state(_KEPT)
    earlier = kept.get(target.key)
    notes: dict[str, Any] = dict(earlier) if isinstance(earlier, dict) else {}
    copies = []
    for change in changes:
        before = notes.get(str(change.path))
        again = isinstance(before, dict) and before.get("digest") == _digest_of_content(change.before or b"")
        copy = before["copy"] if again and isinstance(before, dict) else _save_original(change)
        notes[str(change.path)] = {"digest": _digest_of_content(change.after or b""), "copy": copy}
        if copy and not again:
            copies.append(Path(copy))
    _write_all(changes)
    state.save_state(_KEPT, {**kept, target.key: notes})
    return copies


def apply_uninstall(target: InstallTarget, changes: Sequence[FileChange]) -> None:
    """Write the files as they were, and forget the installation."""
    _write_all(changes)
    kept = state.load_state(_KEPT)
    state.save_state(_KEPT, {key: value for key, value in kept.items() if key != target.key})


def _write_all(changes: Sequence[FileChange]) -> None:
    """All files or, when one cannot be written, none."""
    done: list[FileChange] = []
    try:
        for change in changes:
            _write_config_file(change.path, change.after)
            done.append(change)
    except OSError as problem:
        for change in reversed(done):
            _write_config_file(change.path, change.before)
        raise InputError(
            f"{problem.filename or 'a file'} cannot be written ({problem.strerror}): nothing was changed"
        ) from None


def _write_config_file(path: Path, content: bytes | None) -> None:
    if content is None:
        path.unlink(missing_ok=True)
        for folder in _empty_parent_folders(path):
            folder.rmdir()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    # A link stays a link: the file it leads to is what changes.
    real = path.resolve()
    handle, part = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        if real.exists():
            os.chmod(part, real.stat().st_mode & 0o7777)
        else:
            os.chmod(part, 0o644)
        os.replace(part, real)
    except OSError:
        Path(part).unlink(missing_ok=True)
        raise


def _empty_parent_folders(path: Path) -> Iterator[Path]:
    """The agent's own folders above a file that hold nothing more."""
    for folder in (path.parent, path.parent.parent):
        if folder.name not in _AGENTS_OWN or any(folder.iterdir()):
            return
        yield folder


def _read_config_file(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise InputError(f"{path} cannot be read ({problem.strerror}): nothing was changed") from None


def _decode_config(content: bytes | None, path: Path) -> str | None:
    try:
        return None if content is None else content.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text: fix it first; nothing was changed") from None


def _save_original(change: FileChange) -> str | None:
    """A copy of what a file was, in our own folder, so that no project gets stray files."""
    if change.before is None:
        return None
    place = Path(state.folder()) / "backups"
    copy = (
        place
        / f"{change.path.name}.{time.strftime('%Y%m%d-%H%M%S')}.{_digest_of_content(str(change.path).encode())[:8]}"
    )
    try:
        place.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(change.before)
        os.chmod(copy, 0o600)
    except OSError as problem:
        raise InputError(f"no copy of {change.path} can be kept ({problem.strerror}): nothing was changed") from None
    return str(copy)


def _read_original(copy: object) -> bytes | None:
    if not isinstance(copy, str):
        return None
    try:
        return Path(copy).read_bytes()
    except OSError as problem:
        raise InputError(f"the copy {copy} cannot be read ({problem.strerror}): nothing was changed") from None


def _digest_of_content(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _content_lines(content: bytes | None) -> list[str]:
    return [] if content is None else content.decode("utf-8", "replace").splitlines()


def change_as_json(change: FileChange) -> Mapping[str, Any]:
    """A change as a value for scripts."""
    what = "made" if change.before is None else "removed" if change.after is None else "changed"
    return {"path": str(change.path), "what": what, "difference": change.difference()}
