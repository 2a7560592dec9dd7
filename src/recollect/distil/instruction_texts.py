"""Standing instructions as facts: a sentence told to an assistant comes in, what its author wants goes out.

What the rules cannot put into the third person is passed on in the author's own words, marked as such.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from recollect.distil.instruction_detection import Wish
from recollect.lang.grammar import ENDED, TAKEN_BACK
from recollect.lang.instructions import Instructions
from recollect.lang.registry import language_of
from recollect.text.patterns import compile_pattern

MANNER = "manner"
_EDGES = " .!…\"'"


@dataclass(frozen=True, slots=True)
class Order:
    """What the author wants from now on, as a sentence, with the attribute it settles if it settles one."""

    text: str
    attribute: str | None = None
    value: str | None = None


def order(wish: Wish, name: str) -> Order:
    """The wish as a statement about its author."""
    return _Wording(language_of(wish.language).extraction.instructions, name).of(wish.text)


@dataclass(frozen=True, slots=True)
class _Wording:
    """Words a wish of one person in one language."""

    way: Instructions
    name: str

    def of(self, text: str) -> Order:
        if called := re.search(self.way.called, text):
            is_refused = compile_pattern(self.way.not_called).search(text[: called.start("name")]) is not None
            told = self._say("not_called" if is_refused else "called", value=called["name"])
            return Order(told, "nickname", (ENDED if is_refused else "") + called["name"])
        core = self._without_lead(text).strip(_EDGES)
        if changed := self._changed(core):
            return changed
        spoken = compile_pattern(self.way.spoken).match(self._lately(core))
        if spoken and spoken["tongue"].split()[-1].lower() not in self.way.not_tongues:
            return self._answers_in(spoken["tongue"])
        core, then = self._case_first(core)
        if nothing := compile_pattern(self.way.nothing).match(core):
            what = self.way.retell_what(nothing["what"])
            return Order(self._say("wants_none", what=what), MANNER, ENDED + nothing["what"])
        told, is_retold = self.way.phrase(core, then, self.name, text)
        return Order(told) if then or not is_retold else Order(told, MANNER, self._manner(core))

    def _case_first(self, core: str) -> tuple[str, str]:
        """The wish, and the case in which it holds if that was said before it."""
        when = compile_pattern(self.way.clause_first).match(core)
        if not when:
            return self._without_lead(core), ""
        case = " " + when["when"][0].lower() + when["when"][1:]
        if self.way.pronoun:
            case = case.replace(f" {self.way.pronoun} ", " ")
        return self._without_lead(when["rest"]), case

    def _changed(self, core: str) -> Order | None:
        """A wish that allows again, needs no longer or takes back what was wished before."""
        if over := self._match("over", core) or self._match("stop", core):
            what = self._lately(over["what"].partition(",")[0])
            if tongue := self._tongue(what):
                return Order(self._say("no_longer_answers_in", tongue=tongue), "answer_language", ENDED + tongue)
            return Order(self._say("no_longer_needs", what=self.way.retell_what(what)), MANNER, ENDED + what)
        if back := self._match("back", core):
            told = self._say("took_back", what=self.way.retell_what(back["what"]))
            return Order(told, MANNER, TAKEN_BACK + back["what"])
        allowed = self._match("allowed", core)
        if allowed and self.way.allowed_by and not any(allowed[group] for group in self.way.allowed_by):
            allowed = None
        fine = None if allowed else self._match("fine", core)
        found = allowed or fine
        return self._allowed(self._lately(found["what"]), is_fine=fine is not None) if found else None

    def _allowed(self, what: str, *, is_fine: bool) -> Order:
        if tongue := self._tongue(what):
            return self._answers_in(tongue)
        if is_fine and compile_pattern(self.way.tongues).fullmatch(what):
            return self._answers_in(what)
        key = "fine_with" if is_fine else "allows"
        return Order(self._say(key, what=self.way.retell_what(what)), MANNER, what)

    def _answers_in(self, tongue: str) -> Order:
        tongue = self._cased(tongue)
        return Order(self._say("answers_in", tongue=tongue), "answer_language", tongue)

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
