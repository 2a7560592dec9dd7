"""What a language model is told of what is known, and what its answer changes: over real HTTP to a scripted server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from tests.conftest import START, ManualClock, OpenMemory
from tests.scripted import Request, Scripted, scripted
from toldonce import Memory, Record
from toldonce.distil.documents import rewrite_document, update_document
from toldonce.distil.drafts import EntryDraft, FactDraft
from toldonce.models.embedder import Vectors
from toldonce.presets.loader import preset_text
from toldonce.presets.policy import DocumentPolicy
from toldonce.records import Document


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as server:
        yield server


def fact(text: str, **given: Any) -> dict[str, Any]:
    return {
        "source": "m1",
        "quote": None,
        "about": None,
        "relation": None,
        "text": text,
        "type": "fact",
        "attribute": "other",
        "value": None,
        "change": "holds",
        "replaces": [],
        "confidence": 0.95,
        "area": "other",
        "title": None,
        **given,
    }


def tell(memory: Memory, server: Scripted, text: str, *facts: dict[str, Any], user: str = "bruno") -> Request:
    """Say something in a conversation of its own, answered with these facts; returns the request."""
    memory.observe(text, user, session=text[:12], channel=text[:12], display_name=user.title())
    server.say(facts={"facts": list(facts)})
    memory.settle()
    return [request for request in server.requests if request.task == "facts"][-1]


def current(memory: Memory) -> list[Record]:
    found = memory.store.read(lambda t: t.records.read_page(None, limit=1000))
    return [r for _, r in found if r.conversation is None and r.is_current and r.kind != "note"]


def known_id(request: Request, words: str) -> str:
    return next(row["id"] for row in request.data["known"] if words in row["text"])


def next_night(memory: Memory, clock: ManualClock) -> None:
    """A day and its night; an hour passes before anybody speaks again."""
    memory.tend()
    clock.pass_time(days=1)
    memory.tend()
    clock.pass_time(hours=1)


PRESETS = ["assistant", "life", "companion"]


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_known_is_shown_with_its_date_and_what_the_answer_names_is_superseded(
    open_memory: OpenMemory, server: Scripted, clock: ManualClock, preset: str
) -> None:
    memory = open_memory(preset, writer=server.writer)
    tell(memory, server, "tomo ibuprofeno pra dor", fact("Bruno toma ibuprofeno.", attribute="medication"))
    clock.pass_time(days=3)
    began = fact("Bruno toma naproxeno.", attribute="medication", value="naproxeno", replaces=["k1"])
    request = tell(memory, server, "a médica trocou por naproxeno", began)
    assert "## known\n[2026-03-02]\nk1 Bruno toma ibuprofeno.\n" in request.turns[0]
    assert [r.text for r in current(memory)] == ["Bruno toma naproxeno."]
    found = memory.store.read(lambda t: t.records.read_page(None, limit=99))
    (old,) = [r for _, r in found if r.text == "Bruno toma ibuprofeno."]
    assert (old.state, old.superseded_by) == ("superseded", current(memory)[0].id)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_plan_never_replaces_the_present_but_an_older_plan(
    open_memory: OpenMemory, server: Scripted, clock: ManualClock, preset: str
) -> None:
    memory = open_memory(preset, writer=server.writer)
    home = {"attribute": "residence", "type": "fact"}
    tell(memory, server, "moro em Campinas", fact("Bruno mora em Campinas.", value="Campinas", **home))
    clock.pass_time(days=1)
    plan = fact("Bruno vai para Floripa em julho.", value="Floripa", change="planned", replaces=["k1"], **home)
    tell(memory, server, "decidimos mudar para Floripa em julho", plan)
    assert {r.text for r in current(memory)} == {"Bruno mora em Campinas.", "Bruno vai para Floripa em julho."}
    clock.pass_time(days=1)
    later = fact("Bruno vai para Floripa em agosto.", value="Floripa", change="planned", replaces=["k1", "k2"], **home)
    tell(memory, server, "ficou para agosto", later)
    assert {r.text for r in current(memory)} == {"Bruno mora em Campinas.", "Bruno vai para Floripa em agosto."}
    clock.pass_time(days=150)
    moved = fact("Bruno mora em Florianópolis.", value="Florianópolis", replaces=["k1", "k2"], **home)
    tell(memory, server, "mudamos!", moved)
    assert [r.text for r in current(memory)] == ["Bruno mora em Florianópolis."]


def test_what_the_person_validated_is_asked_about_though_a_model_says_it_is_over(
    open_memory: OpenMemory, server: Scripted, clock: ManualClock
) -> None:
    memory = open_memory("life", writer=server.writer)
    tell(memory, server, "sou alérgico a camarão", fact("Bruno é alérgico a camarão.", attribute="allergy"))
    memory.confirm(current(memory)[0].id)
    clock.pass_time(days=1)
    over = fact("Bruno não tem alergia a camarão.", change="corrected", replaces=["k1"])
    request = tell(memory, server, "acho que não era alergia", over)
    assert request.data["known"][0]["marks"] == "confirmed"
    assert [r.text for r in current(memory)] == ["Bruno é alérgico a camarão."]
    assert len(memory.questions("bruno")) == 1


def test_a_community_sees_the_lines_of_profiles_and_replaces_them(
    open_memory: OpenMemory, server: Scripted, clock: ManualClock
) -> None:
    memory = open_memory("community", writer=server.writer)
    tell(memory, server, "trabalho na Vale", fact("Bruno trabalha na Vale.", attribute="employment", value="Vale"))
    assert [e.text for e in memory.profile("bruno").entries] == ["trabalha na Vale."]
    clock.pass_time(hours=3)
    gone = fact("Bruno está sem emprego.", attribute="occupation", type="status", replaces=["k1"])
    request = tell(memory, server, "saí de lá ontem", gone)
    assert "trabalha na Vale" in request.data["known"][0]["text"]
    assert "Vale" not in str(memory.profile("bruno").entries)


def test_private_knowledge_of_one_person_is_not_shown_where_others_speak(
    open_memory: OpenMemory, server: Scripted, clock: ManualClock
) -> None:
    memory = open_memory("life", writer=server.writer)
    tell(memory, server, "tomo sertralina", fact("Bruno toma sertralina.", attribute="medication"))
    memory.observe("oi", "bruno", session="both")
    memory.observe("oi, Bruno", "ana", session="both")
    server.say(facts={"facts": []})
    memory.settle()
    assert "sertralina" not in str(server.requests[-1].body)


def test_the_nearest_of_many_records_are_shown(open_memory: OpenMemory, server: Scripted, clock: ManualClock) -> None:
    memory = open_memory("assistant", writer=server.writer)
    for number in range(60):
        memory.remember(f"Bruno tem o livro número {number}", user="bruno", kind="fact")
    memory.remember("Bruno rema no lago Paranoá aos sábados", user="bruno", kind="fact")
    for number in range(60):
        memory.remember(f"Bruno leu a página {number}", user="bruno", kind="fact")
    request = tell(memory, server, "parei de remar no lago", fact("Bruno parou de remar."))
    assert len(request.data["known"]) == 30
    assert any("rema no lago" in row["text"] for row in request.data["known"])


# About whom


def test_a_name_of_an_earlier_message_is_accepted_with_relation_and_without_attribute(
    open_memory: OpenMemory, server: Scripted
) -> None:
    memory = open_memory("life", writer=server.writer)
    memory.observe("minha irmã Sofia chegou", "bruno", session="s", display_name="Bruno")
    memory.observe("ela tem 9 anos", "bruno", session="s")
    about = {"about": "Sofia", "relation": "irmã", "source": "m2", "area": "relationships/family"}
    server.say(
        facts={
            "facts": [
                fact("Sofia tem 9 anos.", attribute="age", value="9", title="Idade da Sofia", **about),
                fact("Sofia chegou de viagem.", **about),
            ]
        }
    )
    memory.settle()
    age, trip = current(memory)
    assert (age.kind, age.subject, age.title) == ("person", "bruno/sofia/age", "Idade da Sofia")
    assert (age.metadata["area"], age.metadata["sub_area"]) == ("relationships", "family")
    assert age.metadata["person"] == {"name": "Sofia", "relationship": "irmã", "age": "9"}
    assert (trip.subject, trip.metadata["person"]) == ("bruno/sofia", {"name": "Sofia", "relationship": "irmã"})
    assert server.calls["facts"] == 1


def test_only_the_bad_items_are_asked_again_and_null_is_never_offered(
    open_memory: OpenMemory, server: Scripted
) -> None:
    memory = open_memory("life", writer=server.writer)
    memory.observe("minha mãe mora em Santos e eu em Recife", "bruno", session="s", display_name="Bruno")
    mine = fact("Bruno mora em Recife.", attribute="residence", value="Recife")
    hers = fact("A mãe de Bruno mora em Santos.", attribute="residence", value="Santos", about="Marta")
    server.script({"facts": [mine, hers]}, {"facts": [{**hers, "about": "mãe", "relation": "mãe"}]})
    memory.settle()
    first, second = server.requests
    assert second.turns[2].startswith(
        "These items cannot be used:\n- facts[1].about must be an id of `people` or a name"
    )
    assert "null" not in second.turns[2]
    assert {r.subject for r in current(memory)} == {"bruno/residence", "bruno/mãe/residence"}
    assert second.turns[0] == first.turns[0]


def test_good_items_stay_when_the_correction_is_no_answer(open_memory: OpenMemory, server: Scripted) -> None:
    memory = open_memory("life", writer=server.writer)
    memory.observe("moro em Recife", "bruno", session="s", display_name="Bruno")
    good = fact("Bruno mora em Recife.", attribute="residence", value="Recife")
    server.script({"facts": [good, fact("x", source="m9")]}, {"facts": [fact("x", source="m9")]})
    memory.settle()
    assert [r.text for r in current(memory)] == ["Bruno mora em Recife."]


def test_an_answer_in_another_language_is_asked_again_once(open_memory: OpenMemory, server: Scripted) -> None:
    memory = open_memory("life", writer=server.writer)
    memory.observe("eu me mudei para Recife com a minha mulher e não quero mais sair daqui", "bruno", session="s")
    english = fact("Bruno moved to Recife with his wife and he does not want to leave it any more.")
    ours = fact("Bruno se mudou para Recife com a mulher e não quer mais sair de lá.")
    server.script({"facts": [english]}, {"facts": [ours]})
    memory.settle()
    assert "another language" in server.requests[1].turns[2]
    assert [r.text for r in current(memory)] == [ours["text"]]


# What can be said


def test_attributes_and_areas_are_closed_lists_of_the_preset(open_memory: OpenMemory, server: Scripted) -> None:
    memory = open_memory("life", writer=server.writer)
    request = tell(memory, server, "oi")
    item = request.body["response_format"]["json_schema"]["schema"]["properties"]["facts"]["items"]["properties"]
    wanted = {"medication", "person", "project", "deadline", "relation", "income", "diet", "feeling", "weight"}
    assert wanted <= set(item["attribute"]["enum"])
    assert "family" in item["area"]["enum"] and "title" in item
    assert "[Mon" not in request.turns[0] and "2026-03-02 Mon" in request.turns[0]


def test_local_time_is_told(open_memory: OpenMemory, server: Scripted) -> None:
    memory = open_memory("life", writer=server.writer, zone="America/Sao_Paulo")
    assert "[2026-03-02 Mon 06:00]" in tell(memory, server, "oi").turns[0]


# The compact memory


POLICY = DocumentPolicy(sections={"health": ("health", "allergy")}, entries_per_section=3)


def line(text: str) -> EntryDraft:
    return EntryDraft("health", text, ("r1",))


def said(text: str) -> FactDraft:
    return FactDraft("fact", text, "bruno", "bruno/health", None, 0.9, START, "m1", 0, 1)


def test_when_a_section_is_full_the_least_important_line_goes() -> None:
    empty = Document(name="user_memory", owner="bruno", space="main", version=0, entries=(), at=START)
    ranked = rewrite_document(
        empty, [line("allergic to shrimp"), line("asthma"), line("a sore knee")], policy=POLICY, now=START
    )
    assert ranked is not None
    options: dict[str, Any] = {"policy": POLICY, "sources": (), "replaces": (), "now": START + timedelta(hours=1)}
    one = update_document(ranked, [said("takes naproxen")], **options)
    assert one is not None
    assert [e.text for e in one.entries] == ["allergic to shrimp", "asthma", "takes naproxen"]
    two = update_document(one, [said("sleeps badly")], **options)
    assert two is not None
    assert [e.text for e in two.entries] == ["allergic to shrimp", "takes naproxen", "sleeps badly"]


def test_the_compact_memory_is_asked_for_with_name_limits_dates_and_only_news(
    open_memory: OpenMemory, server: Scripted, clock: ManualClock
) -> None:
    memory = open_memory("life", writer=server.writer)
    tell(memory, server, "sou alérgico a camarão", fact("Bruno é alérgico a camarão.", attribute="allergy"))
    tell(memory, server, "gosto de samba", fact("Bruno gosta de samba.", attribute="likes", type="preference"))
    next_night(memory, clock)
    (first,) = [r for r in server.requests if r.task == "user_memory"]
    assert first.data["person"][0]["text"] == "Bruno" and first.data["limits"][0]["text"] == "600 tokens in all"
    assert first.data["limits"][1]["text"] == "6 lines in a section, unless it says otherwise"
    assert first.data["sections"][0]["text"].startswith("health (16 lines): ")
    assert [row["marks"] for row in first.data["entries"]] == ["health; 2026-03-02", "patterns; 2026-03-02"]
    assert "news" not in first.data, "what a line says already is no news"
    tell(memory, server, "pai é diabético, e eu também", fact("Bruno é diabético.", attribute="condition"))
    next_night(memory, clock)
    second = [r for r in server.requests if r.task == "user_memory"][-1]
    assert [row["text"] for row in second.data["news"]] == ["Bruno é diabético."]


def test_a_night_rewrite_can_bring_back_what_was_lost(
    open_memory: OpenMemory, server: Scripted, clock: ManualClock
) -> None:
    memory = open_memory("life", writer=server.writer)
    tell(memory, server, "sou alérgico a camarão", fact("Bruno é alérgico a camarão.", attribute="allergy"))
    tell(memory, server, "gosto de samba", fact("Bruno gosta de samba.", attribute="likes", type="preference"))
    server.say(user_memory={"entries": [{"section": "patterns", "text": "Gosta de samba.", "sources": ["e2"]}]})
    next_night(memory, clock)
    assert [e.text for e in memory.profile("bruno").entries] == ["Gosta de samba."]
    tell(memory, server, "boa noite", fact("Bruno dorme cedo.", attribute="habit"))
    next_night(memory, clock)
    asked = [r for r in server.requests if r.task == "user_memory"][-1]
    assert "Bruno é alérgico a camarão." in [row["text"] for row in asked.data["news"]]


# What is not asked


def test_insights_see_earlier_ones_and_are_not_asked_for_without_news(
    open_memory: OpenMemory, server: Scripted, clock: ManualClock
) -> None:
    memory = open_memory("life", writer=server.writer)

    def one_insight(request: Request) -> dict[str, Any]:
        sources = [row["id"] for row in request.data["records"]]
        told = {"text": "Bruno troca de casa todo ano.", "evidence": "duas mudanças", "confidence": 0.6}
        return {"insights": [{**told, "sources": sources}]}

    server.say(insights=one_insight)
    for number, city in enumerate(("Campinas", "Santos", "Recife")):
        home = fact(f"Bruno morou em {city}.", attribute="habit", value=city)
        tell(memory, server, f"morei em {city} {number}", home)
        next_night(memory, clock)
    asked = [r for r in server.requests if r.task == "insights"]
    assert len(asked) == 2, "the records of the first day show nothing"
    assert "earlier insights" not in asked[0].data
    assert [row["text"] for row in asked[1].data["earlier insights"]] == ["- 2026-03-04: Bruno troca de casa todo ano."]
    next_night(memory, clock)
    assert server.calls["insights"] == 2


@pytest.mark.parametrize("reads_facts", [True, False])
def test_names_are_left_to_the_facts_or_asked_for_in_one_request(
    open_memory: OpenMemory, server: Scripted, clock: ManualClock, tmp_path: Path, reads_facts: bool
) -> None:
    """What an assistant says is not read for names."""
    plain = tmp_path / "plain.toml"
    text = preset_text("assistant")[0].replace('name = "assistant"', 'name = "plain"', 1)
    plain.write_text(text.replace('"facts", ', "", 1), encoding="utf-8")
    memory = open_memory("assistant" if reads_facts else str(plain), writer=server.writer)
    for number in range(3):
        memory.observe(f"encontrei a Ana {number}", "bruno", session="s", display_name="Bruno")
        memory.observe(f"E o Caio {number}?", "bruno", session="s", role="assistant")
    memory.settle()
    next_night(memory, clock)
    asked = [r.turns[0] for r in server.requests if r.task == "names"]
    assert len(asked) == (0 if reads_facts else 1)
    assert all(f"encontrei a Ana {number}" in text and "Caio" not in text for text in asked for number in range(3))


def test_nights_tell_local_time(open_memory: OpenMemory, server: Scripted, clock: ManualClock) -> None:
    """What is said after midnight in UTC is still the day before in São Paulo."""
    memory = open_memory("life", writer=server.writer, zone="America/Sao_Paulo")
    clock.pass_time(hours=16)
    tell(memory, server, "gosto de samba", fact("Bruno gosta de samba.", attribute="likes", type="preference"))
    clock.pass_time(days=1)
    tell(memory, server, "sou ansioso", fact("Bruno é ansioso.", attribute="feeling"))
    next_night(memory, clock)
    (compact,) = [r for r in server.requests if r.task == "user_memory"]
    assert [row["marks"] for row in compact.data["entries"]] == ["patterns; 2026-03-02"]
    (insights,) = [r for r in server.requests if r.task == "insights"]
    assert "[2026-03-02 Mon 22:00]" in insights.turns[0] and "[2026-03-03 Tue 22:00]" in insights.turns[0]
    assert "[2026-03-03 Tue 22:00]" in compact.turns[0]


# Judging


def test_near_facts_are_judged_in_one_request_and_never_two_of_one_message(
    open_memory: OpenMemory, server: Scripted, clock: ManualClock
) -> None:
    memory = open_memory("life", writer=server.writer)
    taste = {"attribute": "likes", "type": "preference"}
    tell(memory, server, "amo café forte", fact("Bruno ama café preto forte.", **taste))
    next_night(memory, clock)
    tell(
        memory,
        server,
        "agora só café fraco, e chá",
        fact("Bruno ama café preto fraco.", **taste),
        fact("Bruno ama café preto descafeinado.", **taste),
    )
    server.say(judge={"judgements": [{"pair": "c1", "contradicts": True, "certainty": 0.9, "keep": "newer"}]})
    next_night(memory, clock)
    (request,) = [r for r in server.requests if r.task == "judge"]
    assert [row["id"] for row in request.data["pairs"]] == ["c1", "c2"]
    assert all("forte" in row["text"] for row in request.data["pairs"])
    assert "Bruno ama café preto forte." not in {r.text for r in current(memory)}


@pytest.mark.parametrize(("messages", "asked"), [(2, 0), (31, 1)])
def test_facts_of_one_answer_are_not_judged_at_night(
    open_memory: OpenMemory, server: Scripted, clock: ManualClock, messages: int, asked: int
) -> None:
    """The model that wrote both saw both; of a conversation of several pages it did not."""
    memory = open_memory("life", writer=server.writer)
    taste = {"attribute": "likes", "type": "preference"}
    for number in range(messages):
        memory.observe(f"café {number}", "bruno", session="s", display_name="Bruno")
    pages = iter([("m1", "forte"), (f"m{messages % 30}", "fraco")])
    pairs = [fact(f"Bruno ama café preto {how}.", source=source, **taste) for source, how in pages]
    answers = [{"facts": pairs}] if messages <= 30 else [{"facts": [one]} for one in pairs]
    server.script(*answers)
    memory.settle()
    next_night(memory, clock)
    assert len(current(memory)) == 2 and server.calls["judge"] == asked


class CoffeeEmbedder:
    """Texts that mention coffee point the same way, and each other one its own."""

    name = "coffee-1"
    dimensions = 1024
    local = True

    def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            vector[0 if "coffee" in text.lower() else 1 + crc32(text.encode()) % (self.dimensions - 1)] = 1.0
        return vectors


ALL_PRESETS = ["assistant", "life", "companion", "coding", "community"]
LIKES = {"type": "preference", "attribute": "likes"}
# More than a request shows, each with a word of the message that is judged.
HELD = [
    fact(f"Bruno {verb} with tea.", type="preference", attribute=attribute, value=verb)
    for attribute, verbs in {
        "likes": "sings reads swims cooks bakes hikes paints skates knits fishes jogs dances",
        "skill": "codes welds sews juggles types drives rows skis sails surfs rides climbs",
        "opinion": "votes argues writes debates prays protests marches doubts trusts hopes worries wonders",
    }.items()
    for verb in verbs.split()
]


def said_later(memory: Memory, server: Scripted, clock: ManualClock, *, keep: str) -> list[Request]:
    """Something that contradicts what no request shows any more; returns the requests to judge it."""
    tell(memory, server, "strong coffee for me", fact("Bruno drinks strong coffee.", value="strong", **LIKES))
    clock.pass_time(hours=2)
    for start in range(0, len(HELD), 12):
        tell(memory, server, f"all my tea {start}", *HELD[start : start + 12])
        clock.pass_time(hours=2)
    memory.tend()
    server.say(judge=lambda request: judge_coffee(request, keep))
    facts = [fact("Bruno avoids coffee.", value="none", **LIKES), fact("Bruno hates coffee.", value="no", **LIKES)]
    request = tell(memory, server, "only tea tea tea from now on", *facts)
    assert not any("strong coffee" in row["text"] for row in request.data["known"])
    return [r for r in server.requests if r.task == "judge"]


def test_nothing_private_is_judged_where_others_speak(
    open_memory: OpenMemory, server: Scripted, clock: ManualClock
) -> None:
    memory = open_memory("assistant", writer=server.writer, embedder=CoffeeEmbedder())
    said_later(memory, server, clock, keep="newer")
    asked = server.calls["judge"]
    clock.pass_time(hours=2)
    memory.observe("coffee, Bruno?", "ana", session="both", display_name="Ana")
    tell_in = fact("Bruno loves coffee again.", value="coffee", source="m2", **LIKES)
    memory.observe("yes, coffee again", "bruno", session="both", display_name="Bruno")
    server.say(facts={"facts": [tell_in]})
    memory.settle()
    assert server.calls["judge"] == asked and "Bruno loves coffee again." in all_texts(memory)


def judge_coffee(request: Request, keep: str) -> dict[str, Any]:
    pairs = [row["id"] for row in request.data["pairs"] if "strong coffee" in row["text"]]
    return {"judgements": [{"pair": i, "contradicts": True, "certainty": 0.9, "keep": keep} for i in pairs]}


def all_texts(memory: Memory) -> set[str]:
    return {r.text for r in current(memory)} | {entry.text for entry in memory.profile("bruno").entries}


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_facts_are_judged_against_what_the_request_did_not_show(
    open_memory: OpenMemory, server: Scripted, clock: ManualClock, preset: str
) -> None:
    """One request for the conversation, at most three pairs a fact, and never two of one message."""
    memory = open_memory(preset, writer=server.writer, embedder=CoffeeEmbedder())
    (request,) = said_later(memory, server, clock, keep="newer")
    pairs = [row["text"] for row in request.data["pairs"]]
    assert len(pairs) <= 6 and sum("strong coffee" in pair for pair in pairs) == 2
    assert not any("avoids" in pair and "hates" in pair for pair in pairs)
    texts = all_texts(memory)
    assert not any("strong coffee" in text for text in texts)
    assert any("avoids coffee" in text for text in texts)


def test_a_judged_doubt_becomes_a_question(open_memory: OpenMemory, server: Scripted, clock: ManualClock) -> None:
    memory = open_memory("assistant", writer=server.writer, embedder=CoffeeEmbedder())
    said_later(memory, server, clock, keep="ask")
    texts = all_texts(memory)
    assert "Bruno drinks strong coffee." in texts and not any("avoids" in t or "hates" in t for t in texts)
    assert len(memory.questions("bruno")) == 2


def test_a_fact_judged_to_be_a_mistake_is_left_out(
    open_memory: OpenMemory, server: Scripted, clock: ManualClock
) -> None:
    memory = open_memory("companion", writer=server.writer, embedder=CoffeeEmbedder())
    said_later(memory, server, clock, keep="older")
    texts = all_texts(memory)
    assert "Bruno drinks strong coffee." in texts and not any("avoids" in t or "hates" in t for t in texts)
