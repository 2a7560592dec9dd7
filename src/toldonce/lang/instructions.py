"""Standing instructions of a language: how people give and withdraw them, and their form in the third person."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

NEVER = "(?!)"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Instructions:
    """How standing instructions are found and retold.

    `patterns` find one, unless one of `not_patterns` does; without a match of `signs` there is none. `texts` are
    templates: called, not_called, answers_in, no_longer_answers_in, no_longer_needs, took_back, wants_none, fine_with,
    allows, asked; each knows {name} and what else it needs.
    """

    signs: str
    patterns: tuple[str, ...]
    texts: Mapping[str, str]
    # The wish as a statement of its author, and whether it could be put into the third person at all.
    phrase: Callable[[str, str, str, str], tuple[str, bool]]
    # What the assistant should do, in words that somebody else can read.
    retell_what: Callable[[str], str]
    not_patterns: tuple[str, ...] = ()
    # What stands before the heart of an instruction.
    lead: str = NEVER
    # "Call me Bo": a group `name`, written with regard to case; what before it says that the name is not wanted.
    called: str = NEVER
    not_called: str = NEVER
    # "Answer in French", also as an infinitive: a group `tongue`.
    spoken: str = NEVER
    spoken_infinitive: str = NEVER
    tongues: str = NEVER
    not_tongues: frozenset[str] = frozenset()
    capitalises_tongues: bool = False
    # A wish that is over: allowed again, fine again, no longer needed, stopped, taken back; each with a group `what`.
    # Of the groups in `allowed_by` one must be there.
    allowed: str = NEVER
    allowed_by: tuple[str, ...] = ()
    fine: str = NEVER
    over: str = NEVER
    stop: str = NEVER
    back: str = NEVER
    nothing: str = NEVER
    # Words at the end that say since when it holds.
    lately: str = NEVER
    # Small words before the verb; verbs that refuse, and what of them is left out.
    politely: str = NEVER
    refuses: str = NEVER
    refusal: str = NEVER
    # "When I ask for code, ...": groups `when` and `rest`; the pronoun that is left out of the former.
    clause_first: str = NEVER
    pronoun: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CommandPhrases:
    """Wishes in languages that put them as "wants that the assistant answer": a command becomes a subjunctive.

    `command` has the groups lead, verb and rest. `not_commands` are words that no command begins with; `infinitive` is
    the ending of one. `clitics` are replaced before the verb. `wants` and `asked` are templates.
    """

    command: str
    subjunctives: Mapping[str, str]
    not_commands: frozenset[str]
    infinitive: str
    clitics: Mapping[str, str]
    wants: str
    asked: str
    third_person: Callable[[str], str]

    def phrase(self, core: str, then: str, name: str, said: str) -> tuple[str, bool]:
        """The wish as a statement of its author; in its own words where it is no command."""
        command = re.match(self.command, core[:1].lower() + core[1:], re.I)
        own_words = self.asked.format(name=name, said=said.strip())
        if not command:
            return own_words, False
        verb = self.subjunctives.get(command["verb"], command["verb"])
        if verb.endswith(self.infinitive) or verb in self.not_commands:
            return own_words, False
        lead = command["lead"]
        for own, theirs in self.clitics.items():
            lead = lead.replace(own, theirs)
        rest = self.third_person(f"{lead}{verb}{command['rest']}{then}")
        return self.wants.format(name=name, rest=rest), True
