"""A message comes in: from what the caller gave to what the store keeps, in one transaction and without any model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar, cast

from toldonce.capture.addressee import find_addressee
from toldonce.capture.fields import check_key, check_metadata, check_names
from toldonce.capture.gate import MOST_PARTS, AdmittedText, GateChange, GateLimits, admit_through_gate, count_secrets
from toldonce.capture.secrets.redact import redact_secrets
from toldonce.capture.secrets.remembered import (
    KnownSecrets,
    SecretWords,
    describe_secret,
    digest_secret,
    make_digest_key,
)
from toldonce.clock import as_moment
from toldonce.errors import EmptyText, InputError, KeyReused
from toldonce.lang.vocabulary import normalise_alias
from toldonce.models.tagger import Mention, RegexTagger
from toldonce.presets.policy import CapturePolicy, Preset
from toldonce.records import Conversation, Origin, Person, Record, Space, Trust, known_id, new_id
from toldonce.storage.keyed_ids import keyed_id
from toldonce.storage.store import Tables
from toldonce.storage.tables.entities import RecordMention
from toldonce.storage.tables.jobs import Job
from toldonce.text.words import text_grams

if TYPE_CHECKING:
    from toldonce.capture.remember import Statement

T = TypeVar("T")
N = TypeVar("N", "IncomingMessage", "Statement")

# Shorter than this is no keyword with a secret behind it.
SHORTEST_SECRET = 8
_NAMES = ("session", "channel", "branch", "username", "display_name", "subject", "made_by")
_MOST_CLEAN_NAMES = 4_096
SETTLE = "settle"
# In the metadata of a message of several parts: which of them a record is.
PART = "message_part"
TAKEN_OUT = "it was taken out of memory"
# The notice of a message that was sent again with its key.
REPEATED = "repeated: this message was stored before"
# States in which a message is taken out of memory, though its record is kept.
HIDDEN_STATES = ("forgotten", "flagged")
SEEN_AGAIN = timedelta(minutes=1)
_TAGGER = RegexTagger()
# Names come with every message: those without a secret are looked at once.
_clean_names: set[str] = set()
_TRUST = {"user": Trust.PERSON, "assistant": Trust.AGENT, "system": Trust.AGENT, "tool": Trust.TOOL}
KEPT_OUT = "this person is kept out of memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """One thing said, as the caller gave it. With an idempotency key it is stored once, however often it comes."""

    text: str
    user: str | None = None
    session: str | None = None
    role: str = "user"
    at: datetime | str | None = None
    channel: str | None = None
    branch: str | None = None
    username: str = ""
    display_name: str = ""
    metadata: Mapping[str, Any] | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A message that was not kept, and the rule that said so. It counts as false."""

    reason: str

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class MessageSource:
    """Where a message was said: in which program, in which channel of it, and under which id."""

    program: str
    channel: str
    id: str

    def record_id(self, at: datetime, *, preset: Preset, space: Space) -> str:
        """The id of its record, the same whenever and however the message comes."""
        told = f"{space.name}\n{self.program}\n{self.channel}\n{self.id}"
        return known_id(preset.kind(preset.capture.kind).prefix, at, told)


@dataclass(frozen=True, slots=True)
class MessageKey:
    """The idempotency key of a message: whose, and in which space it is stored."""

    user: str | None
    key: str

    def record_id(self, *, preset: Preset, space: Space) -> str:
        """The id of its record, the same whenever the message comes."""
        told = json.dumps([space.name, self.user, self.key])
        return keyed_id(preset.kind(preset.capture.kind).prefix, told)


@dataclass(frozen=True, slots=True)
class PreparedMessage:
    """A message that passed the gate, ready to be kept: what was said and what is remembered of it.

    One of another program has an id of its own, by which it is known when it comes again, and may have a limit to its
    trust.
    """

    said: IncomingMessage
    text: str
    at: datetime
    now: datetime
    person: Person | None
    metadata: Mapping[str, Any]
    mentions: Sequence[Mention]
    grams: str
    changes: tuple[str, ...]
    rest: tuple[MessagePart, ...] = ()
    secrets: tuple[SecretWords, ...] = field(default=(), repr=False)
    record_id: str | None = None
    origin: Origin = "conversation"
    most_trust: Trust = Trust.PERSON


