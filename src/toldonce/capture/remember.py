"""A statement comes in to be kept as it is: checked against its kind's row, reconciled with what is known, kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, get_args

from toldonce import tokens
from toldonce.capture.fields import check_flags, check_lists, check_metadata, check_names, check_texts
from toldonce.capture.gate import GateLimits, admit_through_gate, count_secrets
from toldonce.capture.observe import (
    clean_names,
    learn_secrets,
    list_gate_notices,
    list_mentions,
    redact_nested,
    write_notices,
)
from toldonce.capture.secrets.remembered import SecretWords
from toldonce.clock import as_moment
from toldonce.errors import InputError, NotAllowed, RecordNotFound, TooMany
from toldonce.models.tagger import RegexTagger
from toldonce.presets.policy import Author, Kind, Preset
from toldonce.records import Origin, Record, Space, Trust, Visibility, attribute_of, new_id
from toldonce.storage.store import Tables
from toldonce.text.words import text_grams

SUMMARY_TOKENS = 35
_TAGGER = RegexTagger()
_TRUST: Mapping[Author, Trust] = {"person": Trust.PERSON, "agent": Trust.AGENT, "system": Trust.AGENT}
_VISIBILITIES = ("private", "team", "project")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Something to remember, as the caller gave it. Without an `author` it is whoever asks: in the library an agent."""

    text: str
    kind: str
    user: str | None = None
    author: Author | None = None
    made_by: str = ""
    origin: Origin | None = None
    sources: tuple[str, ...] = ()
    session: str | None = None
    channel: str | None = None
    branch: str | None = None
    visibility: Visibility | None = None
    subject: str | None = None
    title: str = ""
    summary: str = ""
    confidence: float | None = None
    proposed: bool = False
    pinned: bool = False
    tags: Sequence[str] = ()
    at: datetime | str | None = None
    metadata: Mapping[str, Any] | None = None
    file: str = ""


def build_record(statement: Statement, *, preset: Preset, space: Space, now: datetime) -> Record:
    """The record that a statement asks for, with the defaults of its kind."""
    kind, author = preset.kind(statement.kind), "agent" if statement.author is None else statement.author
    _check_statement(statement, kind, author=author)
    secrets_go = preset.capture.redact_secrets
    statement = clean_names(statement, secrets_go)
    limits = GateLimits(max_chars=kind.max_chars, redact_secrets=secrets_go, file=statement.file)
    admitted = admit_through_gate(statement.text, limits=limits)
    at = as_moment(statement.at, now)
    origin = statement.origin or ("user_input" if author == "person" else "conversation")
    confidence = kind.confidence_for(origin) if statement.confidence is None else statement.confidence
    return Record(
        id=new_id(kind.prefix, now),
        kind=kind.name,
        text=admitted.text,
        at=at,
        created_at=now,
        space=space.name,
        user=statement.user,
        session=statement.session,
        channel=statement.channel,
        branch=statement.branch,
        visibility=statement.visibility or kind.visibility_for(author),
        role=author,
        author=statement.made_by,
        title=redact_nested(statement.title, secrets_go),
        summary=redact_nested(statement.summary, secrets_go) or _summarise_long_text(admitted.text),
        subject=statement.subject,
        state="proposed" if statement.proposed else "active",
        state_reason="waits for review" if statement.proposed else "",
        state_at=now if statement.proposed else None,
        confidence=confidence,
        validated=author == "person" and not statement.proposed,
        pinned=statement.pinned,
        origin=origin,
        made_by=statement.made_by or author,
        trust=_TRUST[author],
        expires_at=kind.expires_at(at, space.zone),
        tags=tuple(redact_nested(list(statement.tags), secrets_go)),
        metadata=redact_nested(
            _place_in_area(check_metadata(statement.metadata), statement.subject, preset), secrets_go
        ),
        sources=statement.sources,
        notices=list_gate_notices(admitted),
    )


def remove_known_secrets(
    tables: Tables, record: Record, said: Sequence[SecretWords], *, preset: Preset, now: datetime
) -> Record:
    """The record without what was redacted for its person before; what was redacted in it now is remembered."""
    if not preset.capture.redact_secrets or (known := learn_secrets(tables, record.user, said, now=now)) is None:
        return record
    text, types = known.redact_text(record.text)
    return replace(
        record,
        text=text,
        title=known.redact_value(record.title),
        summary=known.redact_value(record.summary),
        metadata=known.redact_value(record.metadata),
        notices=(*record.notices, *write_notices(count_secrets(types))),
    )


