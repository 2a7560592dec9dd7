"""Entity mentions found in a text by rules and by a list of known names, fast enough for every message that comes in.

Text goes in, typed spans come out; nothing here asks a model, a store or the network.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from toldonce.lang.registry import all_languages, combine_languages, unite_patterns, unite_words
from toldonce.lang.vocabulary import fold_name_word, normalise_alias
from toldonce.text.patterns import join_patterns


@dataclass(frozen=True, slots=True)
class Mention:
    """A named thing at one place of a text; `end` is the first character after it."""

    text: str
    type: str
    start: int
    end: int
    confidence: float


class Tagger(Protocol):
    """Finds mentions; `accurate` says whether nightly enrichment gains anything from it."""

    name: str
    accurate: bool

    def tag(self, text: str) -> list[Mention]:
        """The mentions in the text, in order, none overlapping another."""
        ...


def merge_mentions(mentions: Iterable[Mention]) -> list[Mention]:
    """The mentions that remain when of overlapping ones the most certain, then the longest, wins; in order of place."""
    starts: list[int] = []
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (-m.confidence, m.start - m.end, m.start)):
        place = bisect_left(starts, mention.start)
        if place and kept[place - 1].end > mention.start:
            continue
        if place < len(kept) and kept[place].start < mention.end:
            continue
        starts.insert(place, mention.start)
        kept.insert(place, mention)
    return kept


# Words that open a sentence, or stand capitalised for emphasis, far more often than they name something.
_common = unite_words(lambda language: language.names.common)
# Of those, the ones that begin many names when another capital follows: New York, São Paulo, Grande Porto.
_may_lead = unite_words(lambda language: language.names.may_lead)
_calendar = unite_words(lambda language: language.names.calendar)
_given = unite_words(lambda language: language.names.given)
_places = unite_words(lambda language: language.names.places)
_organization_words = unite_words(lambda language: language.names.organizations)
_location_words = unite_words(lambda language: language.names.locations)
_joins = unite_words(lambda language: language.names.joins)
_titles = unite_words(lambda language: language.names.titles)
_own = unite_words(lambda language: language.names.own)
_kin = unite_words(lambda language: language.names.kin)
_towards = unite_words(lambda language: language.names.towards)
_dwelling = unite_words(lambda language: language.names.dwelling)
_project = unite_words(lambda language: language.names.project)
_small = unite_words(lambda language: language.names.small)

_UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪĮİĶĹĻŁŃŅŇŌŐŒŔŘŚŞŠŢŤŪŮŰŲŹŻŽΑ-ΩА-ЯЁ"


@combine_languages
def _name_run_pattern() -> re.Pattern[str]:
    """Capitalised words in a row, with what may stand between two of them."""
    titles = join_patterns(language.names.title_pattern for language in all_languages()) or "(?!)"
    joins = join_patterns(language.names.join_pattern for language in all_languages()) or "(?!)"
    contractions = join_patterns(language.names.contractions for language in all_languages()) or "(?!)"
    inner = rf"(?:['’](?!(?:{contractions})\b)|[-&])\w+|\.(?:js|io|ai|com|net|org)\b"
    name = rf"(?:(?:[{_UPPER}]|{titles})\.(?:[{_UPPER}]\.)*(?!\w)|[{_UPPER}]\w*(?:{inner})*)"
    return re.compile(rf"(?<![\w@#/\\`.-]){name}(?:\ (?:(?:{joins})\ )?{name})*")


_WORD = re.compile(r"\S+")
_BEFORE_SENTENCE = ".!?:…\n•|>"
_OPENING_MARKS = " \t\"'“‘«([*_–—-"


@combine_languages
def _follows_name() -> re.Pattern[str]:
    """A capital at the start of a sentence proves nothing; what follows a name does."""
    return re.compile(join_patterns(language.names.follows for language in all_languages()) or "(?!)")


_wordly = unite_patterns(lambda language: language.names.endings, r"(?:{})$")
_after_project = unite_patterns(lambda language: language.names.after_project)


@dataclass(frozen=True, slots=True)
class _DatePatterns:
    """A date that begins with a number, what stands before a number that is part of one, and what follows a month."""

    digits: re.Pattern[str]
    before_number: re.Pattern[str]
    after_month: re.Pattern[str]


@combine_languages
def _date_patterns() -> _DatePatterns:
    known = [language.names for language in all_languages()]
    months = join_patterns(names.months for names in known) or "(?!)"
    marks, of = (join_patterns(getattr(names, field) for names in known) for field in ("ordinal_marks", "of"))
    before_year = join_patterns(names.before_year for names in known)
    return _DatePatterns(
        re.compile(
            rf"""
            (?<!\w)(?: \d{{4}}-\d\d-\d\d | \d{{1,2}}[/.]\d{{1,2}}[/.](?:\d{{4}}|\d\d)
            | \d{{1,2}}(?:{marks})?\ (?:{of})?(?:{months})\b\.?(?:,?\ (?:{of})?[12]\d{{3}})? )\b
            """,
            re.VERBOSE | re.IGNORECASE,
        ),
        re.compile(rf"\b(?:(?P<month>{months})\.?\ (?:{of})?|(?:{before_year})\ )$", re.IGNORECASE),
        re.compile(rf"(?:[12]\d{{3}}|\d{{1,2}}(?:{marks})?(?:,?\ [12]\d{{3}})?)\b"),
    )


_LONE_YEAR = re.compile(r"(?:1[5-9]|20)\d\d\b(?!\ \w+s\b)")
_NUMBER = re.compile(r"\d(?<![\w.,:/-]\d)")


@dataclass(frozen=True, slots=True)
class _Shape:
    """A kind of span with an unmistakable shape; `marker` is a text without which it cannot occur."""

    marker: str
    type: str
    confidence: float
    pattern: re.Pattern[str]


_URL_END = r"[^\s<>\"'`)\]}]*[^\s<>\"'`)\]}.,;:!?]"
_FILE = r"(?:py|[jt]sx?|rs|go|java|c|h|cpp|rb|md|toml|ya?ml|json|sql|sh|txt|csv|pdf|html|css)"
_SHAPES = (
    _Shape("`", "code", 0.97, re.compile(r"`([^`\n]{1,120})`")),
    _Shape("://", "url", 0.99, re.compile(rf"\b(?:https?|ftp)://{_URL_END}")),
    _Shape("www.", "url", 0.98, re.compile(rf"\bwww\.{_URL_END}")),
    _Shape("@", "email", 0.98, re.compile(r"\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+\b")),
    _Shape("@", "mention", 0.95, re.compile(r"@(?<![\w@.]@)(?:\w[\w.-]*\w|\w)|<@!?\d+>")),
    _Shape("#", "hashtag", 0.95, re.compile(r"#(?<![\w#&/]#)[^\W\d_]\w*")),
    _Shape("/", "path", 0.9, re.compile(rf"(?<![\w/:.@+-])(?:~|\.{{1,2}})?/?(?:[\w.@+-]+/)+[\w.@+-]*\w\.{_FILE}\b")),
    _Shape("/", "path", 0.85, re.compile(r"(?<![\w/:.<])(?:~|\.{1,2})?/(?:[\w.@+-]+/)*[\w.@+-]*\w")),
    _Shape(":\\", "path", 0.9, re.compile(r"\b[A-Za-z]:\\[\w.\\-]*\w")),
    _Shape(".", "path", 0.85, re.compile(rf"(?<![\w/.-])\w[\w-]*\.{_FILE}\b")),
    _Shape("_", "code", 0.8, re.compile(r"(?<![\w/.])[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+(?:\(\))?")),
    _Shape("()", "code", 0.8, re.compile(r"(?<![\w/.])[A-Za-z_][\w.]*\(\)")),
)
_CAMEL = re.compile(r"(?<![\w@#/.])[a-z]{2,}[A-Z][a-z]\w*")
# Without one there is no such word; capitals are rarer than small letters, so looking for it is quicker.
_HUMP = re.compile(r"[A-Z](?<=[a-z]{2}[A-Z])[a-z]")


class RegexTagger:
    """Mentions by shape alone: marks such as @ and #, addresses, dates, code, and runs of capitalised words."""

    name = "regex"
    accurate = False

    def tag(self, text: str) -> list[Mention]:
        """The mentions in the text, in order, none overlapping another."""
        return merge_mentions([*_find_number_mentions(text), *_find_name_mentions(text)])


