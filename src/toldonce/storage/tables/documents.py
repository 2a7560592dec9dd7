"""Documents with their versions, and small settings."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from toldonce.clock import from_micros, to_micros
from toldonce.records import Document, DocumentEntry
from toldonce.storage.rows import Rows
from toldonce.storage.tables.records import from_stored_time, read_stored_table, to_stored_time


class DocumentTable:
    """One current text per scope, and what else is kept once per space."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def get(self, space: str, owner: str, name: str, *, as_of: datetime | None = None) -> Document | None:
        """The current version of a document, or the one that was current then."""
        place = {"tenant": self._tenant, "space": space, "owner": owner, "name": name}
        if as_of is None:
            row = self._rows.one("get_document", **place)
        else:
            row = self._rows.one("document_as_of", **place, as_of=to_micros(as_of))
        return _document_from_row(row) if row else None

    def put(self, document: Document) -> None:
        """Keep a new version."""
        self._rows.run(
            "put_document",
            tenant=self._tenant,
            space=document.space,
            owner=document.owner,
            name=document.name,
            version=document.version,
            entries=_entries_json(document),
            data=json.dumps(dict(document.data)),
            at=to_micros(document.at),
        )

    def all(self, space: str | None) -> list[Document]:
        """Every version of every document."""
        return [_document_from_row(row) for row in self._rows.all("all_documents", tenant=self._tenant, space=space)]

    def list_current(self, space: str, *, owner: str | None, prefix: str) -> list[Document]:
        """The current versions of documents whose names begin like this, of one owner or of all; sorted by name."""
        place = {"tenant": self._tenant, "space": space, "prefix": prefix}
        if owner is None:
            rows = self._rows.all("list_documents_of_all", **place)
        else:
            rows = self._rows.all("list_documents", **place, owner=owner)
        return [_document_from_row(row) for row in rows]

    def drawn_from(self, records: Iterable[str]) -> list[Document]:
        """Every version of a document with an entry that came from one of these records."""
        rows = self._rows.all("documents_drawn_from", tenant=self._tenant, ids=json.dumps(list(records)))
        return [_document_from_row(row) for row in rows]

    def rewrite(self, document: Document) -> None:
        """Replace the entries of one version, when a source was erased."""
        self._rows.run(
            "rewrite_document",
            tenant=self._tenant,
            space=document.space,
            owner=document.owner,
            name=document.name,
            version=document.version,
            entries=_entries_json(document),
            data=json.dumps(dict(document.data)),
        )

    def drop(self, owner: str, *, space: str | None, name: str | None = None) -> int:
        """Destroy all versions of an owner's documents; returns how many."""
        return self._rows.run("drop_documents", tenant=self._tenant, owner=owner, space=space, name=name)

    def read_setting(self, space: str, key: str) -> str | None:
        """A small value kept for a space."""
        row = self._rows.one("get_setting", tenant=self._tenant, space=space, key=key)
        return row[0] if row else None

    def set_setting(self, space: str, key: str, value: str) -> None:
        """Keep a small value for a space."""
        self._rows.run("put_setting", tenant=self._tenant, space=space, key=key, value=value)

    def count_sizes(self, space: str | None) -> tuple[int, ...]:
        """People, entities, unsettled conversations, records without a vector, jobs, open questions."""
        row = self._rows.one("count_rows", tenant=self._tenant, space=space)
        assert row is not None, "counts give a row"
        return tuple(row)


def _entries_json(document: Document) -> str:
    rows = [
        {"section": e.section, "text": e.text, "sources": e.sources, "at": to_stored_time(e.at)}
        for e in document.entries
    ]
    return json.dumps(rows, ensure_ascii=False)


def _document_from_row(row: tuple[Any, ...]) -> Document:
    return Document(
        name=row[0],
        owner=row[1],
        space=row[2],
        version=row[3],
        entries=_read_entries(row[4]),
        data=read_stored_table(row[5]),
        at=from_micros(row[6]),
    )


def _read_entries(stored: str) -> tuple[DocumentEntry, ...]:
    """The lines of a document; none if they cannot be read, so that one damaged row breaks nothing."""
    try:
        return tuple(
            DocumentEntry(
                section=e["section"], text=e["text"], sources=tuple(e["sources"]), at=from_stored_time(e["at"])
            )
            for e in json.loads(stored)
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        return ()
