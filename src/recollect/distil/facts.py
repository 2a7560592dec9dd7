"""Facts by rule: what people said of themselves comes in, drafts with their source spans go out; no model is asked.

Precision comes before recall: what is asked, supposed, quoted, pasted, joked or said by an assistant yields nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from recollect.distil.drafts import FactDraft, Said, SubjectWords

if TYPE_CHECKING:
    from recollect.distil.reading import ConversationReading


def facts(
    said: Sequence[Said], *, subjects: Mapping[str, SubjectWords], reading: ConversationReading | None = None
) -> list[FactDraft]:
    """What the people of a conversation plainly said of themselves and of those they named, in order of saying.

    `reading` is what was read of these messages before, if anything was.
    """
    # The tables of both languages take a while to load; only a conversation that is settled needs them.
    from recollect.distil.extract import Extraction
    from recollect.distil.reading import ConversationReading

    extraction = Extraction(said, subjects, reading or ConversationReading())
    found: dict[tuple[str, str], FactDraft] = {}
    for message in said:
        for draft in extraction.of(message):
            found.setdefault((draft.person, f"{draft.subject} {draft.text}".lower()), draft)
    return list(found.values())