def _find_number_mentions(text: str) -> Iterator[Mention]:
    for shape in _SHAPES:
        if shape.marker in text:
            for match in shape.pattern.finditer(text):
                start, end = match.span(match.lastindex or 0)
                yield Mention(text[start:end], shape.type, start, end, shape.confidence)
    for match in _CAMEL.finditer(text) if _HUMP.search(text) else ():
        yield Mention(match.group(), "code", match.start(), match.end(), 0.7)
    for match in _NUMBER.finditer(text):
        span = _find_date_span(text, match.start())
        if span:
            yield Mention(text[slice(*span)], "date", *span, 0.9)


def _find_date_span(text: str, number: int) -> tuple[int, int] | None:
    """The date around the number that starts here, if there is one."""
    match = _date_patterns().digits.match(text, number)
    if match:
        return match.span()
    before = _date_patterns().before_number.search(text, max(0, number - 16), number)
    if not before:
        return None
    after = (_date_patterns().after_month if before["month"] else _LONE_YEAR).match(text, number)
    return (before.start() if before["month"] else number, after.end()) if after else None


def _find_name_mentions(text: str) -> Iterator[Mention]:
    if len(text) > 12 and text.isupper():
        return
    for match in _name_run_pattern().finditer(text):
        words = [word.span() for word in _WORD.finditer(text, *match.span())]
        titled = _trim_name_run(text, words)
        if words:
            mention = _name_mention(text, words, titled=titled, opens=_opens_sentence(text, words[0][0]))
            if mention:
                yield mention


