"""What a draft says beside its text, as the metadata of its record: the value, where it was said, its area of life.

For somebody of the person's circle that is also who it is and what they are to the person.
"""

from __future__ import annotations

from typing import Any

from recollect.distil.drafts import FactDraft
from recollect.presets.policy import Preset

_OF_A_PERSON = 3


def details(draft: FactDraft, preset: Preset) -> dict[str, Any]:
    """The metadata of the record that a draft becomes."""
    attribute = (draft.subject or "").rpartition("/")[2]
    found: dict[str, Any] = {"span": [draft.start, draft.end], "sort": draft.type}
    if draft.value:
        found["value"] = draft.value
    if area := preset.area_of(attribute):
        found |= {"area": area[0], "sub_area": area[1]}
    if draft.type == "person" and (person := _person(draft, attribute)):
        found["person"] = person
    return found


def _person(draft: FactDraft, attribute: str) -> dict[str, str]:
    """Who somebody is: a relation says their name, anything told about them says one thing more."""
    parts = (draft.subject or "").split("/")
    if len(parts) == _OF_A_PERSON and draft.value:
        return {"name": parts[1].replace("_", " ").title(), attribute: draft.value}
    words = (draft.value or "").split()
    first = next((place for place, word in enumerate(words) if word[0].isupper()), 0)
    return {"name": " ".join(words[first:]), "relationship": " ".join(words[:first])} if first else {}
