"""A year of two lives in one memory: two languages, two time zones, and every answer right at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from toldonce import Memory
from toldonce.records import Record
from toldonce.storage.tables.jobs import Run

FIRST = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = 365
MARIA, JOAO = "maria", "joao"

# What is said on which day of the year; on all other days people talk about nothing that lasts.
MARIA_SAID = {
    1: "My name is Maria. I live in Porto. I work at Sonae as an analyst. I'm single. I am 34 years old.",
    3: "I have a dog named Rex. I love fado. My sister Ana lives in Faro. I'm allergic to peanuts.",
    5: "My goal is to run a marathon. I weigh 82 kg.",
    30: "I weigh 81 kg.",
    46: "I moved to Lisbon.",
    60: "I weigh 79 kg.",
    61: "I quit my job at Sonae.",
    76: "I started a new job at Farfetch.",
    90: "I weigh 77 kg.",
    100: "I got engaged.",
    120: "I weigh 76 kg.",
    131: "I finished my first marathon.",
    140: "My goal is to learn French.",
    160: "I'm vegetarian.",
    201: "I got married.",
    221: "I live in Coimbra.",
    251: "I live in Braga.",
    290: "I'm not vegetarian anymore.",
    301: "I work at OutSystems.",
    330: "I turned 35 today.",
}
JOAO_SAID = {
    2: "Meu nome é João. Moro em Recife. Trabalho na Embraer como engenheiro. Sou solteiro. Tenho 41 anos.",
    4: "Tenho um cachorro chamado Bidu. Adoro samba. Meu irmão Pedro mora em Olinda.",
    10: "Meu objetivo é correr uma maratona. Peso 90 kg.",
    40: "Peso 91 kg.",
    50: "Me mudei para Curitiba.",
    70: "Peso 93 kg.",
    91: "Fui demitido.",
    110: "Comecei a trabalhar na Totvs.",
    150: "Fiquei noivo.",
    181: "Casei com a Ana.",
    200: "Terminei a maratona.",
    230: "Meu objetivo é aprender violão.",
    260: "Me mudei para Salvador.",
    310: "Fiz 42 anos hoje.",
    340: "Agora trabalho no Nubank.",
}
SMALL_TALK = {MARIA: "What a day! See you tomorrow.", JOAO: "Que dia! Até amanhã."}


@dataclass
class Year:
    """The memory, the clock that it is lived by, and what was done by night."""

    memory: Memory
    now: datetime
    runs: list[Run]

    def at(self, day: int, hour: int = 12) -> datetime:
        return FIRST + timedelta(days=day - 1, hours=hour)

    def say(self, day: int, user: str, text: str) -> None:
        self.now = self.at(day, 18)
        self.memory.observe(text, user=user, session=f"{user}-{day}", display_name=user.replace("ao", "ão").title())

    def night(self, day: int) -> None:
        """Everything that is due by eight in the morning after the day, when it is past three for both."""
        self.now = self.at(day + 1, 8)
        self.runs += self.memory.tend()

    def active(self, user: str, attribute: str, *, as_of: datetime | None = None) -> list[str]:
        """The values of an attribute that count, now or then."""
        home, subject = self.memory.space.name, f"{user}/{attribute}"
        records = [r for _, r in self.memory.store.read(lambda t: t.records.read_page(home, user=user, limit=10_000))]
        mine = [r for r in records if r.subject == subject and self._counts(r, as_of)]
        return [str(r.metadata.get("value", r.text)) for r in mine]

    def _counts(self, record: Record, as_of: datetime | None) -> bool:
        if as_of is None:
            return record.is_current
        state = "active"
        for change in self.memory.history(record.id).changes:
            state = change.state if change.at <= as_of else state
        return record.at <= as_of and state == "active"


def doubts(year: Year, day: int) -> None:
    """What people do about what the memory believes, on the day after they said something."""
    memory = year.memory
    year.now = year.at(day, 12)
    if day == 210:
        memory.confirm(fact(year, MARIA, "residence").id)
    elif day == 223:
        (question,) = memory.context("good morning", user=MARIA, session="morning").questions
        memory.answer(question.id, "No, nothing changed, I was only visiting")
    elif day == 253:
        (question,) = memory.context("good morning", user=MARIA, session="morning").questions
        memory.answer(question.id, "Yes, I moved to Braga")
    elif day == 281:
        memory.correct(fact(year, MARIA, "employment").id, "Maria works at Critical Software")


def fact(year: Year, user: str, attribute: str) -> Record:
    found = year.memory.store.read(lambda t: t.records.read_page(year.memory.space.name, user=user, limit=10_000))
    return next(r for _, r in found if r.subject == f"{user}/{attribute}" and r.is_current)


@pytest.fixture(scope="module")
def year() -> Iterator[Year]:
    """The whole year, lived once for all tests of this file."""
    lived = Year.__new__(Year)
    lived.now, lived.runs = FIRST, []
    lived.memory = Memory.open(
        ":memory:", preset="life", zone="America/Sao_Paulo", embedder=None, background=False, clock=lambda: lived.now
    )
    lived.memory.people.update(MARIA, display_name="Maria", zone="Europe/Lisbon")
    lived.memory.people.update(JOAO, display_name="João")
    for day in range(1, DAYS + 1):
        doubts(lived, day)
        for user, said in ((MARIA, MARIA_SAID), (JOAO, JOAO_SAID)):
            if text := said.get(day) or (SMALL_TALK[user] if day % 7 == 0 else None):
                lived.say(day, user, text)
        lived.night(day)
    yield lived
    lived.memory.close()


def test_what_counts_at_the_end_is_the_newest_of_each_subject(year: Year) -> None:
    assert year.active(MARIA, "residence") == ["Braga"]
    assert year.active(MARIA, "marital_status") == ["married"]
    assert year.active(MARIA, "weight") == ["76 kg"]
    assert year.active(MARIA, "age") == ["35"]
    assert year.active(MARIA, "employment") == ["Maria works at Critical Software"]
    assert year.active(JOAO, "residence") == ["Salvador"]
    assert year.active(JOAO, "employment") == ["Nubank"]
    assert year.active(JOAO, "marital_status") == ["married"]
    assert year.active(JOAO, "weight") == ["93 kg"]
    assert year.active(JOAO, "age") == ["42"]


def test_goals_that_were_met_are_closed_and_others_stay(year: Year) -> None:
    assert [v for v in year.active(MARIA, "goal") if not v.startswith("met: ")] == ["learn French"]
    assert [v for v in year.active(JOAO, "goal") if not v.startswith("met: ")] == ["aprender violão"]


def test_unrelated_facts_are_never_retired(year: Year) -> None:
    assert year.active(MARIA, "pet") == ["dog Rex"]
    assert year.active(MARIA, "likes") == ["fado"]
    assert year.active(MARIA, "family") == ["sister Ana"]
    assert year.active(MARIA, "ana/residence") == ["Faro"]
    assert year.active(MARIA, "allergy") == ["peanuts"]
    assert year.active(MARIA, "name") == []
    assert year.active(MARIA, "occupation") == ["analyst"]
    assert year.active(JOAO, "pet") == ["cachorro Bidu"]
    assert year.active(JOAO, "likes") == ["samba"]
    assert year.active(JOAO, "pedro/residence") == ["Olinda"]


@pytest.mark.parametrize(
    "day, user, expected",
    [
        (
            20,
            MARIA,
            {"residence": ["Porto"], "employment": ["Sonae"], "marital_status": ["single"], "weight": ["82 kg"]},
        ),
        (50, MARIA, {"residence": ["Lisbon"], "employment": ["Sonae"], "weight": ["81 kg"]}),
        (70, MARIA, {"employment": ["not: Sonae"], "residence": ["Lisbon"]}),
        (80, MARIA, {"employment": ["Farfetch"], "goal": ["run a marathon"]}),
        (
            150,
            MARIA,
            {"marital_status": ["engaged"], "weight": ["76 kg"], "goal": ["met: my first marathon", "learn French"]},
        ),
        (222, MARIA, {"residence": ["Lisbon"], "diet": ["vegetarian"], "marital_status": ["married"]}),
        (260, MARIA, {"residence": ["Braga"]}),
        (30, JOAO, {"residence": ["Recife"], "employment": ["Embraer"], "weight": ["90 kg"]}),
        (100, JOAO, {"residence": ["Curitiba"], "employment": ["not: employed"], "weight": ["93 kg"]}),
        (190, JOAO, {"employment": ["Totvs"], "marital_status": ["married"], "goal": ["correr uma maratona"]}),
        (270, JOAO, {"residence": ["Salvador"], "goal": ["met: a maratona", "aprender violão"]}),
    ],
)
def test_the_past_answers_for_itself(year: Year, day: int, user: str, expected: dict[str, list[str]]) -> None:
    """`as_of` a day of the year is what was believed at noon of it."""
    then = year.at(day)
    assert {attribute: year.active(user, attribute, as_of=then) for attribute in expected} == expected
    texts = {hit.record.text for hit in year.memory.recall("live work home city", user=user, as_of=then, limit=50)}
    assert texts


def test_recall_as_of_agrees_with_history(year: Year) -> None:
    """Searching the past finds what was current then and not what came later."""
    hits = year.memory.recall(
        "where does Maria live? Porto Lisbon Braga", user=MARIA, kinds=["fact"], as_of=year.at(50)
    )
    texts = {hit.record.text for hit in hits}
    assert "Maria moved to Lisbon" in texts
    assert not texts & {"Maria lives in Porto", "Maria lives in Braga"}


def test_history_shows_the_whole_chain_of_homes(year: Year) -> None:
    chain = year.memory.history(fact(year, MARIA, "residence").id).chain
    assert [record.metadata["value"] for record in chain] == ["Porto", "Lisbon", "Braga"]
    assert [record.state for record in chain] == ["superseded", "superseded", "active"]
    homes = year.memory.history(fact(year, JOAO, "residence").id).chain
    assert [record.metadata["value"] for record in homes] == ["Recife", "Curitiba", "Salvador"]


def test_a_series_keeps_every_value(year: Year) -> None:
    chain = year.memory.history(fact(year, MARIA, "weight").id).chain
    assert [record.metadata["value"] for record in chain] == ["82 kg", "81 kg", "79 kg", "77 kg", "76 kg"]


def test_the_profile_says_what_counts_and_nothing_else(year: Year) -> None:
    def lines(user: str) -> list[tuple[str, str]]:
        return [(entry.section, entry.text) for entry in year.memory.profile(user).entries]

    assert lines(MARIA) == [
        ("health", "is allergic to peanuts"),
        ("diet", "no longer is vegetarian"),
        ("symptoms", "weighs 76 kg"),
        ("age", "turned 35 on 26 November 2026"),
        ("location", "lives in Braga"),
        ("occupation", "works at Critical Software"),
        ("occupation", "works as an analyst"),
        ("family", "got married"),
        ("family", "Rex is Maria's dog"),
        ("family", "Ana is Maria's sister"),
        ("family", "Maria's sister Ana lives in Faro"),
        ("goals", "Maria's goal is to learn French"),
        ("patterns", "loves fado"),
    ]
    assert lines(JOAO) == [
        ("symptoms", "pesa 93 kg"),
        ("age", "fez 42 anos em 6 de novembro de 2026"),
        ("location", "se mudou para Salvador"),
        ("occupation", "agora trabalha no Nubank"),
        ("occupation", "trabalha como engenheiro"),
        ("family", "casou com a Ana"),
        ("family", "Bidu é cachorro de João"),
        ("family", "Pedro é irmão de João"),
        ("family", "Pedro, irmão de João, mora em Olinda"),
        ("goals", "O objetivo de João é aprender violão"),
        ("patterns", "adora samba"),
    ]
    assert all(entry.sources for user in (MARIA, JOAO) for entry in year.memory.profile(user).entries)


def test_the_profile_of_the_past_is_kept(year: Year) -> None:
    """Every version stays: what it said on a day of the year can be asked for."""
    then = [e.text for e in year.memory.profile(MARIA, as_of=year.at(50)).entries if e.section == "location"]
    assert then == ["moved to Lisbon"]


def test_one_doubt_is_left_to_ask(year: Year) -> None:
    """What contradicts a correction by the person is asked, and asked once."""
    (question,) = year.memory.questions(MARIA)
    assert "Critical Software" in question.text
    assert "OutSystems" in question.text
    assert year.memory.questions(JOAO) == []


def test_trends_are_noted_with_their_evidence(year: Year) -> None:
    """LIFE-15: one insight per measure, renewed as values come, citing every value."""
    found = [
        r for _, r in year.memory.store.read(lambda t: t.records.read_page("main", limit=10_000)) if r.kind == "insight"
    ]
    maria = [r for r in found if r.user == MARIA and "Weight" in r.text and r.is_current]
    assert [len(r.sources) for r in maria] == [5]
    assert maria[0].text == "Weight has gone down from 82 kg (5 January 2026) to 76 kg (30 April 2026)"
    assert (maria[0].confidence, maria[0].origin) == (0.7, "ai_inference")
    joao = [r for r in found if r.user == JOAO and r.is_current]
    assert "Peso subiu de 90 kg (10 de janeiro de 2026) para 93 kg (11 de março de 2026)" in [r.text for r in joao]


def test_each_person_is_consolidated_in_their_own_night(year: Year) -> None:
    """Three o'clock in Lisbon, daylight saving included, is another moment than three in São Paulo."""
    jobs = {job.key: job for job in year.memory.jobs.all()}
    assert jobs["schedule:consolidate:maria"].zone == "Europe/Lisbon"
    assert jobs["schedule:consolidate:joao"].zone == "America/Sao_Paulo"
    assert jobs["schedule:consolidate:joao"].due_at.hour == 6
    done = [run for run in year.runs if run.name == "consolidate" and run.status == "completed"]
    spoken = len(set(MARIA_SAID) | set(range(7, DAYS + 1, 7)))
    assert len([run for run in done if run.key.endswith(MARIA)]) <= spoken


