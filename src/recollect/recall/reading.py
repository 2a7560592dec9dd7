"""What one recall reads of the store: each record once, as evidence, and whether the view shows it."""

from __future__ import annotations

from collections.abc import Iterable

from recollect.keep.search_table import UnitRow
from recollect.keep.store import Tables, View


class Reading:
    """The store as one recall sees it. Records that were read are remembered until the recall is done."""

    __slots__ = ("_units", "tables", "view")

    def __init__(self, tables: Tables, view: View) -> None:
        self.tables = tables
        self.view = view
        self._units: dict[int, UnitRow | None] = {}

    def shown(self, seqs: Iterable[int]) -> set[int]:
        """Which of these the view shows."""
        return {unit.seq for unit in self.units(seqs) if unit.is_shown}

    def units(self, seqs: Iterable[int]) -> list[UnitRow]:
        """These as evidence, in order; one that is neither active nor shown is left out."""
        wanted = list(seqs)
        if new := dict.fromkeys(seq for seq in wanted if seq not in self._units):
            self._units |= new
            self._units.update((unit.seq, unit) for unit in self.tables.search.units(new, self.view))
        return [unit for seq in wanted if (unit := self._units[seq]) is not None]
