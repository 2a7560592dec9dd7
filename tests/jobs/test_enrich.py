"""Names found by night: by any accurate tagger, in records that have few, and joined only when they surely are one."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.distil.drafts import NameDraft
from toldonce.distil.writer import RulesWriter
from toldonce.errors import ConfigError
from toldonce.models.spacy_tagger import SpacyTagger
from toldonce.models.tagger import Mention
from toldonce.storage.tables.jobs import Run


class WordTagger:
    """Finds given words, of a given type."""

    name = "words"
    accurate = True

    def __init__(self, **words: str) -> None:
        self._words = {word.replace("_", " "): type_ for word, type_ in words.items()}
        self.read: list[str] = []

    def tag(self, text: str) -> list[Mention]:
        self.read.append(text)
        places = ((w, t, text.find(w)) for w, t in self._words.items())
        return [Mention(w, t, start, start + len(w), 0.9) for w, t, start in places if start >= 0]


def at_two(memory: Memory, clock: ManualClock) -> list[Run]:
    memory.tend()
    clock.pass_time(days=1)
    return [run for run in memory.tend() if run.name == "enrich"]


def say(memory: Memory, *texts: str) -> None:
    for text in texts:
        memory.observe(text, user="alex", session="s1")


def test_without_an_accurate_tagger_it_is_skipped(open_memory: OpenMemory, clock: ManualClock) -> None:
    """AST-10."""
    memory = open_memory("assistant")
    say(memory, "we met at the blue heron")
    assert [run.status for run in at_two(memory, clock)] == ["skipped"]


def test_a_better_tagger_finds_what_the_fast_rules_missed(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant", taggers=[WordTagger(blue_heron="location")])
    say(memory, "we met at the blue heron")
    assert memory.entity("blue heron") is None
    (run,) = at_two(memory, clock)
    assert run.counts == {"records": 1, "names": 1}
    found = memory.entity("the Blue Heron")
    assert found is not None
    assert (found.type, found.mentions) == ("location", 1)


def test_a_record_is_read_once(open_memory: OpenMemory, clock: ManualClock) -> None:
    tagger = WordTagger(heron="other")
    memory = open_memory("assistant", taggers=[tagger])
    say(memory, "we met at the blue heron")
    at_two(memory, clock)
    for _ in range(3):
        clock.pass_time(days=1)
        memory.tend()
    assert tagger.read.count("we met at the blue heron") == 1


def test_records_with_more_than_two_names_are_left_alone(open_memory: OpenMemory, clock: ManualClock) -> None:
    tagger = WordTagger(heron="other")
    memory = open_memory("assistant", taggers=[tagger])
    say(memory, "I met Ana Costa, Rui Silva and Eva Lopes in Lisbon")
    assert [run.status for run in at_two(memory, clock)] == ["skipped"]


def test_at_most_fifty_records_a_night(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant", taggers=[WordTagger(heron="other")])
    say(memory, *(f"we saw heron number {n}" for n in range(60)))
    assert [run.counts["records"] for run in at_two(memory, clock)] == [50]


def test_a_writer_with_a_model_is_a_tagger_too(open_memory: OpenMemory, clock: ManualClock) -> None:
    class Naming:
        """A writer that is not the rules, and knows one name."""

        name = "model"
        raw = "said by the model"

        def __init__(self) -> None:
            self._rules = RulesWriter()

        def __getattr__(self, task: str) -> object:
            return getattr(self._rules, task)

        def names(self, texts: Sequence[str]) -> list[list[NameDraft]]:
            places = [text.find("heron") for text in texts]
            return [[NameDraft("heron", "other", at, at + 5)] if at >= 0 else [] for at in places]

    memory = open_memory("assistant", writer=Naming())
    say(memory, "we met at the blue heron")
    (run,) = at_two(memory, clock)
    assert run.detail["output"] == "said by the model"
    assert memory.entity("heron") is not None


def test_two_ways_to_write_one_name_are_joined(open_memory: OpenMemory, clock: ManualClock) -> None:
    tagger = WordTagger(IBM="organization", International_Business_Machines="organization")
    memory = open_memory("assistant", taggers=[tagger])
    say(memory, "they work for IBM", "they work for International Business Machines")
    at_two(memory, clock)
    found = memory.entity("ibm")
    assert found is not None
    assert set(found.aliases) >= {"IBM", "International Business Machines"}
    assert {"they work for IBM", "they work for International Business Machines"} <= {r.text for r in found.records}


@pytest.mark.parametrize(
    "one, other",
    [("Ana Costa", "Ana"), ("Rui Silva", "Eva Silva"), ("Ana Costa", "Ana Lopes"), ("Ann Lee", "Anna Lee")],
)
def test_two_people_are_never_joined_by_a_part_of_a_name(
    open_memory: OpenMemory, clock: ManualClock, one: str, other: str
) -> None:
    words = {name.replace(" ", "_"): "person" for name in (one, other)}
    memory = open_memory("assistant", taggers=[WordTagger(**words)])
    say(memory, f"{one} called", f"{other} wrote")
    at_two(memory, clock)
    first, second = memory.entity(one), memory.entity(other)
    assert first is not None
    assert second is not None
    assert first.id != second.id


def test_an_initial_that_fits_two_people_joins_neither(open_memory: OpenMemory, clock: ManualClock) -> None:
    words = {"Rui_Silva": "person", "Rita_Silva": "person", "R._Silva": "person"}
    memory = open_memory("assistant", taggers=[WordTagger(**words)])
    say(memory, "I met Rui Silva", "I met Rita Silva", "a letter by R. Silva")
    at_two(memory, clock)
    found = {e.id for name in ("Rui Silva", "Rita Silva", "R. Silva") if (e := memory.entity(name))}
    assert len(found) == 3


# spaCy


def test_spacy_that_is_not_installed_says_how_to_get_it() -> None:
    tagger = SpacyTagger("en_core_web_sm")
    with pytest.raises(ConfigError, match=r"\[spacy\]|spacy download"):
        tagger.tag("Ana lives in Lisbon")


def test_spacy_names_come_in_our_words() -> None:
    class Entity:
        def __init__(self, text: str, label: str, start: int) -> None:
            self.text, self.label_, self.start_char, self.end_char = text, label, start, start + len(text)

    class Read:
        def __init__(self, text: str) -> None:
            self.ents = [Entity("Ana", "PERSON", 0), Entity("Lisbon", "GPE", 13), Entity("two", "CARDINAL", 20)]

    tagger = SpacyTagger("any", load=lambda _: Read)
    assert [(m.text, m.type) for m in tagger.tag("Ana lives in Lisbon two")] == [
        ("Ana", "person"),
        ("Lisbon", "location"),
    ]
    assert tagger.name == "spacy:any"


def test_a_tagger_is_named_as_a_setting(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant", taggers=["spacy:pt_core_news_sm"])
    assert [tagger.name for tagger in memory.engine.taggers] == ["spacy:pt_core_news_sm"]
    with pytest.raises(ConfigError, match="spacy:MODEL"):
        open_memory("assistant", file="other.db", taggers=["stanza:pt"])
