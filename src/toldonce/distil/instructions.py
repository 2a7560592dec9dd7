"""Standing instructions: sentences come in, those that tell how to behave from now on go out with their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from toldonce.lang.grammar import ENDED, TAKEN_BACK, Sentence
from toldonce.lang.instructions import Instructions
from toldonce.lang.registry import all_languages, combine_languages, language_of
from toldonce.lang.vocabulary import content_stems, stem_word
from toldonce.text.patterns import compile_pattern
from toldonce.text.words import fold_word

# Wishes this long are a specification pasted into a chat, not a rule for later.
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class InstructionSentence:
    """A sentence that tells how things should be done from now on; `start` and `end` are its place in the message."""

    text: str
    start: int
    end: int
    language: str


def instructions_in(said: Iterable[Sentence]) -> Iterator[InstructionSentence]:
    """Those of the sentences that are standing instructions."""
    for sentence in said:
        if len(sentence.text) <= _LONGEST and _is_instruction(sentence):
            words = sentence.text.rstrip()
            yield InstructionSentence(words, sentence.start, sentence.start + len(words), sentence.language)


def _is_instruction(sentence: Sentence) -> bool:
    text, cues = sentence.text, language_of(sentence.language).extraction.instructions
    if text.rstrip().endswith("?") or not compile_pattern(cues.signs).search(text):
        return False
    return _matches_any(cues.patterns, text) and not _matches_any(cues.not_patterns, text)


def _matches_any(patterns: tuple[str, ...], text: str) -> bool:
    return any(compile_pattern(pattern).search(text) for pattern in patterns)


MANNER = "manner"
_EDGES = " .!…\"'"


@dataclass(frozen=True, slots=True)
class Instruction:
    """What the author wants from now on, as a sentence, with the attribute it settles if it settles one."""

    text: str
    attribute: str | None = None
    value: str | None = None


def parse_instruction(wish: InstructionSentence, name: str) -> Instruction:
    """The wish as a statement about its author."""
    return _Wording(language_of(wish.language).extraction.instructions, name).of(wish.text)


@dataclass(frozen=True, slots=True)
class _Wording:
    """Words a wish of one person in one language."""

    way: Instructions
    name: str

    def of(self, text: str) -> Instruction:
        if called := re.search(self.way.called, text):
            is_refused = compile_pattern(self.way.not_called).search(text[: called.start("name")]) is not None
            told = self._say("not_called" if is_refused else "called", value=called["name"])
            return Instruction(told, "nickname", (ENDED if is_refused else "") + called["name"])
        core = self._without_lead(text).strip(_EDGES)
        if changed := self._changed(core):
            return changed
        spoken = compile_pattern(self.way.spoken).match(self._lately(core))
        if spoken and spoken["tongue"].split()[-1].lower() not in self.way.not_tongues:
            return self._answers_in(spoken["tongue"])
        core, then = self._case_first(core)
        if nothing := compile_pattern(self.way.nothing).match(core):
            what = self.way.retell_what(nothing["what"])
            return Instruction(self._say("wants_none", what=what), MANNER, ENDED + nothing["what"])
        told, is_retold = self.way.phrase(core, then, self.name, text)
        return Instruction(told) if then or not is_retold else Instruction(told, MANNER, self._manner(core))

    def _case_first(self, core: str) -> tuple[str, str]:
        """The wish, and the case in which it holds if that was said before it."""
        when = compile_pattern(self.way.clause_first).match(core)
        if not when:
            return self._without_lead(core), ""
        case = " " + when["when"][0].lower() + when["when"][1:]
        if self.way.pronoun:
            case = case.replace(f" {self.way.pronoun} ", " ")
        return self._without_lead(when["rest"]), case

    def _changed(self, core: str) -> Instruction | None:
        """A wish that allows again, needs no longer or takes back what was wished before."""
        if over := self._match("over", core) or self._match("stop", core):
            what = self._lately(over["what"].partition(",")[0])
            if tongue := self._tongue(what):
                return Instruction(self._say("no_longer_answers_in", tongue=tongue), "answer_language", ENDED + tongue)
            return Instruction(self._say("no_longer_needs", what=self.way.retell_what(what)), MANNER, ENDED + what)
        if back := self._match("back", core):
            told = self._say("took_back", what=self.way.retell_what(back["what"]))
            return Instruction(told, MANNER, TAKEN_BACK + back["what"])
        allowed = self._match("allowed", core)
        if allowed and self.way.allowed_by and not any(allowed[group] for group in self.way.allowed_by):
            allowed = None
        fine = None if allowed else self._match("fine", core)
        found = allowed or fine
        return self._allowed(self._lately(found["what"]), is_fine=fine is not None) if found else None

    def _allowed(self, what: str, *, is_fine: bool) -> Instruction:
        if tongue := self._tongue(what):
            return self._answers_in(tongue)
        if is_fine and compile_pattern(self.way.tongues).fullmatch(what):
            return self._answers_in(what)
        key = "fine_with" if is_fine else "allows"
        return Instruction(self._say(key, what=self.way.retell_what(what)), MANNER, what)

    def _answers_in(self, tongue: str) -> Instruction:
        tongue = self._cased(tongue)
        return Instruction(self._say("answers_in", tongue=tongue), "answer_language", tongue)

    def _tongue(self, what: str) -> str | None:
        spoken = compile_pattern(self.way.spoken_infinitive).match(what)
        return self._cased(spoken["tongue"]) if spoken else None

    def _cased(self, tongue: str) -> str:
        return tongue.title() if self.way.capitalises_tongues else tongue.lower()

    def _say(self, key: str, **values: str) -> str:
        return self.way.texts[key].format(name=self.name, **values)

    def _match(self, field: str, core: str) -> re.Match[str] | None:
        return compile_pattern(getattr(self.way, field)).match(core)

    def _without_lead(self, text: str) -> str:
        return compile_pattern(self.way.lead).sub("", text)

    def _lately(self, core: str) -> str:
        """The wish without the words that say since when it holds."""
        lately = compile_pattern(rf",? (?:{self.way.lately})$")
        while (shorter := lately.sub("", core)) != core:
            core = shorter
        return core

    def _manner(self, core: str) -> str:
        """A wish as what it wants done, marked where it wants it not done."""
        plain = compile_pattern(rf"^(?:(?:{self.way.politely}) )+").sub("", self._lately(core))
        what = compile_pattern(rf"^(?:{self.way.refusal}) ").sub("", plain)
        return ENDED + what if self._match("refuses", core) else what


@combine_languages
def _either_or() -> tuple[frozenset[str], ...]:
    """Stems of words of which a person wants one at a time."""
    rows: dict[str, set[str]] = {}
    for language in all_languages():
        for matter, words in language.comparison.either_or.items():
            rows.setdefault(matter, set()).update(stem_word(fold_word(word), language.code) for word in words.split())
    return tuple(map(frozenset, rows.values()))


@combine_languages
def _instruction_frame_stems() -> frozenset[str]:
    """Stems of words that carry a wish and tell nothing of what it is about, and of what every wish is about."""
    return frozenset(
        stem_word(fold_word(word), language.code)
        for language in all_languages()
        for word in language.comparison.wishing
    )


def replaces_instruction(newer: str, older: str) -> bool:
    """Whether a newer instruction replaces an older one: as its opposite, another choice, or its withdrawal."""
    if newer.startswith(TAKEN_BACK):
        return _is_same_topic(_strip_instruction_marks(newer), _strip_instruction_marks(older))
    if newer.startswith(ENDED) != older.startswith(ENDED):
        return _is_same_topic(_strip_instruction_marks(newer), _strip_instruction_marks(older))
    return not newer.startswith(ENDED) and _is_other_choice(
        _strip_instruction_marks(newer), _strip_instruction_marks(older)
    )


def _strip_instruction_marks(wish: str) -> str:
    return wish.removeprefix(ENDED).removeprefix(TAKEN_BACK)


def _is_same_topic(one: str, other: str) -> bool:
    """Whether one of two wishes is about the other, or part of it."""
    ours, theirs = _instruction_topic(one), _instruction_topic(other)
    return bool(ours) and bool(theirs) and (ours <= theirs or theirs <= ours)


def _is_other_choice(one: str, other: str) -> bool:
    for row in _either_or():
        ours, theirs = _instruction_topic(one), _instruction_topic(other)
        if (ours & row) and (theirs & row) and not (ours & theirs & row):
            return ours - row == theirs - row
    return False


def _instruction_topic(wish: str) -> frozenset[str]:
    return content_stems(wish) - _instruction_frame_stems()
