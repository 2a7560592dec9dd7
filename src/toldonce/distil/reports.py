"""Reports by rule: records of a stretch of time come in, a Markdown text with a numbered source for each line goes out.

A report shows what was said and what is known, by table; it concludes nothing and advises nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from toldonce.distil.drafts import ConversationMessage, Material, ReportDraft
from toldonce.distil.measures import find_measures
from toldonce.distil.notes import write_note
from toldonce.distil.reading import format_day, split_sentences
from toldonce.distil.statements.reading import has_dose, read_claim
from toldonce.errors import InputError
from toldonce.lang.detect import detect_language
from toldonce.lang.grammar import ENDED, REACHED
from toldonce.lang.registry import language_of, unite_patterns
from toldonce.lang.vocabulary import statement_words
from toldonce.storage.readable_export import inline_markdown

if TYPE_CHECKING:
    from toldonce.lang.base import Texts

# What a material is, when it is not a record of some kind: words that were said, a doubt, a fact that was replaced.
SAID = ""
QUESTION = "question"
REPLACED = "replaced"

_Line = Callable[[], str]
_MOST_LINES = 15
_MOST_VALUES = 6
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")

# Attributes whose values are numbers with a history.
_MEASURES = ("weight", "height", "blood_pressure", "glucose")
_HEALTH_TOPICS = frozenset(("allergy", "medication", "symptom", "condition"))
_MOST_QUOTED = 60
# A subject of the person has these parts at most: person/attribute.
_OWN_PARTS = 2
_PERSONAL = frozenset({"name", "age", "birthday"})
_BODILY = frozenset({"health", "allergy", "diet"})
_GOAL = "goal"


_medicines = unite_patterns(lambda language: language.health.medication)
_symptom_words = unite_patterns(lambda language: language.health.symptoms)
_care_words = unite_patterns(lambda language: language.health.care)
_to_ask_words = unite_patterns(lambda language: language.health.to_ask)
# Who says so of themselves; what is said of others, is over, or never was.
_own = unite_patterns(lambda language: language.health.own)
_not_theirs = unite_patterns(lambda language: language.health.not_theirs)


@dataclass(frozen=True, slots=True)
class Outline:
    """What a report is about: how long a stretch it takes by itself, which parts it has, and whether it also takes
    what is known since before."""

    days: int
    parts: tuple[str, ...]
    standing: bool = False


OUTLINES: Mapping[str, Outline] = {
    "appointment": Outline(
        90,
        ("person", "measures", "conditions", "medication", "symptoms", "care", "health_said", "to_ask", "questions"),
        standing=True,
    ),
    "week": Outline(7, ("count", "changes", "goals", "measures", "news", "said", "questions")),
    "month": Outline(30, ("count", "changes", "goals", "measures", "news", "said", "questions")),
}


def find_outline(about: str) -> Outline:
    """The outline of a report, or a clear error."""
    found = OUTLINES.get(about) if type(about) is str else None
    if found is None:
        raise InputError(f"there is no report of that name: choose one of {', '.join(OUTLINES)}")
    return found


def draft_report(
    records: Sequence[Material], *, about: str, since: datetime, until: datetime, language: str = ""
) -> ReportDraft:
    """The report about these records, in this language or in the one that most of them are written in."""
    ordered = sorted(records, key=lambda r: (r.at, r.id))
    sheet = _ReportPage(ordered, language or detect_language(" ".join(r.text for r in ordered)), since, until)
    for part in find_outline(about).parts:
        _PARTS[part](sheet, part)
    return sheet.draft(about)


@dataclass(slots=True)
class _ReportPage:
    """A report being written: its lines, and the sources they cite, numbered in the order they are first cited."""

    records: Sequence[Material]
    language: str
    since: datetime
    until: datetime
    lines: list[str] = field(default_factory=list)
    cited: dict[str, Material] = field(default_factory=dict)

    @property
    def derived(self) -> list[Material]:
        """What is known, without what was only said."""
        return [r for r in self.records if r.kind not in (SAID, QUESTION, REPLACED)]

    @property
    def recent(self) -> list[Material]:
        """What is known since the report's stretch began."""
        return [r for r in self.derived if r.at >= self.since]

    @property
    def said(self) -> list[Material]:
        """What was said."""
        return [r for r in self.records if r.kind == SAID]

    def date(self, at: datetime) -> str:
        return format_day(at.date(), self.language)

    def say(self, key: str, **values: object) -> str:
        """What the report's language says under this key."""
        texts: Texts = language_of(self.language).texts
        return texts.report[key].format(**values)

    def cite(self, *records: Material) -> str:
        """The numbers of the records that say so."""
        for record in records:
            self.cited.setdefault(record.id, record)
        order = list(self.cited)
        return " " + "".join(f"[{order.index(r.id) + 1}]" for r in records)

    def line(self, record: Material, *, heading: str = "", ending: str = "") -> str:
        is_shown = (
            record.title and record.kind != SAID and not record.text.casefold().startswith(record.title.casefold())
        )
        title = f"{record.title}: " if is_shown else ""
        return f"{heading}{inline_markdown(title + record.text)}{ending} ({self.date(record.at)}){self.cite(record)}"

    def section(self, part: str, lines: Sequence[_Line], *, most: int = 0) -> None:
        """Adds a section if it has lines; the oldest are dropped when there are too many.

        With `most`, the newest come first. Only lines that are shown are written, so that nothing else is cited.
        """
        if not lines:
            return
        left = len(lines) - (most or _MOST_LINES)
        shown = [f"- {write()}" for write in (lines[:most] if most else lines[-_MOST_LINES:])]
        shown += [f"- {self.say('further', count=left)}"] if left > 0 else []
        self.lines += ["", f"## {self.say(part, since=self.date(self.since))}", "", *shown]

    def draft(self, about: str) -> ReportDraft:
        # A stretch ends before its last moment: a week until Monday midnight is a week until Sunday.
        last = max(self.since, self.until - timedelta(microseconds=1))
        stretch = {"since": self.date(self.since), "until": self.date(last)}
        title = self.say(f"title_{about}", **stretch)
        head = [f"# {title}"]
        body = self.lines or ["", self.say("nothing")]
        sources = [f"{n}. {r.id}, {self.date(r.at)}" for n, r in enumerate(self.cited.values(), start=1)]
        foot = ["", f"## {self.say('sources')}", "", *sources] if sources else []
        return ReportDraft(title, "\n".join([*head, *body, *foot]) + "\n", tuple(self.cited))


