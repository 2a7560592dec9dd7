"""A sealed memory: a server keeps vectors and encrypted texts, and this side alone can read them.

Texts are embedded and encrypted (AES-256-GCM) here; the key never leaves this machine. A recall sends a vector, gets
the nearest boxes and opens them here. What would need the text on the server is refused.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from ipaddress import ip_address
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from toldonce.capture.fields import check_key, check_metadata, check_names, check_texts, require_counts
from toldonce.capture.observe import REPEATED, TAKEN_OUT, Skipped
from toldonce.capture.secrets.redact import redact_secrets
from toldonce.client import KEY_VARIABLE, Connection, RemoteMemory
from toldonce.clock import as_moment, system_clock
from toldonce.errors import InputError, KeyReused, NotAllowed, RecordNotFound, WrongKey
from toldonce.memory import Memory
from toldonce.operations.routes import ROUTES
from toldonce.operations.sealed import SealedHit, SealedItem
from toldonce.records import Context, Hit, Hits, Record, Signal, Visibility, Why, new_id
from toldonce.storage.encryption import SALT_BYTES, EncryptionKey, new_salt
from toldonce.storage.keyed_ids import keyed_id
from toldonce.storage.sealed_file import load_cipher
from toldonce.storage.vectors.model_identity import find_address

if TYPE_CHECKING:
    from toldonce.models.embedder import Embedder
    from toldonce.presets.policy import Preset

log = logging.getLogger("toldonce")

SEAL_VARIABLE = "TOLDONCE_SEAL_KEY"
_PURPOSE = "sealed items"
_NONCE_BYTES = 12
# A box tells the length of its text only to the next multiple of this.
_PADDED_TO = 256
_USUAL_LIMIT = 10
# A prompt block is built of this many of the nearest items.
_CANDIDATES = 40
_PAGE = 500
# Items that are sent in one request.
_AT_ONCE = 100
_MOST = 1_000_000
_GIST = 100
# What tells nothing of a text works as on any server.
_PLAIN = (
    "erase", "people.members", "sealed.all", "sealed.count", "sealed.delete", "sealed.get", "sealed.put",
    "sealed.search", "spaces.all", "spaces.preset", "spaces.why_off",
)  # fmt: skip


class Seal:
    """One key with one salt: seals texts and opens boxes. `name` tells which key it is without telling the key."""

    def __init__(self, key: EncryptionKey, salt: bytes) -> None:
        derived = key.derive(salt, purpose=_PURPOSE)
        self._cipher = load_cipher(derived)
        check = hmac.new(derived, b"toldonce seal", hashlib.sha256).digest()[:8]
        self.name = f"{salt.hex()}.{check.hex()}"

    @classmethod
    def from_name(cls, key: EncryptionKey, name: str) -> Seal | None:
        """The seal of that name, if this is its key."""
        salt, _, _ = name.partition(".")
        try:
            made = cls(key, bytes.fromhex(salt))
        except ValueError:
            return None
        return made if len(salt) == 2 * SALT_BYTES and hmac.compare_digest(made.name, name) else None

    def close(self, item_id: str, told: Mapping[str, Any]) -> str:
        """A box, bound to the id of its item."""
        plain = json.dumps(told, ensure_ascii=False).encode()
        plain += b" " * (-len(plain) % _PADDED_TO)
        nonce = os.urandom(_NONCE_BYTES)
        return base64.b64encode(nonce + self._cipher.encrypt(nonce, plain, item_id.encode())).decode()

    def open(self, item_id: str, box: str) -> dict[str, Any]:
        """What is in a box; WrongKey when it was changed or belongs to another item."""
        from cryptography.exceptions import InvalidTag

        raw = base64.b64decode(box)
        try:
            plain = self._cipher.decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], item_id.encode())
        except (InvalidTag, ValueError):
            raise WrongKey(f"the sealed item {item_id} was changed on the server: it cannot be opened") from None
        found: dict[str, Any] = json.loads(plain)
        return found


class SealedMemory(RemoteMemory):
    """A memory on a server that only its key can read. What would need the text on the server is refused."""

    is_sealed = True

    def __init__(self, connection: Connection, key: EncryptionKey, embedder: Embedder) -> None:
        super().__init__(connection)
        self._seal_key = key
        self._embedder = embedder
        self._seals: dict[tuple[str | None, str | None], dict[str, Seal]] = {}
        self._presets: dict[str | None, Preset] = {}
        # Where items that another model made were looked for.
        self._renewed: set[tuple[str | None, str | None]] = set()
        for name in ROUTES:
            group, _, method = name.rpartition(".")
            if group and name not in _PLAIN:
                setattr(getattr(self, group), method, _make_refusal(name))

    def seals_for(self, user: str | None, space: str | None) -> dict[str, Seal]:
        """The seals of this key in a space, the one to seal with first; WrongKey where another key was used before."""
        if (user, space) not in self._seals:
            counts = self.sealed.count(user=user, space=space)
            opened = {one.seal: Seal.from_name(self._seal_key, one.seal) for one in counts}
            mine = {name: seal for name, seal in opened.items() if seal is not None}
            own = {one.seal for one in counts if one.own}
            if own and not own & mine.keys():
                raise WrongKey("what is sealed here was sealed with another key: give that one")
            self._seals[user, space] = mine or {(new := Seal(self._seal_key, new_salt())).name: new}
        return self._seals[user, space]

    def preset_for(self, space: str | None) -> Preset:
        """The preset of a space, which names its usual kinds."""
        if space not in self._presets:
            self._presets[space] = self.spaces.preset(space)
        return self._presets[space]

    def seal_record(self, record: Record, *, user: str | None, space: str | None) -> SealedItem:
        """A record as the server gets it."""
        seal = next(iter(self.seals_for(user, space).values()))
        told = {name: getattr(record, name) for name in _IN_THE_BOX} | {"at": record.at.isoformat()}
        return SealedItem(
            id=record.id,
            at=record.at,
            seal=seal.name,
            model=self._embedder.name,
            vector=self._make_vector(record.text),
            box=seal.close(record.id, told),
            user=record.user,
            visibility=record.visibility,
        )

    def open_item(self, item: SealedItem, *, user: str | None, space: str | None) -> Record | None:
        """The record in an item; None when another key sealed it."""
        seal = self.seals_for(user, space).get(item.seal) or Seal.from_name(self._seal_key, item.seal)
        if seal is None:
            return None
        told = seal.open(item.id, item.box)
        at = datetime.fromisoformat(told.pop("at"))
        told["tags"] = tuple(told["tags"])
        return Record(
            id=item.id,
            at=at,
            created_at=at,
            space=space or self.space.name,
            user=item.user,
            visibility=item.visibility,
            **told,
        )

    def renew_vectors(self, user: str | None, space: str | None) -> None:
        """Give the items that another model made vectors of this one, or they would not be found; once in a process."""
        if (user, space) in self._renewed:
            return
        self._renewed.add((user, space))
        mine, model = self.seals_for(user, space), self._embedder.name
        if all(one.model == model for one in self.sealed.count(user=user, space=space) if one.seal in mine):
            return
        found = [i for i in self.sealed.all(user=user, space=space, limit=_MOST) if i.seal in mine and i.model != model]
        own = [item for item in found if item.user in (None, user) or user is None]
        for start in range(0, len(own), _AT_ONCE):
            page = own[start : start + _AT_ONCE]
            self.sealed.put([self._with_new_vector(item, user=user, space=space) for item in page], space=space)
        log.warning("%d sealed items were made with another embedder: they have vectors of %s now", len(own), model)
        if len(own) < len(found):
            left = len(found) - len(own)
            log.warning("%d sealed items of others have vectors of another embedder: they are not found here", left)

    def _with_new_vector(self, item: SealedItem, *, user: str | None, space: str | None) -> SealedItem:
        record = self.open_item(item, user=user, space=space)
        assert record is not None, "only what this key opens is made again"
        return replace(item, model=self._embedder.name, vector=self._make_vector(record.text))

    def _make_vector(self, text: str) -> str:
        return base64.b64encode(self._embedder.embed([text])[0].astype("<f2").tobytes()).decode()

    def search_sealed(
        self, query: str, user: str | None, *, space: str | None, limit: int, **bounds: Any
    ) -> list[tuple[Record, SealedHit]]:
        """The nearest items with what is in them."""
        self.renew_vectors(user, space)
        found = self.sealed.search(
            self._make_vector(query),
            model=self._embedder.name,
            seals=list(self.seals_for(user, space)),
            user=user,
            space=space,
            limit=limit,
            **bounds,
        )
        opened = [(self.open_item(hit.item, user=user, space=space), hit) for hit in found]
        return [(record, hit) for record, hit in opened if record is not None]

    def all_records(self, user: str | None, space: str | None) -> Iterator[Record]:
        """Everything that this key opens, newest first."""
        for item in self.sealed.all(user=user, space=space, limit=_MOST):
            record = self.open_item(item, user=user, space=space)
            if record is not None:
                yield record


_IN_THE_BOX = ("text", "kind", "title", "summary", "role", "session", "channel", "subject", "tags", "metadata")


def open_sealed(
    address: str,
    api_key: str | None = None,
    *,
    sealed_with: str | bytes | EncryptionKey | None = None,
    embedder: Embedder | str = "default",
) -> SealedMemory:
    """A sealed memory at a server's address. `sealed_with` is a passphrase or 32 bytes, else TOLDONCE_SEAL_KEY."""
    from toldonce.models.load import load_embedder

    key = api_key or os.environ.get(KEY_VARIABLE, "")
    if not key:
        raise InputError(f"a memory on a server needs a key: give api_key=, or set {KEY_VARIABLE}")
    said = sealed_with if sealed_with is not None else os.environ.get(SEAL_VARIABLE)
    if not said:
        raise InputError(f"a sealed memory needs a key that stays here: give sealed_with=, or set {SEAL_VARIABLE}")
    seal_key = said if isinstance(said, EncryptionKey) else EncryptionKey.read(said)
    chosen = load_embedder(embedder) if isinstance(embedder, str) else embedder
    if chosen is None or not (chosen.local or is_on_this_machine(chosen)):
        raise InputError("a sealed memory needs an embedder of this machine: its texts must not be sent elsewhere")
    return SealedMemory(Connection(address, key), seal_key, chosen)


