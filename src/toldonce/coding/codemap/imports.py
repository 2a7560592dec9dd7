"""What files import, resolved by path: files of the same tree, or external packages.

`find_imports` reads the import lines of one text; `ImportResolver` says what they mean in a tree. A name that is
neither a file of the tree nor a declared package means nothing: it belongs to the language itself.
"""

from __future__ import annotations

import json
import posixpath
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from toldonce.coding.codemap.project_files import read_inside

_MOST_IMPORTS = 200
_LONGEST_LINE = 500
_LARGEST_MANIFEST = 400_000
_INDEX_FILES = frozenset(("__init__", "index", "mod", "lib"))
_SCRIPTS = ("javascript", "typescript", "vue", "svelte", "astro")

# Whole lines only: prose in a docstring also has lines that begin with "import".
_PYTHON = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]++(\([^)]{0,4000}\)|[\w., \t*]{1,400}?)"
    r"|import[ \t]+([\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]+(?:[ \t]+as[ \t]+\w+)?)*))[ \t\\]*(?:#.*)?$",
    re.M,
)
_QUOTED = re.compile(r"(?:\bfrom\s*|\brequire\s*\(\s*|\bimport\s*\(?\s*)['\"]([^'\"\n]+)['\"]")
_GO = re.compile(r"^import\s*(?:\(([^)]{0,4000})\)|(?:[\w.]+\s+)?\"([^\"]+)\")", re.M)
_GO_LINE = re.compile(r"\"([^\"\n]+)\"")
_RUST = re.compile(r"^[ \t]*(?:pub(?:\([^)]*\))? )?(?:use ([^;]{1,2000});|mod (\w+);)", re.M)
_DOTTED = re.compile(r"^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)", re.M)
_RUBY = re.compile(r"^[ \t]*require(_relative)?[ \t(]*['\"]([^'\"\n]+)", re.M)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*\"([^\"\n]+)\"", re.M)
_PHP = re.compile(r"^[ \t]*use[ \t]+([\w\\]+)", re.M)


def find_imports(text: str, language: str) -> list[str]:
    """What a text imports, as its language writes it, each once."""
    reader = _READERS.get(language)
    if reader is None:
        return []
    # A longer line was made by a program, and some patterns would take for ever on it.
    plain = "\n".join(line for line in text.split("\n") if len(line) <= _LONGEST_LINE)
    return list(dict.fromkeys(reader(plain)))[:_MOST_IMPORTS]


def _read_python(text: str) -> Iterator[str]:
    for base, names, plain in _PYTHON.findall(text):
        for name in re.sub(r"#.*", "", plain or names).strip("()").split(","):
            words = name.split()
            if words and re.fullmatch(r"[\w.]+", words[0]):
                yield words[0] if plain else f"{base}{'' if base.endswith('.') else '.'}{words[0]}"
        if base.strip("."):
            yield base


def _read_go(text: str) -> Iterator[str]:
    for block, single in _GO.findall(text):
        yield from [single] if single else _GO_LINE.findall(block)


def _read_rust(text: str) -> Iterator[str]:
    for used, declared in _RUST.findall(text):
        if declared:
            yield f"self::{declared}"
            continue
        before, brace, inside = " ".join(used.split()).partition("{")
        for name in inside.rstrip("} ").split(",") if brace else [""]:
            yield (before + name.strip().partition("{")[0]).partition(" as ")[0].strip(": ")


def _read_ruby(text: str) -> Iterator[str]:
    for relative, name in _RUBY.findall(text):
        yield f"./{name}" if relative else name


_READERS: Mapping[str, Callable[[str], Sequence[str] | Iterator[str]]] = {
    "python": _read_python, "go": _read_go, "rust": _read_rust, "ruby": _read_ruby,
    **dict.fromkeys(_SCRIPTS, _QUOTED.findall), **dict.fromkeys(("java", "kotlin", "scala", "groovy"), _DOTTED.findall),
    "c": _INCLUDE.findall, "c++": _INCLUDE.findall, "php": _PHP.findall, "dart": _QUOTED.findall,
}  # fmt: skip


