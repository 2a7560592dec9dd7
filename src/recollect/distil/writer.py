"""Who turns a finished conversation into drafts: the contract, and the writer that works by rules alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from recollect.distil.drafts import FactDraft, NoteDraft, Said, SubjectWords
from recollect.distil.facts import facts
from recollect.distil.notes import note


class Writer(Protocol):
    """Makes drafts of what was said. It sees only what it is given and stores nothing."""

    @property
    def name(self) -> str:
        """Recorded with everything it made."""

    def note(self, said: Sequence[Said]) -> NoteDraft | None:
        """What the conversation was about; None when there is nothing to note."""

    def facts(self, said: Sequence[Said], *, subjects: Mapping[str, SubjectWords]) -> list[FactDraft]:
        """Statements about the people who spoke."""


class RulesWriter:
    """The writer with no model: deterministic, English and Portuguese, rather silent than wrong."""

    name = "rules"

    def note(self, said: Sequence[Said]) -> NoteDraft | None:
        return note(said)

    def facts(self, said: Sequence[Said], *, subjects: Mapping[str, SubjectWords]) -> list[FactDraft]:
        return facts(said, subjects=subjects)
