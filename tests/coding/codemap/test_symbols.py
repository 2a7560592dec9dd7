from __future__ import annotations

import importlib.util

import pytest

from toldonce.coding.codemap import parse
from toldonce.coding.codemap.extract import first_prose, import_references
from toldonce.coding.codemap.languages import file_role, file_stem, language_of_file
from toldonce.coding.codemap.symbols import by_pattern, find_symbols
from toldonce.coding.codemap.words import search_terms, split_identifier, word_bag

SOURCES = {
    "python": ("class Shop:\n    async def open(self):\n        pass\n\n\nLIMIT = 3\n", {"Shop", "open", "LIMIT"}),
    "javascript": (
        (
            "export default class Shop {\n  close() {\n  }\n}\nconst limit = 3;\n"
            "app.use = function use(fn) {\n};\nfunction go() {}\n"
        ),
        {"Shop", "close", "limit", "use", "go"},
    ),
    "typescript": (
        "export interface Item {}\nexport type Id = string\nenum Kind {}\nexport async function load() {}\n",
        {"Item", "Id", "Kind", "load"},
    ),
    "go": (
        "type Shop struct {\n}\n\nfunc (s *Shop) Open() error {\n}\n\nfunc New() *Shop {\n}\n",
        {"Shop", "Open", "New"},
    ),
    "rust": (
        (
            "pub struct Shop;\nimpl Shop {\n    pub async fn open(&self) {}\n}\n"
            "pub(crate) trait Keep {}\nmacro_rules! shop { }\n"
        ),
        {"Shop", "open", "Keep", "shop"},
    ),
    "java": (
        "public class Shop {\n    public static int count(List<String> items) {\n    }\n}\ninterface Keep {}\n",
        {"Shop", "count", "Keep"},
    ),
    "c": (
        "#define LIMIT 3\nstruct shop {\n};\n\nstatic int open_shop(struct shop *s)\n{\n}\n",
        {"LIMIT", "shop", "open_shop"},
    ),
    "c++": ("namespace store {\nclass Shop {\n};\n}\nint Shop::open(int door) {\n}\n", {"store", "Shop", "open"}),
    "c#": (
        "namespace Store {\n  public class Shop {\n    public async Task<int> Open(string door) {\n    }\n  }\n}\n",
        {"Store", "Shop", "Open"},
    ),
    "ruby": ("module Store\n  class Shop\n    def self.open?(door)\n    end\n  end\nend\n", {"Store", "Shop", "open?"}),
    "php": (
        "<?php\nnamespace Store;\nfinal class Shop {\n    public function open($door) {\n    }\n}\n",
        {"Shop", "open"},
    ),
    "kotlin": ("data class Shop(val name: String)\nfun open(door: Int) {}\n", {"Shop", "open"}),
    "swift": ("struct Shop {\n    func open() {}\n}\n", {"Shop", "open"}),
    "elixir": ("defmodule Shop do\n  def open(door) do\n  end\nend\n", {"Shop", "open"}),
}


@pytest.mark.parametrize("language", SOURCES)
def test_patterns_find_the_definitions_of(language: str) -> None:
    text, names = SOURCES[language]
    assert names <= {symbol.name for symbol in by_pattern(text, language)}


@pytest.mark.parametrize("language", sorted(set(SOURCES) & set(parse._GRAMMARS)))
def test_grammars_find_the_definitions_of(language: str) -> None:
    if importlib.util.find_spec("tree_sitter") is None:
        pytest.skip("the extra `code` is not installed")
    text, names = SOURCES[language]
    found = parse.parse_symbols(text, language)
    assert found is not None
    assert names - {"LIMIT"} <= {symbol.name for symbol in found}


def test_language_without_a_grammar_is_read_by_patterns() -> None:
    assert parse.parse_symbols("defmodule X do\nend\n", "elixir") is None
    assert [symbol.name for symbol in find_symbols("defmodule X do\nend\n", "elixir")] == ["X"]


def test_definition_ends_before_the_next_one_that_stands_no_deeper() -> None:
    text = "class A:\n    def one(self):\n        pass\n\n    def two(self):\n        pass\n\nclass B:\n    pass\n"
    ends = {symbol.name: (symbol.line, symbol.last) for symbol in by_pattern(text, "python")}
    assert ends == {"A": (1, 7), "one": (2, 4), "two": (5, 7), "B": (8, 10)}


def test_text_made_by_a_program_has_no_definitions() -> None:
    assert by_pattern("function a(){}" * 10_000, "javascript") == []


@pytest.mark.parametrize("text", ["", "\n", "class", "def (", "func ", "((((((" * 2000, "a " * 1500])
def test_odd_text_never_fails(text: str) -> None:
    for language in (*SOURCES, "unknown"):
        assert isinstance(find_symbols(text, language), list)


def test_identifiers_are_found_whole_and_in_parts() -> None:
    assert split_identifier("maxRetryCount") == ("maxretrycount", "max", "retry", "count")
    assert split_identifier("HTTP_server2") == ("http_server2", "http", "server")
    assert word_bag("retry retry").split() == ["retry", "retry"]
    assert search_terms("How do we fix the parseQuery?") == ["fix", "parsequery", "parse", "query"]


def test_import_lines_name_their_files() -> None:
    assert "session" in import_references("from shop.session import expire\n")
    assert "cart" in import_references("const cart = require('./cart')\n")
    assert "router" in import_references('import (\n\t"example.org/x/router"\n)\n')
    assert import_references("x = 1\n") == []


@pytest.mark.parametrize(
    "text, said",
    [
        ('"""Keeps the shop open.\n\nMore."""\nimport os\n', "Keeps the shop open."),
        (
            "// Copyright 2020 A.\n// All rights reserved.\n\n// Package shop keeps the doors.\npackage shop\n",
            "Package shop keeps the doors.",
        ),
        ("/*!\n * MIT Licensed\n */\n\n/**\n * The doors of the shop.\n */\nvar x\n", "The doors of the shop."),
        ("//! Searching is what this does.\n\nuse std;\n", "Searching is what this does."),
        ('def f():\n    """Not the file itself."""\n', ""),
        ("#result {\n  color: red\n}\n", ""),
        ("", ""),
    ],
)
def test_file_is_described_by_its_own_first_sentence(text: str, said: str) -> None:
    assert first_prose(text) == said


@pytest.mark.parametrize(
    "path, language, role",
    [
        ("src/a.py", "python", "source"),
        ("tests/a.py", "python", "test"),
        ("pkg/a_test.go", "go", "test"),
        ("src/CartTest.java", "java", "test"),
        ("web/a.spec.ts", "typescript", "test"),
        ("contest/a.py", "python", "source"),
        ("vendor/x/a.go", "go", "vendored"),
        ("a.min.js", "javascript", "generated"),
        ("go.sum", "", "generated"),
        ("README.md", "markdown", "doc"),
        ("Makefile", "build", "config"),
        ("logo.png", "", "asset"),
        ("Dockerfile", "build", "config"),
    ],
)
def test_path_tells_language_and_role(path: str, language: str, role: str) -> None:
    assert (language_of_file(path), file_role(path, language_of_file(path))) == (language, role)


def test_index_file_is_called_by_its_folder() -> None:
    assert (file_stem("pkg/shop/__init__.py"), file_stem("src/Cart.ts"), file_stem("mod.rs")) == ("shop", "cart", "mod")
