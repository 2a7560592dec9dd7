"""People as they type: casual spelling, other people's affairs, short answers, changes of mind, in three languages."""

from __future__ import annotations

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory


def talk(memory: Memory, clock: ManualClock, *lines: str, days: int = 9) -> None:
    """One conversation of "kim" and, where a line begins with "bot: ", of the assistant; then time passes."""
    session = f"s{clock.now.isoformat()}"
    for line in lines:
        who, _, text = line.partition(": ") if line.startswith("bot: ") else ("kim", "", line)
        role = "assistant" if who == "bot" else "user"
        name = "Kim" if role == "user" else None
        memory.observe(text, user="kim", session=session, role=role, display_name=name)
        clock.pass_time(minutes=1)
    memory.settle()
    clock.pass_time(days=days)


def known(memory: Memory) -> list[str]:
    """What is known at present beside messages and notes."""
    records = [memory.get(entry.record.id) for entry in memory.timeline("kim")]
    return [record.text for record in records if record.kind not in ("message", "note") and record.state == "active"]


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("im a nurse and i dont eat pork", ("Kim is a nurse", "Kim does not eat pork")),
        ("tô morando em Recife desde ontem", ("morando em Recife",)),
        ("tb soy alérgico al polen xq sí", ("alérgico al polen",)),
    ],
)
def test_spoken_spelling_is_understood(
    open_memory: OpenMemory, clock: ManualClock, said: str, facts: tuple[str, ...]
) -> None:
    memory = open_memory("assistant")
    talk(memory, clock, said)
    assert all(any(fact in text for text in known(memory)) for fact in facts), known(memory)


@pytest.mark.parametrize(
    ("said", "person", "words"),
    [
        ("my best friend is Omar he has a hamster", "omar", "hamster"),
        ("minha mãe (dona Lúcia) tem diabetes desde 2010", "mae", "diabetes"),
        ("mi cuñada Pili es celíaca, nada de trigo", "pili", "celíaca"),
    ],
)
def test_what_is_said_of_others_is_theirs(
    open_memory: OpenMemory, clock: ManualClock, said: str, person: str, words: str
) -> None:
    memory = open_memory("assistant")
    talk(memory, clock, said)
    records = [memory.get(entry.record.id) for entry in memory.timeline("kim")]
    subjects = [record.subject for record in records if words in record.text and record.kind != "message"]
    assert any((subject or "").startswith(f"kim/{person}") for subject in subjects), subjects


@pytest.mark.parametrize(
    ("question", "answer", "both"),
    [
        ("Which knee?", "the left one", ("knee", "left")),
        ("How many kids do you have?", "three", ("kids", "three")),
        ("What time do you usually get up?", "6ish", ("get up", "6ish")),
        ("Qual joelho?", "o esquerdo", ("joelho", "esquerdo")),
        ("¿Qué rodilla te duele?", "la izquierda", ("rodilla", "izquierda")),
        ("Which knee is it, and since when?", "the left one, since sunday", ("knee", "left")),
        ("Qual remédio você toma à noite?", "losartana, 50 mg", ("remédio", "losartana")),
        ("¿A qué hora sale la niña del colegio?", "a las 4 y cuarto", ("colegio", "4 y cuarto")),
    ],
)
def test_an_answer_is_kept_with_its_question(
    open_memory: OpenMemory, clock: ManualClock, question: str, answer: str, both: tuple[str, str]
) -> None:
    memory = open_memory("assistant")
    talk(memory, clock, f"bot: {question}", answer)
    assert any(all(word in text for word in both) for text in known(memory)), known(memory)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Anything else?", "no thanks"),
        ("Shall I set a reminder?", "yes"),
        ("Which colour would you like, red or blue?", "the blue one"),
        ("Quer que eu mude o tom?", "não, tá bom"),
    ],
)
def test_an_answer_that_tells_nothing_of_the_person_leaves_nothing(
    open_memory: OpenMemory, clock: ManualClock, question: str, answer: str
) -> None:
    memory = open_memory("assistant")
    talk(memory, clock, f"bot: {question}", answer)
    assert known(memory) == []


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("remind me that I'm allergic to penicillin", ("allergic to penicillin",)),
        ("I'm a nurse, live in Porto and have two kids", ("nurse", "Porto", "two kids")),
        ("me lembra que não posso comer amendoim", ("amendoim",)),
        ("recuérdame que soy alérgica a la aspirina", ("aspirina",)),
    ],
)
def test_facts_inside_requests_and_chains_are_kept(
    open_memory: OpenMemory, clock: ManualClock, said: str, words: tuple[str, ...]
) -> None:
    memory = open_memory("assistant")
    talk(memory, clock, said)
    assert all(any(word in text for text in known(memory)) for word in words), known(memory)