def _own_attribute(record: Material) -> str:
    """The person's own attribute that a record is about; "" when it is about somebody else."""
    parts = (record.subject or "").split("/")
    return parts[1] if len(parts) == 2 else ""


def _write_person_part(sheet: _ReportPage, part: str) -> None:
    newest = {_own_attribute(r): r for r in sheet.derived if _own_attribute(r) in _PERSONAL}
    sheet.section(part, [partial(sheet.line, r) for r in newest.values()])


def _write_measures_part(sheet: _ReportPage, part: str) -> None:
    lines = []
    for attribute in _MEASURES:
        series = [
            r for r in sheet.records if r.kind not in (SAID, QUESTION) and _own_attribute(r) == attribute and r.value
        ]
        if series:
            lines.append(partial(_format_series, sheet, language_of(sheet.language).texts.measures[attribute], series))
    sheet.section(part, lines)


def _format_series(sheet: _ReportPage, name: str, series: Sequence[Material]) -> str:
    """The newest value first, then those before it, and how far apart the newest and the oldest shown are."""
    shown = series[-_MOST_VALUES:]
    told = ", ".join(f"{inline_markdown(r.value or '')} ({sheet.date(r.at)}){sheet.cite(r)}" for r in reversed(shown))
    change = _format_difference(shown[0].value or "", shown[-1].value or "")
    grown = sheet.say("change_of", change=change, date=sheet.date(shown[0].at)) if change else ""
    return f"{name}: {told}" + (f"; {grown}" if grown else "")


def _format_difference(first: str, last: str) -> str:
    """How much a number grew or fell, when both values are written in the same unit."""
    numbers = [_NUMBER.search(value) for value in (first, last)]
    if first == last or not all(numbers) or _NUMBER.sub("", first) != _NUMBER.sub("", last):
        return ""
    before, after = (float(n[0].replace(",", ".")) for n in numbers if n)
    unit = _NUMBER.sub("", last).strip()
    return f"{after - before:+.4g} {unit}".strip().replace("-", "−")


def _write_conditions_part(sheet: _ReportPage, part: str) -> None:
    found = [r for r in sheet.derived if _own_attribute(r) in _BODILY and not _medicines().search(r.text)]
    sheet.section(part, [partial(sheet.line, r) for r in found])


def _write_medication_part(sheet: _ReportPage, part: str) -> None:
    found = [r for r in sheet.derived if _medicines().search(r.text) and not _is_anothers(r)]
    sheet.section(part, [partial(sheet.line, r) for r in found])


def _is_anothers(record: Material) -> bool:
    parts = (record.subject or "").split("/")
    return len(parts) > _OWN_PARTS or _names_relative(record.text, detect_language(record.text))


def _names_relative(text: str, language: str) -> bool:
    """Whether a text names a relative: what it tells is theirs, most likely."""
    words = statement_words(language)
    return not (words.male_kin | words.female_kin).isdisjoint(read_claim(text, language).words)


def _write_symptoms_part(sheet: _ReportPage, part: str) -> None:
    sheet.section(part, _find_recent_sentences(sheet, _symptom_words(), is_theirs=True))


def _write_care_part(sheet: _ReportPage, part: str) -> None:
    known = [r for r in sheet.recent if _care_words().search(r.text) and _own_attribute(r) not in _BODILY]
    sheet.section(part, [partial(sheet.line, r) for r in known if not _is_anothers(r)])


