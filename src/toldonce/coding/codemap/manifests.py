"""How a project is built, tested and checked, read from its manifests; nothing is run.

A list of paths and the texts of a few files come in; build tools, test frameworks, linters and commands go out, the
language with the most files first.
"""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from toldonce.coding.codemap.languages import file_role, is_test, language_of_file
from toldonce.coding.codemap.project_files import read_inside
from toldonce.coding.codemap.values import Toolchain, is_beside_core

_LARGEST = 400_000
_MOST_FOLDERS = 12
_SAMPLE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Ecosystem:
    """One language's way of building and testing, and the file that says so."""

    language: str
    source: str
    build: str
    test: str = ""
    linters: tuple[str, ...] = ()
    frameworks: tuple[str, ...] = ()
    commands: Mapping[str, str] = field(default_factory=dict)
    run_tests: str = ""


class Folder:
    """The files of one folder of a tree and below it, opened when asked for."""

    def __init__(self, root: Path, paths: Sequence[str], prefix: str = "") -> None:
        self.root = root
        self.prefix = prefix
        self.paths = [path[len(prefix) :] for path in paths if path.startswith(prefix)]
        self._texts: dict[str, str] = {}

    @cached_property
    def names(self) -> frozenset[str]:
        """Every path, for a quick look."""
        return frozenset(self.paths)

    def first_existing(self, *names: str) -> str:
        """The first of these paths that is there; empty when none is."""
        return next((name for name in names if name in self.names), "")

    def matching_paths(self, pattern: str) -> list[str]:
        """The paths that a regular expression matches whole, nearest to the top first."""
        matcher = re.compile(pattern)
        return sorted((p for p in self.paths if matcher.fullmatch(p)), key=lambda p: (p.count("/"), p))

    def read_text(self, name: str) -> str:
        """A file's text; empty when it is not there, too large or not readable."""
        if name not in self._texts:
            self._texts[name] = self._read(name) if name in self.names else ""
        return self._texts[name]

    def read_toml(self, name: str) -> dict[str, Any]:
        """A TOML file; empty when it is not there or broken."""
        try:
            return tomllib.loads(self.read_text(name))
        except tomllib.TOMLDecodeError:
            return {}

    def read_json(self, name: str) -> dict[str, Any]:
        """A JSON file; empty when it is not there, broken or no table."""
        try:
            found = json.loads(self.read_text(name) or "{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def read_test_openings(self, language: str) -> str:
        """The beginnings of a few tests of a language, as one text."""
        found = [path for path in self.paths if is_test(path) and language_of_file(path) == language]
        return "\n".join(self.read_text(path)[:4000] for path in found[:_SAMPLE])

    def _read(self, name: str) -> str:
        data = read_inside(self.root, self.prefix + name, most_bytes=_LARGEST)
        return "" if data is None else data.decode("utf-8", "replace").replace("\r\n", "\n")


def read_toolchain(root: Path, paths: Sequence[str]) -> Toolchain:
    """What a project's manifests say; manifests in folders count when the top has none."""
    from toldonce.coding.codemap.ecosystems import read_folder

    found = read_folder(Folder(root, paths))
    if not any(one.language for one in found):
        for prefix in _manifest_folders(paths):
            inner = read_folder(Folder(root, paths, prefix))
            found += [_prefix_ecosystem(one, prefix) for one in inner if one.language]
    sizes = Counter(
        language_of_file(path) for path in paths if file_role(path, language_of_file(path)) in ("source", "test")
    )
    found.sort(key=lambda one: (not one.language, -_ecosystem_size(one, sizes)))
    core = [path for path in paths if not is_beside_core(path)]
    joined = _join_ecosystems(found, entry_points=entry_points(core) or entry_points(paths))
    return dataclasses.replace(joined, test_config=_find_test_configuration(Folder(root, paths)))


def entry_points(paths: Iterable[str], *, most: int = 8) -> tuple[str, ...]:
    """Files where a program begins, nearest to the top first."""
    found = [path for path in paths if _ENTRY.search(path) and file_role(path, language_of_file(path)) == "source"]
    return tuple(sorted(found, key=lambda path: (path.count("/"), path))[:most])


_ENTRY = re.compile(
    r"(^|/)(__main__\.py|main\.(py|go|rs|c|cc|cpp|kt|dart|swift|ts|js|zig)|manage\.py|wsgi\.py|asgi\.py|app\.(py|rb|js|ts)"
    r"|cli\.(py|js|ts)|server\.(js|ts)|index\.(js|ts|php)|Program\.cs|Main\.java|\w*Application\.(java|kt)|lib\.rs"
    r"|config\.ru|artisan)$"
)
_MANIFEST = re.compile(
    r"([^/]+/(?:[^/]+/)?)(pyproject\.toml|setup\.py|requirements\.txt|package\.json|go\.mod|Cargo\.toml|pom\.xml"
    r"|build\.gradle(\.kts)?|CMakeLists\.txt|[^/]+\.csproj|Gemfile|composer\.json|mix\.exs|Package\.swift|pubspec\.yaml)"
)


# Files that configure tests by their name alone, and files that do in one of their parts.
_TEST_CONFIG = (
    r"(?:[^/]+/){0,2}(?:pytest\.ini|\.pytest\.ini|conftest\.py|(?:jest|vitest|playwright|cypress|karma|ava)\.(?:config|conf)\.\w+"
    r"|vitest\.workspace\.\w+|\.mocharc\.\w+|\.mocharc|\.taprc|phpunit\.xml(?:\.dist)?|\.rspec|nextest\.toml|testng\.xml)"
)
_CONFIG_PARTS: Mapping[str, str] = {
    "pyproject.toml": r"^\[tool\.pytest", "setup.cfg": r"^\[tool:pytest\]", "tox.ini": r"^\[(?:pytest|testenv)",
    "package.json": r'^ +"(?:jest|mocha|ava|vitest|tap)": *\{',
}  # fmt: skip


def _find_test_configuration(folder: Folder) -> tuple[str, ...]:
    """The files that say how tests are run, nearest to the top first."""
    parts = [
        name for name, pattern in _CONFIG_PARTS.items() if re.search(pattern, folder.read_text(name), re.MULTILINE)
    ]
    return _distinct_names([*parts, *folder.matching_paths(_TEST_CONFIG)])[:_SAMPLE]


def _manifest_folders(paths: Sequence[str]) -> list[str]:
    found = {match[1] for path in paths if (match := _MANIFEST.fullmatch(path)) and not is_test(path)}
    return sorted(found, key=lambda prefix: (prefix.count("/"), prefix))[:_MOST_FOLDERS]


def _prefix_ecosystem(one: Ecosystem, prefix: str) -> Ecosystem:
    commands = {name: f"cd {prefix.rstrip('/')} && {line}" for name, line in one.commands.items()}
    return Ecosystem(
        language=one.language,
        source=prefix + one.source,
        build=one.build,
        test=one.test,
        linters=one.linters,
        frameworks=one.frameworks,
        commands=commands,
        run_tests=f"cd {prefix.rstrip('/')} && {one.run_tests}" if one.run_tests else "",
    )


def _ecosystem_size(one: Ecosystem, sizes: Counter[str]) -> int:
    return sum(sizes[language] for language in one.language.split("/"))


def _join_ecosystems(found: Sequence[Ecosystem], *, entry_points: tuple[str, ...]) -> Toolchain:
    commands: dict[str, str] = {}
    for one in found:
        for name, line in one.commands.items():
            commands.setdefault(name, line)
    return Toolchain(
        build=_distinct_names(one.build for one in found),
        test=_distinct_names(one.test for one in found),
        linters=_distinct_names(name for one in found for name in one.linters),
        frameworks=_distinct_names(name for one in found for name in one.frameworks),
        commands=commands,
        entry_points=entry_points,
        sources=_distinct_names(one.source for one in found),
        run_tests=found[0].run_tests if found else "",
    )


def _distinct_names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


def find_known_names(text: str, known: str) -> tuple[str, ...]:
    """The words of a list that occur in a text as whole names."""
    return tuple(name for name in known.split() if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-]*\w)", text))
