"""Definitions by tree-sitter grammars, which come inside wheels of one language each; None where none is installed."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toldonce.coding.codemap.symbols import Symbol

# language -> (wheel, function that gives the grammar, node types with a name)
_GRAMMARS: Mapping[str, tuple[str, ...]] = {
    "python": ("python", "language", "function_definition class_definition"),
    "javascript": (
        "javascript", "language",
        "function_declaration class_declaration method_definition generator_function_declaration variable_declarator",
    ),
    "typescript": (
        "typescript", "language_tsx",
        "function_declaration class_declaration abstract_class_declaration method_definition interface_declaration",
        "type_alias_declaration enum_declaration variable_declarator method_signature",
    ),
    "go": ("go", "language", "function_declaration method_declaration type_spec const_spec"),
    "rust": (
        "rust", "language",
        "function_item struct_item enum_item trait_item mod_item type_item const_item static_item macro_definition",
    ),
    "java": (
        "java", "language",
        "class_declaration interface_declaration enum_declaration record_declaration method_declaration",
        "constructor_declaration",
    ),
    "c": ("c", "language", "struct_specifier enum_specifier union_specifier preproc_def preproc_function_def"),
    "c++": (
        "cpp", "language",
        "class_specifier struct_specifier enum_specifier namespace_definition preproc_def preproc_function_def",
    ),
    "c#": (
        "c_sharp", "language",
        "class_declaration interface_declaration struct_declaration enum_declaration record_declaration",
        "method_declaration constructor_declaration property_declaration namespace_declaration",
    ),
    "ruby": ("ruby", "language", "method singleton_method class module"),
    "php": (
        "php", "language_php",
        "class_declaration interface_declaration trait_declaration enum_declaration function_definition",
        "method_declaration",
    ),
}  # fmt: skip
_BY_DECLARATOR = ("c", "c++")
# Languages in which a function gets its name by assignment: `res.download = function (path) {`.
_ASSIGNED = ("javascript", "typescript")
_ASSIGNED_FUNCTIONS = """
((assignment_expression left: (member_expression property: (_) @name)
    right: [(function_expression) (arrow_function) (generator_function)]) @defined (#not-eq? @name "exports"))
(pair key: (property_identifier) @name value: [(function_expression) (arrow_function)]) @defined
"""
_KIND_ENDS = ("_declaration", "_definition", "_item", "_specifier", "_declarator", "_spec", "_def", "_signature")
_FUNCTION_NODES = ("assignment_expression", "pair")
# Names inside functions are not where a task begins.
_TOP_ONLY = "variable_declarator"
_LARGEST = 200_000


def parse_symbols(text: str, language: str) -> list[Symbol] | None:
    """The definitions of a text, in order; None when this language's grammar is not installed."""
    from toldonce.coding.codemap.symbols import Symbol

    tools = _load_parser(language) if len(text) <= _LARGEST else None
    if tools is None:
        return None
    parser, query, cursor = tools
    tree = parser.parse(text.encode("utf-8", "replace"))
    found = []
    for _, captures in cursor(query).matches(tree.root_node):
        name, node = captures["name"][0], captures["defined"][0]
        if node.type != _TOP_ONLY or node.parent.parent.type in ("program", "export_statement"):
            word = _defined_word(name)
            found.append(Symbol(word, _symbol_kind(node.type), node.start_point[0] + 1, node.end_point[0] + 1))
    return sorted((s for s in found if s.name), key=lambda s: (s.line, -s.last))


@cache
def _load_parser(language: str) -> tuple[Any, Any, Any] | None:
    wheel, function, *types = _GRAMMARS.get(language, ("", ""))
    if not wheel or importlib.util.find_spec("tree_sitter") is None:
        return None
    if importlib.util.find_spec(f"tree_sitter_{wheel}") is None:
        return None
    ts = importlib.import_module("tree_sitter")

    grammar = ts.Language(getattr(importlib.import_module(f"tree_sitter_{wheel}"), function)())
    lines = [f"({kind} name: (_) @name) @defined" for kind in " ".join(types).split()]
    if language in _BY_DECLARATOR:
        lines.append("(function_definition declarator: (_) @name) @defined")
    if language in _ASSIGNED:
        lines.append(_ASSIGNED_FUNCTIONS)
    return ts.Parser(grammar), ts.Query(grammar, "\n".join(lines)), ts.QueryCursor


def _defined_word(node: Any) -> str:
    """The defined word; a C declarator wraps it in pointers and parameters."""
    while (inner := node.child_by_field_name("declarator") or node.child_by_field_name("name")) is not None:
        node = inner
    return str(node.text.decode("utf-8", "replace"))[:80]


def _symbol_kind(node_type: str) -> str:
    if node_type in _FUNCTION_NODES:
        return "function"
    for end in _KIND_ENDS:
        node_type = node_type.removesuffix(end)
    return node_type.replace("_", " ")
