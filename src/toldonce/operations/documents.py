"""`memory.documents`: one current text per space or person, versioned, with the sources of every entry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from toldonce.access import MANAGERS
from toldonce.capture.fields import check_names
from toldonce.errors import InputError, NotAllowed
from toldonce.operations.engine import Engine
from toldonce.recall.render import strip_name
from toldonce.records import Document, DocumentEntry
from toldonce.storage.doubted_lines import fold_document
from toldonce.storage.store import Tables

if TYPE_CHECKING:
    from toldonce.distil.writer import Writer


class Documents:
    """Read and change the documents of a memory."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, name: str, *, owner: str = "", user: str | None = None, space: str | None = None) -> Document | None:
        """The current version of a document of the space, or of a person in it; None when there is none.

        With `user`, only the entries of another person's document whose sources that person may see.
        """
        home, _ = self._engine.find_space(space, reader=user)
        view, _ = self._engine.view_for(user, space)

        def read(tables: Tables) -> Document | None:
            document = tables.documents.get(home.name, owner, name)
            return fold_document(tables, document, view) if document else None

        found = self._engine.store.read(read, person=user)
        return (
            found if found is None or user is None or owner in ("", user) else hide_private(self._engine, user, found)
        )

    def all(
        self, prefix: str = "", *, owner: str | None = None, user: str | None = None, space: str | None = None
    ) -> list[Document]:
        """The current versions of documents whose names begin with `prefix`, sorted by owner and name.

        With `owner`, those of one person, or of the space itself if it is empty. A `user` gets those of the space and
        their own.
        """
        check_names(user=user)
        _check_texts(prefix=prefix, owner=owner or "")
        home, _ = self._engine.find_space(space, reader=user)
        view, _ = self._engine.view_for(user, space)

        def read(tables: Tables) -> list[Document]:
            found = tables.documents.list_current(home.name, owner=owner, prefix=prefix)
            mine = [document for document in found if user is None or document.owner in ("", user)]
            return [fold_document(tables, document, view) for document in mine]

        return self._engine.store.read(read, person=user)

    def remove(self, name: str, *, owner: str = "", space: str | None = None) -> bool:
        """Remove a document of the space or of a person with all its versions; False when there was none."""
        _check_texts(name=name, owner=owner)
        home, _ = self._engine.find_space(space)
        return bool(self._engine.write(lambda t: t.documents.drop(owner, space=home.name, name=name)))

    def change(
        self,
        name: str,
        change: Callable[[Document], Document | None],
        *,
        owner: str = "",
        space: str | None = None,
        writer: Writer | None = None,
    ) -> Document | None:
        """What `change` makes of a document, stored in the same transaction; None when there was nothing to change.

        A document of the same version replaces the one that `change` got; one of a higher version follows it. The
        writer of drafts in the change is notified in the transaction that stores them.
        """
        home, now = self._engine.find_space(space)[0], self._engine.clock()

        def work(tables: Tables) -> Document | None:
            before = tables.documents.get(home.name, owner, name)
            after = change(before or Document(name=name, owner=owner, space=home.name, version=0, entries=(), at=now))
            if after is not None and before is not None and after.version == before.version:
                tables.documents.rewrite(after)
            elif after is not None:
                tables.documents.put(after)
            if writer is not None:
                writer.stored(tables)
            return after

        return self._engine.write(work)

    def forget_line(
        self, user: str, text: str | None = None, *, reader: str | None = None, space: str | None = None
    ) -> Document:
        """Remove one line from a person's profile, or all of them; earlier versions keep what it said.

        With `reader`, it must be their own profile, or they must be an admin or the owner of the space.
        """
        from toldonce.distil.documents import revise_document

        now = self._engine.clock()
        home, preset = self._engine.find_space(space, reader=reader)
        view, _ = self._engine.view_for(reader, space)
        name = next((n for n, policy in preset.documents.items() if policy.per == "person"), None)
        if name is None:
            raise InputError(f"the {preset.name} preset keeps no profiles: forget the records that it shows instead")

        def work(tables: Tables) -> Document:
            if reader not in (None, user) and tables.people.list_members(home.name).get(str(reader)) not in MANAGERS:
                raise NotAllowed("a profile may be changed by the person it is about, or by an admin of the space")
            before = tables.documents.get(home.name, user, name)
            blank = replace(before, version=before.version + 1, entries=(), data={}, at=now) if before else None
            shown = fold_document(tables, before, view) if before else None
            whole = _find_line(before, shown, text) if before and shown and text is not None else ""
            after = blank if text is None or before is None else revise_document(before, whole, None, now=now)
            if after is None:
                raise InputError("there is no such line: give it exactly as the profile shows it")
            tables.documents.put(after)
            tables.audit.add(home.name, "forget profile", at=now, actor=reader, detail={"user": user})
            return after

        return self._engine.write(work)


def _check_texts(**given: object) -> None:
    for name, value in given.items():
        if not isinstance(value, str):
            raise InputError(f"{name} must be a text, not {type(value).__name__}")


def _find_line(document: Document, shown: Document, text: str) -> str:
    """The line of a document that is shown like this: without the person's name, or under a newer one."""
    called = document.data.get("names", ())
    stored = {entry.text for entry in document.entries}
    for entry in shown.entries:
        if text in (entry.text, strip_name(entry.text, called)):
            return next((one for one in (entry.text, *(o.text for o in entry.doubted)) if one in stored), entry.text)
    return text


def hide_private(engine: Engine, reader: str, document: Document) -> Document:
    """A document with only the entries all of whose sources a reader may see."""

    def shown(tables: Tables) -> tuple[DocumentEntry, ...]:
        known = tables.records.get({source for entry in document.entries for source in entry.sources})
        readable = {i for i, record in known.items() if tables.people.may_read(record, reader)}
        return tuple(e for e in document.entries if e.sources and readable.issuperset(e.sources))

    return replace(document, entries=engine.store.read(shown), data={})
