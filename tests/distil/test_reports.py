"""Reports by rule: what belongs into which part, in the language of the records, each line with its source."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from toldonce.distil.drafts import Material, ReportDraft
from toldonce.distil.reports import OUTLINES, QUESTION, REPLACED, SAID, draft_report, find_outline
from toldonce.errors import InputError

UNTIL = datetime(2026, 3, 16, tzinfo=UTC)
SINCE = UNTIL - timedelta(days=7)
LONG_AGO = UNTIL - timedelta(days=400)


def known(text: str, attribute: str = "", value: str | None = None, *, kind: str = "fact", **given: object) -> Material:
    fields: dict[str, object] = {"id": f"fact_{text}", "at": UNTIL - timedelta(days=1), **given}
    subject = f"alex/{attribute}" if attribute else None
    return Material(text=text, kind=kind, subject=subject, value=value, **fields)  # type: ignore[arg-type]


def said(text: str, **given: object) -> Material:
    return known(text, kind=SAID, **{"id": f"msg_{text}", "title": "Alex", **given})  # type: ignore[arg-type]


def made(about: str, *records: Material) -> ReportDraft:
    return draft_report(records, about=about, since=SINCE, until=UNTIL)


def part(draft: ReportDraft, heading: str) -> list[str]:
    """The lines under a heading."""
    lines = draft.text.splitlines()
    starts = [place for place, line in enumerate(lines) if line.startswith(f"## {heading}")]
    if not starts:
        return []
    rest = lines[starts[0] + 2 :]
    return rest[: rest.index("")] if "" in rest else rest


def test_an_appointment_shows_measures_with_their_history() -> None:
    draft = made(
        "appointment",
        known("Alex weighs 84.5 kg", "weight", "84.5 kg", at=LONG_AGO, kind=REPLACED),
        known("Alex weighs 82 kg", "weight", "82 kg"),
    )
    assert part(draft, "Measures") == [
        "- Weight: 82 kg (15 March 2026) [1], 84.5 kg (9 February 2025) [2]; −2.5 kg since 9 February 2025"
    ]


def test_values_in_other_units_are_not_subtracted() -> None:
    draft = made("week", known("a", "weight", "180 lb", at=LONG_AGO), known("b", "weight", "82 kg"))
    assert "since" not in part(draft, "Measures")[0]


def test_conditions_and_medication_stand_apart_whatever_their_age() -> None:
    draft = made(
        "appointment",
        known("Alex was diagnosed with asthma", "health", "asthma", at=LONG_AGO),
        known("Alex is allergic to peanuts", "allergy", "peanuts", at=LONG_AGO),
        known("Alex takes metformin every morning", "health", "metformin", at=LONG_AGO),
    )
    assert len(part(draft, "Conditions")) == 2
    assert "metformin" in part(draft, "Medication")[0]


@pytest.mark.parametrize(
    "text, is_medication",
    [
        ("Alex was prescribed antibiotics", True),
        ("Alex started taking a magnesium supplement", True),
        ("Alex toma remédio para pressão", True),
        ("Alex is on insulin", True),
        ("Alex went hiking on April 2", False),
        ("Alex takes the bus to the medical school", False),
        ("Alex took a long walk", False),
    ],
)
def test_medication_is_known_by_what_is_taken(text: str, is_medication: bool) -> None:
    draft = made("appointment", known(text, "health"))
    assert bool(part(draft, "Medication") + part(draft, "Medicação")) is is_medication


def test_medication_of_somebody_else_is_not_theirs() -> None:
    other = known("Alex's wife Maria takes insulin", kind="person")
    draft = made(
        "appointment", Material(id="x", text=other.text, at=other.at, kind="fact", subject="alex/maria/health")
    )
    assert part(draft, "Medication") == []


@pytest.mark.parametrize(
    "text",
    [
        "I've had a headache for three days.",
        "My knee hurts when I run",
        "I can't sleep lately",
        "My back is sore",
        "Estou com dor de cabeça desde ontem",
        "Ando com muita tontura",
        "Não consigo dormir",
        "Meu joelho dói",
    ],
)
def test_symptoms_are_told_in_the_persons_own_words(text: str) -> None:
    draft = made("appointment", said(text))
    found = part(draft, "Symptoms") or part(draft, "Sintomas")
    assert len(found) == 1
    assert text.rstrip(".") in found[0]


@pytest.mark.parametrize(
    "text",
    [
        "My wife has a fever",
        "Does my knee hurt?",
        "I have no pain any more",
        "The headache is gone now",
        "He has a headache",
        "That meeting was a pain in the neck",
        "I'm itching to get back on my bike",
        "I like Fever-Tree tonic",
        "I know my customers' pain points",
        "I'm glad that nobody was hurt",
        "Minha filha está com febre",
        "Não tenho mais dor",
        "A dor passou",
        "The painting is done",
    ],
)
def test_what_is_not_a_symptom_of_the_person_is_left_out(text: str) -> None:
    draft = made("appointment", said(text))
    assert part(draft, "Symptoms") + part(draft, "Sintomas") == []


def test_old_symptoms_are_left_out() -> None:
    assert part(made("appointment", said("My knee hurts", at=LONG_AGO)), "Symptoms") == []


def test_what_they_meant_to_ask_and_open_questions_are_listed() -> None:
    draft = made(
        "appointment", said("I should ask my doctor about the inhaler."), known("Is it 82 or 84 kg?", kind=QUESTION)
    )
    assert "inhaler" in part(draft, "To ask")[0]
    assert "82 or 84" in part(draft, "Open questions")[0]


def test_a_week_tells_what_changed_and_what_it_was_before() -> None:
    draft = made(
        "week",
        known("Alex lives in Recife", "residence", kind=REPLACED, at=LONG_AGO),
        known("Alex moved to Curitiba", "residence"),
    )
    (line,) = part(draft, "What changed")
    assert line == "- Alex moved to Curitiba (15 March 2026) [1]; before: Alex lives in Recife [2]"
    assert part(draft, "New") == []


def test_goals_say_whether_they_were_reached() -> None:
    draft = made(
        "week", known("Alex's goal is to run", "goal", "run"), known("Alex swam", "goal", "met: swim", id="g2")
    )
    assert [": reached" in line for line in part(draft, "Goals")] == [False, True]


def test_news_stand_by_area_of_life() -> None:
    draft = made("week", known("Alex went to Paris"), known("Alex got a job", "employment", area="Career"))
    assert part(draft, "New") == [
        "- Career: Alex got a job (15 March 2026) [1]",
        "- Alex went to Paris (15 March 2026) [2]",
    ]


def test_titles_name_the_stretch_of_time() -> None:
    record = known("Alex is tall")
    assert made("week", record).title == "The week of 9 March 2026 to 15 March 2026"
    assert made("month", record).text.startswith("# The month of 9 March 2026 to 15 March 2026\n")


def test_portuguese_records_make_a_portuguese_report() -> None:
    draft = made(
        "appointment", known("Ana é alérgica a amendoim", "allergy"), said("Estou com dor nas costas desde ontem.")
    )
    assert draft.title == "Resumo para uma consulta médica, 15 de março de 2026"
    assert part(draft, "Sintomas desde 9 de março de 2026")
    assert part(draft, "Fontes")


def test_every_line_names_sources_that_are_listed() -> None:
    draft = made("week", known("Alex is tall"), known("Alex is calm"), said("I like long walks on the beach"))
    assert draft.sources == ("fact_Alex is calm", "fact_Alex is tall")
    assert part(draft, "Sources") == [f"{n}. {s}, 15 March 2026" for n, s in enumerate(draft.sources, start=1)]


def test_a_long_part_is_cut_and_says_so() -> None:
    draft = made("week", *(known(f"Alex saw bird number {n}", id=f"f{n:02}") for n in range(20)))
    lines = part(draft, "New")
    assert len(lines) == 16
    assert lines[-1] == "- and 5 more"
    assert len(draft.sources) == 15


def test_nothing_known_says_so() -> None:
    assert "Nothing is known for this yet." in made("appointment").text
    assert made("week").sources == ()


def test_remembered_text_cannot_become_markup() -> None:
    assert r"\<img src=x> \[a\](b)" in made("week", known("Alex said <img src=x> [a](b)")).text


def test_the_same_records_make_the_same_report_in_any_order() -> None:
    records = [known("Alex is tall", id="a"), known("Alex is calm", id="b"), said("I moved house today")]
    assert made("week", *records) == made("week", *reversed(records))


def test_an_unknown_report_is_refused_by_name() -> None:
    with pytest.raises(InputError, match=", ".join(OUTLINES)):
        find_outline("year")
