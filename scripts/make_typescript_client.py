"""Writes clients/typescript/src/operations.ts from the OpenAPI description of the server.

`python scripts/make_typescript_client.py` writes the file; a test fails when it is stale. What a request is, and how it
is sent, is written by hand in client.ts; here are only types, the table of paths, and one method for each operation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "clients" / "typescript" / "src" / "operations.ts"
# For whoever watches the server, not for programs that use it; events are a stream, which client.ts reads.
LEFT_OUT = ("ready", "metrics", "events")
REF = "#/components/schemas/"
HEAD = """\
// Made by scripts/make_typescript_client.py from the server's OpenAPI description. Do not edit: run the script again.

/** One page of a list; `next` is the `cursor` of the page that follows, null on the last one. */
export interface Page<T> {
  items: T[];
  next: string | null;
}

/** What a file may be sent as. */
export type FileBody = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** Choices for one call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** More headers, such as `If-Match` with the version of a document. */
  headers?: { [name: string]: string };
  /** A write that is sent again with the same key is carried out once. */
  idempotencyKey?: string;
}
"""


def read_schema() -> dict[str, Any]:
    """The description that the server gives of itself."""
    from toldonce import Memory
    from toldonce.server.app import create_app

    with Memory.open(":memory:", preset="assistant", embedder=None, background=False) as memory:
        schema: dict[str, Any] = create_app(memory).api.openapi()
    return schema


def write_module(schema: Mapping[str, Any]) -> str:
    """The generated module as text."""
    shared = schema["components"]["schemas"]
    rows = [
        (row["operationId"], method.upper(), path, row)
        for path, methods in schema["paths"].items()
        for method, row in methods.items()
        if row["operationId"] not in LEFT_OUT
    ]
    rows.sort(key=lambda row: row[0])
    operations = [
        f"  {json.dumps(name)}: {{ arguments: {_arguments_of(row, shared)}; answer: {_answer_of(row)} }};"
        for name, _, _, row in rows
    ]
    routes = [f"  {json.dumps(name)}: {json.dumps([method, path, _body_of(row)])}," for name, method, path, row in rows]
    types = [_write_interface(name, shared[name]) for name in _find_used("\n".join(operations), shared)]
    return "\n".join(
        [
            HEAD,
            *types,
            "/** The arguments and the answer of every operation. */",
            "export interface Operations {",
            *operations,
            "}",
            "",
            "export type OperationName = keyof Operations;",
            'export type Arguments<N extends OperationName> = Operations[N]["arguments"];',
            'export type Answer<N extends OperationName> = Operations[N]["answer"];',
            "",
            "/** Sends one operation. */",
            "export type Call = <N extends OperationName>(",
            "  name: N,",
            "  given: Arguments<N>,",
            "  options?: CallOptions,",
            ") => Promise<Answer<N>>;",
            "",
            "/** Method, path, and what is sent as body: the arguments, one of them called `body`, or nothing. */",
            "export const ROUTES: {",
            '  [N in OperationName]: readonly [string, string, "arguments" | "body" | "file" | ""];',
            "} = {",
            *routes,
            "};",
            "",
            *_write_groups(rows),
        ]
    )


def _arguments_of(row: Mapping[str, Any], shared: Mapping[str, Any]) -> str:
    """The arguments of an operation as one type: those of the path, the query and the body."""
    fields = [
        (one["name"], bool(one.get("required")), _type_of(one["schema"]) if one["name"] not in _TABLES else _MAP)
        for one in row.get("parameters", ())
        if one["in"] != "header"
    ]
    match _body_of(row):
        case "arguments":
            model = shared[_body_schema(row)["$ref"].removeprefix(REF)]
            required = model.get("required", ())
            fields += [(name, name in required, _type_of(one)) for name, one in model["properties"].items()]
        case "body":
            fields.append(("body", True, _type_of(_body_schema(row))))
        case "file":
            fields.append(("body", True, "FileBody"))
    return "{ " + "; ".join(f"{_key(n)}{'' if needed else '?'}: {type_}" for n, needed, type_ in fields) + " }"


# In a query these are texts of JSON, which the client writes.
_TABLES = ("where", "columns")
_MAP = "{ [key: string]: unknown } | null"


def _body_of(row: Mapping[str, Any]) -> str:
    if row["operationId"] == "import_":
        return "file"
    schema = _body_schema(row)
    if not schema:
        return ""
    return "arguments" if str(schema.get("$ref", "")).endswith("Arguments") else "body"


def _body_schema(row: Mapping[str, Any]) -> Mapping[str, Any]:
    body = row.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    inner: Mapping[str, Any] = body["anyOf"][0] if "anyOf" in body else body
    return inner


def _answer_of(row: Mapping[str, Any]) -> str:
    content = row["responses"]["200"].get("content", {})
    schema = content.get("application/json", {}).get("schema", {}) if len(content) == 1 else None
    return "Response" if schema is None else _unwrapped_type(schema)


def _unwrapped_type(schema: Mapping[str, Any]) -> str:
    """The type of an answer as the client returns it: what is alone under `result` is taken out."""
    if "anyOf" in schema:
        return " | ".join(_unwrapped_type(one) for one in schema["anyOf"])
    properties = schema.get("properties", {})
    if set(properties) == {"result"}:
        return _type_of(properties["result"])
    if set(properties) == {"items", "next"}:
        return f"Page<{_type_of(properties['items']['items'])}>"
    return _type_of(schema)


def _type_of(schema: Mapping[str, Any]) -> str:
    """The type that a schema describes."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(REF)
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(_type_of(one) for one in schema[several]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_type_of({**schema, "type": one}) for one in kind)
    if kind == "array":
        return _list_type(schema)
    if kind == "object":
        return _table_type(schema)
    return {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}.get(
        str(kind), "unknown"
    )