def is_on_this_machine(embedder: Embedder) -> bool:
    """Whether an embedder behind an address is reached over the loopback interface alone, such as Ollama's."""
    host = urlsplit(f"//{find_address(embedder)}").hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _remember(
    self: SealedMemory,
    text: str,
    kind: str | None = None,
    *,
    user: str | None = None,
    session: str | None = None,
    channel: str | None = None,
    space: str | None = None,
    visibility: Visibility | None = None,
    subject: str | None = None,
    title: str = "",
    summary: str = "",
    tags: Sequence[str] = (),
    at: datetime | str | None = None,
    metadata: Mapping[str, Any] | None = None,
    author: str = "agent",  # noqa: ARG001  (whoever has the key wrote it)
    **other: Any,
) -> Record:
    """Seal a statement and store it."""
    _refuse_given(other, "remember")
    record = _keep_one(
        self,
        text,
        kind=kind or self.preset_for(space).default_kind,
        user=user,
        session=session,
        channel=channel,
        space=space,
        visibility=visibility or "private",
        subject=subject,
        title=title,
        summary=summary,
        tags=tuple(tags),
        at=at,
        metadata=metadata,
        role="assistant",
    )
    assert record is not None, "a new id is of no item"
    return record


def _observe(
    self: SealedMemory,
    text: str,
    user: str | None = None,
    *,
    session: str | None = None,
    role: str = "user",
    at: datetime | str | None = None,
    channel: str | None = None,
    space: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    idempotency_key: str | None = None,
    **other: Any,
) -> Record | Skipped:
    """Seal a message and store it. It stays a message: a server that cannot read it extracts nothing from it."""
    _refuse_given(other, "observe")
    item_id = new_id("sealed", system_clock())
    if idempotency_key is not None:
        check_key(idempotency_key)
        item_id = keyed_id("sealed", json.dumps([space or self.space.name, user, idempotency_key]))
        if (found := _find_stored(self, item_id, text, role, user=user, space=space)) is not None:
            return found
    record = _keep_one(
        self,
        text,
        kind=self.preset_for(space).capture.kind,
        user=user,
        session=session,
        role=role,
        at=at,
        channel=channel,
        space=space,
        metadata=metadata,
        id=item_id,
    )
    if record is not None:
        return record
    # Another process was first, or what was stored under this key is destroyed.
    return _find_stored(self, item_id, text, role, user=user, space=space) or Skipped(TAKEN_OUT)


