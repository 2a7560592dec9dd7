"""A file that only its key opens, written and read as a stream: exports of an encrypted memory.

The first line tells the format and the salt; then come pieces of 64 KiB, each sealed with AES-256-GCM. The nonce of a
piece is its number and whether it is the last, so that no piece can be changed, moved, left out or cut off unnoticed.
"""

from __future__ import annotations

import io
import json
import os
from typing import IO, Any, BinaryIO

from toldonce.errors import BadImport, ConfigError, WrongKey
from toldonce.optional import install_hint
from toldonce.storage.encryption import EncryptionKey, new_salt

MAGIC = b'{"toldonce-sealed": 1,'
_PIECE = 64 * 1024
_TAG = 16
_LONGEST_HEADER = 500
_PURPOSE = "export"


class SealedWriter:
    """Writes sealed pieces to a file; without `finish` it cannot be opened."""

    def __init__(self, file: BinaryIO, key: EncryptionKey) -> None:
        salt = new_salt()
        self._file = file
        self._seal = load_cipher(key.derive(salt, purpose=_PURPOSE))
        self._first = bytearray()
        self._waiting = bytearray()
        self._number = 1
        self._is_at_start = False
        file.write(b'{"toldonce-sealed": 1, "cipher": "aes-256-gcm", "salt": "%s"}\n' % salt.hex().encode())
        self._start = file.tell()

    def write(self, data: bytes) -> int:
        """Add data; after `seek(0)` it replaces the first bytes."""
        if self._is_at_start:
            self._first[: len(data)] = data
            return len(data)
        room = _PIECE - len(self._first)
        self._first += data[:room]
        self._waiting += data[room:]
        while len(self._waiting) > _PIECE:
            self._put(bytes(self._waiting[:_PIECE]), last=False)
            del self._waiting[:_PIECE]
        return len(data)

    def seek(self, place: int) -> int:
        """Go back to the start, to write a header again that is as long as it was; the first piece waits for that."""
        if place != 0:
            raise ValueError("only the start can be written again")
        self._is_at_start = True
        return 0

    def finish(self) -> None:
        """Seal what is left: the file is complete."""
        is_short = self._number == 1 and not self._waiting
        if not is_short:
            self._put(bytes(self._waiting), last=True)
        self._file.seek(self._start)
        self._file.write(self._seal.encrypt(_chunk_nonce(0, last=is_short), bytes(self._first), None))

    def _put(self, piece: bytes, *, last: bool) -> None:
        if self._number == 1:
            self._file.seek(self._start + _PIECE + _TAG)
        self._file.write(self._seal.encrypt(_chunk_nonce(self._number, last=last), piece, None))
        self._number += 1


class SealedReader(io.RawIOBase):
    """Reads what a `SealedWriter` wrote; WrongKey when the key does not open it or it was changed."""

    def __init__(self, file: BinaryIO, key: EncryptionKey) -> None:
        self._file = file
        self._seal = load_cipher(key.derive(_read_sealed_salt(file), purpose=_PURPOSE))
        self._open = b""
        self._number = 0
        self._next = file.read(_PIECE + _TAG)
        self._is_over = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._open and not self._is_over:
            self._open = self._take()
        count = min(len(buffer), len(self._open))
        buffer[:count] = self._open[:count]
        self._open = self._open[count:]
        return count

    def _take(self) -> bytes:
        from cryptography.exceptions import InvalidTag

        piece, self._next = self._next, self._file.read(_PIECE + _TAG)
        self._is_over = not self._next
        try:
            told: bytes = self._seal.decrypt(_chunk_nonce(self._number, last=self._is_over), piece, None)
        except (InvalidTag, ValueError):
            where = "the key is not the one it was written with" if self._number == 0 else "it was changed or cut short"
            raise WrongKey(f"the sealed file cannot be opened: {where}; nothing was imported") from None
        self._number += 1
        return told


def is_sealed_head(head: bytes) -> bool:
    """Whether a file that begins like this is sealed."""
    return head.startswith(MAGIC)


def is_sealed_file(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a sealed one; False when it cannot be read."""
    try:
        with open(path, "rb") as file:
            return is_sealed_head(file.read(len(MAGIC)))
    except OSError:
        return False


def open_sealed(file: BinaryIO, key: EncryptionKey) -> IO[bytes]:
    """A sealed file as the plain one it holds."""
    return io.BufferedReader(SealedReader(file, key), buffer_size=_PIECE)


def _read_sealed_salt(file: BinaryIO) -> bytes:
    try:
        header = json.loads(file.readline(_LONGEST_HEADER))
        return bytes.fromhex(header["salt"])
    except (ValueError, KeyError, TypeError):
        raise BadImport("line 1 is not the header of a sealed export; nothing was imported", line=1) from None


def _chunk_nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


def load_cipher(key: bytes) -> Any:
    """AES-GCM with a key of 32 bytes; ConfigError where the package is missing."""
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError:
        raise ConfigError(f"sealing needs the package cryptography: {install_hint('encryption')}") from None
    return AESGCM(key)