def _list_type(schema: Mapping[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type_of(one) for one in schema['prefixItems'])}]"
    inner = _type_of(schema.get("items", {}))
    return f"({inner})[]" if " " in inner else f"{inner}[]"


def _table_type(schema: Mapping[str, Any]) -> str:
    if "properties" in schema:
        return "{ " + " ".join(f"{line};" for line in _list_fields(schema)) + " }"
    values = schema.get("additionalProperties")
    return f"{{ [key: string]: {_type_of(values) if isinstance(values, dict) else 'unknown'} }}"


def _list_fields(schema: Mapping[str, Any]) -> Iterator[str]:
    required = schema.get("required", ())
    for name, one in schema["properties"].items():
        yield f"{_key(name)}{'' if name in required else '?'}: {_type_of(one)}"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else json.dumps(name)


def _write_interface(name: str, schema: Mapping[str, Any]) -> str:
    about = f"/** {schema['description']} */\n" if schema.get("description") else ""
    if "properties" not in schema:
        return f"{about}export type {name} = {_type_of(schema)};\n"
    return f"{about}export interface {name} {{\n" + "".join(f"  {line};\n" for line in _list_fields(schema)) + "}\n"


def _find_used(text: str, shared: Mapping[str, Any]) -> list[str]:
    """The shared types that a text names, and those that they name."""
    used: set[str] = set()
    waiting = [text]
    while waiting:
        words = set(re.findall(r"\b[A-Z]\w*\b", waiting.pop())) & shared.keys()
        waiting += [_write_interface(name, shared[name]) for name in sorted(words - used)]
        used |= words
    return sorted(used)


def _write_groups(rows: list[tuple[str, str, str, Mapping[str, Any]]]) -> Iterator[str]:
    """A class for each group of operations, and one for those without a group, which holds the others."""
    groups: dict[str, list[str]] = {}
    for name, _, _, row in rows:
        group, _, verb = name.rpartition(".")
        is_free = not any(one.get("required") for one in row.get("parameters", ())) and not _needs_body(row)
        default = " = {}" if is_free else ""
        groups.setdefault(group, []).append(
            f"  /** {row['summary']} */\n"
            f"  {_camel(verb)}(given: Arguments<{json.dumps(name)}>{default}, options?: CallOptions) {{\n"
            f"    return this.carryOut({json.dumps(name)}, given, options);\n"
            "  }\n"
        )
    for group in sorted(filter(None, groups)):
        yield f"export class {group.capitalize()} {{"
        yield "  private readonly carryOut: Call;\n\n  constructor(call: Call) {\n    this.carryOut = call;\n  }\n"
        yield "\n".join(groups[group]) + "}\n"
    names = sorted(filter(None, groups))
    yield "/** Every operation; those of a group are behind its name, as in `memory.people.all()`. */"
    yield "export class MemoryOperations {\n  protected readonly carryOut: Call;"
    yield from (f"  readonly {group}: {group.capitalize()};" for group in names)
    yield "\n  constructor(call: Call) {\n    this.carryOut = call;"
    yield from (f"    this.{group} = new {group.capitalize()}(call);" for group in names)
    yield "  }\n"
    yield "\n".join(groups[""]) + "}\n"


def _needs_body(row: Mapping[str, Any]) -> bool:
    return _body_of(row) in ("file", "body") or bool(row.get("requestBody", {}).get("required"))


def _camel(name: str) -> str:
    first, *rest = name.strip("_").split("_")
    return first + "".join(word.capitalize() for word in rest)


if __name__ == "__main__":
    TARGET.write_text(write_module(read_schema()), encoding="utf-8")
    print(f"wrote {TARGET.relative_to(ROOT)}")
