"""Facts by rule: what people said of themselves comes in, drafts with their source spans go out; no model is asked.

Precision comes before recall: what is asked, supposed, quoted, pasted, joked or said by an assistant yields nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recollect.distil.drafts import FactDraft, Said, SubjectWords


def facts(said: Sequence[Said], *, subjects: Mapping[str, SubjectWords]) -> list[FactDraft]:
    """What the people of a conversation plainly said of themselves and of those they named, in order of saying."""
    # The tables of both languages take a while to read; only a conversation that is settled needs them.
    from recollect.distil.extract import Reading

    reading = Reading(said, subjects)
    found: dict[tuple[str, str], FactDraft] = {}
    for message in said:
        for draft in reading.of(message):
            found.setdefault((draft.person, f"{draft.subject} {draft.text}".lower()), draft)
    return list(found.values())
