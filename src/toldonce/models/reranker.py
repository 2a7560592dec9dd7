"""What says how well texts answer a question, reading both together: the contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Scores texts for a question. Called from any thread."""

    @property
    def name(self) -> str:
        """The model's name, as it is shown."""

    @property
    def local(self) -> bool:
        """Whether question and texts stay on this machine."""

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One number per text, in order: higher is better, on any scale. Raises ModelError when there are none."""