@dataclass(frozen=True, slots=True)
class MessagePart:
    """A further part of a message that is too long for one record."""

    text: str
    mentions: Sequence[Mention]
    grams: str


def prepare_message(
    incoming: IncomingMessage, *, preset: Preset, space: Space, now: datetime
) -> PreparedMessage | Skipped:
    """Everything that can be done to a message before the store is asked."""
    check_names(
        user=incoming.user,
        session=incoming.session,
        channel=incoming.channel,
        branch=incoming.branch,
        username=incoming.username,
        display_name=incoming.display_name,
        role=incoming.role,
    )
    if incoming.idempotency_key is not None:
        check_key(incoming.idempotency_key)
    if skip := skip_reason(incoming.text, incoming.role, preset.capture):
        return Skipped(skip)
    incoming = clean_names(incoming, preset.capture.redact_secrets)
    kind = preset.kind(preset.capture.kind)
    secrets_go = preset.capture.redact_secrets
    limits = GateLimits(max_chars=kind.max_chars, redact_secrets=secrets_go, parts=MOST_PARTS)
    try:
        admitted = admit_through_gate(incoming.text, limits=limits)
    except EmptyText as problem:
        if not any(char.isprintable() and not char.isspace() for char in incoming.text):
            raise
        return Skipped(str(problem))
    if admitted.junk > preset.capture.junk_above:
        return Skipped("nothing worth keeping")
    text, *rest = _split_message(admitted.text, most=kind.max_chars)
    split = (f"split: a long message ({len(rest) + 1} parts)",) if rest else ()
    return PreparedMessage(
        said=incoming,
        text=text,
        at=as_moment(incoming.at, now),
        now=now,
        person=_person_of_message(incoming, space),
        metadata=redact_nested(check_metadata(incoming.metadata), preset.capture.redact_secrets),
        mentions=_TAGGER.tag(text),
        grams=text_grams(text),
        changes=(*list_gate_notices(admitted), *split),
        rest=tuple(map(_make_part, rest)),
        secrets=admitted.secrets,
        record_id=_find_keyed_id(incoming, preset=preset, space=space),
    )


def _find_keyed_id(incoming: IncomingMessage, *, preset: Preset, space: Space) -> str | None:
    if incoming.idempotency_key is None:
        return None
    return MessageKey(incoming.user, incoming.idempotency_key).record_id(preset=preset, space=space)


def _make_part(text: str) -> MessagePart:
    return MessagePart(text, _TAGGER.tag(text), text_grams(text))


def _split_message(text: str, *, most: int) -> list[str]:
    """The parts of a message, one unless it is too long. Secrets are out of it: none can hide in two halves."""
    if len(text) <= most:
        return [text]
    from toldonce.capture.parts import split_long_text

    return split_long_text(text, most=most)


def skip_reason(text: str, role: str, policy: CapturePolicy) -> str | None:
    """Why the preset does not take this message, if so."""
    if not isinstance(text, str):
        raise InputError(f"the text must be a string, not {type(text).__name__}")
    if role not in policy.roles:
        return f"messages of role {str(role)[:60]!r} are not kept here"
    if policy.skip and policy.is_skipped(text):
        return "a skip rule matched"
    return None


def clean_names(given: N, secrets_go: bool) -> N:
    """The same with secrets redacted in the short texts beside it: names, session, channel, branch, subject.

    The user is who it is about, by which a person is found and erased: a user that holds a secret is refused instead.
    """
    if not secrets_go:
        return given
    if given.user and clean_name(given.user) != given.user:
        raise InputError("user holds what looks like a secret: name the person in another way")
    texts = {name: text for name in _NAMES if (text := getattr(given, name, None))}
    changed: dict[str, Any] = {name: new for name, text in texts.items() if (new := clean_name(text)) != text}
    return replace(given, **changed) if changed else given


