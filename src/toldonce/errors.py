"""Every error that Toldonce raises on purpose.

    ToldonceError
    ├── InputError            the caller can fix it
    │   ├── EmptyText
    │   ├── TextTooLong
    │   ├── TooMany
    │   │   └── QuotaExceeded
    │   ├── UnknownKind
    │   ├── UnknownPreset
    │   ├── RecordNotFound
    │   ├── SpaceNotFound
    │   ├── NotAllowed
    │   ├── KeyReused
    │   └── BadImport
    ├── ConfigError           a settings or preset file is wrong
    │   └── BadPreset
    ├── StoreError            the place where memory is kept has a problem
    │   ├── NotAMemory
    │   │   └── NeedsKey
    │   ├── WrongKey
    │   ├── CorruptStore
    │   ├── NewerSchema
    │   ├── ReadOnlyStore
    │   ├── DiskFull
    │   ├── TooManyFiles
    │   ├── StoreBusy
    │   ├── ServerUnavailable
    │   ├── LoginRefused
    │   ├── FileReplaced
    │   ├── MemoryOffline
    │   ├── VectorEngineError
    │   └── StoreClosed
    │       └── StoreForked
    ├── ModelError            a model did not answer, or answered nonsense
    │   ├── ModelRefused      its policy or its filter stopped the answer
    │   ├── BudgetSpent       what models may cost in a day is used up
    │   └── TextRefused       the embedder is there but does not take this text
    ├── WorkStopped           whoever asked for it has gone, or its time is over
    ├── WebhookError          a delivery to a webhook was not taken
    └── JobError              background work that did not end well
        ├── JobTimeout
        └── LeaseLost

A class's docstring is its default message. Attributes carry ids and numbers; no message carries remembered text.
"""

from __future__ import annotations

from typing import Self

LONGEST_MESSAGE = 2_000
_LONGEST_WORD = 300


def shorten_message(message: str) -> str:
    """A message that can be shown: what it echoes of the input is cut, its beginning and its advice at the end stay."""
    if len(message) > LONGEST_MESSAGE:
        head = LONGEST_MESSAGE - _LONGEST_WORD
        message = f"{message[:head]} … {message[-_LONGEST_WORD:]}"
    return message.encode("utf-8", "replace").decode()


