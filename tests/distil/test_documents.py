"""Documents: newest values replace, reached goals go, limits hold, and nothing new means no new version."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from toldonce import tokens
from toldonce.distil.documents import (
    bound_entries,
    entry_of_statement,
    find_lasting_topics,
    new_document,
    rewrite_document,
    update_document,
)
from toldonce.distil.drafts import EntryDraft, FactDraft
from toldonce.distil.statements.reading import read_claim
from toldonce.presets.policy import DocumentPolicy
from toldonce.records import Document, DocumentEntry, Record

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


STATED = DocumentPolicy(
    sections={"health": (), "family": (), "plans": ("event",)},
    topics={"health": ("allergy", "medication", "condition"), "family": ("family", "pet"), "plans": ("plan",)},
    passing={"plans": timedelta(days=30)},
    limits={"health": 3},
    entries_per_section=1,
)


def said(text: str, language: str = "en", *, author: str = "", record_id: str = "said_1") -> Record:
    words = text.removeprefix(f"{author}: ")
    details = {"words": words, "language": language, "speaker": "alex"}
    return Record(
        id=record_id, kind="statement", text=text, at=NOW, created_at=NOW, space="main", user="alex", author=author,
        metadata=details,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "language", "topic"),
    [
        ("im allergic to penicillin", "en", "allergy"),
        ("on lisinopril 10mg now, mornings", "en", "medication"),
        ("gym every monday and thursday at 7", "en", "routine"),
        ("parei de comer carne em janeiro", "pt", "diet"),
        ("tomo losartana 50mg de manhã", "pt", "medication"),
        ("soy alérgica al kiwi", "es", "allergy"),
        ("ya no como carne", "es", "diet"),
    ],
)
def test_a_statement_tells_how_things_are(words: str, language: str, topic: str) -> None:
    found = find_lasting_topics(read_claim(words, language), language)
    assert topic in found


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("what if its diabetes lol", "en"),
        ("do you take pills for that?", "en"),
        ("imagine i was vegan", "en"),
        ("had lunch with the team", "en"),
        ("kkk se eu fosse vegano ia morrer de fome", "pt"),
        ("no more headaches, im fine now", "en"),
    ],
)
def test_jokes_questions_and_what_is_over_have_no_place(words: str, language: str) -> None:
    found = find_lasting_topics(read_claim(words, language), language)
    assert not found & {"allergy", "medication", "condition", "symptom", "diet", "routine"}


def test_a_statement_stands_without_its_speaker_and_with_a_date() -> None:
    entry = entry_of_statement(said("Alex: started metformin 500 yesterday", author="Alex"), STATED, zone=UTC)
    assert entry is not None
    assert (entry.section, entry.text) == ("health", "started metformin 500 on 1 March 2026")
    assert entry.sources == ("said_1",)


def test_somebody_elses_quoted_words_are_no_line_unless_they_concern_health() -> None:
    quoted = said('my sister Ana goes "get a dog, a wife and a house"')
    assert entry_of_statement(quoted, STATED, zone=UTC) is None
    doctor = said('the doc said "diabetes, take the pills"')
    assert entry_of_statement(doctor, STATED, zone=UTC) is not None


def test_a_superseded_statement_leaves_the_document() -> None:
    entry = entry_of_statement(said("lisinopril 10 mg every morning"), STATED, zone=UTC)
    assert entry is not None
    put_in = update_document(start(), (), policy=STATED, sources=(), replaces=(), now=NOW, stated=[entry])
    assert put_in is not None
    newer = replace(entry, text="lisinopril 20 mg now", sources=("said_2",))
    after = update_document(
        put_in, (), policy=STATED, sources=(), replaces=(), now=NOW, stated=[newer], gone_ids=("said_1",)
    )
    assert after is not None
    assert texts(after) == ["lisinopril 20 mg now"]


def test_a_fact_that_a_statement_tells_in_full_is_not_shown_twice() -> None:
    fact = DocumentEntry(section="health", text="Alex takes metformin", sources=("fact_1",), at=NOW)
    entry = entry_of_statement(said("takes metformin 500 every evening"), STATED, zone=UTC)
    assert entry is not None
    before = replace(start(), entries=(fact,))
    after = update_document(before, (), policy=STATED, sources=(), replaces=(), now=NOW, stated=[entry])
    assert after is not None
    assert texts(after) == ["takes metformin 500 every evening"]


def test_what_was_ahead_goes_when_its_day_is_over() -> None:
    exam = DocumentEntry(section="plans", text="exam on 18 April 2026", sources=("said_1",), at=NOW)
    document = replace(start(), entries=(exam,))
    for day, shown in ((datetime(2026, 4, 18, 9, tzinfo=UTC), 1), (datetime(2026, 4, 20, 9, tzinfo=UTC), 0)):
        stated = [DocumentEntry(section="health", text="asthma", sources=("said_2",), at=NOW)]
        after = update_document(document, (), policy=STATED, sources=(), replaces=(), now=day, stated=stated)
        assert after is not None
        assert sum(e.section == "plans" for e in after.entries) == shown


def test_what_was_on_the_mind_goes_after_its_time() -> None:
    event = DocumentEntry(section="plans", text="Alex bought a car", sources=("m1",), at=NOW)
    document = replace(start(), entries=(event,))
    stated = [DocumentEntry(section="health", text="asthma", sources=("said_2",), at=NOW)]
    later = NOW + timedelta(days=31)
    after = update_document(document, (), policy=STATED, sources=(), replaces=(), now=later, stated=stated)
    assert after is not None
    assert texts(after) == ["asthma"]


def test_a_section_may_have_a_limit_of_its_own() -> None:
    entries = [DocumentEntry(section=s, text=f"{s} {n}") for s in ("health", "family") for n in range(5)]
    assert [e.text for e in bound_entries(entries, STATED)] == ["health 2", "health 3", "health 4", "family 4"]
