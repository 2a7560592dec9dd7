"""Clauses of languages that leave the subject unsaid: the verb's own first person is what is looked for.

The algorithm is here; the verbs, patterns and pronouns come from the language. A sentence comes in, what it says of its
speaker goes out, and is put into the third person.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from itertools import islice

from toldonce.lang.base import MOST_SUBJECTS, Clauses
from toldonce.lang.grammar import QUOTED, Predicate, Sentence

_EMOJI = re.compile(r"[\u2600-\u27BF\U0001F000-\U0001FAFF\uFE0F]+")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ClauseEnd:
    """Where a clause stops: at words that begin another one, and at a comma that neither lists nor adds to it."""

    stop: re.Pattern[str]
    comma: re.Pattern[str]
    listed: re.Pattern[str]
    further: re.Pattern[str]
    filler: re.Pattern[str]
    # "I like it when ...": what is liked comes after the word that else begins another clause.
    when: re.Pattern[str]
    liked_when: re.Pattern[str]
    # "Light tools, without dependencies, instead of ...": what it is held against belongs to it.
    instead: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Pronouns:
    """First-person words and their third-person forms."""

    theirs: Mapping[str, str]
    mine: re.Pattern[str]
    # The article that stands for "my" in "the dog of Ana", by the pronoun and what is owned; "" for another word.
    article_for: Callable[[str, str], str]
    # Splits what is owned from what is said of it.
    finite: re.Pattern[str]
    of: str
    clitic: str
    their_clitic: str
    negation: str
    # What stands before and after the verb of something that is over.
    no_more: tuple[str, str]
    # "When I travel": the word, and how the verb that follows it is found (groups `verb` and `rest`).
    when: str
    case: re.Pattern[str]
    # "Me gusta el café" becomes "a Ana le gusta el café": the name and the pronoun before such a verb.
    to_name: str = "{name}"
    to_them: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class VerbGrammar:
    """How a language is read that says "live in Lisbon" for "I live in Lisbon".

    `subject` has the groups we, self, adverbs, not, more, clitic, verb, enclitic and mine. `head` opens what is said of
    what the speaker owns. `once` are imperfect forms, which describe past states, with the verb in the present;
    `we_singular` are forms that only mean "we" behind the `we_word`; `doubtful` verbs count only where `marked` or a
    negation shows the verb. `spellings` gives the right form of verbs that people write without an accent, which count
    as doubtful. `impersonal` verbs say of something that it pleases the speaker, and need the pronoun.
    """

    subject: re.Pattern[str]
    clauses: Clauses
    end: ClauseEnd
    pronouns: Pronouns
    head: str
    third: Mapping[str, str]
    once: Mapping[str, str]
    we_word: str
    we_plural: Set[str]
    doubtful: Set[str]
    marked: re.Pattern[str]
    kept_adverbs: Set[str]
    already: str
    only: str
    any_more: re.Pattern[str]
    any_more_words: re.Pattern[str]
    timed: re.Pattern[str]
    before: re.Pattern[str]
    pointing: re.Pattern[str]
    ours: str
    once_marked: re.Pattern[str] | None = None
    spellings: Mapping[str, str] = field(default_factory=dict)
    impersonal: Set[str] = frozenset()
    habits: Set[str] = frozenset()
    first_person: Mapping[str, str] = field(default_factory=dict)

    def predicates(self, sentence: Sentence) -> Iterator[Predicate]:
        """What the main clauses of the sentence say of the speaker."""
        text = _EMOJI.sub(lambda m: " " * len(m[0]), sentence.text)
        stated = self.clauses.statement_end(text, asks=sentence.asks)
        for match in islice(self.subject.finditer(text, 0, stated), MOST_SUBJECTS):
            if self.clauses.can_open_clause(text[: match.start()]) and self._is_first_person(match, text):
                yield from self._read(text[:stated], match, at=sentence.start)

    def _is_first_person(self, match: re.Match[str], text: str) -> bool:
        if match["mine"]:
            return True
        verb = match["verb"].lower()
        if verb in self.once:
            is_marked = (
                self.once_marked is not None and self.once_marked.search(text[: match.start("verb")]) is not None
            )
            return match["self"] is not None or is_marked
        is_marked = match["not"] is not None or self.marked.match(match[0]) is not None
        if verb in self.impersonal:
            return match["clitic"] is not None
        if verb in self.spellings:
            return is_marked
        if verb not in self.third or verb in self.we_plural:
            is_us = bool(self.we_word) and (match["we"] or "").lower().startswith(self.we_word)
            return is_us or verb in self.we_plural
        return verb not in self.doubtful or is_marked

    def _read(self, text: str, match: re.Match[str], *, at: int) -> Iterator[Predicate]:
        end = self.clause_end(text, match.end())
        rest = " ".join(text[match.end() : end].split())
        span = (at + match.start(), at + end)
        if match["mine"]:
            if rest:
                shared = match["mine"][0].lower() == self.ours
                yield Predicate(self.head, f"{match['mine'].lower()} {rest}", *span, shared=shared)
            return
        adverbs = [word for word in (match["adverbs"] + match["more"]).lower().split() if word in self.kept_adverbs]
        clitic = self.pronouns.clitic if match["clitic"] or match["enclitic"] else ""
        verb = match["verb"].lower()
        verb = self.spellings.get(verb, verb)
        once = self.once.get(verb)
        no_more = self.already in adverbs or self.any_more.search(f"{verb} {rest}") is not None
        ended = once is not None or (match["not"] is not None and no_more)
        rest = self.any_more_words.sub("", rest) if ended else rest
        verb = once or verb
        negation = self.pronouns.negation if match["not"] and not ended else ""
        head = f"{negation} {verb}".strip()
        words = " ".join(filter(None, [negation, clitic, verb, rest]))
        when = "" if self.timed.search(words) else self._said_of_time(text[: match.start()])
        shared = bool(match["we"]) or verb in self.we_plural
        adverb = " ".join(a for a in adverbs if a != self.only or not ended)
        told = Predicate(head, words, *span, adverb=adverb, when=when, shared=shared)
        yield replace(told, ended=ended, adverb=match["verb"].lower() if once else "" if ended else told.adverb)

    def _said_of_time(self, left: str) -> str:
        """When it was or holds, if that was said before the clause."""
        if (case := self.pronouns.case.search(left)) and (verb := self.third.get(case["verb"].lower())):
            return f"{self.pronouns.when} {verb}{self.third_person(case['rest'])}"
        before = self.before.search(left)
        return before["when"][0].lower() + before["when"][1:] if before else ""

    def clause_end(self, text: str, begin: int) -> int:
        """Where the clause that begins here stops, without trailing fillers."""
        ends = self.end
        stop = ends.stop.search(text, begin)
        if stop and ends.when.match(text, stop.start()) and ends.liked_when.search(text, 0, stop.start()):
            stop = ends.stop.search(text, stop.end() + 1)
        end = stop.start() if stop else len(text)
        if text.count('"', begin, end) % 2 and (closing := text.find('"', end)) > 0:
            end = closing + 1
        for comma in ends.comma.finditer(text, begin, end):
            tail = text[comma.start() : end].rstrip(" .!?")
            if ends.instead.match(tail):
                continue
            if not ends.listed.match(tail) and not ends.further.match(tail):
                end = comma.start()
            break
        while (filler := ends.filler.search(text, begin, end)) is not None:
            end = filler.start()
        return end

    def opens_clause(self, left: str) -> bool:
        """Whether a clause can begin after these words of its sentence."""
        return self.clauses.can_open_clause(left)

    def third_person(self, words: str) -> str:
        """The words with the speaker's own pronouns turned into the third person."""
        return self.pronouns.mine.sub(lambda match: self.pronouns.theirs[match[0].lower()], words)

    def retell(self, predicate: Predicate, name: str) -> str:
        """The predicate as a sentence about the person of that name."""
        own = self.pronouns
        first, _, rest = predicate.words.partition(" ")
        if article := own.article_for(first, rest):
            owned, *said = own.finite.split(rest, maxsplit=1)
            return " ".join([article, owned, own.of, name, *map(self.third_person, said)])
        words = predicate.words.split()
        negated = words.pop(0) if words[0] == own.negation else ""
        clitic = own.their_clitic if words[0] == own.clitic and words.pop(0) else ""
        if words[0] in self.impersonal:
            clitic, name = own.to_them, own.to_name.format(name=name)
        verb = self.third.get(words[0], words[0])
        rest = self.third_person(" ".join(words[1:]))
        if predicate.ended and predicate.adverb in self.once:
            return " ".join(filter(None, [name, predicate.adverb, rest, predicate.when]))
        if predicate.ended:
            return " ".join(filter(None, [name, own.no_more[0], clitic, verb, own.no_more[1], rest]))
        return " ".join(filter(None, [name, predicate.adverb, negated, clitic, verb, rest, predicate.when]))

    def make_plain(self, words: str) -> str:
        """The words as they are: these languages tell stories without pointing."""
        return words

    def is_unfinished(self, words: str) -> bool:
        """Whether the words point at something outside the clause, so that nobody could understand them later."""
        return QUOTED in words or self.pointing.search(words) is not None