def _find_stored(
    self: SealedMemory, item_id: str, text: str, role: str, *, user: str | None, space: str | None
) -> Record | None:
    """The message that was stored under an id; KeyReused when it is another one."""
    item = self.sealed.get(item_id, user=user, space=space)
    if item is None:
        return None
    record = self.open_item(item, user=user, space=space)
    if record is None or (record.text, record.role) != (redact_secrets(text).text, role):
        raise KeyReused
    return replace(record, notices=(REPEATED,))


def _keep_one(
    self: SealedMemory,
    text: str,
    *,
    user: str | None,
    space: str | None,
    at: datetime | str | None,
    metadata: Mapping[str, Any] | None,
    **given: Any,
) -> Record | None:
    """The record, sealed and stored; None where there is an item with its id, or was one."""
    check_texts(text=text)
    check_names(user=user, session=given.get("session"), channel=given.get("channel"))
    if not text.strip():
        raise InputError("there is nothing to remember: give a text of at least one word")
    now = system_clock()
    moment = as_moment(at, now) if at is not None else now
    record = Record(
        text=redact_secrets(text).text,
        at=moment,
        created_at=moment,
        space=space or self.space.name,
        user=user,
        metadata=check_metadata(metadata),
        **{"id": new_id("sealed", now), **given},
    )
    return record if self.sealed.put([self.seal_record(record, user=user, space=space)], space=space) else None


