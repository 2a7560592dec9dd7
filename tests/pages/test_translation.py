"""Every language says everything, with the same parts, and templates say nothing that is not there."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from markupsafe import Markup

import toldonce.server
from toldonce.lang.registry import language_codes
from toldonce.server.pages.translation import PageTexts, choose_locale, list_languages, load_sentences

FOLDER = Path(toldonce.server.__file__).parent
NOW = datetime(2026, 11, 16, 18, 30, tzinfo=UTC)
PARTS = re.compile(r"{(\w+)}")


def texts(language: str, accepted: str = "") -> PageTexts:
    return PageTexts(choose_locale(language, accepted), zone=ZoneInfo("Europe/Lisbon"), now=NOW)


def parts_of(sentence: object) -> set[str]:
    forms = sentence.values() if isinstance(sentence, dict) else [sentence]
    return {part for form in forms for part in PARTS.findall(str(form))}


def test_pages_have_every_language_of_the_engine() -> None:
    assert set(list_languages()) == set(language_codes())


@pytest.mark.parametrize("language", [code for code in language_codes() if code != "en"])
def test_every_language_has_the_same_sentences_with_the_same_parts(language: str) -> None:
    english, other = load_sentences("en"), load_sentences(language)
    assert english.keys() == other.keys()
    different = [key for key in english if parts_of(english[key]) != parts_of(other[key])]
    assert different == []
    assert [key for key in english if isinstance(english[key], dict) != isinstance(other[key], dict)] == []


def test_every_sentence_that_pages_say_is_there() -> None:
    said = re.compile(r"""\bt\(\s*["']([a-z_]+\.[a-z_]+)["']\s*[,)]""")
    files = [*FOLDER.glob("templates/*.html"), *FOLDER.glob("pages/*.py")]
    used = {key for file in files for key in said.findall(file.read_text(encoding="utf-8"))}
    assert used - load_sentences("en").keys() == set()


def test_parts_of_a_sentence_are_escaped_unless_they_are_markup() -> None:
    t = texts("en")
    assert t("nav.signed_in_as", name="<b>") == "Signed in as &lt;b&gt;"
    assert t("nav.signed_in_as", name=Markup("<b>A</b>")) == "Signed in as <b>A</b>"


def test_dates_and_numbers_follow_the_language() -> None:
    moment = "2026-10-12T17:41:00+00:00"
    assert "12 October 2026, 18:41" in texts("en").moment(moment)
    assert "12 de outubro de 2026, 18:41" in texts("pt").moment(moment)
    assert "12 de octubre de 2026, 18:41" in texts("es").moment(moment)
    assert [texts(code).number(12_345) for code in ("en", "es")] == ["12,345", "12.345"]
    assert texts("pt").fraction(0.5) == "0,50"
    assert "yesterday" in texts("en").recent("2026-11-15T10:00:00+00:00")


def test_the_language_of_the_browser_counts_until_a_person_chooses() -> None:
    assert texts("", "pt-BR,pt;q=0.9,en;q=0.8").locale.territory == "BR"
    assert texts("es", "pt-BR,en;q=0.8").language == "es"
    assert texts("", "de-DE,fr;q=0.5").language == "en"
    assert texts("", "en-XX, ;;;,\x00").language == "en"
