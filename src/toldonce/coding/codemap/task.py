"""A task as said by a person, read for what can be searched: words, names of code, and paths. Text in, values out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from toldonce.coding.codemap.words import find_code_words, search_terms
from toldonce.lang.registry import unite_patterns

# Later words of a long text are mostly logs and templates.
_READ = 4_000
_CODE_LIKE = re.compile(r"\b(?:[A-Za-z$]\w*_\w+|[a-z$][a-z0-9$]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|_+[A-Za-z]\w*)\b")
_CALLED = re.compile(r"(?<![\w$])([A-Za-z_$][\w$]*+)\(")
_QUOTED = re.compile(r"`([^`\n]{2,80})`")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
# A run of such characters is tried from its beginning only: from each place in it a long one would take for ever.
_PATH = re.compile(r"(?<![\w@.-])[\w@.-]*+(?:[/\\][\w@.-]++)+|(?<![\w-])[\w-]++(?:\.[\w-]++)+")
_QUANTITY = re.compile(r"\b\d+\s+\w+")
_actors = unite_patterns(lambda language: language.sessions.actors)


@dataclass(frozen=True, slots=True)
class CodeTask:
    """What a task says: words of its first line, further words, names of code, and paths or dotted names.

    `related` is what code may call the things that the task names in everyday words, `phrases` those that are no words
    of code themselves, such as "logged out".
    """

    title: tuple[str, ...]
    rest: tuple[str, ...]
    names: tuple[str, ...]
    paths: tuple[str, ...]
    related: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to search for."""
        return not (self.title or self.rest or self.related)


def read_task(text: str) -> CodeTask:
    """A task, read."""
    text = text.strip()[:_READ]
    first, _, rest = text.partition("\n")
    related, phrases = find_code_words(first)
    title = _title_terms(first, phrases)
    seen = set(title)
    names = [*_CODE_LIKE.findall(text), *_CALLED.findall(text)]
    names += [name for quoted in _QUOTED.findall(text) for name in _NAME.findall(quoted)]
    paths = [found.strip("./\\").replace("\\", "/").lower() for found in _PATH.findall(text)]
    return CodeTask(
        title=tuple(title),
        rest=tuple(t for t in search_terms(rest) if t not in seen),
        names=tuple(dict.fromkeys(names)),
        paths=tuple(dict.fromkeys(p for p in paths if p)),
        related=tuple(related),
        phrases=tuple(phrases),
    )


def _title_terms(line: str, phrases: Sequence[str]) -> list[str]:
    """What to search for of the first line, without whom it happens to.

    Beside a phrase that stands for words of code, neither its own words nor a number of something point to a file.
    """
    bare = _actors().sub(" ", line)
    for phrase in phrases:
        bare = bare.replace(phrase, " ")
    return search_terms(_QUANTITY.sub(" ", bare)) if phrases else search_terms(bare) or search_terms(line)
