"""WhatsApp's dates and times are read as phones of every country write them, or a line is named that is not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from babel import Locale
from babel.dates import format_date, format_time

from toldonce.errors import BadImport
from toldonce.importers.formats import find_format, read_items
from toldonce.importers.values import ImportedConversation, ImportedMessage, ReadOptions, SkippedItem

LOCALES = (
    "en_US en_GB en_CA en_AU en_ZA en_IN es_ES es_MX es_CO pt_BR pt_PT fr_FR fr_CA de_DE de_AT it_IT nl_NL pl_PL ru_RU"
    " uk_UA tr_TR ar_EG ar_SA fa_IR he_IL hi_IN bn_BD ta_IN te_IN mr_IN gu_IN kn_IN ml_IN pa_IN ur_PK id_ID ms_MY vi_VN"
    " th_TH ja_JP ko_KR zh_CN zh_TW zh_HK el_GR ro_RO hu_HU cs_CZ sk_SK bg_BG hr_HR sr_RS sl_SI sv_SE da_DK nb_NO fi_FI"
    " sw_KE fil_PH af_ZA ca_ES"
).split()
# Zeros of the digits that phones of these countries may show.
ZEROS = {"ar_EG": 0x660, "ar_SA": 0x660, "fa_IR": 0x6F0, "bn_BD": 0x9E6, "mr_IN": 0x966, "hi_IN": 0x966}
MOMENTS = tuple(datetime(2018, 6, 13, hour, minute, 15, tzinfo=UTC) + timedelta(days=hour) for hour, minute in (
    (0, 5), (9, 25), (12, 0), (13, 7), (21, 25)
))  # fmt: skip


def read_chat(folder: Path, lines: Sequence[str]) -> list[ImportedMessage | SkippedItem]:
    """Every message of a chat, and what is left out."""
    file = folder / "_chat.txt"
    file.write_text("\n".join(lines), encoding="utf-8")
    form = find_format(file)
    assert form is not None and form.name == "whatsapp"
    found: list[ImportedMessage | SkippedItem] = []
    for item in read_items(file, form, ReadOptions()):
        if isinstance(item, ImportedConversation):
            found += item.messages
        else:
            assert isinstance(item, SkippedItem)
            found.append(item)
    return found


def write_header(at: datetime, name: str, *, is_iphone: bool, hours: int) -> str:
    """The beginning of a line as a phone of a country writes it: Android with minutes, iPhones with seconds."""
    locale = Locale.parse(name)
    pattern = locale.time_formats["medium" if is_iphone else "short"].pattern
    if hours == 12 and re.search("[Hk]", pattern):
        before = name.startswith(("zh", "ko", "ja", "tr", "hu"))
        pattern = re.sub("[Hk]+", "h", pattern)
        pattern = f"a{pattern}" if before else f"{pattern} a"
    elif hours == 24 and re.search("[aB]", pattern):
        pattern = re.sub("[hK]+", "HH", re.sub(r"\s?[aB]\s?", "", pattern))
    day = format_date(at, "short", locale=name)
    hour = format_time(at, pattern, locale=name)
    joined = str(locale.datetime_formats["short"]).replace("{1}", day).replace("{0}", hour)
    if zero := ZEROS.get(name):
        joined = joined.translate({ord("0") + digit: zero + digit for digit in range(10)})
    return f"[{joined}]" if is_iphone else f"{joined} -"


@pytest.mark.parametrize("hours", [12, 24])
@pytest.mark.parametrize("is_iphone", [True, False], ids=["iphone", "android"])
@pytest.mark.parametrize("name", LOCALES)
def test_every_country_is_read(tmp_path: Path, name: str, is_iphone: bool, hours: int) -> None:
    lines = [f"{write_header(at, name, is_iphone=is_iphone, hours=hours)} Ana 5: 1:2 ok 12" for at in MOMENTS]
    found = read_chat(tmp_path, lines)
    assert [one.place if isinstance(one, SkippedItem) else one.text for one in found] == ["1:2 ok 12"] * len(MOMENTS)
    times = [one.at for one in found if isinstance(one, ImportedMessage)]
    assert times == [at if is_iphone else at.replace(second=0) for at in MOMENTS]


WRITTEN = {
    "korean": ("2018. 6. 13. 오후 9:25", " -"),
    "korean, two digits": ("[18. 6. 13. 오후 9:25:00", "]"),
    "korean, in words": ("2018년 6월 13일 오후 9:25", " -"),
    "chinese": ("2018/6/13 下午9:25", " -"),
    "chinese, two digits": ("18/6/13 下午9:25", " -"),
    "chinese, in words": ("2018年6月13日 下午9:25", " -"),
    "taiwanese evening": ("2018/6/13 晚上9:25", " -"),
    "japanese": ("[2018/06/13 午後9:25:00", "]"),
    "greek": ("13/6/18, 9:25 μ.μ.", " -"),
    "malay": ("13/06/2018, 9:25 PTG", " -"),
    "vietnamese": ("21:25, 13/06/2018", " -"),
    "vietnamese, twelve hours": ("[9:25:00 CH, 13/6/18", "]"),
    "arabic": ("\u200f١٣\u200f/٦\u200f/٢٠١٨، ٩:٢٥ م", " -"),
    "arabic, iphone": ("\u200f[١٣\u200f/٦\u200f/٢٠١٨، ٩:٢٥:٠٠ م", "]"),
    "persian": ("۲۰۱۸/۶/۱۳،\u200f ۲۱:۲۵", " -"),
    "persian calendar": ("[۱۳۹۷/۳/۲۳،\u200f ۲۱:۲۵:۰۰", "]"),
    "thai": ("13/6/2561 21:25", " -"),
    "thai, two digits": ("[13/6/61 21:25:00", "]"),
    "danish": ("13.06.18 21.25", " -"),
    "danish, iphone": ("[13.06.18 21.25.00", "]"),
    "croatian": ("[13. 6. 2018. 21:25:00", "]"),
    "bulgarian": ("13.06.18 г., 21:25 ч.", " -"),
    "french": ("13/06/2018 à 21:25", " -"),
    "canadian": ("2018-06-13, 9:25 p.m.", " -"),
    "french canadian": ("[2018-06-13 21 h 25 min 00 s", "]"),
    "finnish": ("[13.6.2018 klo 21.25.00", "]"),
    "spanish": ("13/6/18 9:25 p.\u00a0m.", " -"),
    "brazilian": ("13/06/2018 9:25 da tarde", " -"),
    "turkish": ("13.06.2018 ÖS 9:25", " -"),
    "bengali night": ("১৩/৬/১৮ ৯:২৫ রাত", " -"),
    "old iphone": ("13/06/18, 9:25:00 PM", ":"),
    "narrow blank": ("6/13/18, 9:25\u202fPM", " -"),
}


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_a_line_on_its_own_has_one_meaning(tmp_path: Path, name: str) -> None:
    header, end = WRITTEN[name]
    (found,) = read_chat(tmp_path, [f"{header}{end} Ana: ok"])
    assert isinstance(found, ImportedMessage)
    assert found.at == datetime(2018, 6, 13, 21, 25, tzinfo=UTC)


@pytest.mark.parametrize(
    ("first", "expected"),
    [("3/2/25, 6:31 PM", date(2025, 3, 2)), ("3/2/25, 6:31 pm", date(2025, 2, 3)), ("3/2/25 18:31", date(2025, 2, 3))],
)
def test_capitals_beside_the_hour_put_the_month_first(tmp_path: Path, first: str, expected: date) -> None:
    (found,) = read_chat(tmp_path, [f"{first} - Ana: ok"])
    assert isinstance(found, ImportedMessage) and found.at is not None
    assert found.at.date() == expected


def test_days_that_lie_closest_together_decide_the_order(tmp_path: Path) -> None:
    found = read_chat(tmp_path, [f"0{day}/03/25, 18:31 - Ana: ok" for day in (4, 5, 6)])
    assert {one.at.month for one in found if isinstance(one, ImportedMessage) and one.at} == {3}
    found = read_chat(tmp_path, [f"03/0{day}/25, 18:31 - Ana: ok" for day in (4, 5, 6)])
    assert {one.at.month for one in found if isinstance(one, ImportedMessage) and one.at} == {3}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "2/3/25, 6:31 xyzw - Ana: ok",
            "a time with a word beside it that is not known: it may mean morning or afternoon",
        ),
        ("2/9/1446, 6:31 - Ana: ok", "a date that is none in the order dmy of this file"),
        ("12/30/1398, 6:31 - Ana: ok", "a date that is none in the order dmy of this file"),
        ("2/3/25, 6:71 - Ana: ok", "a time that is none"),
    ],
)
def test_what_cannot_be_read_for_sure_is_refused_with_its_line(tmp_path: Path, line: str, problem: str) -> None:
    (found,) = read_chat(tmp_path, [line])
    assert found == SkippedItem(problem, "line 1", is_damage=True)


def test_a_file_of_an_unknown_form_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadImport, match=r"line 2: this is no message of WhatsApp"):
        read_chat(tmp_path, ["", "on the 2nd of March Ana said ok"])


@pytest.mark.parametrize(
    "notice",
    [
        "Messages and calls are end-to-end encrypted. No one outside of this chat, not even WhatsApp, can read them.",
        "Beach: Messages and calls are end-to-end encrypted. No one outside of this chat can read or listen to them.",
        "Praia: As mensagens e ligações são protegidas com a criptografia de ponta a ponta e ficam entre vocês",
        'Ana changed the subject from "Trip: Rome" to "Trip: Bari"',
        "Ana created group “Plan: B”",
        "‎메시지와 통화는 종단간 암호화됩니다: 자세히 알아보기",
    ],
)
def test_what_the_program_says_is_said_by_no_person(tmp_path: Path, notice: str) -> None:
    found = read_chat(tmp_path, [f"[13.06.18, 21:25:15] {notice}", '[13.06.18, 21:26:15] Ana "Bee" K: hi'])
    assert [one.name if isinstance(one, ImportedMessage) else one.reason for one in found] == [
        "a notice of the program, said by nobody",
        'Ana "Bee" K',
    ]


def test_a_quoted_line_of_an_old_export_stays_part_of_its_message(tmp_path: Path) -> None:
    (found,) = read_chat(tmp_path, ["13/06/18, 21:25 - Ana: look", "12/06/18, 10:00:00: the server was down"])
    assert isinstance(found, ImportedMessage)
    assert found.text == "look\n12/06/18, 10:00:00: the server was down"