class ImportResolver:
    """Says which file of a tree an import means, and which external package one means that is none of its files."""

    def __init__(self, root: Path, paths: Sequence[str]) -> None:
        self._paths = frozenset(paths)
        # A folder of Python files needs no index file to be imported.
        self._top_folders = {path.removeprefix("src/").partition("/")[0] for path in paths if path.endswith(".py")}
        self._by_end: dict[str, list[str]] = defaultdict(list)
        self._by_folder: dict[str, str] = {}
        for path in sorted(paths, key=lambda path: (path.count("/"), path)):
            for form in _ways_to_name(path):
                self._by_end[form.rpartition("/")[2]].append(path)
            self._by_folder.setdefault(path.rpartition("/")[0], path)
        # Packages of this tree: the folder of each by its name, and the name by the folder.
        self._local: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._declared: dict[str, dict[str, str]] = defaultdict(dict)
        for path in paths:
            reader = _MANIFESTS.get(path.rpartition("/")[2])
            data = read_inside(root, path, most_bytes=_LARGEST_MANIFEST) if reader else None
            if reader and data:
                language, read = reader
                name, needs = read(data.decode("utf-8", "replace"))
                self._declared[language] |= {_plain_name(need, language): need for need in needs}
                if name:
                    self._local[_plain_name(name, language)] = path.rpartition("/")[0]
                    self._names.setdefault(path.rpartition("/")[0], name)

    def find_file(self, path: str, target: str, language: str) -> str | None:
        """The file of the tree that `target` means in the file `path`; None when it means none."""
        folder = path.rpartition("/")[0]
        if language == "python":
            return self._find_python(folder, target)
        if language == "rust":
            return self._find_rust(path, target)
        if target.startswith("."):
            return self._find_named(posixpath.normpath(posixpath.join(folder, target)), whole=True)
        local = self._find_local(target)
        if local is not None or language in ("go", *_SCRIPTS):
            return local
        if language in ("c", "c++"):
            return self._find_included(folder, target)
        return self._find_named(target if language in ("ruby", "dart") else re.sub(r"[.\\]", "/", target))

    def find_package(self, target: str, language: str) -> str:
        """The external package that `target` belongs to; empty when it is none that is known."""
        if language == "python":
            first = target.partition(".")[0]
            if not first or first.startswith("_") or first in sys.stdlib_module_names or first in self._top_folders:
                return ""
            return "" if any(self._is_top_level(found, first) for found in self._by_end.get(first, ())) else first
        declared = self._declared["javascript" if language in _SCRIPTS else language]
        starts = [_plain_name(target.partition("::")[0], language)] if language == "rust" else _path_starts(target)
        is_own = any(start in self._local for start in starts)
        return "" if is_own else next((declared[start] for start in starts if start in declared), "")

    def package_of(self, path: str) -> str:
        """The name of the package of this tree whose folder holds a path; empty outside of one."""
        folder = path.rstrip("/")
        while folder and folder not in self._names:
            folder = folder.rpartition("/")[0]
        return self._names.get(folder, "")

    def _find_python(self, folder: str, target: str) -> str | None:
        dots = len(target) - len(target.lstrip("."))
        name = target[dots:].replace(".", "/")
        if not dots:
            return next((path for path in self._named(name) if self._is_top_level(path, name)), None)
        for _ in range(dots - 1):
            folder = folder.rpartition("/")[0]
        return self._find_named(f"{folder}/{name}".strip("/"), whole=True)

    def _is_top_level(self, path: str, name: str) -> bool:
        """Whether a path is what an absolute import means: its package lies in no other package."""
        form = next((form for form in _ways_to_name(path) if form == name or form.endswith(f"/{name}")), None)
        return form is not None and f"{form[: -len(name)]}__init__.py" not in self._paths

    def _find_rust(self, path: str, target: str) -> str | None:
        folder, _, name = path.rpartition("/")
        first, *rest = target.split("::")
        own = folder if name.removesuffix(".rs") in _INDEX_FILES | {"main"} else path.removesuffix(".rs")
        if first in ("self", "super"):
            bases = [own if first == "self" else own.rpartition("/")[0], folder]
        elif first == "crate":
            crate = self._local.get(_plain_name(self.package_of(path), "rust"), "")
            bases = [f"{crate}/src".strip("/"), crate]
        elif _plain_name(first, "rust") in self._local:
            bases = [f"{self._local[_plain_name(first, 'rust')]}/src".strip("/")]
        else:
            return None
        for count in range(len(rest), -1, -1):
            for base in bases:
                if found := self._find_named("/".join((base, *rest[:count])), whole=True):
                    return found
        return None

    def _find_included(self, folder: str, target: str) -> str | None:
        beside = posixpath.normpath(posixpath.join(folder, target))
        named = (path for path in self._by_end.get(_ways_to_name(target)[0].rpartition("/")[2], ()))
        return beside if beside in self._paths else next((p for p in named if f"/{p}".endswith(f"/{target}")), None)

    def _find_local(self, target: str) -> str | None:
        """A file of the package of this tree that an import names."""
        name = next((start for start in _path_starts(target) if start in self._local), None)
        if name is None:
            return None
        place = posixpath.join(self._local[name], target[len(name) :].strip("/"))
        return (
            self._find_named(place, whole=True)
            or self._find_named(posixpath.join(place, "src"), whole=True)
            or self._by_folder.get(place.strip("/"))
        )

    def _find_named(self, name: str, *, whole: bool = False) -> str | None:
        return next(iter(self._named(name, whole=whole)), None)

    def _named(self, name: str, *, whole: bool = False) -> list[str]:
        """The paths that a path without ending names: as a whole, or by how they end."""
        if name in self._paths:
            return [name]
        found = self._by_end.get(name.rpartition("/")[2], ())
        return [
            path
            for path in found
            if any(form == name or (not whole and form.endswith(f"/{name}")) for form in _ways_to_name(path))
        ]