CHANGES = [
    ("i work at Acme as a designer", "started my new job at Globex today", "Acme", "Globex"),
    ("im vegetarian btw", "gone back to meat, life is short", "vegetarian", "meat"),
    ("deadline for the thesis is 3 may", "thesis deadline got pushed to 20 june", "3 may", "20 june"),
    ("theyve got me on sertraline 50 mg", "they upped the sertraline to 100", "50", "100"),
    ("my shoulder hurts like hell since monday", "shoulder is totally fine again", "hurts", "fine"),
    ("we have a cat called Miso", "miso died last week :(", "Miso is", "died"),
    ("my dentist is Dr Marsh on Elm Street", "new dentist, Dr Patel, way nicer", "Marsh", "Patel"),
    ("tomo losartana 50 de manhã", "o médico aumentou a losartana pra 100", "50", "100"),
    ("namoro o Rui faz 2 anos", "terminei com o Rui, deu ruim", "namoro", "terminei"),
    ("faço pilates terça e quinta", "larguei o pilates, muito caro", "terça e quinta", "larguei"),
    ("voy al gimnasio lunes y miércoles", "ya no voy al gimnasio, me aburrí", "lunes y miércoles", "ya no voy"),
    ("tengo cita con el dentista el 4 de mayo", "me cambiaron la cita del dentista al 11 de mayo", "el 4 de", "11 de"),
]


@pytest.mark.parametrize(("first", "then", "over", "holds"), CHANGES)
def test_a_change_of_mind_is_noticed(
    open_memory: OpenMemory, clock: ManualClock, first: str, then: str, over: str, holds: str
) -> None:
    memory = open_memory("companion")
    talk(memory, clock, first)
    talk(memory, clock, then)
    assert any(holds in text for text in known(memory)), known(memory)
    assert not any(over in text for text in known(memory)), known(memory)


@pytest.mark.parametrize(
    "said",
    [
        "if i won the lottery i'd buy an island",
        "lol ok thanks, see you",
        "can you tell me a joke?",
        "se eu ganhasse na loteria comprava uma ilha kkkk",
        "bom dia!! tudo bem?",
        "si me tocara la lotería me compraba un barco jaja",
    ],
)
def test_small_talk_questions_and_suppositions_leave_nothing(
    open_memory: OpenMemory, clock: ManualClock, said: str
) -> None:
    memory = open_memory("companion")
    talk(memory, clock, said)
    assert known(memory) == []


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("im allergic to bee stings, carry an epipen", "bee stings"),
        ("meu filho Caio é alérgico a amendoim", "amendoim"),
        ("soy diabética tipo 1 desde los 12", "diabética"),
    ],
)
@pytest.mark.parametrize("preset", ["assistant", "companion", "life"])
def test_health_is_always_at_hand_and_never_fades(
    open_memory: OpenMemory, clock: ManualClock, preset: str, said: str, word: str
) -> None:
    memory = open_memory(preset)
    talk(memory, clock, said)
    for _ in range(12):
        clock.pass_time(days=30)
        memory.tend()
    assert word in memory.context("hey, what's new?", user="kim", session="new").text


@pytest.mark.parametrize("preset", ["assistant", "life", "companion", "community"])
def test_somebody_who_never_spoke_has_a_profile(open_memory: OpenMemory, clock: ManualClock, preset: str) -> None:
    memory = open_memory(preset)
    talk(memory, clock, "my best friend is Omar he has a hamster", "my wife Ana is a nurse, she's allergic to shrimp")
    lines = [entry.text for entry in memory.profile("Ana", reader="kim").entries]
    assert any("shrimp" in line for line in lines)
    assert not any("hamster" in line for line in lines)
    assert any("hamster" in entry.text for entry in memory.profile("omar", reader="kim").entries)
    # What members of a community say is said to all of them.
    assert bool(memory.profile("Ana", reader="eve").entries) == (preset == "community")
    assert memory.profile("Nobody", reader="kim").entries == ()


