"""What was relative to the moment it was said is written as a date; what only looks so is left alone."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ManualClock, OpenMemory
from toldonce.distil.reading import remove_written_dates, write_absolute_dates
from toldonce.times.reader import find_asked_windows

AT = datetime(2026, 5, 14, 12, tzinfo=UTC)  # a Thursday

ENGLISH = [
    ("alex moved to Braga yesterday", "alex moved to Braga on 13 May 2026"),
    ("alex moved to Braga the day before yesterday", "alex moved to Braga on 12 May 2026"),
    ("alex moved to Braga half a year ago", "alex moved to Braga around November 2025"),
    ("alex moved to Braga a year ago", "alex moved to Braga in 2025"),
    ("alex moved to Braga a year and a half ago", "alex moved to Braga around November 2024"),
    ("alex moved to Braga twelve years ago", "alex moved to Braga around 2014"),
    ("alex moved to Braga a week ago", "alex moved to Braga around 7 May 2026"),
    ("alex moved to Braga about two weeks ago", "alex moved to Braga around 30 April 2026"),
    ("alex moved to Braga the week before last", "alex moved to Braga in the week of 27 April 2026"),
    ("alex moved to Braga last Christmas", "alex moved to Braga at Christmas 2025"),
    ("alex has lived in Braga since last Christmas", "alex has lived in Braga since Christmas 2025"),
    ("alex got engaged last Christmas Eve", "alex got engaged on Christmas Eve 2025"),
    ("alex got married last December", "alex got married in December 2025"),
    ("alex got married in March last year", "alex got married in March 2025"),
    ("alex retired at the end of last year", "alex retired at the end of 2025"),
    ("alex retired early last year", "alex retired early in 2025"),
    ("alex met Bo on Tuesday of last week", "alex met Bo on 5 May 2026"),
    ("alex worked from last Monday to yesterday", "alex worked from 11 May 2026 to 13 May 2026"),
    ("alex left yesterday morning", "alex left on the morning of 13 May 2026"),
    ("alex came home last night", "alex came home on the night of 13 May 2026"),
    ("alex will leave in three days", "alex will leave on 17 May 2026"),
    ("alex is moving to Oslo in two weeks", "alex is moving to Oslo around 28 May 2026"),
    ("alex has an exam the day after tomorrow at 10", "alex has an exam on 16 May 2026 at 10"),
    ("alex meets Bo this Friday", "alex meets Bo on 15 May 2026"),
    ("alex meets Bo next Monday", "alex meets Bo on 18 May 2026"),
    ("alex is hiking this weekend", "alex is hiking on the weekend of 16 May 2026"),
    ("alex is going to Rio this Christmas", "alex is going to Rio at Christmas 2026"),
    ("alex is excited about tomorrow", "alex is excited about 15 May 2026"),
    ("alex is on leave until next month", "alex is on leave until June 2026"),
    ("Yesterday alex left", "On 13 May 2026 alex left"),
    ("last Sunday was fun", "10 May 2026 was fun"),
    ("alex bought this yesterday", "alex bought this on 13 May 2026"),
    ("alex is off this coming Friday", "alex is off on 15 May 2026"),
    ("alex left on the morning of yesterday", "alex left on the morning of 13 May 2026"),
    ("alex has worked at Acme since Monday", "alex has worked at Acme since 11 May 2026"),
    ("alex has lived in Braga since Christmas", "alex has lived in Braga since Christmas 2025"),
]

PORTUGUESE = [
    ("alex se mudou ontem", "alex se mudou em 13 de maio de 2026"),
    ("alex se mudou há duas semanas", "alex se mudou por volta de 30 de abril de 2026"),
    ("alex se mudou há três dias", "alex se mudou em 11 de maio de 2026"),
    ("alex se mudou há cerca de três dias", "alex se mudou por volta de 11 de maio de 2026"),
    ("alex foi demitida há duas semanas", "alex foi demitida por volta de 30 de abril de 2026"),
    ("alex comprou um carro faz um mês", "alex comprou um carro por volta de abril de 2026"),
    ("alex casou há um ano e meio", "alex casou por volta de novembro de 2024"),
    ("alex casou duas semanas atrás", "alex casou por volta de 30 de abril de 2026"),
    ("alex casou no Natal passado", "alex casou no Natal de 2025"),
    ("alex mora no Porto desde o Natal passado", "alex mora no Porto desde o Natal de 2025"),
    ("alex casou na véspera de Natal do ano passado", "alex casou na véspera de Natal de 2025"),
    ("alex casou em março do ano passado", "alex casou em março de 2025"),
    ("alex ficou doente no fim do ano passado", "alex ficou doente no fim de 2025"),
    ("alex mora no Porto desde a semana passada", "alex mora no Porto desde a semana de 4 de maio de 2026"),
    ("alex mora no Porto desde o mês passado", "alex mora no Porto desde abril de 2026"),
    ("alex se mudou no mês retrasado", "alex se mudou em março de 2026"),
    ("alex gostou da festa de ontem", "alex gostou da festa de 13 de maio de 2026"),
    ("alex gostou da reunião desta semana", "alex gostou da reunião da semana de 11 de maio de 2026"),
    ("alex saiu ontem à noite", "alex saiu na noite de 13 de maio de 2026"),
    ("alex viaja amanhã de manhã", "alex viaja na manhã de 15 de maio de 2026"),
    ("alex viaja daqui a dois dias", "alex viaja em 16 de maio de 2026"),
    ("alex vai se mudar em duas semanas", "alex vai se mudar por volta de 28 de maio de 2026"),
    ("alex tem consulta marcada para amanhã", "alex tem consulta marcada para 15 de maio de 2026"),
    ("alex trabalha numa escola desde segunda-feira", "alex trabalha numa escola desde 11 de maio de 2026"),
    ("alex viaja na próxima sexta", "alex viaja em 15 de maio de 2026"),
    ("alex vai viajar este fim de semana", "alex vai viajar no fim de semana de 16 de maio de 2026"),
]

WIDE_OR_UNSURE = [
    "alex moved to Braga recently",
    "alex moved to Braga a while ago",
    "alex moved to Braga a few days ago",
    "alex moved to Braga a couple of weeks ago",
    "alex moved to Braga two or three weeks ago",
    "alex moved to Braga over two years ago",
    "alex moved to Braga last summer",
    "alex swims in the summer",
    "alex finished the project last quarter",
    "alex ate two hours ago",
    "alex met Bo on Monday",
    "alex will meet Bo on Monday",
    "alex met Bo this Monday",
    "alex has worked at Acme since Thursday",
    "alex has worked at Acme since March",
    "alex está desempregado desde março",
    "alex meets Bo next Friday",
    "alex will hike next weekend",
    "alex hikes this weekend",
    "alex got married last March",
    "alex will get married next December",
    "alex met Bo the Wednesday two months ago",
    "alex casou recentemente",
    "alex saiu há alguns dias",
    "alex casou no verão passado",
    "alex sonhou com isso esta noite",
    "alex viaja na sexta que vem",
    "alex viaja no próximo fim de semana",
    "alex entrega o texto dentro de duas semanas",
    "alex casou nesse ano",
]

HOW_LONG = [
    "alex bought a car in three days",
    "alex has read the book in two weeks",
    "alex has worked hard the last year",
    "alex slept all last week",
    "alex mora em Braga há dois anos",
    "alex terminou a faculdade e trabalha na Acme há dois anos",
    "alex vendeu um carro parado há dois anos",
    "alex não viu o João há duas semanas",
    "alex leu o livro em duas semanas",
]

OTHER_USES = [
    "alex turns 30 on 3 June",
    "alex moved on 3 March 2024",
    "alex does yoga every Monday",
    "alex read today's paper",
    "alex is off since Monday is a holiday",
    "alex reads USA Today",
    'alex likes the song "Yesterday"',
    "alex is in their last year of college",
    "alex was there the last Friday of the month",
    "alex começa no próximo ano letivo",
    "alex corre hoje em dia",
    "alex mora em Natal",
]


@pytest.mark.parametrize("text, written", ENGLISH)
def test_english_times_are_written_as_dates(text: str, written: str) -> None:
    assert write_absolute_dates(text, AT, "en") == written


@pytest.mark.parametrize("text, written", PORTUGUESE)
def test_portuguese_times_are_written_as_dates(text: str, written: str) -> None:
    assert write_absolute_dates(text, AT, "pt") == written


@pytest.mark.parametrize("text", WIDE_OR_UNSURE)
def test_a_wide_or_unsure_time_is_never_written_as_a_date(text: str) -> None:
    assert {write_absolute_dates(text, AT, language) for language in ("en", "pt")} == {text}


@pytest.mark.parametrize("text", HOW_LONG)
def test_how_long_something_took_or_lasts_is_no_date(text: str) -> None:
    assert {write_absolute_dates(text, AT, language) for language in ("en", "pt")} == {text}


@pytest.mark.parametrize("text", OTHER_USES)
def test_dates_habits_titles_and_possessions_are_left_alone(text: str) -> None:
    assert {write_absolute_dates(text, AT, language) for language in ("en", "pt")} == {text}


@pytest.mark.parametrize(
    "text, at, written",
    [
        ("alex will hike next weekend", datetime(2026, 5, 16, 9, tzinfo=UTC), "on the weekend of 23 May 2026"),
        ("alex hikes this weekend", datetime(2026, 5, 16, 9, tzinfo=UTC), "on the weekend of 16 May 2026"),
        ("alex meets Bo next Friday", datetime(2026, 5, 16, 9, tzinfo=UTC), "on 22 May 2026"),
        ("alex got married last March", datetime(2026, 2, 3, 9, tzinfo=UTC), "in March 2025"),
        ("alex moved last Christmas", datetime(2027, 1, 3, 9, tzinfo=UTC), "at Christmas 2026"),
        ("alex moved a year ago", datetime(2026, 1, 1, 9, tzinfo=UTC), "in 2025"),
        ("alex moved two years ago", datetime(2028, 2, 29, 9, tzinfo=UTC), "around 2026"),
    ],
)
def test_the_day_it_was_said_decides_whether_words_have_one_meaning(text: str, at: datetime, written: str) -> None:
    assert write_absolute_dates(text, at, "en").endswith(written)


def test_the_local_day_decides_what_yesterday_was() -> None:
    late = datetime(2026, 5, 14, 23, 30, tzinfo=UTC).astimezone(ZoneInfo("Europe/Lisbon"))
    assert write_absolute_dates("alex left yesterday", late, "en") == "alex left on 14 May 2026"


def test_facts_count_days_in_the_zone_of_their_space(open_memory: OpenMemory, clock: ManualClock) -> None:
    clock.now = datetime(2026, 5, 3, 1, tzinfo=UTC)  # still 2 May there
    memory = open_memory("assistant", zone="America/Sao_Paulo")
    memory.observe("I moved to Recife yesterday", "alex", session="s", display_name="Alex")
    memory.settle(session="s")
    (fact,) = [hit.record for hit in memory.recall("Recife", "alex") if hit.record.kind == "fact"]
    assert fact.text == "Alex moved to Recife on 1 May 2026"
    assert (fact.at, fact.at.tzinfo) == (clock.now, UTC)


@pytest.mark.parametrize("text", [text for text, _ in ENGLISH + PORTUGUESE])
def test_what_was_written_is_read_again_as_the_same_time(text: str) -> None:
    written = write_absolute_dates(text, AT, "en" if (text, write_absolute_dates(text, AT, "en")) in ENGLISH else "pt")
    said, kept = (find_asked_windows(words, now=AT, zone=UTC) for words in (text, written))
    assert len(said) == len(kept)
    assert all(one.start < other.end and other.start < one.end for one, other in zip(said, kept, strict=True))


@pytest.mark.parametrize(
    "text, language",
    [
        ("alex moved to Braga yesterday", "en"),
        ("alex moved to Braga last Christmas", "en"),
        ("alex moved to Braga last night", "en"),
        ("alex moved to Braga last weekend", "en"),
        ("alex moved to Braga no Natal passado", "pt"),
        ("alex moved to Braga ontem à noite", "pt"),
        ("alex moved to Braga na semana passada", "pt"),
    ],
)
def test_a_date_that_was_written_can_be_taken_out_again(text: str, language: str) -> None:
    assert remove_written_dates(write_absolute_dates(text, AT, language)) == "alex moved to Braga"


WORDS = st.sampled_from([word for text, _ in ENGLISH + PORTUGUESE for word in text.split()])


@given(st.lists(WORDS, max_size=12).map(" ".join), st.sampled_from(["en", "pt"]))
def test_no_mix_of_words_breaks_the_writing_and_dates_are_written_once(text: str, language: str) -> None:
    once = write_absolute_dates(text, AT, language)
    assert text[:1].isspace() == once[:1].isspace()
    assert text == once or any(char.isdigit() for char in once)
