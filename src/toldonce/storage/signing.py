"""Checksums of backups and exports, and their signature with a key that the user gives (HMAC-SHA256).

A backup's checksum is in a small JSON file next to it (`FILE.sum`), not inside: it covers every byte of the copy,
also of an encrypted one, and the copy can be checked without being opened. An export carries its own in its header.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

ENDING = ".sum"
KEY_VARIABLE = "TOLDONCE_SIGNING_KEY"
_PIECE = 1 << 20

Verdict = Literal["sound", "signed", "unsigned", "unchecked", "changed", "forged"]
# What each verdict means to a person.
MEANING: dict[Verdict, str] = {
    "sound": "the checksum matches",
    "signed": "the checksum and the signature match",
    "unsigned": "the checksum matches, but the file is not signed",
    "unchecked": "there is no checksum beside the file",
    "changed": "the checksum does not match: the file was changed or damaged after it was written",
    "forged": "the signature does not match: the file was changed, or signed with another key",
}
REFUSED: frozenset[Verdict] = frozenset({"changed", "forged"})
# Whoever changes a file can take its signature away, or its checksum with it: where a key is set, that proves nothing.
_UNPROVEN: frozenset[Verdict] = frozenset({"unsigned", "unchecked"})
ALLOW_UNPROVEN = "--accept-possibly-forged"


@dataclass(frozen=True, slots=True)
class Checksum:
    """The digest of a file and the signature of that digest, if there is one."""

    sha256: str
    signature: str | None = None

    @classmethod
    def of_digest(cls, sha256: str, *, key: str | None) -> Checksum:
        """The checksum of a digest, signed when there is a key."""
        return cls(sha256, sign_digest(sha256, key) if key else None)

    def compare(self, sha256: str, *, key: str | None) -> Verdict:
        """What this checksum says of a file with that digest."""
        if not hmac.compare_digest(self.sha256, sha256):
            return "changed"
        if key is None:
            return "sound"
        if self.signature is None:
            return "unsigned"
        return "signed" if hmac.compare_digest(self.signature, sign_digest(sha256, key)) else "forged"


def signing_key(given: str | None = None) -> str | None:
    """The key to sign with: the given one, else the one in the environment."""
    return given or os.environ.get(KEY_VARIABLE) or None


def sign_digest(sha256: str, key: str) -> str:
    """The signature of a digest."""
    return hmac.new(key.encode(), f"toldonce:{sha256}".encode(), hashlib.sha256).hexdigest()


def digest_file(path: str | os.PathLike[str]) -> str:
    """The SHA-256 of a file, read piece by piece."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def write_checksum(path: Path, *, key: str | None) -> Path:
    """Put the checksum of a file beside it."""
    checksum = Checksum.of_digest(digest_file(path), key=key)
    beside = checksum_path(path)
    told: dict[str, Any] = {"toldonce": 1, "bytes": path.stat().st_size, "sha256": checksum.sha256}
    if checksum.signature:
        told["signature"] = checksum.signature
    descriptor = os.open(beside, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        json.dump(told, file)
        file.write("\n")
    return beside


def checksum_path(path: Path) -> Path:
    """Where the checksum of a file stands."""
    return path.with_name(path.name + ENDING)


def find_refusal(verdict: Verdict, *, key: str | None, allow_unproven: bool = False) -> str:
    """Why a file with that verdict is not to be restored, in words; "" when it may be."""
    if verdict in REFUSED:
        return MEANING[verdict]
    if key is None or verdict not in _UNPROVEN or allow_unproven:
        return ""
    return (
        f"{MEANING[verdict]}, and {KEY_VARIABLE} asks for a signature: anybody may have written it; {ALLOW_UNPROVEN}"
        " restores it all the same"
    )


def verify_file(path: Path, *, key: str | None, content: Path | None = None) -> Verdict:
    """What the checksums beside a file say of it, or of a copy with its `content`.

    Rolling copies change their names one after another; after a crash between two of these steps the checksum of a
    copy may still be next to its neighbour, so all of one family are looked at.
    """
    digest = digest_file(content or path)
    family = path.name.rpartition(".bak.")[0]
    pattern = f"{family}.bak." if family else path.name + ENDING
    beside = [one for one in path.parent.iterdir() if one.name.startswith(pattern) and one.name.endswith(ENDING)]
    beside.sort(key=lambda one: one != checksum_path(path))
    found = [checksum.compare(digest, key=key) for one in beside if (checksum := _read_checksum(one)) is not None]
    known = [verdict for verdict in found if verdict != "changed"]
    return "signed" if "signed" in known else next(iter(known), found[0] if found else "unchecked")


def _read_checksum(path: Path) -> Checksum | None:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(told, dict) or not isinstance(told.get("sha256"), str):
        return None
    signature = told.get("signature")
    return Checksum(told["sha256"], signature if isinstance(signature, str) else None)