def _opens_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 8) : start].rstrip(_OPENING_MARKS)
    return not before or before[-1] in _BEFORE_SENTENCE


def _trim_name_run(text: str, words: list[tuple[int, int]]) -> bool:
    """Takes titles and common words off both ends of a run of words; True when a person's title was among them."""
    titled = False
    while words:
        first = text[slice(*words[0])]
        following = text[slice(*words[1])].lower() if len(words) > 1 else ""
        if following and first.rstrip(".").lower() in _titles():
            titled = True
        elif not _is_filler(first.lower()) or (
            first.lower() in _may_lead() and following and not _is_filler(following)
        ):
            break
        words.pop(0)
    while words and _is_filler(text[slice(*words[-1])].lower()):
        words.pop()
    return titled


def _is_filler(word: str) -> bool:
    return word in _common() or word in _joins()


def _name_mention(text: str, words: list[tuple[int, int]], *, titled: bool, opens: bool) -> Mention | None:
    start, end = words[0][0], words[-1][1]
    name = text[start:end]
    lowered = name.lower()
    if len(name) < 2 or lowered in _calendar():
        return None
    kind, confidence = ("person", 0.85) if titled else _guess_name_type(text, start, end)
    if kind == "other" and len(words) == 1 and opens:
        if not _follows_name().match(text, end) or _wordly().search(lowered):
            return None
        confidence = 0.4
    return Mention(name, kind, start, end, confidence)


def _guess_name_type(text: str, start: int, end: int) -> tuple[str, float]:
    """What the name seems to be, by its own words and by the words around it, and how sure that is."""
    lowered = text[start:end].lower()
    words = lowered.split()
    if not _organization_words().isdisjoint(word.rstrip(".") for word in words) and len(words) > 1:
        return "organization", 0.75
    if len(words) > 1 and (words[0] in _location_words() or words[-1] in _location_words()):
        return "location", 0.75
    if lowered in _places():
        return "location", 0.75
    told = _type_by_context(text, start, end)
    if told:
        return told, 0.8
    if words[0] in _given() and len(words) < 5:
        return "person", 0.7
    return "other", 0.6 if len(words) > 1 else 0.5


def _type_by_context(text: str, start: int, end: int) -> str | None:
    before = text[max(0, start - 40) : start].lower().split()[-3:]
    last = before[-1].rstrip(",") if before else ""
    if last in _kin() and not _own().isdisjoint(before):
        return "person"
    if last in _towards() and len(before) > 1 and before[-2] in _dwelling():
        return "location"
    if last in _project() or _after_project().match(text, end):
        return "project"
    return None


_PART = re.compile(r"[^\W_]+\.?")