def clean_name(name: str) -> str:
    """A name with secrets redacted. Ids are random by nature, so randomness alone does not count."""
    if len(name) < SHORTEST_SECRET or name in _clean_names:
        return name
    cleaned = redact_secrets(name, by_chance=False).text
    if cleaned == name:
        if len(_clean_names) >= _MOST_CLEAN_NAMES:
            _clean_names.clear()
        _clean_names.add(name)
    return cleaned


def redact_nested(value: T, secrets_go: bool) -> T:
    """What comes beside a text, with secrets redacted in every text inside it."""
    if not secrets_go:
        return value
    if isinstance(value, str):
        return cast("T", value if len(value) < SHORTEST_SECRET else redact_secrets(value).text)
    if isinstance(value, dict):
        return cast(
            "T", {redact_nested(key, secrets_go): redact_nested(inner, secrets_go) for key, inner in value.items()}
        )
    return cast("T", [redact_nested(inner, secrets_go) for inner in value]) if isinstance(value, list) else value


def list_gate_notices(admitted: AdmittedText) -> tuple[str, ...]:
    """What the gate changed, in words for the caller."""
    return write_notices(admitted.changes)


def write_notices(changes: Iterable[GateChange]) -> tuple[str, ...]:
    """Changes in words for the caller."""
    return tuple(f"{change.what}: {change.detail} ({change.count})" for change in changes)


class MessageBatch:
    """What the messages of one transaction share: each person and conversation is read once and written once."""

    __slots__ = ("_mentions", "_moments", "_open", "_people", "_secrets", "tables")

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._people: dict[tuple[str, str], Person | None] = {}
        self._open: dict[tuple[str, str], Conversation] = {}
        self._moments: dict[str, list[datetime]] = {}
        self._mentions: list[RecordMention] = []
        self._secrets: dict[str | None, KnownSecrets | None] = {}

    def find_person(self, person: Person) -> Person | None:
        """What is known of a person."""
        key = (person.space, person.id)
        if key not in self._people:
            self._people[key] = self.tables.people.get(*key)
        return self._people[key]

    def find_names(self, space: str, user: str) -> tuple[str, ...]:
        """What a person is called in a space, the id among it."""
        known = self.find_person(Person(id=user, space=space))
        return (user, known.username, known.display_name) if known else (user,)

    def update_person(self, person: Person, *, at: datetime) -> None:
        """Keep who a person is now."""
        self.tables.people.update_person(person, now=at)
        del self._people[person.space, person.id]

    def learn_secrets(self, person: str | None, said: Sequence[SecretWords], *, now: datetime) -> KnownSecrets | None:
        """The secrets that are known of a person, read once for all messages."""
        if said or person not in self._secrets:
            self._secrets[person] = learn_secrets(self.tables, person, said, now=now)
        return self._secrets[person]

    def find_open(self, space: str, key: str) -> Conversation | None:
        """The open conversation of a key, with the messages of this batch."""
        if (space, key) not in self._open and (found := self.tables.conversations.open_one(space, key)) is not None:
            self._open[space, key] = found
        return self._open.get((space, key))

    def open(self, conversation: Conversation) -> None:
        """Begin a conversation."""
        self.tables.conversations.add(conversation)
        self._open[conversation.space, conversation.key] = conversation

    def end(self, conversation: Conversation, *, by: str, at: datetime) -> None:
        """Close a conversation and have it settled."""
        end_conversation(self.tables, conversation, by=by, at=at)
        self._open.pop((conversation.space, conversation.key), None)

    def extend(self, conversation: Conversation, *, at: datetime) -> None:
        """One more message was said at that moment."""
        self._moments.setdefault(conversation.id, []).append(at)
        self._open[conversation.space, conversation.key] = replace(
            conversation,
            messages=conversation.messages + 1,
            started_at=min(conversation.started_at, at),
            updated_at=max(conversation.updated_at, at),
        )

    def mention(self, seq: int, record: Record, mentions: Sequence[Mention]) -> None:
        """A record mentions these."""
        self._mentions += list_mentions(seq, record, mentions)

    def finish(self) -> None:
        """Write what was mentioned, and how far each conversation went."""
        self.tables.entities.mention(self._mentions)
        for conversation, moments in self._moments.items():
            self.tables.conversations.extend(conversation, first=min(moments), last=max(moments), count=len(moments))


