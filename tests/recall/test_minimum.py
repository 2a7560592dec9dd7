"""What is unlikely to help is left out unless the caller asks for another minimum, and it is said why."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from tests.conftest import OpenMemory
from tests.recall.test_rerank import Judge
from toldonce import Memory
from toldonce.integrations.person_memory import PersonMemory
from toldonce.presets.loader import load_preset
from toldonce.recall.features import to_chances


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    memory = open_memory("assistant", embedder="default")
    memory.remember("Alex is allergic to peanuts", user="alex")
    memory.remember("The dentist is on Friday at nine", user="alex")
    memory.tend()
    return memory


def test_a_question_about_something_else_brings_nothing(memory: Memory) -> None:
    assert memory.recall("Which car do I drive?", user="alex") == []
    assert len(memory.recall("Which car do I drive?", user="alex", min_score=0)) == 2


@pytest.mark.parametrize("question", ["What is Alex allergic to?", "peanuts", "can I cook with nuts for Alex?"])
def test_what_helps_comes_back_from_a_small_memory_too(memory: Memory, question: str) -> None:
    assert memory.recall(question, user="alex")[0].record.text == "Alex is allergic to peanuts"


def test_why_not_names_the_minimum(memory: Memory) -> None:
    question = "Which car do I drive?"
    weak = memory.recall(question, user="alex", min_score=0)[0].record
    said = memory.why_not(weak.id, question, user="alex")
    assert not said.found and said.stage == "rank"
    least = load_preset("assistant").recall.min_score
    assert f"under the minimum of {least:.3f}" in said.reason and "min_score=0" in said.reason
    assert memory.recall(question, user="alex", explain=True).left_out[weak.id] == said.reason
    assert memory.why_not(weak.id, question, user="alex", min_score=0).found


def test_a_minimum_that_is_asked_for_is_one_of_the_score(memory: Memory) -> None:
    question = "What is Alex allergic to?"
    assert len(memory.recall(question, user="alex", min_score=0)) == 2
    assert len(memory.recall(question, user="alex", min_score=0.5)) == 1
    assert memory.recall(question, user="alex", min_score=1) == []


def test_what_holds_every_word_is_shown_however_many_do(open_memory: OpenMemory) -> None:
    """Where nine fit alike, none of them stands out; and each of them was asked for."""
    memory = open_memory("companion")
    for number in range(9):
        memory.remember(f"The robot likes charging dock number {number}", user="ana")
    assert len(memory.recall("robot charging dock", user="ana", limit=9)) == 9


def test_a_preset_may_have_its_own_minimum(open_memory: OpenMemory, tmp_path: Path) -> None:
    preset = tmp_path / "strict.toml"
    shipped = (resources.files("toldonce.presets") / "assistant.toml").read_text(encoding="utf-8")
    preset.write_text(shipped.replace("[recall]\n", "[recall]\nmin_share = 0.5\n"), encoding="utf-8")
    question, answer = "Where did you hang the spare key?", "Behind the blue door"
    for name, shown in (("assistant", 2), (str(preset), 1)):
        memory = open_memory(name, file=f"{shown}.db")
        memory.observe(question, user="alex", session="s")
        memory.observe(answer, user="alex", session="s")
        assert len(memory.recall("where is the spare key?", user="alex")) == shown


def test_a_host_that_asks_for_a_number_gets_as_many(memory: Memory) -> None:
    person = PersonMemory(memory, "alex")
    assert person.search("Which car do I drive?") == []
    assert len(person.search("Which car do I drive?", 2)) == 2


def test_a_reranker_sees_what_is_unlikely(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant", embedder="default", reranker=Judge())
    memory.remember("Alex is allergic to peanuts", user="alex")
    assert memory.recall("Which car do I drive?", user="alex")


def test_the_only_thing_known_is_as_likely_as_it_fits() -> None:
    """Twins and a lack of others do not make a good match unlikely."""
    for by_words in (True, False):
        assert to_chances({1: 9.0}, by_words=by_words)[1] > 0.9
        twins = to_chances({1: 9.4, 2: 9.1, 3: 9.0, 4: 8.9, 5: 4.2}, by_words=by_words)
        assert twins[1] > 0.8 and twins[5] < 0.1
        assert to_chances({1: 0.3}, by_words=by_words)[1] < 0.05


@pytest.mark.parametrize("embedder", [None, "default"])
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("東京", "東京にも行きたい"),
        ("犬の名前は何ですか", "犬の名前はポチです"),
        ("iPhoneはいつ買った", "iPhoneを買った"),
        ("我住在哪里", "我住在上海"),
        ("狗", "我的狗叫小白"),
        ("강아지 이름이 뭐예요?", "강아지 이름은 초코예요"),
        ("แพ้ถั่วไหม", "ฉันแพ้ถั่ว"),
    ],
)
def test_what_helps_is_shown_in_scripts_without_spaces(
    open_memory: OpenMemory, question: str, answer: str, embedder: str | None
) -> None:
    memory = open_memory("assistant", embedder=embedder)
    texts = "東京にも行きたい 犬の名前はポチです iPhoneを買った 我住在上海 我的狗叫小白 ฉันแพ้ถั่ว I_sold_my_car"
    for text in (*texts.split(), "강아지 이름은 초코예요", "서울에서 살아요"):
        memory.remember(text.replace("_", " "), user="alex")
    memory.tend()
    assert memory.recall(question, user="alex")[0].record.text == answer


def test_what_holds_every_pair_of_characters_is_shown_however_many_do(open_memory: OpenMemory) -> None:
    memory = open_memory("companion")
    for number in range(9):
        memory.remember(f"犬は公園の{number}番が好きです", user="ana")
    assert len(memory.recall("犬は公園", user="ana", limit=9)) == 9
