"""A place and the settings of `Memory.open` become an engine: models loaded, store opened, home space created."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from toldonce.clock import Clock
from toldonce.errors import ToldonceError
from toldonce.operations.engine import Engine
from toldonce.operations.space_state import ensure_space, load_preset_and_text

if TYPE_CHECKING:
    from toldonce.distil.tiers import Tiers
    from toldonce.distil.writer import Writer
    from toldonce.models.embedder import Embedder
    from toldonce.models.reranker import Reranker
    from toldonce.models.tagger import Tagger
    from toldonce.storage.encryption import EncryptionKey


def find_tenant(address: str) -> tuple[bool, str]:
    """Whether a database has a memory of the tenant that an address names, and the address without its password."""
    from toldonce.storage.open import open_store

    with closing(open_store(address)) as store:
        return bool(store.read(lambda tables: tables.people.spaces())), store.place


def open_engine(
    place: str | os.PathLike[str],
    preset: str | None,
    *,
    space: str,
    zone: str,
    embedder: Embedder | str | None,
    reranker: Reranker | str | None,
    writer: Writer | Tiers | str | None,
    taggers: Sequence[Tagger | str],
    vector_engine: str | None,
    clock: Clock,
    encryption_key: str | bytes | EncryptionKey | None,
) -> Engine:
    """An engine over the store at a path; models are found before anything is opened."""
    from toldonce.models.load import load_embedder, load_reranker, load_tagger
    from toldonce.storage.atomic_file import remove_leftover_files
    from toldonce.storage.encryption import read_given_key
    from toldonce.storage.open import open_store
    from toldonce.storage.sqlite.convert import CONVERTED

    named = [load_tagger(tagger) if isinstance(tagger, str) else tagger for tagger in taggers]
    chosen = embedder if not isinstance(embedder, str) else load_embedder(embedder)
    reranker = reranker if not isinstance(reranker, str) else load_reranker(reranker)
    if isinstance(writer, str):
        from toldonce.distil.tiers import read_tiers

        writer = read_tiers(writer)
    beside = None
    if vector_engine not in (None, "", "builtin"):
        from toldonce.storage.vectors.chroma import ChromaEngine

        beside = ChromaEngine(vector_engine)
    wanted = load_preset_and_text(preset) if preset else None
    store = open_store(place, key=read_given_key(encryption_key))
    if "://" not in store.place:
        # What a killed `encrypt` left holds everything.
        remove_leftover_files(store.place, mark=CONVERTED)
    try:
        home, policy = store.write(lambda t: ensure_space(t, space, wanted, zone_name=zone, now=clock()))
        if beside is not None:
            beside.attach(store)
    except ToldonceError:
        store.close()
        raise
    return Engine(
        store,
        space=home,
        preset=policy,
        clock=clock,
        embedder=chosen,
        reranker=reranker,
        writer=writer,
        taggers=named,
        vector_engine=beside,
    )
