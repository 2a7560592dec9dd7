"""A task as said by a person, read for what can be searched: words, names of code, and paths. Text in, values out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from recollect.coding.codemap.words import search_terms

# Later words of a long text are mostly logs and templates.
_READ = 4_000
_CODE_LIKE = re.compile(r"\b(?:[A-Za-z$]\w*_\w+|[a-z$][a-z0-9$]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|_+[A-Za-z]\w*)\b")
_CALLED = re.compile(r"(?<![\w$])([A-Za-z_$][\w$]*+)\(")
_QUOTED = re.compile(r"`([^`\n]{2,80})`")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
# A run of such characters is tried from its beginning only: from each place in it a long one would take for ever.
_PATH = re.compile(r"(?<![\w@.-])[\w@.-]*+(?:[/\\][\w@.-]++)+|(?<![\w-])[\w-]++(?:\.[\w-]++)+")
_PATH_END = re.compile(r"\.[A-Za-z]\w{0,7}$")


@dataclass(frozen=True, slots=True)
class CodeTask:
    """What a task says: words of its first line, further words, names of code, and paths or dotted names."""

    title: tuple[str, ...]
    rest: tuple[str, ...]
    names: tuple[str, ...]
    paths: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to search for."""
        return not (self.title or self.rest)


def read_task(text: str) -> CodeTask:
    """A task, read."""
    text = text.strip()[:_READ]
    first, _, rest = text.partition("\n")
    title = search_terms(first)
    seen = set(title)
    names = [*_CODE_LIKE.findall(text), *_CALLED.findall(text)]
    names += [name for quoted in _QUOTED.findall(text) for name in _NAME.findall(quoted)]
    paths = [found.strip("./\\").replace("\\", "/").lower() for found in _PATH.findall(text)]
    return CodeTask(
        title=tuple(title),
        rest=tuple(t for t in search_terms(rest) if t not in seen),
        names=tuple(dict.fromkeys(names)),
        paths=tuple(dict.fromkeys(p for p in paths if p)),
    )
