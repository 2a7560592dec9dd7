"""A tagger that asks the writer: text goes in, the named things that its model sees come out as mentions."""

from __future__ import annotations

from collections.abc import Sequence

from toldonce.distil.writer import Writer
from toldonce.models.tagger import Mention, merge_mentions


class ModelTagger:
    """Finds names with a language model, for work in the background that wants accuracy and can wait."""

    accurate = True

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.name = writer.name

    def tag(self, text: str) -> list[Mention]:
        """The mentions in the text, in order; raises ModelError when the model fails."""
        return self.tag_all([text])[0]

    def tag_all(self, texts: Sequence[str]) -> list[list[Mention]]:
        """The mentions in each of several texts, asked for in one request."""
        found = self._writer.names(texts)
        return [merge_mentions(Mention(n.name, n.type, n.start, n.end, n.confidence) for n in one) for one in found]