def admit_record(tables: Tables, record: Record, *, preset: Preset) -> Record:
    """The record with the least trust of its sources, once its sources exist and the session has room for it.

    A private one that names nobody is private to the person whose its sources are.
    """
    found = tables.records.get(record.sources)
    for source in record.sources:
        if source not in found:
            raise RecordNotFound(f"the source {source!r} is not a record here", record_id=source)
    most = preset.capture.max_records_per_session
    if most and record.session and tables.records.session_count(record.space, record.session) >= most:
        raise TooMany(f"a session may keep at most {most} records: this one is full", limit=most)
    trust = min((record.trust, *(s.trust for s in found.values())))
    return replace(record, trust=trust, user=_owner_by_sources(record, found.values()))


def _owner_by_sources(record: Record, sources: Iterable[Record]) -> str | None:
    if record.user is not None or record.visibility != "private":
        return record.user
    owners = {source.user for source in sources if source.user is not None and source.visibility != "project"}
    if len(owners) > 1:
        raise InputError(
            "its sources are private to several people: say with `user` whose it is, or give fewer sources"
        )
    return owners.pop() if owners else None


def add_record(tables: Tables, record: Record, *, preset: Preset) -> None:
    """Keep a record with its words, its mentions and, when it does not start as active, the reason."""
    seq = tables.records.add(record, embed=preset.kind(record.kind).embedded, grams=text_grams(record.text))
    if record.state != "active":
        tables.records.note_change(
            record, record.state, action=record.state, at=record.state_at or record.at, reason=record.state_reason
        )
    tables.entities.mention(list_mentions(seq, record, _TAGGER.tag(record.text)))
    if record.notices:
        detail = {"record": record.id, "changes": record.notices}
        tables.audit.add(record.space, "gate", at=record.created_at, actor=record.user or "", detail=detail)


def _check_statement(statement: Statement, kind: Kind, *, author: Author) -> None:
    if not isinstance(statement.text, str):
        raise InputError(f"the text must be a string, not {type(statement.text).__name__}")
    check_names(author=author)
    check_lists(tags=statement.tags, source=statement.sources)
    check_texts(summary=statement.summary)
    check_flags(pinned=statement.pinned, proposed=statement.proposed)
    check_names(
        user=statement.user,
        session=statement.session,
        channel=statement.channel,
        branch=statement.branch,
        subject=statement.subject,
        title=statement.title,
        made_by=statement.made_by,
        **{f"tags[{place}]": tag for place, tag in enumerate(statement.tags)},
        **{f"source[{place}]": source for place, source in enumerate(statement.sources)},
    )
    if author not in kind.writers:
        raise NotAllowed(f"records of kind {kind.name!r} are written by {', '.join(kind.writers)}, not by {author}")
    if statement.visibility is not None and statement.visibility not in _VISIBILITIES:
        raise InputError(f"visibility must be one of {', '.join(_VISIBILITIES)}")
    if statement.origin is not None and statement.origin not in get_args(Origin):
        raise InputError(f"origin must be one of {', '.join(get_args(Origin))}")
    if statement.confidence is not None and not _is_share(statement.confidence):
        raise InputError("confidence must be between 0 and 1")


def _place_in_area(metadata: dict[str, Any], subject: str | None, preset: Preset) -> dict[str, Any]:
    """The metadata with the area of life that it names, or else that of its subject's attribute."""
    named = metadata.get("area")
    if named is not None and preset.areas and not (isinstance(named, str) and named in preset.areas):
        raise InputError(f"there is no such area of life: it must be one of {', '.join(preset.areas)}")
    found = preset.area_of(attribute_of(subject)) if named is None else None
    return {**metadata, "area": found[0], "sub_area": found[1]} if found else metadata


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1


def _summarise_long_text(text: str) -> str:
    """The point of a text in one line; "" for a text that is short enough to be shown whole."""
    if tokens.count_tokens(text) <= SUMMARY_TOKENS:
        return ""
    from toldonce.capture.summary import summarise_text

    return summarise_text(text, SUMMARY_TOKENS)