def store_message(batch: MessageBatch, heard: PreparedMessage, *, preset: Preset, space: Space) -> Record | Skipped:
    """Add a message to its conversation and to the store; `finish` of the batch has to follow."""
    tables = batch.tables
    known = batch.find_person(heard.person) if heard.person is not None else None
    if known is not None and known.blocked:
        return Skipped(KEPT_OUT)
    conversation = _conversation_for(batch, heard, preset=preset, space=space)
    record = add_message_record(batch, heard, conversation.id, preset=preset, space=space)
    if heard.person is not None and _is_news(heard.person, known, at=record.at):
        batch.update_person(heard.person, at=record.at)
    batch.extend(conversation, at=record.at)
    _set_timer(tables, conversation, preset=preset, space=space, at=record.at)
    return record


def find_stored(batch: MessageBatch, heard: PreparedMessage, *, preset: Preset) -> Record | Skipped | None:
    """What is here of a message that has an id of its own: its record, why it stays out, or None for a new one.

    KeyReused when another message was stored under its idempotency key.
    """
    if heard.record_id is None:
        return None
    here = batch.tables.records.get([heard.record_id]).get(heard.record_id)
    if heard.said.idempotency_key is None:
        return here
    if here is None:
        return Skipped(TAKEN_OUT) if batch.tables.purge.was_destroyed(heard.record_id) else None
    if here.state in HIDDEN_STATES:
        return Skipped(TAKEN_OUT)
    if not _is_same_message(batch, here, heard, preset=preset):
        raise KeyReused
    return replace(here, notices=(REPEATED,))


def _is_same_message(batch: MessageBatch, here: Record, heard: PreparedMessage, *, preset: Preset) -> bool:
    """Whether a stored message says what was heard, without what is known as a secret by now."""
    stored = [here.text, *(part.text for part in batch.tables.records.find_parts(here))]
    texts = [heard.text, *(part.text for part in heard.rest)]
    secrets_go = preset.capture.redact_secrets
    known = batch.learn_secrets(here.user, heard.secrets, now=heard.now) if secrets_go else None
    if known is not None:
        stored, texts = ([known.redact_text(text)[0] for text in several] for several in (stored, texts))
    return here.role == heard.said.role and stored == texts


def add_message_record(
    batch: MessageBatch, heard: PreparedMessage, conversation: str, *, preset: Preset, space: Space
) -> Record:
    """Add a message and what it mentions to the store, as part of a conversation whose own row stays as it is."""
    tables = batch.tables
    record = _assign_owner(batch, _build_message_record(heard, conversation, preset=preset, space=space))
    if preset.capture.redact_secrets:
        record, heard = _without_known_secrets(batch, record, heard)
    seq = tables.records.add(record, embed=preset.kinds[record.kind].embedded, grams=heard.grams)
    batch.mention(seq, record, heard.mentions)
    for number, part in enumerate(heard.rest, start=2):
        _store_part(batch, record, part, number=number, embed=preset.kinds[record.kind].embedded)
    if heard.changes:
        tables.audit.add(
            space.name,
            "gate",
            at=record.created_at,
            actor=record.user or "",
            detail={"record": record.id, "changes": heard.changes},
        )
    return record


