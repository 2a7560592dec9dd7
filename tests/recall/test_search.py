"""Search as a whole: both rankers, every signal, and what the preset leaves out."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory, presets
from toldonce.errors import InputError, RecordNotFound
from toldonce.jobs import JobRunner
from toldonce.models.embedder import Vectors
from toldonce.storage.vectors.search import NearestRecords


def variant(tmp_path: Path, old: str, new: str) -> str:
    """The assistant preset with one line changed, as a file of its own."""
    text, _ = presets.preset_text("assistant")
    assert old in text
    path = tmp_path / "variant.toml"
    path.write_text(text.replace(old, new, 1).replace('name = "assistant"', 'name = "variant"', 1), encoding="utf-8")
    return str(path)


@pytest.fixture(params=["evidence", "reciprocal"])
def memory(request: pytest.FixtureRequest, open_memory: OpenMemory, tmp_path: Path) -> Memory:
    return open_memory(variant(tmp_path, 'ranker = "evidence"', f'ranker = "{request.param}"'))


def test_both_rankers_find_the_words_and_say_how(memory: Memory) -> None:
    memory.observe("The spare key hangs behind the blue door", user="alex", session="s")
    memory.observe("We had soup", user="alex", session="s")
    hit, *rest = memory.recall("where is the spare key?", user="alex")
    assert hit.record.text.startswith("The spare key")
    assert 0 < hit.score <= 1
    assert [signal.name for signal in hit.why.signals] == ["words"]
    assert all(other.score < hit.score for other in rest)


def test_several_views_searched_at_once_find_what_each_finds_alone(memory: Memory) -> None:
    said = ("The spare key hangs behind the blue door", "ok", "I gave the key to Ana on Monday", "Ana has the blue key")
    for session in ("one", "two"):
        for text in said:
            memory.observe(f"{text} ({session})", user="alex", session=session)
    memory.remember("The key of the blue door is new", "fact", user="alex")
    memory.settle()
    view, preset = memory.engine.view_for("alex", None)
    kinds: tuple[tuple[str, ...] | None, ...] = (("message",), ("fact",), ("fact", "statement"), None)
    views = [(replace(view, kinds=some, not_session=left), 4) for some in kinds for left in (None, "one")]
    for question in ("where is the blue key?", "who has the key, Ana?", "I have lost the blue key again today."):
        search = memory.engine.search_for_block(preset)
        together, alone = search(question, views), [search(question, [one])[0] for one in views]
        assert together == alone
        assert all(alone[:2])


def test_a_persons_own_space_may_have_kinds_of_another_preset(open_memory: OpenMemory) -> None:
    memory = open_memory("coding")
    memory.spaces.add("@alex", preset="life")
    own = memory.remember("Alex loves tests with tea", "memory", user="alex", space="@alex")
    gotcha = memory.remember("The tests need docker", "gotcha", user="alex")
    assert {hit.record.id for hit in memory.recall("tests", "alex")} == {own.id, gotcha.id}


def test_what_stands_beside_a_hit_says_so(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.observe("Where did you hang the spare key?", user="alex", session="s")
    memory.observe("Behind the blue door", user="alex", session="s")
    hits = {hit.record.text: str(hit.why) for hit in memory.recall("where is the spare key?", user="alex")}
    assert hits["Behind the blue door"] == "its place beside a hit"


def matched(memory: Memory, question: str, text: str, **view: str) -> str:
    """What a hit with this text says of the words that found it."""
    hits = memory.recall(question, min_score=0, **({"user": "alex"} | view))
    (hit,) = [hit for hit in hits if hit.record.text == text]
    return next((signal.detail for signal in hit.why.signals if signal.name == "words"), "")


def test_a_hit_names_only_the_words_it_holds_by_their_stems(memory: Memory) -> None:
    memory.observe("Keys hang behind the door", user="alex", session="s")
    memory.observe("As chaves estão na gaveta", user="alex", session="t")
    assert matched(memory, "which key is for the doors of the shed?", "Keys hang behind the door") == "key doors"
    assert matched(memory, "a chave da gaveta azul?", "As chaves estão na gaveta") == "chave gaveta"


def test_a_word_of_the_author_or_the_title_is_one_it_holds(memory: Memory) -> None:
    memory.remember("It opens with a twist", user="alex", title="Garage")
    memory.observe("It has a leak", user="alex", session="s", display_name="Rosa")
    assert matched(memory, "what of the garage roof?", "It opens with a twist") == "garage"
    assert matched(memory, "what did Rosa say of the roof?", "It has a leak") == "rosa"


def test_words_that_it_holds_only_nearly_are_told_apart(memory: Memory) -> None:
    text = "Ana Kowalska took the automobile to Porto"
    memory.observe(text, user="alex", session="s")
    told = matched(memory, "has Kowalski a car in Porto?", text)
    assert told == "porto; near in meaning: car; alike: kowalski"


def test_a_pair_of_characters_is_what_an_unspaced_text_holds(memory: Memory) -> None:
    memory.observe("東京にも行きたい", user="alex", session="s")
    assert matched(memory, "東京はどうでしたか", "東京にも行きたい") == "東京"


def test_words_of_a_message_beside_it_are_told_apart(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.observe("Where did you hang the spare key?", user="alex", session="s")
    memory.observe("Behind the blue door", user="alex", session="s")
    told = matched(memory, "is the spare key behind the door?", "Behind the blue door")
    assert told == "behind door; beside it: spare key"


def test_what_a_hidden_message_beside_it_holds_is_not_told(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.observe("Where did you hang the spare key?", user="bo", session="s")
    memory.observe("Behind the blue door", user="alex", session="s")
    told = matched(memory, "is the spare key behind the door?", "Behind the blue door")
    assert told == "behind door"


def test_what_matched_is_kept_in_a_copy_of_a_hit(memory: Memory) -> None:
    memory.observe("Keys hang behind the door", user="alex", session="s")
    (hit,) = memory.recall("which key is for the shed?", user="alex")
    assert str(pickle.loads(pickle.dumps(hit)).why) == str(copy.deepcopy(hit).why) == "words #1 (key)"


def test_a_named_time_finds_what_was_said_then(memory: Memory, clock: ManualClock) -> None:
    memory.observe("Rehearsal went well", user="alex", session="a")
    clock.pass_time(days=7)
    memory.observe("Rehearsal went badly", user="alex", session="b")
    hits = memory.recall("how did the rehearsal go last week?", user="alex")
    assert hits[0].record.text == "Rehearsal went well"
    assert "time" in {signal.name for signal in hits[0].why.signals}
    em_portugues = memory.recall("como foi o rehearsal na semana passada?", user="alex")
    assert em_portugues[0].record.text == "Rehearsal went well"


def test_an_asked_attribute_finds_the_fact_that_names_it_otherwise(memory: Memory) -> None:
    memory.remember("Alex settled in Lisbon", user="alex", subject="alex/residence")
    memory.remember("Alex plays chess", user="alex")
    hits = memory.recall("where does she live?", user="alex")
    assert hits[0].record.subject == "alex/residence"
    assert "subjects" in {signal.name for signal in hits[0].why.signals}


def test_forgotten_records_that_match_better_take_no_place_from_others(memory: Memory) -> None:
    for n in range(80):
        memory.forget(memory.remember(f"The spare key hangs behind the blue door {n}", user="alex").id)
    kept = {memory.remember(f"A key of sort {n}", user="alex").id for n in range(12)}
    hits = memory.recall("where does the spare key hang, behind the blue door?", user="alex", limit=12, min_score=0)
    assert {hit.record.id for hit in hits} == kept
    assert min(signal.rank for signal in hits[0].why.signals) == 1


def test_an_attribute_of_somebody_else_is_no_answer(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant", embedder=None)
    nina = memory.remember("Nina has moved to Whitby", user="nina", subject="nina/residence", visibility="project")
    rui = memory.remember(
        "Rui Costa se mudou para o Porto", user="8123", subject="8123/residence", visibility="project"
    )
    told = partial(_told, memory)
    assert (told("Where does Nina live now?"), told("Onde mora o Rui?")) == ([nina.id], [rui.id])
    assert told("Where do I live?", user="nina") == [nina.id]
    assert told("Where does everybody live?") == [rui.id, nina.id]
    memory.observe("Hello all", user="tomas", session="s")
    assert told("Where does Tomas live?") == [], "he is known, but not where he lives"


def _told(memory: Memory, question: str, user: str | None = None) -> list[str]:
    hits = memory.recall(question, user=user)
    return [hit.record.id for hit in hits if "subjects" in {signal.name for signal in hit.why.signals}]


def test_why_not_names_the_first_thing_in_the_way(memory: Memory) -> None:
    kept = memory.remember("Alex is left-handed", user="alex")
    assert memory.why_not(kept.id, "left-handed", user="alex").found
    with pytest.raises(RecordNotFound):
        memory.why_not(kept.id, "left-handed", user="sam")
    assert "not asked for" in memory.why_not(kept.id, "left-handed", user="alex", kinds=["note"]).reason
    assert memory.why_not(kept.id, "the weather in Oslo", user="alex").stage == "signals"
    memory.forget(kept.id, reason="a mistake")
    assert "a mistake" in memory.why_not(kept.id, "left-handed", user="alex").reason


def test_a_skip_rule_keeps_messages_out_and_says_so(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory(variant(tmp_path, '[capture]\nkind = "message"', '[capture]\nkind = "message"\nskip = ["^!"]'))
    skipped = memory.observe("!play some music", user="alex", session="s")
    assert not skipped
    assert skipped.reason == "a skip rule matched"  # type: ignore[union-attr]
    assert memory.observe("play some music", user="alex", session="s")
    assert len(memory.recall("music", user="alex")) == 1


class Moods:
    """Small talk lies along one axis, each text a little aside; the sea along another; "tide" is near both."""

    name, dimensions, local = "moods", 32, True

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[0] = 1.0 if "chat" in text else 0.75 if "tide" in text else 0.3
            row[1] = 0.25 if "tide" in text else 1.0 if "sea" in text else 0.0
            row[2 + len(text) % 30] += 0.5 if "chat" in text else 0.0
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


@pytest.fixture
def by_the_sea(open_memory: OpenMemory) -> Memory:
    """Much small talk, and one message of another sort."""
    memory = open_memory("assistant", embedder=Moods())
    for number in range(60):
        memory.observe("chat " + "x" * number, user="alex", session="s")
    memory.observe("The sea took our boat", user="alex", session="s")
    JobRunner().run_due(memory, now=memory.clock())
    return memory


def test_a_remark_brings_to_mind_what_is_not_like_everything(by_the_sea: Memory) -> None:
    memory = by_the_sea
    remark = [hit.record.text for hit in memory.recall("I hear the tide again", user="alex", limit=5)]
    asked = [hit.record.text for hit in memory.recall("tide again?", user="alex", limit=5)]
    assert remark[0] == "The sea took our boat"
    assert "The sea took our boat" not in asked


def test_a_remark_in_the_words_of_a_record_is_looked_for_as_a_question_is(by_the_sea: Memory) -> None:
    remark = by_the_sea.recall("I was told that the sea took a boat", user="alex", limit=1)
    asked = by_the_sea.recall("Did the sea take a boat?", user="alex", limit=1)
    assert remark[0].record == asked[0].record and remark[0].score > 0.9 * asked[0].score


def test_a_shape_of_an_older_make_still_serves_and_is_found_anew(by_the_sea: Memory) -> None:
    store, size = by_the_sea.store, Moods.dimensions
    packed, then, _ = store.read(lambda t: t.vectors.read_whitening(1))
    assert packed is not None
    store.write(lambda t: t.vectors.set_shape(1, packed[: 2 * size * (size + 1)], count=then))
    nearest = NearestRecords(store, model=Moods.name, dimensions=size)
    asked = nearest.query_vector(Moods().embed(["tide again"])[0])
    assert nearest.crowding(asked[None]) is None
    assert nearest.learn_shape() and not nearest.learn_shape()
    assert nearest.crowding(asked[None]) is not None


def test_a_shape_that_another_process_found_is_taken_up(by_the_sea: Memory) -> None:
    store, question = by_the_sea.store, Moods().embed(["tide again"])[0]
    other = NearestRecords(store, model=Moods.name, dimensions=Moods.dimensions)
    other.query_vector(question)
    before = other.whitening()[0]
    for number in range(400):
        by_the_sea.observe("tide " + "y" * number, user="alex", session="s")
    JobRunner().run_due(by_the_sea, now=by_the_sea.clock())
    view, _ = by_the_sea.engine.view_for("alex", None)
    store.read(lambda t: other.search(t, question, view, limit=1))
    nearest = by_the_sea.engine.searcher.vector_search
    after, found = other.whitening()[0], nearest.whitening()[0] if nearest else None
    assert before is not None and after is not None and found is not None
    assert not np.allclose(before, after, atol=1e-3)
    assert np.allclose(after, found, atol=1e-2)


@pytest.mark.parametrize("given", [{"kinds": "message"}, {"branches": "main"}])
def test_one_name_where_a_list_belongs_is_told(open_memory: OpenMemory, given: dict[str, Any]) -> None:
    memory = open_memory("assistant")
    (name, value), *_ = given.items()
    with pytest.raises(InputError, match=rf"write {name}=\['{value}'\]"):
        memory.recall("spare key", user="alex", **given)