def _recall(
    self: SealedMemory,
    query: str,
    user: str | None = None,
    *,
    limit: int | None = None,
    kinds: Sequence[str] | None = None,
    session: str | None = None,
    since: datetime | str | None = None,
    until: datetime | str | None = None,
    min_score: float | None = None,
    space: str | None = None,
    explain: bool = False,  # noqa: ARG001  (the vector is the only reason there is)
    counted: bool = True,  # noqa: ARG001  (the server does not know what was found)
    **other: Any,
) -> Hits:
    """The items whose vectors are nearest to that of the question, opened here."""
    _refuse_given(other, "recall")
    wanted = _USUAL_LIMIT if limit is None else limit
    require_counts(limit=wanted)
    is_filtered = bool(kinds or session)
    found = self.search_sealed(
        query, user, space=space, limit=_PAGE if is_filtered else wanted, since=since, until=until
    )
    hits = [
        Hit(record, max(0.0, min(1.0, hit.score)), Why((Signal("vector", rank, 1.0),)))
        for rank, (record, hit) in enumerate(found, 1)
        if (not kinds or record.kind in kinds) and session in (None, record.session) and hit.score >= (min_score or 0)
    ]
    return Hits(hits[:wanted])


def _context(
    self: SealedMemory,
    query: str,
    user: str | None = None,
    *,
    budget: int | None = None,
    space: str | None = None,
    session: str | None = None,
    channel: str | None = None,
    explain: bool = False,
    counted: bool = True,  # noqa: ARG001  (the server does not know what was shown)
    **other: Any,
) -> Context:
    """A prompt block of the nearest items, built here by the engine of this machine."""
    _refuse_given(other, "context")
    if query.strip():
        chosen = [record for record, _ in self.search_sealed(query, user, space=space, limit=_CANDIDATES)]
    else:
        chosen = list(islice(self.all_records(user, space), _CANDIDATES))
        # Without a question the newest are what it is about.
        query = " ".join(record.text[:_GIST] for record in chosen[:_USUAL_LIMIT])
    with open_beside(self, chosen, space=space) as local:
        return local.context(query, user, budget=budget, session=session, channel=channel, explain=explain)