def same_entity(a: str, b: str) -> bool:
    """Whether two names surely mean one thing; a part of a name is never enough.

    An initial stands for every name it begins, so two different names can both be the same as a third.
    """
    one, other = normalise_alias(a), normalise_alias(b)
    if one == other:
        return True
    ones, others = _PART.findall(one), _PART.findall(other)
    if len(ones) == len(others):
        return len(ones) > 1 and (sorted(ones) == sorted(others) or _initials_match(ones, others))
    return _is_acronym(a, others) or _is_acronym(b, ones)


def _initials_match(ones: list[str], others: list[str]) -> bool:
    """Whether the last names are equal and every other part equals its partner or is its initial with a dot."""
    pairs = list(zip(ones, others, strict=True))
    return (
        ones[-1] == others[-1]
        and len(ones[-1]) > 2
        and all(_is_short_for(x, y) or _is_short_for(y, x) for x, y in pairs)
    )


def _is_short_for(short: str, full: str) -> bool:
    return short == full or (len(short) == 2 and short[1] == "." and full[0] == short[0])


def _is_acronym(name: str, words: list[str]) -> bool:
    letters = _acronym_of(name)
    return bool(letters) and letters == _initials_of(words)


def _acronym_of(name: str) -> str:
    letters = name.strip().replace(".", "")
    return letters.lower() if len(letters) > 2 and letters.isalpha() and letters.isupper() else ""


def _initials_of(words: Iterable[str]) -> str:
    return "".join(word[0] for word in words if word not in _small())


def lookup_marks(name: str) -> frozenset[str]:
    """What to look a name up by: two names without a common mark are never the same entity."""
    plain = normalise_alias(name)
    words = _PART.findall(plain)
    return frozenset((plain, *words, f"={_initials_of(words)}", f"={_acronym_of(name)}")) - {"="}


_WIDE = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_TOKEN = re.compile(rf"[{_WIDE}]|[^\W_{_WIDE}]+(?:\+\+|#(?!\w))?")
_GAP = re.compile(r"\s?[-'’.&/]?\s?")


class Gazetteer:
    """Names already known, found again in a text whatever their case and accents; the longest one wins.

    The value given for a name (a type or an entity's id) comes back as the mention's type.
    """

    name = "gazetteer"
    accurate = False

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self._names: dict[str, str] = {}
        self._longest: dict[str, int] = {}
        for name, type_ in (names or {}).items():
            self.add(name, type_)

    def __len__(self) -> int:
        return len(self._names)

    def add(self, name: str, type: str) -> None:
        """From now on the name is found; a name without a letter or digit is left out."""
        tokens = _TOKEN.findall(normalise_alias(name))
        if tokens:
            self._names[" ".join(tokens)] = type
            self._longest[tokens[0]] = max(len(tokens), self._longest.get(tokens[0], 0))

    def tag(self, text: str) -> list[Mention]:
        """The known names in the text, in order, none overlapping another."""
        tokens = [(fold_name_word(m.group()), m.start(), m.end()) for m in _TOKEN.finditer(text)]
        found: list[Mention] = []
        place = 0
        while place < len(tokens):
            length = self._match(text, tokens, place) if tokens[place][0] in self._longest else 0
            if length:
                start, end = tokens[place][1], tokens[place + length - 1][2]
                key = " ".join(token[0] for token in tokens[place : place + length])
                found.append(Mention(text[start:end], self._names[key], start, end, 0.9))
            place += length or 1
        return found

    def _match(self, text: str, tokens: list[tuple[str, int, int]], place: int) -> int:
        """How many tokens the longest known name here has; 0 for none."""
        reach = 1
        limit = min(self._longest[tokens[place][0]], len(tokens) - place)
        while reach < limit and _GAP.fullmatch(text, tokens[place + reach - 1][2], tokens[place + reach][1]):
            reach += 1
        for length in range(reach, 0, -1):
            key = " ".join(token[0] for token in tokens[place : place + length])
            if key in self._names and (length > 1 or self._stands_alone(text, tokens[place])):
                return length
        return 0

    @staticmethod
    def _stands_alone(text: str, token: tuple[str, int, int]) -> bool:
        """Will, May and the like are names only when written so."""
        word, start, _ = token
        return (len(word) > 2 and word not in _common()) or not text[start].islower()
