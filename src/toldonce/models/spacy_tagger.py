"""Names found by a spaCy pipeline that the user has installed; it is loaded when the first text is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toldonce.errors import ConfigError
from toldonce.models.tagger import Mention
from toldonce.optional import install_hint

CONFIDENCE = 0.8
_LONGEST = 100_000
# The labels of spaCy's pipelines, of the English and of the Portuguese ones, in our words; others are not kept.
_TYPES = {
    "PERSON": "person", "PER": "person", "ORG": "organization", "GPE": "location", "LOC": "location",
    "FAC": "location", "PRODUCT": "other", "EVENT": "other", "WORK_OF_ART": "other", "MISC": "other", "DATE": "date",
}  # fmt: skip


class SpacyTagger:
    """Names by a spaCy pipeline, as `en_core_web_sm` or `pt_core_news_sm`; `load` is for tests and own pipelines."""

    accurate = True

    def __init__(self, model: str, *, load: Callable[[str], Any] | None = None) -> None:
        self.name = f"spacy:{model}"
        self._model = model
        self._load = load or _load_pipeline
        self._pipeline: Any = None

    def tag(self, text: str) -> list[Mention]:
        """The names in the text, in order, none overlapping another."""
        if self._pipeline is None:
            self._pipeline = self._load(self._model)
        found = self._pipeline(text[:_LONGEST]).ents
        return [
            Mention(e.text, _TYPES[e.label_], e.start_char, e.end_char, CONFIDENCE) for e in found if e.label_ in _TYPES
        ]


def _load_pipeline(model: str) -> Any:
    try:
        import spacy
    except ImportError:
        raise ConfigError(f"names by spaCy need the package: {install_hint('spacy')}") from None
    try:
        return spacy.load(model, exclude=["parser", "lemmatizer", "tagger", "attribute_ruler"])
    except OSError:
        raise ConfigError(
            f"spaCy has no model {model!r} here: install it with `python -m spacy download {model}`"
        ) from None