class ToldonceError(Exception):
    """Something went wrong in Toldonce."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(shorten_message(message or self.default_message()))

    @classmethod
    def default_message(cls) -> str:
        """The docstring, on one line."""
        return " ".join((cls.__doc__ or "").split())

    @classmethod
    def at_place(cls, place: object, detail: str = "") -> Self:
        """The error with its default message, and the file or address that it is about."""
        return cls(f"{place}: {cls.default_message()}{detail}")

    def add_advice(self, advice: str) -> None:
        """Say at the end of the message what was done before the error, or what to do now."""
        self.args = (shorten_message(f"{self}; {advice}"),)


class InputError(ToldonceError):
    """The input cannot be taken as it is."""

    place: int | None = None

    def at(self, place: int, name: str) -> None:
        """Say which of many things is to blame: its place, counted from 0, and how the caller knows it."""
        self.place = place
        self.args = (f"{name}: {self}",)


class EmptyText(InputError):
    """There is no text to remember: give at least one visible character."""


class TextTooLong(InputError):
    """The text is longer than this kind of record may be: split it into parts."""

    def __init__(self, message: str | None = None, *, length: int = 0, limit: int = 0) -> None:
        super().__init__(message)
        self.length = length
        self.limit = limit


class TooMany(InputError):
    """A limit on the number of records was reached."""

    def __init__(self, message: str | None = None, *, limit: int = 0) -> None:
        super().__init__(message)
        self.limit = limit


class QuotaExceeded(TooMany):
    """A quota of this space is used up."""

    def __init__(self, message: str | None = None, *, limit: int = 0, retry_after_s: float | None = None) -> None:
        super().__init__(message, limit=limit)
        # When trying again may help by itself; None where something has to be removed first.
        self.retry_after_s = retry_after_s


class UnknownKind(InputError):
    """This preset has no such kind of record."""


class UnknownPreset(InputError):
    """There is no preset of that name."""


class RecordNotFound(InputError):
    """There is no such record here: check the id, or whether it was purged."""

    def __init__(self, message: str | None = None, *, record_id: str = "") -> None:
        super().__init__(message)
        self.record_id = record_id


class SpaceNotFound(InputError):
    """There is no such space here."""


class NotAllowed(InputError):
    """This is not allowed for this author, kind or state."""


class KeyReused(InputError):
    """This idempotency key was used for another message: take a new key, or send that message again as it was."""


class BadImport(InputError):
    """The file to import is not an export of Toldonce."""

    def __init__(self, message: str | None = None, *, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class ConfigError(ToldonceError):
    """A setting is wrong."""


class BadPreset(ConfigError):
    """A preset file is wrong."""


class StoreError(ToldonceError):
    """The store failed."""


class NotAMemory(StoreError):
    """The file is not a Toldonce memory: choose another path; this file was left as it is."""


class NeedsKey(NotAMemory):
    """The file is encrypted, or not a Toldonce memory: give its key with `encryption_key=`, TOLDONCE_ENCRYPTION_KEY
    or `key_command`, or choose another path; this file was left as it is."""


class WrongKey(StoreError):
    """The key does not open this file: give its own key or, if it is damaged, restore a backup; nothing was changed."""


class CorruptStore(StoreError):
    """The database file is damaged: run `toldonce doctor`, or restore one of its backups."""


class NewerSchema(StoreError):
    """The file was written by a newer Toldonce: upgrade this installation to open it."""

    def __init__(self, message: str | None = None, *, found: int = 0, known: int = 0) -> None:
        super().__init__(message)
        self.found = found
        self.known = known


class ReadOnlyStore(StoreError):
    """The memory cannot be written: make the file and its folder writable."""


class DiskFull(StoreError):
    """The disk is full: nothing was lost, but this write was not taken; free some space and try again."""


class TooManyFiles(StoreError):
    """This process has too many files open: close some, or raise the limit (`ulimit -n`), and try again."""


class FileReplaced(StoreError):
    """The files of the memory were replaced or removed while it was open: close it and open it again."""


class MemoryOffline(StoreError):
    """The server of this memory cannot be reached, and nothing was stored anywhere else: check the network, try again,
    or sign out with `toldonce logout` to use the memory of this machine."""


class WorkStopped(ToldonceError):
    """This was stopped before its end: whoever asked for it has gone, or its time is over."""


class StoreBusy(StoreError):
    """Another process kept the memory locked for too long: try again."""


class ServerUnavailable(StoreError):
    """The database server does not answer: check the address and that it runs, then try again; what was acknowledged is
    kept."""


class LoginRefused(StoreError):
    """The database server refused the login: check user and password in the address, PGPASSWORD or ~/.pgpass."""


class VectorEngineError(StoreError):
    """The vector engine beside the store cannot be used."""


class StoreClosed(StoreError):
    """The memory was closed: open it again."""


class StoreForked(StoreClosed):
    """The memory was opened before this process was forked: open it again in this process."""


class ModelError(ToldonceError):
    """A model did not answer."""

    def __init__(
        self, message: str | None = None, *, retry_after_s: float | None = None, status: int | None = None
    ) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        # The number that HTTP has for what the server answered, where it answered whole.
        self.status = status


class ModelRefused(ModelError):
    """The model refused to answer: its policy or its filter stopped it."""


class BudgetSpent(ModelError):
    """What models may cost in a day is used up: the work waits until tomorrow."""


class TextRefused(ModelError):
    """The embedder does not take this text."""

    def __init__(
        self, message: str | None = None, *, is_certain: bool = True, retry_after_s: float | None = None
    ) -> None:
        super().__init__(message, retry_after_s=retry_after_s)
        # If not, the embedder may be in trouble with every text, and later take this one.
        self.is_certain = is_certain


class WebhookError(ToldonceError):
    """The delivery was not taken."""

    def __init__(self, message: str | None = None, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class JobError(ToldonceError):
    """A background job did not end well."""


class JobTimeout(JobError):
    """The job took longer than it may."""


class LeaseLost(JobError):
    """Another worker took this job over."""