def _write_health_said_part(sheet: _ReportPage, part: str) -> None:
    """Every sentence that names a drug, a symptom, a diagnosis or a measure of the person, the newest first."""
    shown = {" ".join(record.text.split()) for record in sheet.cited.values()}
    found = []
    for record in reversed([r for r in sheet.said if r.at >= sheet.since]):
        for sentence in split_sentences(record.text):
            text = " ".join(sentence.text.split())
            if text not in shown and not sentence.asks and _is_of_own_health(text, sentence.language):
                shown.add(text)
                found.append(replace(record, text=text))
    sheet.section(part, [partial(sheet.line, record) for record in found], most=_MOST_QUOTED)


def _is_of_own_health(text: str, language: str) -> bool:
    claim = read_claim(text, language)
    if (
        _names_relative(text, language)
        or (claim.is_of_others and not claim.is_own)
        or not claim.cues.isdisjoint(("joking", "supposing"))
    ):
        return False
    is_named = bool(claim.topics & _HEALTH_TOPICS) or has_dose(claim, language)
    return is_named or any(True for _ in find_measures(text, language))


def _write_to_ask_part(sheet: _ReportPage, part: str) -> None:
    sheet.section(part, _find_recent_sentences(sheet, _to_ask_words()))


def _find_recent_sentences(sheet: _ReportPage, pattern: re.Pattern[str], *, is_theirs: bool = False) -> list[_Line]:
    """Sentences said recently that match a pattern, without questions."""
    lines: list[_Line] = []
    for record in sheet.said:
        for sentence in split_sentences(record.text) if record.at >= sheet.since else ():
            if sentence.asks or not pattern.search(sentence.text) or (is_theirs and not _is_of_self(sentence.text)):
                continue
            lines.append(partial(sheet.line, replace(record, text=sentence.text)))
    return lines


def _is_of_self(sentence: str) -> bool:
    return bool(_own().search(sentence)) and not (_not_theirs().search(sentence) or _to_ask_words().search(sentence))


def _write_questions_part(sheet: _ReportPage, part: str) -> None:
    sheet.section(part, [partial(sheet.line, r) for r in sheet.records if r.kind == QUESTION])


def _write_count_part(sheet: _ReportPage, _: str) -> None:
    days = {r.at.date() for r in sheet.said}
    if sheet.said or sheet.recent:
        counts = {"messages": len(sheet.said), "days": len(days), "news": len(sheet.recent)}
        sheet.lines += ["", sheet.say("counts", **counts)]


def _write_changes_part(sheet: _ReportPage, part: str) -> None:
    before = {r.subject: r for r in sheet.records if r.kind == REPLACED and r.subject}
    elsewhere = (_GOAL, *_MEASURES)
    now = {r.subject: r for r in sheet.recent if r.subject in before and _own_attribute(r) not in elsewhere}
    sheet.section(
        part, [partial(_format_changed_line, sheet, r, before[subject]) for subject, r in now.items() if subject]
    )


def _format_changed_line(sheet: _ReportPage, newer: Material, older: Material) -> str:
    return f"{sheet.line(newer)}; {sheet.say('before')}: {inline_markdown(older.text)}{sheet.cite(older)}"


def _write_goals_part(sheet: _ReportPage, part: str) -> None:
    goals = [r for r in sheet.recent if _own_attribute(r) == _GOAL and not (r.value or "").startswith(ENDED)]
    reached = f": {sheet.say('reached')}"
    endings = [reached if (r.value or "").startswith(REACHED) else "" for r in goals]
    sheet.section(part, [partial(sheet.line, r, ending=e) for r, e in zip(goals, endings, strict=True)])


def _write_news_part(sheet: _ReportPage, part: str) -> None:
    """What no other part tells, area by area where areas are known."""
    told = {r.subject for r in sheet.records if r.kind == REPLACED}
    fresh = [
        r
        for r in sheet.recent
        if _own_attribute(r) not in (_GOAL, *_MEASURES) and (r.subject is None or r.subject not in told)
    ]
    ordered = sorted(fresh, key=lambda r: (not r.area, r.area))
    sheet.section(part, [partial(sheet.line, r, heading=f"{r.area}: " if r.area else "") for r in ordered])


def _write_said_part(sheet: _ReportPage, part: str) -> None:
    """The most telling sentences of the whole stretch, as a note of it would show them."""
    drawn = write_note([ConversationMessage(r.id, r.text, r.title, "user", r.at, r.title) for r in sheet.said])
    sheet.section(part, [partial(inline_markdown, drawn.summary)] if drawn else [])


_PARTS: Mapping[str, Callable[[_ReportPage, str], None]] = {
    "person": _write_person_part,
    "measures": _write_measures_part,
    "conditions": _write_conditions_part,
    "medication": _write_medication_part,
    "symptoms": _write_symptoms_part,
    "care": _write_care_part,
    "health_said": _write_health_said_part,
    "to_ask": _write_to_ask_part,
    "questions": _write_questions_part,
    "count": _write_count_part,
    "changes": _write_changes_part,
    "goals": _write_goals_part,
    "news": _write_news_part,
    "said": _write_said_part,
}
