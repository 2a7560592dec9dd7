"""Which model made which vectors: its name, where it is, how long its vectors are, and what it makes of one text.

Only vectors of one model are compared with each other. A model under a known name that differs in any of these is
another one; whether it differs is asked of the store, never of the model.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toldonce.errors import ModelError

if TYPE_CHECKING:
    from toldonce.models.embedder import Embedder, Vectors
    from toldonce.storage.store import Tables

# What a model is asked to tell it from another under the same name.
PROBE_TEXT = "Seven grey herons stood by the river while the baker counted his change."
# Cosines of two vectors of the probe: the same model, up to rounding, and certainly another one.
_SAME, _OTHER = 0.99, 0.9
_SETTING = "vector models"
_IN_USE, _KNOWN = "in use", "known"


def find_address(embedder: Embedder) -> str:
    """Where an embedder is; "" for one that is no service."""
    return str(getattr(embedder, "address", ""))


def may_change(embedder: Embedder) -> bool:
    """Whether the model of an embedder may become another under the same name."""
    return bool(getattr(embedder, "may_change", False))


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorModel:
    """A model as it is now; without a probe its name, address and size have to do."""

    name: str
    address: str
    dimensions: int
    probe: bytes = b""

    @classmethod
    def of(cls, embedder: Embedder, probe: Vectors | None) -> VectorModel:
        """The model of an embedder, with the vector that it made of `PROBE_TEXT` if it may change."""
        packed = b"" if probe is None else probe.astype("<f2").tobytes()
        return cls(name=embedder.name, address=find_address(embedder), dimensions=embedder.dimensions, probe=packed)

    def is_same_probe(self, other: bytes) -> bool:
        """Whether a stored probe is of this model; raises ModelError where that is not certain."""
        if not self.probe or len(other) != len(self.probe):
            return not self.probe or not other
        import numpy as np

        ours, theirs = (np.frombuffer(one, "<f2").astype(np.float32) for one in (self.probe, other))
        cosine = float(ours @ theirs / max(float(np.linalg.norm(ours) * np.linalg.norm(theirs)), 1e-9))
        if _OTHER < cosine < _SAME:
            raise ModelError(
                f"the vectors of {self.name} differ a little from those it made before: if it was changed, "
                "`toldonce reembed` makes all of them again"
            )
        return cosine >= _SAME


class VectorModels:
    """What a store knows of the models that made its vectors, and which is in use."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        kept = json.loads(tables.documents.read_setting("", _SETTING) or "{}")
        self._in_use: str | None = kept.get(_IN_USE)
        self._known: dict[str, Mapping[str, Any]] = kept.get(_KNOWN, {})

    def find(self, model: VectorModel, *, is_certain: bool = True) -> str:
        """The name under which the store keeps this model, or will.

        Raises ModelError where it may be a model that the store knows; with `is_certain` False it is then another one.
        """
        doubt: ModelError | None = None
        name, number = model.name, 1
        while (known := self._tables.vectors.known_model(name)) is not None:
            try:
                if known[1] == model.dimensions and self._is_same(name, model):
                    return name
            except ModelError as problem:
                doubt = problem
            number += 1
            name = f"{model.name} ({number})"
        if doubt is not None and is_certain:
            raise doubt
        return name

    def use(self, model: VectorModel, *, is_certain: bool = True) -> tuple[int, bool]:
        """The number of a model that is in use from now on, and whether another was before.

        After a switch every record that lacks a vector of this model waits for one.
        """
        name = self.find(model, is_certain=is_certain)
        number = self._tables.vectors.register_model(name, model.dimensions)
        is_switch = self._in_use != name
        told = {"name": model.name, "address": model.address, "probe": base64.b64encode(model.probe).decode()}
        if is_switch or self._known.get(name) is None:
            self._in_use, self._known = name, {**self._known, name: self._known.get(name, told)}
            self._keep()
        if is_switch:
            self._tables.vectors.want_all(number)
        return number, is_switch

    @property
    def in_use(self) -> str | None:
        """The name of the model in use; None before there is one."""
        return self._in_use

    def is_in_use(self, embedder: Embedder) -> bool:
        """Whether the model in use is this embedder's, as far as its name and address tell."""
        if self._in_use is None:
            return False
        known = self._known.get(self._in_use, {})
        return (known.get("name"), known.get("address")) == (embedder.name, find_address(embedder))

    def name_for(self, embedder: Embedder) -> str:
        """The name under which the store keeps an embedder's vectors, as far as its name and address tell."""
        if self._in_use is not None and self.is_in_use(embedder):
            return self._in_use
        ours = (embedder.name, find_address(embedder))
        named = [name for name, one in self._known.items() if (one["name"], one["address"]) == ours]
        return named[-1] if named else embedder.name

    def has_probe(self, embedder: Embedder) -> bool:
        """Whether it is known what a model of this name and address made of `PROBE_TEXT`."""
        ours = (embedder.name, find_address(embedder))
        return any(one["probe"] for one in self._known.values() if (one["name"], one["address"]) == ours)

    def keep_probe(self, probe: Vectors) -> None:
        """Keep what the model in use makes of `PROBE_TEXT`, to know it again by."""
        if self._in_use is not None:
            told = {**self._known[self._in_use], "probe": base64.b64encode(probe.astype("<f2").tobytes()).decode()}
            self._known = {**self._known, self._in_use: told}
            self._keep()

    def _keep(self) -> None:
        kept = {_IN_USE: self._in_use, _KNOWN: self._known}
        self._tables.documents.set_setting("", _SETTING, json.dumps(kept, sort_keys=True))

    def _is_same(self, name: str, model: VectorModel) -> bool:
        known = self._known.get(name)
        if known is None:
            return True
        is_there = (known["name"], known["address"]) == (model.name, model.address)
        return is_there and model.is_same_probe(base64.b64decode(known["probe"]))
