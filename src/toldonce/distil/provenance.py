"""Where the words of what a model wrote come from: every message that it repeats is among its sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from toldonce.distil.drafts import ConversationMessage, FactDraft, NoteDraft
from toldonce.distil.statements.reading import may_repeat
from toldonce.lang.vocabulary import content_stems


def cite_messages(
    facts: Sequence[FactDraft], notes: Sequence[tuple[str | None, NoteDraft]], said: Sequence[ConversationMessage]
) -> tuple[tuple[FactDraft, ...], tuple[tuple[str | None, NoteDraft], ...]]:
    """What a model wrote with every message whose words it repeats; nothing that tells another's private ones."""
    provenance = Provenance(said)
    cited = tuple(one for draft in facts if (one := provenance.of_fact(draft)))
    return cited, tuple((owner, provenance.of_note(note, reader=owner)) for owner, note in notes)


class Provenance:
    """The messages of one conversation by their words."""

    def __init__(self, said: Sequence[ConversationMessage]) -> None:
        self._said = {message.id: message for message in said}
        self._words = {message.id: content_stems(message.text) for message in said}
        self._names = content_stems(" ".join(f"{message.name} {message.speaker}" for message in said))

    def of_fact(self, draft: FactDraft) -> FactDraft | None:
        """The fact with all messages that its words come from; None where one is another person's private message."""
        context = self._lenders(f"{draft.title} {draft.text} {draft.value or ''}", (draft.source,))
        own = self._said.get(draft.source)
        if own is not None and not all(may_repeat(own, self._said[one]) for one in context):
            return None
        return replace(draft, context=context)

    def of_note(self, draft: NoteDraft, *, reader: str | None) -> NoteDraft:
        """The note with all messages that its words come from, of those that its owner may read."""
        lenders = self._lenders(f"{draft.title} {draft.summary}", draft.sources)
        shown = (one for one in lenders if reader is None or self._said[one].private_to in ("", reader))
        return replace(draft, sources=(*draft.sources, *shown))

    def _lenders(self, text: str, sources: Sequence[str]) -> tuple[str, ...]:
        """The messages beside the sources that have words of a text which no source has, those with most of them first.

        Names of those who speak are anybody's words.
        """
        lacking = content_stems(text) - self._names
        for source in sources:
            lacking -= self._words.get(source, frozenset())
        found = []
        while lacking:
            lender = max(self._words, key=lambda one: len(self._words[one] & lacking), default="")
            if not lender or not self._words[lender] & lacking:
                break
            found.append(lender)
            lacking -= self._words[lender]
        return tuple(found)
