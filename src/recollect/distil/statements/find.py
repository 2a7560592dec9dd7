"""The sentences of a conversation that are worth keeping, in the speaker's own words.

Messages come in; each statement that goes out says who spoke, whom it is about, where it stands, and the question it
answers when it makes no sense alone. What only greets, asks, jokes, supposes or was pasted is left out by its score.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from recollect.distil.drafts import ConversationMessage
from recollect.distil.reading import ConversationReading
from recollect.distil.statements.claims import Claim, find_names, read_claim
from recollect.distil.statements.model import score_statement
from recollect.lang.detect import detect_language
from recollect.lang.registry import language_of, until_registration
from recollect.lang.spoken import normalise_spelling, statement_words
from recollect.text.words import fold_in_place

MACHINES = frozenset("assistant system tool developer function bot agent model".split())
# A statement is not joined with its neighbour beyond this length; a quoted question is cut to its end.
_LONGEST_JOINED = 240
_LONGEST_QUESTION = 200
# So few words make no sense without what stands before or after them.
_FRAGMENT = 3
_SHORT_ANSWER = 7
# A question can be answered after at most this many messages of others.
_MOST_BETWEEN = 2
_TOKEN = re.compile(r"[\w'’]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementDraft:
    """One statement: `words` stand from `start` to `end` in the message `source`; `text` is what is kept of it.

    `about` are the people it is about other than the speaker; `score` says how much it is worth keeping, 0 to 1.
    """

    text: str
    words: str
    speaker: str
    name: str
    about: tuple[str, ...]
    question: str
    language: str
    at: datetime
    source: str
    start: int
    end: int
    type: str = "statement"
    score: float = 0.0
    claim: Claim


def find_statements(
    said: Sequence[ConversationMessage], *, reading: ConversationReading | None = None
) -> list[StatementDraft]:
    """Every statement of a conversation with its score, in order; the caller decides which are kept."""
    return list(_Listener(said, reading or ConversationReading()).statements())


@dataclass(slots=True)
class _Span:
    start: int
    end: int
    is_asked: bool


class _Listener:
    """Goes through a conversation in order and remembers who was mentioned last."""

    def __init__(self, said: Sequence[ConversationMessage], reading: ConversationReading) -> None:
        self._said = said
        self._reading = reading
        self._language = detect_language(" ".join(message.text for message in said)[:4000])
        spoken = [name for message in said for name in find_names(message.text)]
        self._names = frozenset(
            name for name in map(fold_in_place, spoken) if name not in _common(self._language)
        ) | frozenset(fold_in_place(message.name) for message in said if message.name)
        self._is_among_several = len({message.speaker for message in said if message.role not in MACHINES}) > 1
        self._last: dict[str, tuple[str, str]] = {}

    def statements(self) -> Iterator[StatementDraft]:
        for place, message in enumerate(self._said):
            if message.role in MACHINES:
                self._note_people(message.text)
                continue
            yield from self._of_message(place, message)

    def _of_message(self, place: int, message: ConversationMessage) -> Iterator[StatementDraft]:
        language = detect_language(message.text, otherwise=self._language)
        spans = [
            _Span(s.sentence.start, s.sentence.start + len(s.sentence.text), s.sentence.asks)
            for s in self._reading.read(message).sentences
        ]
        units = _join(message.text, spans, language)
        for number, unit in enumerate(units):
            words = message.text[unit.start : unit.end].strip()
            question = self._question(place, words, language, is_only=len(units) == 1) if number == 0 else ""
            yield self._statement(message, unit, words, question, language)

    def _statement(
        self, message: ConversationMessage, unit: _Span, words: str, question: str, language: str
    ) -> StatementDraft:
        about, resolved = self._people(words, language)
        names = self._names - {fold_in_place(message.name)}
        claim = read_claim(words, language, context=question, names=names, about=frozenset(about))
        text = f"“{question}” {words}" if question else words
        if resolved:
            text = f"({resolved}) {text}"
        if self._is_among_several and message.name:
            text = f"{message.name}: {text}"
        draft = StatementDraft(
            text=text,
            words=words,
            speaker=message.speaker,
            name=message.display_name,
            about=about,
            question=question,
            language=language,
            at=message.at,
            source=message.id,
            start=unit.start,
            end=unit.end,
            claim=claim,
        )
        return replace(draft, score=score_statement(draft.claim), type=_type(claim))

    def _question(self, place: int, words: str, language: str, *, is_only: bool) -> str:
        """The question that these words answer, or the proposal that they take up, if they make no sense alone."""
        tokens = _TOKEN.findall(normalise_spelling(words, language).text)
        speaker = self._said[place].speaker
        for between, before in enumerate(reversed(self._said[max(0, place - _MOST_BETWEEN) : place])):
            is_other = before.role in MACHINES or before.speaker != speaker
            if not is_other:
                return ""
            asked = _last_question(before.text)
            if asked and (len(tokens) <= _SHORT_ANSWER or (tokens and tokens[0] in statement_words(language).answers)):
                return asked
            if between == 0 and is_only and before.role in MACHINES and _accepts(tokens, language):
                return _last_sentences(before.text)
            if before.role in MACHINES:
                return ""
        return ""

    def _people(self, words: str, language: str) -> tuple[tuple[str, ...], str]:
        """The people that a statement names, and whom a pronoun stands for that comes before any name."""
        table = statement_words(language)
        usual = normalise_spelling(words, language)
        pronoun = next((m for m in _TOKEN.finditer(usual.text) if m[0] in table.he or m[0] in table.she), None)
        gender = "" if pronoun is None else "m" if pronoun[0] in table.he else "f"
        last = (self._last.get(gender) or self._last.get("")) if pronoun is not None else None
        is_named = pronoun is not None and bool(self._note_people(words[: usual.places[pronoun.start()]], note=False))
        named = self._note_people(words)
        if last is None or is_named:
            return tuple(named), ""
        return tuple(dict.fromkeys((last[0], *named))), last[1]

    def _note_people(self, text: str, *, note: bool = True) -> list[str]:
        """The people that a text names, in order; with `note`, a pronoun may stand for them from now on."""
        table = statement_words(self._language)
        found: list[str] = []
        tokens = list(_TOKEN.finditer(text))
        for place, token in enumerate(tokens):
            folded = re.sub(r"['’]s?$", "", fold_in_place(token[0]))
            before = fold_in_place(tokens[place - 1][0]) if place else ""
            if folded in self._names and folded not in table.kin and before not in table.places:
                gender = self._gender(before, table)
                shown = re.sub(r"['’]s?$", "", token[0])
            elif folded in table.kin and before in table.own:
                gender = "m" if folded in table.male_kin else "f" if folded in table.female_kin else ""
                shown = re.sub(r"['’]s?$", "", token[0])
            else:
                continue
            found.append(folded)
            for key in {gender, ""} if note else ():
                self._last[key] = (folded, shown)
        return list(dict.fromkeys(found))

    def _gender(self, before: str, table: object) -> str:
        words = statement_words(self._language)
        return "m" if before in words.male_kin else "f" if before in words.female_kin else ""


@until_registration
@cache
def _common(language: str) -> frozenset[str]:
    """Capitalised words that name nobody: months, days, common words of the language."""
    names, vocabulary = language_of(language).names, language_of(language).vocabulary
    return frozenset(map(fold_in_place, (*names.common, *names.calendar, *vocabulary.stop, *vocabulary.dull)))


def _join(text: str, spans: Sequence[_Span], language: str) -> list[_Span]:
    """The sentences of a message as statements: one that makes no sense alone goes with its neighbour."""
    table = statement_words(language)
    units: list[_Span] = []
    for span in spans:
        tokens = _TOKEN.findall(normalise_spelling(text[span.start : span.end], language).text)
        depends = len(tokens) <= _FRAGMENT or (tokens and tokens[0] in table.goes_on)
        last = units[-1] if units else None
        fits = last is not None and not last.is_asked and not span.is_asked and span.end - last.start <= _LONGEST_JOINED
        if last is not None and fits and (depends or _is_fragment(text[last.start : last.end])):
            last.end = span.end
        else:
            units.append(_Span(span.start, span.end, span.is_asked))
    return units


def _is_fragment(text: str) -> bool:
    return len(_TOKEN.findall(text)) <= _FRAGMENT


_SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")


def _last_question(text: str) -> str:
    """The question with which a message ends, with what stands right before a very short one."""
    parts: list[str] = [part.strip() for part in _SENTENCE.findall(text) if part.strip()]
    if not parts or not parts[-1].endswith("?"):
        return ""
    asked = parts[-1]
    if len(parts) > 1 and parts[-2].endswith("?"):
        asked = f"{parts[-2]} {asked}"
    return asked[-_LONGEST_QUESTION:]


def _last_sentences(text: str) -> str:
    """The end of a proposal: as many whole sentences as fit."""
    kept = ""
    for part in reversed([part.strip() for part in _SENTENCE.findall(text) if part.strip()]):
        if len(kept) + len(part) > _LONGEST_QUESTION:
            break
        kept = f"{part} {kept}".strip()
    return kept


def _accepts(tokens: Sequence[str], language: str) -> bool:
    return 0 < len(tokens) <= _SHORT_ANSWER and all(_accepting(language).fullmatch(token) for token in tokens)


@until_registration
@cache
def _accepting(language: str) -> re.Pattern[str]:
    return re.compile(statement_words(language).accepts or "(?!)")


def _type(claim: Claim) -> str:
    """What sort of statement it is: about health, an instruction, a pitfall, a decision, or any other."""
    is_diet = "diet" in claim.topics and "negation" in claim.cues and "taste" not in claim.topics
    if is_diet or claim.topics & {"allergy", "medication", "condition"}:
        return "health"
    if claim.is_instruction and not claim.is_asked:
        return "instruction"
    return "pitfall" if "cause" in claim.topics else "decision" if "decision" in claim.topics else "statement"