def _plain_name(name: str, language: str) -> str:
    """A package's name as imports are looked up by; Rust writes `-` as `_` in code."""
    return name.replace("-", "_") if language == "rust" else name


def _path_starts(target: str) -> list[str]:
    """A path and what is left of it without its last parts, the longest first."""
    parts = target.split("/")
    return ["/".join(parts[:count]) for count in range(len(parts), 0, -1)]


def _ways_to_name(path: str) -> list[str]:
    """A path without its ending, and its folder when it is an index file."""
    folder, _, name = path.rpartition("/")
    stem = name.split(".")[0] if not name.startswith(".") else name
    forms = [posixpath.join(folder, stem)]
    return [*forms, folder] if stem in _INDEX_FILES and folder else forms


def _read_package_json(text: str) -> tuple[str, set[str]]:
    try:
        found = json.loads(text)
    except ValueError:
        return "", set()
    if not isinstance(found, dict):
        return "", set()
    tables = [found.get(key) for key in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")]
    return str(found.get("name") or ""), {name for table in tables if isinstance(table, dict) for name in table}


def _read_cargo(text: str) -> tuple[str, set[str]]:
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return "", set()
    workspace = found.get("workspace", {})
    tables = [found.get("dependencies"), found.get("dev-dependencies"), workspace.get("dependencies")]
    return str(found.get("package", {}).get("name", "")), {n for t in tables if isinstance(t, dict) for n in t}


def _read_go_mod(text: str) -> tuple[str, set[str]]:
    name = re.search(r"^module\s+(\S+)", text, re.M)
    return name[1] if name else "", set(
        re.findall(r"^\s*(?:require\s+)?([\w.-]+\.[\w.-]+/\S+|[\w.-]+\.\w+/\S+)\s+v\d", text, re.M)
    )


def _read_gemfile(text: str) -> tuple[str, set[str]]:
    return "", set(re.findall(r"^\s*gem\s*\(?['\"]([^'\"]+)", text, re.M))


_MANIFESTS: Mapping[str, tuple[str, Callable[[str], tuple[str, set[str]]]]] = {
    "package.json": ("javascript", _read_package_json),
    "Cargo.toml": ("rust", _read_cargo),
    "go.mod": ("go", _read_go_mod),
    "Gemfile": ("ruby", _read_gemfile),
}