def open_beside(self: SealedMemory, records: Iterable[Record], *, space: str | None) -> Memory:
    """A memory in this process alone with these records, of the preset of the space."""
    home = next((one for one in self.spaces.all() if one.name == (space or self.space.name)), self.space)
    local = Memory.open(":memory:", home.preset, space=home.name, zone=home.zone, embedder=None, background=False)
    preset = local.spaces.preset()
    known = [replace(r, kind=r.kind if r.kind in preset.kinds else preset.default_kind) for r in records]
    local.store.write(lambda t: [t.records.add(record, embed=False, grams="") for record in known])
    return local


def _get(self: SealedMemory, record_id: str, *, user: str | None = None) -> Record:
    """One record, opened here."""
    item = self.sealed.get(record_id, user=user)
    record = self.open_item(item, user=user, space=None) if item is not None else None
    if record is None:
        raise RecordNotFound
    return record


def _forget(self: SealedMemory, record_id: str, *, user: str | None = None, reason: str = "") -> Record:  # noqa: ARG001
    """Destroy a sealed item for good: there is nothing on the server that could be restored."""
    record = _get(self, record_id, user=user)
    if not self.sealed.delete(record_id, user=user):
        raise NotAllowed(f"{record_id} belongs to somebody else")
    return record


def _export(
    self: SealedMemory,
    path: str | os.PathLike[str],
    *,
    user: str | None = None,
    space: str | None = None,
    format: str | None = None,
    encryption_key: str | bytes | None = None,
    plain: bool = False,
) -> int:
    """Open everything and write it to a file of this machine, which any memory can import."""
    with open_beside(self, self.all_records(user, space), space=space) as local:
        return local.export(Path(path), format=format, encryption_key=encryption_key, plain=plain)


def _stats(self: SealedMemory, *, user: str | None = None, space: str | None = None) -> dict[str, Any]:
    """How many items are sealed, and how large they are: all that the server knows."""
    counts = self.sealed.count(user=user, space=space)
    newest = max((one.newest for one in counts), default=None)
    items, size = sum(one.items for one in counts), sum(one.bytes for one in counts)
    about = {"space": space or self.space.name, "preset": self.space.preset, "kinds": {"sealed": {"active": items}}}
    return {**about, "bytes": size, "newest": newest, "waiting for a vector": 0}


def _refuse_given(other: Mapping[str, Any], operation: str) -> None:
    named = [name for name, value in other.items() if value not in (None, "", False, ())]
    if named:
        raise InputError(f"{named[0]} does not work with a sealed memory: leave it out of {operation}")


def _make_refusal(operation: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise NotAllowed(f"{operation} does not work with a sealed memory: the server would have to read what is in it")

    refuse.__doc__ = f"Refused: {operation} needs the text on the server."
    return refuse


_OWN: Mapping[str, Callable[..., Any]] = {
    "remember": _remember, "observe": _observe, "recall": _recall, "context": _context, "get": _get,
    "forget": _forget, "export": _export, "stats": _stats,
}  # fmt: skip


for _name in ROUTES:
    if "." not in _name and _name not in _PLAIN:
        setattr(SealedMemory, _name, _OWN.get(_name) or _make_refusal(_name))
