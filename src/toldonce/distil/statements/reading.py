"""Reads the statements of a conversation: who spoke, whom each is about, what it says, and what it is worth.

Messages come in; statements go out in the speaker's own words, each with the question it answers where it makes no
sense alone. `read_claim` reads what one statement says; what only greets, asks, jokes or supposes gets a low score.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache
from importlib.resources import files

from toldonce.distil.drafts import MACHINE_ROLES, ConversationMessage
from toldonce.distil.reading import ConversationReading
from toldonce.lang.detect import detect_language
from toldonce.lang.registry import language_of, until_registration
from toldonce.lang.statements import StatementWords
from toldonce.lang.vocabulary import match_topics, normalise_spelling, statement_words, stem_word, whole_words
from toldonce.models.tagger import RegexTagger
from toldonce.text.patterns import join_patterns
from toldonce.text.words import collect_words, fold_in_place

Features = dict[str, float]
Weights = Mapping[str, Mapping[str, float]]
_WEIGHTS = "weights.json"
# Sentences of a message are one statement up to this length; a quoted question is cut to its end.
_LONGEST_JOINED = 240
_LONGEST_QUESTION = 200
_SHORT_ANSWER = 7
# A question can be answered after at most this many messages of others.
_MOST_BETWEEN = 2
_TOKEN = re.compile(r"[\w'’]+")
CUES = (
    "joking", "supposing", "quoting", "hedging", "ends", "replaces", "begins", "now", "again", "past", "ahead",
    "negation", "corrects", "often", "keeps", "adds", "allows",
)  # fmt: skip

_WORD = re.compile(r"[^\W_]+(?:['’.,:/_-][^\W_]+)*%?")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_GLUED = re.compile(r"(\d+(?:[.,]\d+)?)([a-z%]{1,12})$")
_TAGGER = RegexTagger()
_CAPITAL = re.compile(r"\b[A-ZÀ-Ý][a-zà-ÿ]+(?:[-'’][A-ZÀ-Ý]?[a-zà-ÿ]+)?\b")
_CODE = re.compile(
    r"\w_\w|\w/\w*\w\.\w|\w\(\)|\b--?[a-z]\w*|\b[a-z]+[A-Z]\w+|\b\w+\.(?:py|c|go|js|ts|rs|toml|json|yml|yaml|sql|sh)\b"
)
_LONGEST = 600
# A statement with this share of words of small talk says nothing else.
_MOSTLY_SMALL = 0.8
_CLAUSE_END = re.compile(r"[,;:.!?…\n]+(?!\d)")
_SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementDraft:
    """One statement: `words` stand from `start` to `end` in the message `source`; `text` is what is kept of it.

    `about` are the people it is about other than the speaker; `score` says how much it is worth keeping, 0 to 1.
    `context` are the other messages whose words it repeats: the question, and where somebody was named.
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
    context: tuple[str, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """Every message that it rests on, its own first."""
        return (self.source, *self.context)


def may_repeat(message: ConversationMessage, lender: ConversationMessage) -> bool:
    """Whether what is kept of a message may hold words of another: whoever reads the one may read the other."""
    return not lender.private_to or lender.private_to == (message.private_to or message.speaker)


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


@dataclass(frozen=True, slots=True)
class _Borrowed:
    """Words of another message that a statement needs to make sense, and the id of that message."""

    text: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class _Mentioned:
    """Somebody who was named: as names are compared, as it was written, and in which message."""

    name: str
    shown: str
    message: ConversationMessage


_NOTHING = _Borrowed()


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
        self._is_among_several = len({message.speaker for message in said if message.role not in MACHINE_ROLES}) > 1
        self._last: dict[str, _Mentioned] = {}

    def statements(self) -> Iterator[StatementDraft]:
        for place, message in enumerate(self._said):
            if message.role in MACHINE_ROLES:
                self._note_people(message.text, message)
                continue
            yield from self._of_message(place, message)

    def _of_message(self, place: int, message: ConversationMessage) -> Iterator[StatementDraft]:
        language = detect_language(message.text, otherwise=self._language)
        spans = [
            _Span(s.sentence.start, s.sentence.start + len(s.sentence.text), s.sentence.asks)
            for s in self._reading.read(message).sentences
        ]
        units = _join_sentences(spans)
        for number, unit in enumerate(units):
            words = message.text[unit.start : unit.end].strip()
            question = self._question(place, words, language, is_only=len(units) == 1) if number == 0 else _NOTHING
            yield self._statement(message, unit, words, question, language)

    def _statement(
        self, message: ConversationMessage, unit: _Span, words: str, question: _Borrowed, language: str
    ) -> StatementDraft:
        about, resolved = self._people(words, language, message)
        names = self._names - {fold_in_place(message.name)}
        claim = read_claim(words, language, context=question.text, names=names, about=frozenset(about))
        text = f"“{question.text}” {words}" if question.text else words
        if resolved.text:
            text = f"({resolved.text}) {text}"
        if self._is_among_several and message.name:
            text = f"{message.name}: {text}"
        draft = StatementDraft(
            text=text,
            words=words,
            speaker=message.speaker,
            name=message.name,
            about=about,
            question=question.text,
            language=language,
            at=message.at,
            source=message.id,
            start=unit.start,
            end=unit.end,
            claim=claim,
            context=tuple(dict.fromkeys(i for i in (question.source, resolved.source) if i not in ("", message.id))),
        )
        return replace(draft, score=score_statement(draft.claim), type=_type(claim, language))

    def _question(self, place: int, words: str, language: str, *, is_only: bool) -> _Borrowed:
        """The question that these words answer, or the proposal that they take up, if they make no sense alone.

        Another person's private words are not repeated.
        """
        tokens = _TOKEN.findall(normalise_spelling(words, language).text)
        speaker = self._said[place].speaker
        for between, before in enumerate(reversed(self._said[max(0, place - _MOST_BETWEEN) : place])):
            is_other = before.role in MACHINE_ROLES or before.speaker != speaker
            if not is_other or not may_repeat(self._said[place], before):
                return _NOTHING
            asked = _last_question(before.text)
            if asked and (len(tokens) <= _SHORT_ANSWER or (tokens and tokens[0] in statement_words(language).answers)):
                return _Borrowed(asked, before.id)
            if between == 0 and is_only and before.role in MACHINE_ROLES and _accepts(tokens, language):
                return _Borrowed(_last_sentences(before.text), before.id)
            if before.role in MACHINE_ROLES:
                return _NOTHING
        return _NOTHING

    def _people(self, words: str, language: str, message: ConversationMessage) -> tuple[tuple[str, ...], _Borrowed]:
        """The people that a statement names, and whom a pronoun stands for that comes before any name."""
        table = statement_words(language)
        usual = normalise_spelling(words, language)
        pronoun = next((m for m in _TOKEN.finditer(usual.text) if m[0] in table.he or m[0] in table.she), None)
        gender = "" if pronoun is None else "m" if pronoun[0] in table.he else "f"
        last = (self._last.get(gender) or self._last.get("")) if pronoun is not None else None
        before = "" if pronoun is None else words[: usual.places[pronoun.start()]]
        is_named = bool(before and self._note_people(before, message, note=False))
        named = self._note_people(words, message)
        if last is None or is_named or not may_repeat(message, last.message):
            return tuple(named), _NOTHING
        return tuple(dict.fromkeys((last.name, *named))), _Borrowed(last.shown, last.message.id)

    def _note_people(self, text: str, message: ConversationMessage, *, note: bool = True) -> list[str]:
        """The people that a text names beside its speaker; with `note`, a pronoun may stand for them from now on."""
        table, own = statement_words(self._language), collect_words(f"{message.speaker} {message.name}", ())
        found: list[str] = []
        tokens = list(_TOKEN.finditer(text))
        for place, token in enumerate(tokens):
            folded = fold_in_place(_without_possessive(token[0]))
            before = fold_in_place(tokens[place - 1][0]) if place else ""
            if folded in self._names - own and folded not in table.kin and before not in table.places:
                gender = "m" if before in table.male_kin else "f" if before in table.female_kin else ""
            elif folded in table.kin and before in table.own:
                gender = "m" if folded in table.male_kin else "f" if folded in table.female_kin else ""
            else:
                continue
            found.append(folded)
            for key in {gender, ""} if note else ():
                self._last[key] = _Mentioned(folded, _without_possessive(token[0]), message)
        return list(dict.fromkeys(found))


def _without_possessive(word: str) -> str:
    return re.sub(r"['’]s?$", "", word)


@until_registration
@cache
def _common(language: str) -> frozenset[str]:
    """Capitalised words that name nobody: months, days, common words of the language."""
    names, vocabulary = language_of(language).names, language_of(language).vocabulary
    return frozenset(map(fold_in_place, (*names.common, *names.calendar, *vocabulary.stop, *vocabulary.dull)))


def _join_sentences(spans: Sequence[_Span]) -> list[_Span]:
    """The sentences of a message as statements: those that fit together are one, so that each keeps its context."""
    units: list[_Span] = []
    for span in spans:
        last = units[-1] if units else None
        if last and not last.is_asked and not span.is_asked and span.end - last.start <= _LONGEST_JOINED:
            last.end = span.end
        else:
            units.append(_Span(span.start, span.end, span.is_asked))
    return units


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


def tells_by_question(draft: StatementDraft) -> bool:
    """Whether a few words say something together with the question that they answer: "Which knee?" "the left one".

    A yes or no is weighed as any other statement, and so is a choice among things that somebody is offered.
    """
    claim = draft.claim
    is_of_person = bool(draft.question and claim.topics - {"taste"})
    return is_of_person and not claim.is_asked and claim.small_share < _MOSTLY_SMALL


def _type(claim: Claim, language: str) -> str:
    """What sort of statement it is: about health, an instruction, a pitfall, a decision, or any other."""
    is_diet = "diet" in claim.topics and "negation" in claim.cues and "taste" not in claim.topics
    if is_diet or claim.topics & {"allergy", "medication", "condition"} or has_dose(claim, language):
        return "health"
    if claim.is_instruction and not claim.is_asked:
        return "instruction"
    return "pitfall" if "cause" in claim.topics else "decision" if "decision" in claim.topics else "statement"


@dataclass(frozen=True, slots=True)
class Claim:
    """What is read of one statement; `context` is the question that it answers."""

    words: tuple[str, ...]
    stems: frozenset[str]
    context: frozenset[str]
    names: frozenset[str]
    name_stems: frozenset[str]
    numbers: frozenset[str]
    units: frozenset[str]
    amounts: frozenset[str]
    days: frozenset[str]
    cues: frozenset[str]
    denied: frozenset[str]
    topics: frozenset[str]
    is_asked: bool
    is_question: bool
    is_instruction: bool
    is_first_person: bool
    is_own: bool
    is_of_others: bool
    has_kin: bool
    has_code: bool
    small_share: float
    exclamations: int

    @property
    def content(self) -> frozenset[str]:
        """The stems of the statement and of the question that it answers."""
        return self.stems | self.context


@until_registration
@cache
def _patterns(language: str) -> Mapping[str, re.Pattern[str]]:
    """The compiled patterns of a language by name."""
    table = statement_words(language)
    found = {cue: getattr(table, cue) for cue in CUES}
    measure = join_patterns((table.units, table.days, table.often, *table.numbers))
    found |= {
        "measure": measure,
        "units": table.units,
        "days": table.days,
        "asking": table.asking,
        "instructing": table.instructing,
    }
    return {name: whole_words(pattern) for name, pattern in found.items()}


@until_registration
@cache
def _hollow(language: str) -> frozenset[str]:
    """Words that tell nothing of what a statement is about."""
    vocabulary, common = language_of(language).vocabulary, statement_words(language).common
    return frozenset(fold_in_place(word) for word in (*vocabulary.stop, *vocabulary.dull, *vocabulary.frame, *common))


@until_registration
@lru_cache(maxsize=4096)
def read_claim(
    text: str,
    language: str,
    *,
    context: str = "",
    names: frozenset[str] = frozenset(),
    about: frozenset[str] = frozenset(),
) -> Claim:
    """What a statement says, for comparing and for weighing it.

    `names` are people known by name, folded; `about` are those whom it is about without naming them.
    """
    usual = normalise_spelling(text[:_LONGEST], language).text
    asked = normalise_spelling(context[:_LONGEST], language).text
    table, patterns = statement_words(language), _patterns(language)
    words = tuple(_WORD.findall(usual))
    plain = frozenset(word.partition("'")[0] for word in words)
    named = frozenset(map(fold_in_place, find_names(text))) | (plain & names) | about
    if context:
        named |= frozenset(map(fold_in_place, find_names(context)))
    both = f"{asked} {usual}"
    first = patterns["instructing"].search(usual)
    small = table.small_talk
    amounts = _find_amounts(both, patterns["units"])
    is_of_others = not (table.he | table.she | table.they).isdisjoint(words)
    has_kin = not table.kin.isdisjoint(plain)
    is_first_person = not table.first_person.isdisjoint(words)
    stems, asked_stems = _stems(words, language), _stems(tuple(_WORD.findall(asked)), language)
    return Claim(
        words=words,
        stems=stems,
        context=asked_stems,
        names=named,
        name_stems=frozenset(stem_word(name, language) for name in named),
        numbers=_numbers(both, table),
        units=frozenset(amount.lstrip("0123456789., ") for amount in amounts),
        amounts=amounts,
        days=frozenset(word.rstrip("s") for word in patterns["days"].findall(both)),
        cues=frozenset(cue for cue in CUES if patterns[cue].search(usual)),
        denied=_find_denied(usual, language, whole=stems | asked_stems),
        topics=match_topics(both, language),
        is_asked="?" in text[-4:] or patterns["asking"].match(usual) is not None,
        is_question="?" in text[-4:],
        is_instruction=first is not None and first.start() < _near_start(usual),
        is_first_person=is_first_person,
        # Where nobody else is named, people leave themselves out: "line cook at the harbour, 5 years".
        is_own=is_first_person or not (named or has_kin or is_of_others),
        is_of_others=is_of_others,
        has_kin=has_kin,
        has_code=_CODE.search(text) is not None,
        small_share=sum(word in small for word in words) / max(len(words), 1),
        exclamations=text.count("!"),
    )


def _find_denied(usual: str, language: str, *, whole: frozenset[str]) -> frozenset[str]:
    """What is said in a clause with a negation; everything, where such a clause says nothing else ("no, never").

    "my brother drives a taxi, he hates the ring road" denies no taxi.
    """
    negation = _patterns(language)["negation"]
    if not negation.search(usual):
        return frozenset()
    clauses = [clause for clause in _CLAUSE_END.split(usual) if negation.search(clause)]
    denied = [_stems(tuple(_WORD.findall(clause)), language) for clause in clauses]
    return frozenset().union(*denied) if all(denied) else whole


def has_dose(claim: Claim, language: str) -> bool:
    """Whether a statement names an amount of a medicine: a number with a unit that medicines are measured in."""
    return any("medication" in match_topics(unit, language) for unit in claim.units)


def _near_start(text: str) -> int:
    """Where an instruction has begun at the latest: after a few words such as "and", "btw" or a name."""
    return min(18, len(text))


def find_names(text: str) -> list[str]:
    """The names in a text: what the tagger takes for a person or cannot tell, and capitalised words in a sentence."""
    found = [mention.text for mention in _TAGGER.tag(text) if mention.type in ("person", "other")]
    for match in _CAPITAL.finditer(text):
        before = text[: match.start()].rstrip(" \"'“‘(")
        if before and before[-1] not in ".!?…\n:":
            found.append(_without_possessive(match[0]))
    return list(dict.fromkeys(word for name in found for word in name.split() if len(word) > 1))


def _stems(words: tuple[str, ...], language: str) -> frozenset[str]:
    hollow, patterns = _hollow(language), _patterns(language)
    kept = (word.partition("'")[0] for word in words if word not in hollow)
    return frozenset(
        stem_word(word, language)
        for word in kept
        if len(word) > 2 and not word[0].isdigit() and word not in hollow and not patterns["measure"].fullmatch(word)
    )


def _numbers(text: str, table: StatementWords) -> frozenset[str]:
    told = {number.replace(",", ".").replace(":", ".") for number in _NUMBER.findall(text)}
    return frozenset(told | {table.numbers[word] for word in _WORD.findall(text) if word in table.numbers})


def _find_amounts(text: str, pattern: re.Pattern[str]) -> frozenset[str]:
    """The numbers with a unit, apart or glued to it: "10 k" and "10k" are the same amount."""
    found = set()
    words = [word.strip(".,;:!?()") for word in text.split()]
    for place, word in enumerate(words):
        glued = _GLUED.search(word)
        after = words[place + 1] if place + 1 < len(words) else ""
        if glued and pattern.fullmatch(glued[2]):
            found.add(f"{glued[1]} {glued[2].rstrip('s')}")
        elif word[:1].isdigit() and pattern.fullmatch(after):
            found.add(f"{word} {after.rstrip('s')}")
    return frozenset(found)


@cache
def load_weights() -> Weights:
    """The fitted weights of both models, and the least score for keeping and for replacing."""
    found: Weights = json.loads(files("toldonce.distil.statements").joinpath(_WEIGHTS).read_text("utf-8"))
    return found


def score_statement(claim: Claim, weights: Weights | None = None) -> float:
    """How likely a careful listener would keep the statement, 0 to 1."""
    return weigh_features(describe_statement(claim), (weights or load_weights())["worth"])


def weigh_features(features: Features, weights: Mapping[str, float]) -> float:
    total = sum(value * weights.get(name, 0.0) for name, value in features.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def describe_statement(claim: Claim) -> Features:
    """The features by which a statement is weighed."""
    count = len(claim.words)
    found: Features = {
        "bias": 1.0,
        "length": min(math.log1p(count), 4.0),
        "is short": float(count <= 3),
        "is long": float(count > 30),
        "is asked": float(claim.is_asked),
        "is asked of none": float(claim.is_asked and not claim.is_own),
        "is own": float(claim.is_own),
        "is of others": float(claim.is_of_others),
        "names": min(len(claim.names), 3) / 3,
        "has name": float(bool(claim.names)),
        "has kin": float(claim.has_kin),
        "has number": float(bool(claim.numbers)),
        "has unit": float(bool(claim.units)),
        "has day": float(bool(claim.days)),
        "is instruction": float(claim.is_instruction),
        "has code": float(claim.has_code),
        "small talk": claim.small_share,
        "only small talk": float(claim.small_share > _MOSTLY_SMALL),
        "exclamations": min(claim.exclamations, 3) / 3,
        "answers": float(bool(claim.context)),
        "content": min(len(claim.stems), 10) / 10,
        "topics": min(len(claim.topics), 5) / 5,
        "no topic": float(not claim.topics),
        "change": float(not claim.cues.isdisjoint(("ends", "replaces", "begins"))),
    }
    found |= {f"cue {cue}": 1.0 for cue in claim.cues}
    found |= {f"topic {topic}": 1.0 for topic in claim.topics}
    return found
