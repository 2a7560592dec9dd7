"""`memory.spaces`: the spaces of a memory, their switch and their limits."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from toldonce.errors import InputError
from toldonce.operations.engine import Engine
from toldonce.operations.quotas import quota_of, save_quota
from toldonce.operations.space_state import explain_off, load_preset_and_text
from toldonce.presets.policy import Preset, Quota
from toldonce.records import Space, TenantQuota
from toldonce.storage.store import Tables


class Spaces:
    """Add, switch, delete and limit the spaces of a memory."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, name: str, *, preset: str | None = None, zone: str = "UTC") -> Space:
        """Create a space, with the preset of the home space unless another is named."""
        return self._engine.create_space(name, wanted=load_preset_and_text(preset) if preset else None, zone=zone)

    def all(self) -> list[Space]:
        """All spaces of this memory."""
        return self._engine.store.read(lambda t: t.people.spaces())

    def preset(self, space: str | None = None) -> Preset:
        """The preset of a space."""
        return self._engine.find_space(space)[1]

    def switch(self, *, on: bool, space: str | None = None) -> Space:
        """Switch memory on or off for a space: while it is off, nothing is stored and nothing is shown."""
        home, _ = self._engine.find_space(space)
        if home.deleted_at is not None:
            raise InputError(f"the space {home.name!r} is deleted: restore it first")
        return self._change(space, enabled=on)

    def delete(self, space: str) -> Space:
        """Hide a whole space; it can be restored until its grace period ends. Its documents are removed at once."""
        changed = self._change(space, deleted_at=self._engine.clock())
        self._engine.write(lambda t: t.documents.drop("", space=space))
        return changed

    def restore(self, space: str) -> Space:
        """Bring a deleted space back."""
        return self._change(space, deleted_at=None)

    def why_off(self, *, space: str | None = None) -> str:
        """Why nothing is stored or shown in a space now, and what to do about it; "" when memory is on there."""
        home, _ = self._engine.find_space(space)
        return self._engine.store.read(lambda t: explain_off(home.name, t.people.read_space_state(home.name)))

    def quota(self, *, space: str | None = None) -> Quota:
        """The limits of a space: those that were set for it, else its preset's."""
        home, preset = self._engine.find_space(space)
        return quota_of(self._engine.store.read(lambda t: t.people.read_space_state(home.name)), preset)

    def set_quota(self, quota: Quota, *, space: str | None = None) -> Quota:
        """Set the limits of a space, replacing its preset's."""
        home, _ = self._engine.find_space(space)

        def work(tables: Tables) -> None:
            save_quota(tables, home.name, quota)
            tables.audit.add(home.name, "set quota", at=self._engine.clock(), detail=asdict(quota))

        self._engine.write(work)
        return quota

    def tenant_quota(self) -> TenantQuota:
        """The limits of all spaces of this memory together."""
        return self._engine.store.read(lambda t: t.amounts.tenant_quota())

    def set_tenant_quota(self, quota: TenantQuota) -> TenantQuota:
        """Set the limits of all spaces of this memory together."""

        def work(tables: Tables) -> None:
            tables.amounts.set_tenant_quota(quota)
            tables.audit.add("", "set tenant quota", at=self._engine.clock(), detail=asdict(quota))

        self._engine.write(work)
        return quota

    def _change(self, space: str | None, **changes: Any) -> Space:
        home, preset = self._engine.find_space(space)
        changed = replace(home, **changes)

        def work(tables: Tables) -> None:
            tables.people.set_space(changed)
            tables.audit.add(home.name, "change space", at=self._engine.clock(), detail={"changed": sorted(changes)})

        self._engine.write(work)
        self._engine.update_known_space(changed, preset)
        return changed
