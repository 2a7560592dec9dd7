"""Looks over the packed parts of the vector index; damaged ones are dropped, since vectors themselves are elsewhere."""

from __future__ import annotations

from toldonce.storage.store import Tables


def check_packs(tables: Tables, *, repair: bool) -> list[str]:
    """What is wrong with the packs, and with `repair` what was done about it; nothing wrong is []."""
    found = []
    for model, name, dimensions, _ in tables.vectors.list_models():
        packs = tables.vectors.read_packs(model)
        if all(_is_sound(pack, dimensions) for _, pack in packs):
            continue
        found.append(f"a packed part of the vector index of {name} is damaged")
        if repair:
            tables.vectors.drop_packs(model)
            found.append(f"repaired: the packed vector index of {name} was dropped; it is rebuilt in the background")
    return found


def _is_sound(pack: bytes, dimensions: int) -> bool:
    from toldonce.storage.vectors.index import CorruptPack, VectorIndex
    from toldonce.storage.vectors.search import LABELS

    try:
        VectorIndex(dimensions, LABELS).unpack(pack)
    except CorruptPack:
        return False
    return True
