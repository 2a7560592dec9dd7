"""What every registered language must do, with sentences of its own: a fourth language has to pass these tests too."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tests.lang.samples import ATTRIBUTES, CODES, DATES, QUESTION_TYPES, Samples, samples_of
from toldonce.capture.gate import junk_score
from toldonce.capture.secrets.redact import redact_secrets
from toldonce.coding.transcripts.words import decisions
from toldonce.distil.answer import read_verdict
from toldonce.distil.drafts import ConversationMessage, FactDraft, Material
from toldonce.distil.extract import extract_facts
from toldonce.distil.goals import is_reached
from toldonce.distil.judgement import judge_contradiction
from toldonce.distil.reading import format_day, remove_written_dates, split_sentences
from toldonce.distil.reports import draft_report
from toldonce.lang.base import Language, Texts
from toldonce.lang.detect import detect_language
from toldonce.lang.registry import language_of
from toldonce.lang.vocabulary import content_words, stem_word
from toldonce.lang.wording import label_day, translate_heading
from toldonce.models.tagger import RegexTagger
from toldonce.recall import query as asks
from toldonce.text.words import fold_word
from toldonce.times.reader import find_asked_windows

NOW = datetime(2026, 3, 18, 15, 30, tzinfo=ZoneInfo("Europe/Lisbon"))


@pytest.fixture(params=CODES)
def language(request: pytest.FixtureRequest) -> Language:
    """Each registered language."""
    return language_of(request.param)


@pytest.fixture
def samples(language: Language) -> Samples:
    """The sentences of the language."""
    return samples_of(language.code)


def drafts_of(text: str) -> list[FactDraft]:
    """What Alex says to an assistant, as drafts."""
    said = [
        ConversationMessage("m1", text, "alex", "user", NOW, "Alex"),
        ConversationMessage("m2", "ok", "bot", "assistant", NOW, "Bot"),
    ]
    return extract_facts(said, subjects={})


def attributes_of(text: str) -> dict[str, str | None]:
    """The attributes that the drafts of a text give, with their values."""
    return {(draft.subject or "").rpartition("/")[2]: draft.value for draft in drafts_of(text)}


def test_language_of_short_casual_text_is_told(language: Language, samples: Samples) -> None:
    assert {text: detect_language(text) for text in samples.casual} == dict.fromkeys(samples.casual, language.code)


def test_sentence_is_read_in_the_language_of_its_message(language: Language, samples: Samples) -> None:
    text = ". ".join(samples.casual)
    assert {sentence.language for sentence in split_sentences(text)} == {language.code}


@pytest.mark.parametrize("phrase", DATES)
def test_each_class_of_date_phrase_is_read(samples: Samples, phrase: str) -> None:
    found = find_asked_windows(samples.dates[phrase], now=NOW, zone=NOW.tzinfo or ZoneInfo("UTC"))
    days = [tuple(moment.astimezone(NOW.tzinfo).date().isoformat() for moment in (w.start, w.end)) for w in found]
    assert days == [DATES[phrase]]


def test_what_only_looks_like_a_time_is_none(samples: Samples) -> None:
    for text in samples.no_dates:
        assert find_asked_windows(text, now=NOW, zone=NOW.tzinfo or ZoneInfo("UTC")) == []


@pytest.mark.parametrize("question_type", QUESTION_TYPES)
def test_each_type_of_question_is_known(samples: Samples, question_type: str) -> None:
    assert getattr(asks, question_type)(samples.questions[question_type])


@pytest.mark.parametrize("question_type", ("is_time_question", "is_summary_request", "is_course_question"))
def test_remark_is_no_question(samples: Samples, question_type: str) -> None:
    assert not asks.is_question(samples.questions["is_statement"])
    assert not getattr(asks, question_type)(samples.questions["is_statement"])


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_each_attribute_is_extracted(samples: Samples, attribute: str) -> None:
    text, value = samples.facts[attribute]
    assert attributes_of(text).get(attribute) == value


def test_question_condition_and_doubt_state_nothing(samples: Samples) -> None:
    assert [text for text in samples.no_facts if drafts_of(text)] == []


def test_first_person_is_retold_in_the_third(language: Language, samples: Samples) -> None:
    grammar = language.extraction.grammar
    for said, told in samples.retold.items():
        predicates = [p for sentence in split_sentences(said) for p in grammar.predicates(sentence)]
        assert [grammar.retell(predicate, "Alex") for predicate in predicates][:1] == [told]


def test_verbs_go_to_the_third_person_and_back(language: Language) -> None:
    grammar = language.extraction.grammar
    assert grammar.first_person
    assert not {first for third, first in grammar.first_person.items() if not third or not first}


def test_what_is_over_ends_what_held(samples: Samples) -> None:
    for text, (attribute, value) in samples.ended.items():
        assert attributes_of(text).get(attribute) == value


def test_named_relation_becomes_a_fact_about_them(samples: Samples) -> None:
    text, told, value = samples.relation
    assert (told, value) in [(draft.text, draft.value) for draft in drafts_of(text)]


def test_presupposed_fact_is_found_in_a_question(samples: Samples) -> None:
    text, attribute = samples.presupposed
    assert attribute in attributes_of(text)


def test_standing_instructions_are_found_and_retold(samples: Samples) -> None:
    for text, (attribute, value) in samples.instructions.items():
        found = drafts_of(text)
        assert [(d.type, (d.subject or "").rpartition("/")[2], d.value) for d in found] == [
            ("instruction", attribute, value)
        ]
        assert found[0].text.startswith("Alex")


def test_habit_thanks_and_question_instruct_nobody(samples: Samples) -> None:
    assert [d for text in samples.no_instructions for d in drafts_of(text) if d.type == "instruction"] == []


def test_opposite_statements_contradict(samples: Samples) -> None:
    def contradicts(pair: tuple[str, str]) -> bool:
        older, newer = (Material(id="", text=text, at=NOW) for text in pair)
        return judge_contradiction(older, newer).contradicts

    assert contradicts(samples.contradiction) and not contradicts(samples.no_contradiction)


def test_answer_to_a_doubt_is_understood(samples: Samples) -> None:
    assert read_verdict(samples.yes, older="A b", newer="C d").choice == "newer"
    assert read_verdict(samples.no, older="A b", newer="C d").choice == "older"


def test_relative_day_is_written_as_a_date_and_taken_out_again(samples: Samples) -> None:
    text, dated = samples.dated
    assert [draft.text for draft in drafts_of(text)] == [dated]
    assert not re.search(r"\d", remove_written_dates(dated))


def test_reached_goal_is_known(samples: Samples) -> None:
    goal, reached = samples.goal
    assert is_reached(goal, reached) and not is_reached("something else", reached)


def test_nod_is_junk_and_a_secret_is_redacted(samples: Samples) -> None:
    assert junk_score(samples.nod) >= 0.5 > junk_score(samples.questions["is_statement"])
    assert "[REDACTED: password]" in redact_secrets(samples.secret).text


def test_place_is_named(samples: Samples) -> None:
    text, place = samples.named
    assert place in [mention.text for mention in RegexTagger().tag(text)]


def test_decision_of_a_coding_session_is_known(samples: Samples) -> None:
    assert decisions().search(samples.decision)


def test_stop_words_are_lower_case_and_leave_content(language: Language, samples: Samples) -> None:
    assert all(word == word.lower() for word in language.vocabulary.stop)
    assert all(content_words(text) for text in samples.casual)


def test_words_of_times_are_folded(language: Language) -> None:
    words = language.calendar.words
    tables = (
        words.months,
        words.weekdays,
        words.units,
        words.numbers,
        words.day_offsets,
        words.day_parts,
        words.seasons,
    )
    assert [word for table in tables for word in table if fold_word(word) != word] == []
    assert sorted(set(words.months.values())) == list(range(1, 13))
    assert sorted(set(words.weekdays.values())) == list(range(7))
    assert {word for word in language.calendar.signs if fold_word(word) != word} == set()


def test_forms_of_a_word_have_one_stem(language: Language, samples: Samples) -> None:
    one, other = (stem_word(fold_word(word), language.code) for word in samples.same_stem)
    assert one == other


@pytest.mark.parametrize("field", [field.name for field in fields(Texts)])
def test_texts_are_complete(language: Language, field: str) -> None:
    english, own = getattr(language_of("en").texts, field), getattr(language.texts, field)
    assert own
    if isinstance(own, dict):
        assert own.keys() == english.keys()
        slots = {key: set(re.findall(r"{\w+}", text)) for key, text in english.items()}
        assert {key: set(re.findall(r"{\w+}", text)) for key, text in own.items()} == slots


def test_instruction_texts_are_complete(language: Language) -> None:
    own, english = (language_of(code).extraction.instructions.texts for code in (language.code, "en"))
    assert own.keys() == english.keys()
    assert all("{name}" in text for text in own.values())


def test_dates_are_written_in_words(language: Language) -> None:
    dates = language.dates
    assert len(dates.months) == len(dates.short_months) == 12
    assert format_day(NOW.date(), language.code).startswith("18") and format_day(NOW.date(), language.code).endswith(
        "2026"
    )
    assert "2025" in label_day(NOW.date().replace(year=2025), language, this_year=2026)
    assert "2026" not in label_day(NOW.date(), language, this_year=2026)


def test_heading_of_a_preset_is_translated_and_an_unknown_one_is_kept(language: Language, samples: Samples) -> None:
    assert translate_heading("## What was said", language) == f"## {samples.heading}"
    assert translate_heading("## My own heading", language) == "## My own heading"


def test_report_is_written_in_the_language_of_its_records(language: Language, samples: Samples) -> None:
    known = [
        replace(Material(id=f"f{n}", text=draft.text, at=NOW, kind="fact"), subject=draft.subject, value=draft.value)
        for n, (text, _) in enumerate(samples.facts.values())
        for draft in drafts_of(text)[:1]
    ]
    said = Material(id="m1", text=samples.symptom, at=NOW, title="Alex")
    made = draft_report([*known, said], about="appointment", since=NOW.replace(month=1), until=NOW)
    headings = {language.texts.report[key].partition("{")[0] for key in ("conditions", "sources", "person")}
    assert all(f"## {heading}" in made.text for heading in headings)
    assert samples.symptom in made.text


def test_every_attribute_of_a_question_has_words(language: Language) -> None:
    assert language.subjects.keys() == language_of("en").subjects.keys()