def _without_known_secrets(
    batch: MessageBatch, record: Record, heard: PreparedMessage
) -> tuple[Record, PreparedMessage]:
    """The message without what was redacted for its person before; what was redacted in it now is remembered."""
    known = batch.learn_secrets(record.user, heard.secrets, now=heard.now)
    if known is None:
        return record, heard
    text, *rest = [known.redact_text(one) for one in (heard.text, *(part.text for part in heard.rest))]
    types = [*text[1], *(type for _, found in rest for type in found)]
    metadata = known.redact_value(record.metadata)
    if not types and metadata == record.metadata:
        return record, heard
    notices = write_notices(count_secrets(types))
    first, parts = _make_part(text[0]), tuple(_make_part(part) for part, _ in rest)
    heard = replace(
        heard,
        text=first.text,
        mentions=first.mentions,
        grams=first.grams,
        rest=parts,
        changes=(*heard.changes, *notices),
    )
    return replace(record, text=first.text, metadata=metadata, notices=(*record.notices, *notices)), heard


def learn_secrets(
    tables: Tables, person: str | None, said: Sequence[SecretWords], *, now: datetime
) -> KnownSecrets | None:
    """The secrets that are known of a person, those that were said now among them; None when there are none."""
    described = tables.people.list_secret_digests(person, now=now)
    if not described and not said:
        return None
    key = tables.people.keep_secret_key(make_digest_key, now=now)
    for secret in said:
        digest = digest_secret(secret.words, key=key, person=person or "")
        if digest not in described:
            described[digest] = describe_secret(secret)
            tables.people.add_secret_digest(person, digest, described[digest], now=now)
    return KnownSecrets(person or "", key=key, described=described)


def _store_part(batch: MessageBatch, first: Record, part: MessagePart, *, number: int, embed: bool) -> None:
    """Add a further part of a message behind its first one, with a link to it."""
    prefix = first.id.partition("_")[0]
    shares = first.metadata[PART]
    metadata = {**first.metadata, PART: {**shares, "number": number}}
    record = replace(first, id=new_id(prefix, first.created_at), text=part.text, metadata=metadata, notices=())
    seq = batch.tables.records.add(record, embed=embed, grams=part.grams)
    batch.mention(seq, record, part.mentions)
    batch.tables.records.link(record.space, record.id, first.id, type="part_of", at=record.created_at)


def is_later_part(record: Record) -> bool:
    """Whether a record continues a message that is too long for one record."""
    part = record.metadata.get(PART)
    return isinstance(part, dict) and part.get("number") != 1


def _build_message_record(heard: PreparedMessage, conversation: str, *, preset: Preset, space: Space) -> Record:
    said, kind = heard.said, preset.kind(preset.capture.kind)
    return Record(
        id=heard.record_id or new_id(kind.prefix, heard.now),
        kind=kind.name,
        text=heard.text,
        at=heard.at,
        created_at=heard.now,
        space=space.name,
        user=said.user,
        session=said.session,
        channel=said.channel,
        branch=said.branch,
        visibility=kind.visibility_for("person" if said.role == "user" else "agent"),
        role=said.role,
        author=_author_of_message(said, heard.person),
        confidence=kind.confidence_for("conversation"),
        origin=heard.origin,
        made_by=said.role,
        trust=min(_TRUST.get(said.role, Trust.EXTERNAL), heard.most_trust),
        conversation=conversation,
        expires_at=kind.expires_at(heard.at, space.zone),
        metadata={**heard.metadata, PART: {"number": 1, "of": len(heard.rest) + 1}} if heard.rest else heard.metadata,
        notices=heard.changes,
    )


def _assign_owner(batch: MessageBatch, record: Record) -> Record:
    """The record with its owner: a reply that names nobody belongs to the person whom it answers."""
    if record.user is not None or record.role == "user" or not record.conversation:
        return record
    conversations = batch.tables.conversations
    said = conversations.last_said(record.conversation)
    if not any(message.is_human for message in said):
        # The conversation it answers may have ended, or was held under the person's name alone.
        said = conversations.last_said_in(record.space, session=record.session, channel=record.channel)
    speakers = {message.user for message in said if message.is_human}
    names = {user: batch.find_names(record.space, user) for user in speakers if user and len(speakers) > 1}
    return replace(record, user=find_addressee(record.text, said, names))


