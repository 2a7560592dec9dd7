"""A language is one value: registering it is all it takes to be read, dated and answered in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from toldonce import Memory
from toldonce.distil.drafts import ConversationMessage
from toldonce.distil.extract import extract_facts
from toldonce.lang.base import Clauses, Detection, Extraction, Language, Vocabulary
from toldonce.lang.calendar import Calendar, Phrases, TimeWords
from toldonce.lang.detect import detect_language
from toldonce.lang.grammar import Rule
from toldonce.lang.instructions import Instructions
from toldonce.lang.registry import (
    all_languages,
    language_codes,
    language_of,
    register_language,
    unregister_language,
)
from toldonce.lang.verb_grammar import ClauseEnd, Pronouns, VerbGrammar
from toldonce.lang.wording import choose_language, name_section
from toldonce.times.reader import find_asked_windows

NOW = datetime(2026, 3, 18, 15, 30, tzinfo=UTC)
_NEVER = re.compile("(?!)")
# A toy tongue: "bor en X" is "I live in X", "hieri" is yesterday.
_VERBS = {"bor": "bors", "manj": "manjs"}
_GRAMMAR = VerbGrammar(
    subject=re.compile(
        r"(?P<we>(?!))?(?P<self>mo )?(?P<adverbs>)(?P<not>nix )?(?P<more>)(?P<clitic>(?!))?(?P<verb>bor|manj)"
        r"(?P<enclitic>(?!))?\b|(?P<mine>\bmon\b)"
    ),
    clauses=Clauses(_NEVER, _NEVER, re.compile(".*[,.]"), re.compile(r"\W*$")),
    end=ClauseEnd(
        stop=_NEVER,
        comma=_NEVER,
        listed=_NEVER,
        further=_NEVER,
        filler=re.compile(r"[.!]+$"),
        when=_NEVER,
        liked_when=_NEVER,
        instead=_NEVER,
    ),
    pronouns=Pronouns(
        theirs={"mon": "son"},
        mine=re.compile(r"\bmon\b"),
        article_for=lambda pronoun, _: "lo" if pronoun == "mon" else "",
        finite=_NEVER,
        of="da",
        clitic="mo",
        their_clitic="so",
        negation="nix",
        no_more=("nix", "plu"),
        when="kan",
        case=_NEVER,
    ),
    head="mon",
    third=_VERBS,
    once={},
    we_word="",
    we_plural=frozenset(),
    doubtful=frozenset(),
    marked=_NEVER,
    kept_adverbs=frozenset(),
    already="",
    only="",
    any_more=_NEVER,
    any_more_words=_NEVER,
    timed=_NEVER,
    before=_NEVER,
    pointing=_NEVER,
    ours="",
)
_EXTRACTION = Extraction(
    grammar=_GRAMMAR,
    rules=(Rule("bor", r"bor en (?P<value>.+)", "fact", "residence", "place"),),
    instructions=Instructions(
        signs="(?!)", patterns=(), texts={}, phrase=lambda *_: ("", False), retell_what=str
    ),
)  # fmt: skip
_ENGLISH = language_of("en")
TOY = Language(
    code="xx",
    name="Toy",
    detection=Detection(words=frozenset("bor en mo mon nix kan hieri zut".split())),
    vocabulary=Vocabulary(stop=frozenset(("zut",))),
    calendar=Calendar(
        words=TimeWords(
            months={"unma": 1},
            weekdays={"lundo": 0},
            units={"tago": "day"},
            plural_units=frozenset(),
            numbers={"unu": 1},
            day_offsets={"hieri": -1},
            day_parts={"mateno": (5, 12)},
            seasons={"somero": 1},
        ),
        phrases=Phrases(),
        signs=frozenset(("hieri",)),
    ),
    dates=_ENGLISH.dates,
    texts=_ENGLISH.texts,
    load_extraction=lambda: _EXTRACTION,
)


@pytest.fixture
def toy() -> Iterator[Language]:
    """The toy language, registered for one test."""
    register_language(TOY)
    yield TOY
    unregister_language("xx")


def test_toy_language_is_detected_and_a_fact_is_extracted(toy: Language) -> None:
    assert detect_language("mo bor en Ankhor") == "xx"
    found = extract_facts([ConversationMessage("m1", "mo bor en Ankhor.", "alex", "user", NOW, "Alex")], subjects={})
    assert [(draft.text, draft.subject, draft.value) for draft in found] == [
        ("Alex bors en Ankhor", "alex/residence", "Ankhor")
    ]


def test_toy_language_gives_its_dates(toy: Language) -> None:
    assert [window.start.day for window in find_asked_windows("zut hieri", now=NOW, zone=UTC)] == [17]


def test_prompt_block_has_the_headings_of_a_registered_language(tmp_path: Path) -> None:
    from dataclasses import replace

    headings = {**_ENGLISH.texts.headings, "What was said": "Kio diris"}
    register_language(replace(TOY, texts=replace(_ENGLISH.texts, headings=headings)))
    try:
        with Memory.open(tmp_path / "toy.db", preset="assistant", clock=lambda: NOW) as memory:
            memory.observe("mo bor en Ankhor", user="alex", session="one")
            block = memory.context("bor en mo", user="alex", session="two").text
    finally:
        unregister_language("xx")
    assert "## Kio diris" in block


def test_what_a_language_gave_is_gone_when_it_is_unregistered(toy: Language) -> None:
    unregister_language("xx")
    assert find_asked_windows("zut hieri", now=NOW, zone=UTC) == []
    assert "xx" not in language_codes()


def test_built_in_language_cannot_be_replaced() -> None:
    with pytest.raises(ValueError, match="built in"):
        register_language(_ENGLISH)


def test_unknown_code_means_the_default_language() -> None:
    assert language_of("").code == language_of("klingon").code == all_languages()[0].code == "en"


def test_language_stored_with_a_person_comes_before_that_of_their_words() -> None:
    assert choose_language("pt-BR", ["I live in Porto"]).code == "pt"
    assert choose_language("", ["moro em Braga e gosto muito"]).code == "pt"
    assert choose_language("tlh", ["I live in Porto"]).code == "en"


def test_section_that_no_language_knows_is_shown_as_it_is_called() -> None:
    assert name_section("top_of_mind", language_of("pt")) == "Em mente"
    assert name_section("war_stories", language_of("pt")) == "War stories"
