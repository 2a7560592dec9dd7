"""What one recall reads of the store: each record once, as evidence, and whether the view shows it."""

from __future__ import annotations

from collections.abc import Iterable

from recollect.keep.search_table import UnitRow
from recollect.keep.store import Tables, View


class Reading:
    """The store as one recall sees it. Records that were read are remembered until the recall is done."""

    __slots__ = ("_looked_at", "_shown", "_units", "tables", "view")

    def __init__(self, tables: Tables, view: View) -> None:
        self.tables = tables
        self.view = view
        self._looked_at: set[int] = set()
        self._units: dict[int, UnitRow] = {}
        self._shown: set[int] = set()

    def shown(self, seqs: Iterable[int]) -> set[int]:
        """Which of these the view shows."""
        wanted = set(seqs)
        self._read(wanted)
        return wanted & self._shown

    def units(self, seqs: Iterable[int]) -> list[UnitRow]:
        """These as evidence, in order; one that is neither active nor shown is left out."""
        wanted = list(seqs)
        self._read(wanted)
        return [self._units[seq] for seq in wanted if seq in self._units]

    def _read(self, seqs: Iterable[int]) -> None:
        new = set(seqs) - self._looked_at
        if not new:
            return
        units, shown = self.tables.search.units(new, self.view)
        self._looked_at |= new
        self._units.update((unit.seq, unit) for unit in units)
        self._shown |= shown