def list_mentions(seq: int, record: Record, mentions: Sequence[Mention]) -> list[RecordMention]:
    """What a record mentions, as the registry of entities takes it."""
    return [
        RecordMention(seq, record.space, alias, shown=mention.text, type=mention.type, now=record.created_at)
        for mention in mentions
        if (alias := normalise_alias(mention.text))
    ]


def end_conversation(tables: Tables, conversation: Conversation, *, by: str, at: datetime) -> None:
    """Close a conversation and have it settled."""
    if tables.conversations.end(conversation.id, ended_by=by):
        tables.jobs.put(build_settle_job(conversation, due_at=at))


def end_all(
    tables: Tables, space: str, *, session: str | None, channel: str | None, user: str | None, at: datetime
) -> None:
    """Close these conversations because their session is over, and have them settled."""
    for conversation in tables.conversations.find_unsettled(space, session=session, channel=channel, user=user):
        end_conversation(tables, conversation, by="session_end", at=at)


def build_settle_job(conversation: Conversation, *, due_at: datetime) -> Job:
    """The job that settles a conversation. Each message reschedules it, so it runs once the conversation is quiet."""
    return Job(
        space=conversation.space,
        key=f"{SETTLE}:{conversation.id}",
        name=SETTLE,
        due_at=due_at,
        args={"conversation": conversation.id},
        max_attempts=5,
    )


def _conversation_for(batch: MessageBatch, heard: PreparedMessage, *, preset: Preset, space: Space) -> Conversation:
    policy, said, at = preset.conversation, heard.said, heard.at
    key = policy.key_for(user=said.user, session=said.session, channel=said.channel)
    current = batch.find_open(space.name, key)
    if current is not None:
        over = policy.find_ending(current, at=at, zone_name=space.zone)
        if over is None:
            return current
        batch.end(current, by=over, at=at)
    elif "session_switch" in policy.ends and said.role == "user" and heard.origin == "conversation":
        for other in batch.tables.conversations.open_elsewhere(space.name, user=said.user, session=said.session):
            batch.end(other, by="session_switch", at=at)
    return _open_conversation(batch, heard, key, space=space)


def _open_conversation(batch: MessageBatch, heard: PreparedMessage, key: str, *, space: Space) -> Conversation:
    said = heard.said
    conversation = Conversation(
        id=new_id("talk", heard.now),
        space=space.name,
        key=key,
        user=said.user,
        session=said.session,
        channel=said.channel,
        started_at=heard.at,
        updated_at=heard.at,
        messages=0,
    )
    batch.open(conversation)
    return conversation


def _set_timer(tables: Tables, conversation: Conversation, *, preset: Preset, space: Space, at: datetime) -> None:
    timer = preset.conversation.next_ending(updated_at=max(at, conversation.updated_at), zone_name=space.zone)
    if timer is not None:
        tables.jobs.put(build_settle_job(conversation, due_at=timer[0]))


def _is_news(person: Person, known: Person | None, *, at: datetime) -> bool:
    """Whether there is something to keep about who spoke: another name, or that they were seen again after a while."""
    if known is None or known.seen_at is None or at - known.seen_at >= SEEN_AGAIN:
        return True
    return person.username not in ("", known.username) or person.display_name not in ("", known.display_name)


def _person_of_message(incoming: IncomingMessage, space: Space) -> Person | None:
    if incoming.user is None or incoming.role != "user":
        return None
    return Person(id=incoming.user, space=space.name, username=incoming.username, display_name=incoming.display_name)


def _author_of_message(incoming: IncomingMessage, person: Person | None) -> str:
    return incoming.display_name or incoming.username or (person.name if person else "") or incoming.role