def test_quiet_nights_are_skipped(year: Year) -> None:
    """Most nights nobody said anything: no writer was asked."""
    runs = [run for run in year.runs if run.name == "consolidate"]
    assert len(runs) == 2 * (DAYS - 1)
    assert len([run for run in runs if run.status == "skipped"]) > DAYS
    assert not [run for run in year.runs if run.status == "failed"]


def test_in_the_assistant_preset_what_was_replaced_stands_lower() -> None:
    """The same winter there: the old home is hardly believed, and a week with enough news is reflected on."""
    lived = Year.__new__(Year)
    lived.now, lived.runs = FIRST, []
    with Memory.open(
        ":memory:", preset="assistant", embedder=None, background=False, clock=lambda: lived.now
    ) as lived.memory:
        for day in range(1, 51):
            if text := MARIA_SAID.get(day):
                lived.say(day, MARIA, text)
                lived.memory.settle()
            lived.night(day)
        hits = lived.memory.recall("where does Maria live?", user=MARIA, kinds=["fact"], limit=2)
        assert hits[0].record.text == "Maria moved to Lisbon"
        then = lived.memory.recall("where does Maria live?", user=MARIA, kinds=["fact"], as_of=lived.at(10), limit=1)
        assert then[0].record.text == "Maria lives in Porto"
        made = [run.counts["reflections"] for run in lived.runs if run.name == "reflect" and run.status == "completed"]
        assert made == [1]
        assert not [run for run in lived.runs if run.status == "failed"]
