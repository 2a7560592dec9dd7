"""What one recall reads of the store: each record once, as evidence, and whether the view shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from recollect.storage.store import Tables, View
from recollect.storage.tables.search import UnitRow

# Where more than one in so many of the candidates that were read is hidden, the view is asked about all of them.
_ONE_IN = 4


class Reading:
    """The store as one recall sees it. Records that were read are remembered until the recall is done.

    One that trusts takes whatever a signal found for shown until it is read, since most of it is and only the most
    promising are read at all. `was_misled` tells when that was wrong too often, and the recall is to be done with care.
    """

    __slots__ = ("_hidden", "_read", "_trusts", "_units", "follows", "tables", "view")

    def __init__(self, tables: Tables, view: View, *, trusts: bool = False) -> None:
        self.tables = tables
        self.view = view
        self._trusts = trusts
        # Which message comes after which, as far as the ranking asked.
        self.follows: Mapping[int, int] = {}
        self._units: dict[int, UnitRow | None] = {}
        self._read = self._hidden = 0

    def shown(self, seqs: Iterable[int]) -> set[int]:
        """Which of these the view shows, as far as that is asked already."""
        return set(seqs) if self._trusts else {unit.seq for unit in self.units(seqs) if unit.is_shown}

    def candidates(self, seqs: Sequence[int]) -> list[UnitRow]:
        """Those of these that the view shows, as evidence, in order."""
        units = [unit for unit in self.units(seqs) if unit.is_shown]
        self._read += len(seqs)
        self._hidden += len(seqs) - len(units)
        return units

    def was_misled(self, found: int, *, wanted: int) -> bool:
        """Whether hidden records took so many places that others would be found with care."""
        return self._trusts and self._hidden > 0 and (found < wanted or self._hidden * _ONE_IN > self._read)

    def with_care(self) -> Reading:
        """The same, with what was read, that asks before it takes anything for shown."""
        careful = Reading(self.tables, self.view)
        careful._units = self._units
        return careful

    def units(self, seqs: Iterable[int]) -> list[UnitRow]:
        """These as evidence, in order; one that is neither active nor shown is left out."""
        wanted = list(seqs)
        if new := dict.fromkeys(seq for seq in wanted if seq not in self._units):
            self._units |= new
            self._units.update((unit.seq, unit) for unit in self.tables.search.units(new, self.view))
        return [unit for seq in wanted if (unit := self._units[seq]) is not None]

    def beside(self, seqs: Iterable[int], *, reach: int) -> dict[int, tuple[str, ...]]:
        """What is said up to so many places before and after each of these, as far as it was read and is shown."""
        before = {after: one for one, after in self.follows.items()}
        return {
            seq: tuple(
                unit.text
                for steps in (before, self.follows)
                for place in _steps(seq, steps, most=reach)
                if (unit := self._units.get(place)) is not None and unit.is_shown
            )
            for seq in seqs
        }


def _steps(place: int, steps: Mapping[int, int], *, most: int) -> Iterator[int]:
    """Where so many steps from a place lead, one after the other."""
    for _ in range(most):
        if (following := steps.get(place)) is None:
            return
        place = following
        yield place
