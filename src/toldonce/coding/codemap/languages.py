"""What a path alone says about a file: its language and its role in the project."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Literal

Role = Literal["source", "test", "doc", "config", "asset", "generated", "vendored"]

_CODE = {
    "python": "py pyi pyx", "javascript": "js mjs cjs jsx", "typescript": "ts tsx mts cts", "vue": "vue",
    "svelte": "svelte", "astro": "astro", "go": "go", "rust": "rs", "java": "java", "kotlin": "kt kts",
    "scala": "scala sc", "groovy": "groovy", "c": "c h", "c++": "cc cpp cxx hpp hh hxx ipp inl cu cuh", "c#": "cs",
    "f#": "fs fsx", "visual basic": "vb", "ruby": "rb rake", "php": "php", "swift": "swift", "objective-c": "m mm",
    "dart": "dart", "elixir": "ex exs", "erlang": "erl hrl", "haskell": "hs", "ocaml": "ml mli",
    "clojure": "clj cljs cljc",
    "lua": "lua", "perl": "pl pm", "r": "r", "julia": "jl", "zig": "zig", "nim": "nim", "shell": "sh bash zsh fish",
    "powershell": "ps1 psm1", "sql": "sql", "protobuf": "proto", "graphql": "graphql gql", "terraform": "tf",
    "solidity": "sol", "assembly": "s asm", "fortran": "f90 f95 f03", "pascal": "pas", "ada": "adb ads",
}  # fmt: skip
_TEXT = {
    "markdown": "md mdx markdown", "restructuredtext": "rst", "text": "txt adoc org", "html": "html htm",
    "css": "css scss sass less styl", "template": "j2 jinja jinja2 erb haml ejs hbs mustache twig liquid pug tmpl",
    "json": "json jsonc json5", "yaml": "yaml yml", "toml": "toml", "xml": "xml csproj fsproj vbproj props targets pom",
    "ini": "ini cfg conf properties env", "build": "gradle cmake mk bazel bzl ninja nix gemspec podspec cabal sln",
}  # fmt: skip
_BY_ENDING: Mapping[str, str] = {
    ending: language for table in (_TEXT, _CODE) for language, endings in table.items() for ending in endings.split()
}
_BY_NAME: Mapping[str, str] = {
    "makefile": "build", "gnumakefile": "build", "dockerfile": "build", "justfile": "build", "rakefile": "ruby",
    "gemfile": "ruby", "jenkinsfile": "groovy", "cmakelists.txt": "build", "build": "build", "workspace": "build",
    "go.mod": "build", "procfile": "build", "vagrantfile": "ruby", "readme": "text", "license": "text",
    "brewfile": "ruby",
}  # fmt: skip
_DOCS = frozenset(("markdown", "restructuredtext", "text"))
_CONFIG = frozenset(("json", "yaml", "toml", "xml", "ini", "build"))

_VENDORED = re.compile(r"(^|/)(vendor|node_modules|bower_components|third_party|third-party|dist|site-packages)/")
_GENERATED = re.compile(
    r"(\.min\.(js|css)|\.bundle\.js|\.map|_pb2(_grpc)?\.pyi?|\.pb\.(go|cc|h)|\.g\.dart|\.designer\.cs|\.generated\.\w+"
    r"|(^|/)(package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|cargo\.lock|poetry\.lock|uv\.lock|pipfile\.lock"
    r"|composer\.lock|gemfile\.lock|go\.sum|packages\.lock\.json|mix\.lock|pubspec\.lock))$"
)
_TEST_FOLDER = re.compile(
    r"(^|/)(tests?|testing|specs?|__tests__|__mocks__|testdata|fixtures|e2e|benches|benchmarks?)/"
)
_TEST_FILE = re.compile(r"(^|/)(test_[^/]*|conftest\.py)$|[_.-](test|spec|test-d|tests)\.\w+$|_(test|spec)\.\w+$")
_BESIDE_TESTS = re.compile(
    r"(^|/)(testdata|fixtures|support|helpers|__mocks__|data|benches|benchmarks?)/|(^|/)(conftest|__init__)\.py$"
)
_TEST_NAME = re.compile(r"[a-z0-9](Tests?|Spec|IT)\.(java|kt|cs|swift|php|scala|groovy|fs)$")


def language_of_file(path: str) -> str:
    """The language of a file by its name; empty when it is not known to be text."""
    name = path.rpartition("/")[2].lower()
    if name in _BY_NAME:
        return _BY_NAME[name]
    ending = name.rpartition(".")[2] if "." in name else ""
    return _BY_ENDING.get(ending, "build" if name.startswith("dockerfile.") else "")


def file_role(path: str, language: str) -> Role:
    """What a file is for, by its path and language."""
    low = path.lower()
    if _VENDORED.search(low):
        return "vendored"
    if _GENERATED.search(low):
        return "generated"
    if not language:
        return "asset"
    if is_test(path) and (language not in _CONFIG or _TEST_FOLDER.search(low)):
        return "test"
    if language in _DOCS:
        return "doc"
    return "config" if language in _CONFIG else "source"


def is_test(path: str) -> bool:
    """Whether a path is that of a test or of something only tests use."""
    return bool(_TEST_FOLDER.search(path.lower())) or _is_named_test(path)


def runnable_tests(paths: Iterable[str]) -> set[str]:
    """Of the tests of a tree those that a test runner starts from, not their helpers and data.

    Where most tests of a language have a name that says so, the others are helpers.
    """
    by_language: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        if is_code(language_of_file(path)) and not _BESIDE_TESTS.search(path.lower()):
            by_language[language_of_file(path)].append(path)
    found: set[str] = set()
    for tests in by_language.values():
        named = [path for path in tests if _is_named_test(path)]
        found |= set(named if 2 * len(named) >= len(tests) else tests)
    return found


def _is_named_test(path: str) -> bool:
    return bool(_TEST_FILE.search(path.lower()) or _TEST_NAME.search(path))


def is_code(language: str) -> bool:
    """Whether a language is one that programs are written in."""
    return language in _CODE


def file_stem(path: str) -> str:
    """The word that other files call this one by: its name without ending, or its folder's for an index file."""
    parts = path.lower().split("/")
    stem = parts[-1].split(".")[0]
    return parts[-2] if stem in _INDEX_NAMES and len(parts) > 1 else stem


def tested_stem(path: str) -> str:
    """The word that a test's name has for the file that it tests."""
    return _TEST_MARK.sub("", file_stem(path))


_TEST_MARK = re.compile(r"^tests?_?|_?(?:tests?|spec)$")
_INDEX_NAMES = frozenset(("__init__", "index", "mod", "lib", "main"))