def test_the_profile_of_a_named_person_is_structured(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    talk(memory, clock, "minha mãe Lúcia tem diabetes", "o aniversário da Lúcia é 4 de maio")
    data = memory.profile("Lúcia", reader="kim").data
    assert data["name"] == "Lúcia"
    assert any("diabetes" in text for text in data["health"])
    assert "4 de maio" in data["birthday"]


def doubt(memory: Memory, clock: ManualClock, known: str, doubted: str) -> None:
    """What the person confirmed, and then said otherwise without being sure."""
    talk(memory, clock, known)
    for record in memory.review.records("kim"):
        if record.kind not in ("message", "note"):
            memory.confirm(record.id)
    talk(memory, clock, doubted)
    assert len(memory.questions("kim")) == 1


@pytest.mark.parametrize("preset", ["assistant", "life", "companion"])
@pytest.mark.parametrize(
    ("lines", "holds"),
    [
        (("bot: Quick one: did you move to Leeds, or are you still in Porto?", "leeds now, yeah"), "Leeds"),
        (("bot: Did you move to Leeds?", "nope"), "Porto"),
        (("bot: Do you still live in Porto?", "no"), "Leeds"),
        (("bot: Do you still live in Porto?", "yes of course"), "Porto"),
        (("btw i live in Leeds, said so already",), "Leeds"),
    ],
)
def test_the_answer_in_the_next_conversation_settles_a_question(
    open_memory: OpenMemory, clock: ManualClock, preset: str, lines: tuple[str, ...], holds: str
) -> None:
    memory = open_memory(preset)
    doubt(memory, clock, "I live in Porto", "I live in Leeds")
    assert "Leeds" in memory.context("hi", user="kim", session="next").questions[0].text
    talk(memory, clock, *lines)
    assert memory.questions("kim") == []
    lives = [text for text in known(memory) if "live" in text]
    assert [text for text in lives if holds in text]
    assert [text for text in lives if {"Leeds": "Porto", "Porto": "Leeds"}[holds] in text] == []


def test_small_talk_after_an_unrelated_question_settles_nothing(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    doubt(memory, clock, "I live in Porto", "I live in Leeds")
    talk(memory, clock, "bot: Shall I remind you of the dentist?", "yes please", "Leeds won on saturday")
    assert len(memory.questions("kim")) == 1


@pytest.mark.parametrize(
    ("first", "then", "relation", "stays"),
    [
        ("my brother Arjun's getting married in june", "arjun moved to Leeds, new job", "brother", True),
        ("mi nieta Juli cumple 6 en abril", "Juli se mudó a Salta", "nieta", True),
        ("minha mulher é a Cleusa, moramos em Olinda", "a gente se mudou pra Natal", "mulher", True),
        ("meu marido Edson cozinha muito", "o edson saiu de casa, vamos nos divorciar", "marido", False),
    ],
)
def test_a_relation_outlives_what_was_said_beside_it(
    open_memory: OpenMemory, clock: ManualClock, first: str, then: str, relation: str, stays: bool
) -> None:
    memory = open_memory("life")
    talk(memory, clock, first)
    talk(memory, clock, then)
    people = [
        record for record in memory.review.records("kim") if "person" in record.metadata and relation in record.text
    ]
    assert bool([record for record in people if record.state == "active"]) == stays, people


@pytest.mark.parametrize(
    ("said", "relation"),
    [
        ("Doreen, thats my wife, her eyes are going", "Doreen is Kim's wife"),
        ("thanks! the noise is Juniper, my guide dog, ignore her", "Juniper is Kim's guide dog"),
        ("my sister in law Bea got a puppy", "Bea is Kim's sister in law"),
        ("aí veio a Lívia, minha filha de 11, e riu", "Lívia é filha de Kim"),
        ("adotamos um gato, o Pitomba", "Pitomba é gato de Kim"),
        ("vivo con Norma, mi esposa, desde siempre", "Norma es esposa de Kim"),
    ],
)
def test_a_relation_is_told_in_many_ways(open_memory: OpenMemory, clock: ManualClock, said: str, relation: str) -> None:
    memory = open_memory("assistant")
    talk(memory, clock, said)
    assert relation in known(memory)


@pytest.mark.parametrize("said", ["Ana, my wifi is down again", "Ana my sister says hi to everybody"])
def test_who_is_spoken_to_is_nobodys_relation(open_memory: OpenMemory, clock: ManualClock, said: str) -> None:
    memory = open_memory("assistant")
    talk(memory, clock, said)
    assert not [text for text in known(memory) if text.startswith("Ana is")]


@pytest.mark.parametrize(
    ("first", "then", "stays", "goes"),
    [
        (
            "i have asthma, symbicort 2 puffs twice a day",
            "the nurse dropped the symbicort to 1 puff",
            "asthma",
            "2 puffs",
        ),
        ("sou enfermeira, tomo anlodipino 5 de noite", "dobraram o anlodipino pra 10", "enfermeira", "anlodipino 5"),
    ],
)
def test_what_was_said_in_the_same_breath_is_not_over_with_it(
    open_memory: OpenMemory, clock: ManualClock, first: str, then: str, stays: str, goes: str
) -> None:
    memory = open_memory("life")
    talk(memory, clock, first)
    talk(memory, clock, then)
    assert [text for text in known(memory) if stays in text], known(memory)
    assert [text for text in known(memory) if goes in text] == []


@pytest.mark.parametrize(
    ("first", "then", "stays"),
    [
        (
            "filling in the school forms. Clara is allergic to peanuts",
            "Clara is allergic to cashews too, not only peanuts, so no more of those nut bars",
            "allergic to peanuts",
        ),
        ("im allergic to penicillin", "turns out im allergic to latex as well", "penicillin"),
        ("my mother Helena cooks for Clara on Sundays", "Clara cant have cashews too, no more nut bars", "Sundays"),
        ("sou alérgica a camarão", "também sou alérgica a lagosta, não só camarão, chega de moqueca", "camarão"),
        ("soy alérgico al polen", "también soy alérgico a los gatos, no solo al polen, se acabó", "polen"),
    ],
)
def test_one_more_thing_ends_no_other(
    open_memory: OpenMemory, clock: ManualClock, first: str, then: str, stays: str
) -> None:
    memory = open_memory("life")
    talk(memory, clock, first)
    talk(memory, clock, then)
    assert [text for text in known(memory) if stays in text and text != then], known(memory)


def test_an_instruction_holds_until_another_or_a_leave(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    talk(memory, clock, "Always include the platform when I ask about movie options.")
    talk(memory, clock, "I want to make sure the movies suit all ages, so I need options for Lily, who's 6")
    talk(memory, clock, "Let's plan the movie night, I want two options")
    assert [text for text in known(memory) if "platform" in text]


@pytest.mark.parametrize(
    ("first", "then", "stays"),
    [
        (
            (
                "Im trying to understand probability and I prefer step-by-step explanations with concrete examples like"
                " coin tosses and dice rolls, so can u help me with 3 even numbers on a die"
            ),
            (
                "Im trying to see how my problem-solving speed improved over the 10 practice sessions, specially since"
                " I improved 20% on coin toss and card draw problems, and I want to know if this improvement is"
                " consistent"
            ),
            "step-by-step explanations",
        ),
        (
            (
                "tô montando a casa nova e prefiro móveis de madeira clara com pouca ferragem, me ajuda a escolher a"
                " mesa da sala pra seis pessoas"
            ),
            (
                "mudei os planos da festa: agora são 14 pessoas na sala e preciso escolher quantos quilos de comida"
                " comprar pra sábado com minha irmã"
            ),
            "madeira clara",
        ),
    ],
)
def test_a_long_request_does_not_end_what_it_shares_a_word_with(
    open_memory: OpenMemory, clock: ManualClock, first: str, then: str, stays: str
) -> None:
    memory = open_memory("assistant")
    talk(memory, clock, first)
    talk(memory, clock, then)
    assert [text for text in known(memory) if stays in text], known(memory)


def test_a_day_or_a_sprint_is_no_dose(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    talk(memory, clock, "Im working on sprint 2 and the demo is on april 20", "they put my mum on sertraline 50")
    health = memory.context("anything about health?", user="kim").text.partition("## Health")[2].partition("##")[0]
    assert "sertraline 50" in health
    assert "sprint" not in health
