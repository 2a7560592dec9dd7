"""Documents: newest values replace, reached goals go, limits hold, and nothing new means no new version."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from recollect import tokens
from recollect.distil.documents import bound_entries, new_document, rewrite_document, update_document
from recollect.distil.drafts import EntryDraft, FactDraft
from recollect.presets.policy import DocumentPolicy
from recollect.records import Document, DocumentEntry

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
POLICY = DocumentPolicy(sections={"home": ("residence",), "goals": ("goal",), "tastes": ("likes",)})


def draft(text: str, attribute: str, value: str = "", *, type_: str = "fact") -> FactDraft:
    return FactDraft(type_, text, "alex", f"alex/{attribute}", value or None, 0.95, NOW, f"msg_{text}", 0, 1)


def put(document: Document, *drafts: FactDraft) -> Document:
    after = update_document(document, drafts, policy=POLICY, sources=(), replaces={"residence"}, now=NOW)
    return after or document


def start() -> Document:
    return new_document("memory", "alex", "main", at=NOW)


def texts(document: Document) -> list[str]:
    return [entry.text for entry in document.entries]


def test_the_newest_value_of_one_subject_replaces_the_former() -> None:
    document = put(start(), draft("Alex lives in Porto", "residence"), draft("Alex moved to Faro", "residence"))
    assert texts(document) == ["Alex moved to Faro"]


def test_goals_stand_side_by_side_until_they_are_reached() -> None:
    document = put(start(), draft("Alex wants to run a marathon", "goal"), draft("Alex wants to learn French", "goal"))
    assert len(document.entries) == 2
    document = put(document, draft("Alex finished the marathon", "goal", "met: the marathon", type_="status"))
    assert texts(document) == ["Alex wants to learn French"]


def test_nothing_new_makes_no_version() -> None:
    document = put(start(), draft("Alex likes tea", "likes"))
    assert (
        update_document(document, [draft("Alex likes tea", "likes")], policy=POLICY, sources=(), replaces=(), now=NOW)
        is None
    )
    lines = [EntryDraft(e.section, e.text, e.sources) for e in document.entries]
    assert rewrite_document(document, lines, policy=POLICY, now=NOW) is None


def test_rewriting_keeps_the_moment_of_a_line_and_the_order_given() -> None:
    document = put(start(), draft("Alex likes tea", "likes"))
    later = NOW.replace(day=9)
    lines = [EntryDraft("tastes", "Alex likes rain", ("m2",)), EntryDraft("tastes", "Alex likes tea", ("m1",))]
    after = rewrite_document(document, lines, policy=POLICY, now=later)
    assert after is not None
    assert [(e.text, e.at) for e in after.entries] == [("Alex likes rain", later), ("Alex likes tea", NOW)]
    assert (after.version, after.at) == (2, later)


def test_a_line_of_no_section_is_left_out() -> None:
    after = rewrite_document(start(), [EntryDraft("elsewhere", "Alex likes tea", ("m1",))], policy=POLICY, now=NOW)
    assert after is None


def test_the_last_sections_give_way_when_there_is_no_room() -> None:
    entries = [DocumentEntry(section=s, text=f"{s} {n} {'word ' * 20}") for s in POLICY.sections for n in range(5)]
    tight = replace(POLICY, tokens=200)
    kept = bound_entries(entries, tight)
    assert {e.section for e in kept} >= {"home"}
    assert "tastes" not in {e.section for e in kept}
    assert tokens.count_tokens("\n".join(e.text for e in kept)) <= 200


def test_a_section_keeps_its_newest_lines_or_its_first_ones() -> None:
    few = replace(POLICY, entries_per_section=2)
    entries = [DocumentEntry(section="tastes", text=str(n)) for n in range(4)]
    assert [e.text for e in bound_entries(entries, few)] == ["2", "3"]
    assert [e.text for e in bound_entries(entries, few, first=True)] == ["0", "1"]
