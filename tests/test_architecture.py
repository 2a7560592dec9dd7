"""The shape of the source: which way imports run, and that scripts/check_source.py finds what it promises to find."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CHECK = ROOT / "scripts" / "check_source.py"

# Lowest first. A module imports from its own layer and from those below it, never from one above.
# "" is the package root, which exports the public names.
LAYERS = (
    {
        "access", "clock", "config", "errors", "fading", "host_names", "kinds", "logs", "optional", "presets",
        "records", "safe_git", "state_folder", "stopping", "tables", "tokens", "trust",
    },
    {"text"},
    {"lang"},
    {"times"},
    {"storage", "models"},
    {"capture", "distil", "importers", "recall"},
    {"", "aio", "client", "client_events", "demo", "memory", "operations", "sample", "sealed_memory"},
    {"__main__", "bench", "cli", "coding", "conformance", "integrations", "jobs", "mcp", "server", "tools"},
)  # fmt: skip
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}


def parts_of(path: Path, package: Path) -> list[str]:
    parts = list(path.relative_to(package).with_suffix("").parts)
    return parts[:-1] if parts[-1] == "__init__" else parts


def absolute(node: ast.ImportFrom, path: Path, package: Path) -> str:
    """The full name of the module that a `from ... import` reads, with its dots resolved."""
    if not node.level:
        return node.module or ""
    here = ["toldonce", *path.relative_to(package).parent.parts]
    base = here[: len(here) - (node.level - 1)]
    return ".".join([*base, node.module] if node.module else base)


def named_imports(path: Path, package: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of everything a module imports, inside functions and TYPE_CHECKING blocks too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = absolute(node, path, package)
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            names = [a.value for a in node.args[:1] if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            yield from ((node.lineno, name) for name in names)


def unit(name: str, package: Path) -> str:
    """The top-level module or folder that a full name belongs to; "" when it is a name of the package root."""
    first = name.split(".")[1] if "." in name else ""
    is_module = first in HEIGHT or (package / first).is_dir() or (package / f"{first}.py").is_file()
    return first if is_module else ""


def upward_imports(package: Path) -> list[str]:
    """Every import that runs against the layers, as `path:line: importer imports imported`.

    The package root stands outside: it puts the parts together.
    """
    found = []
    for path in sorted(package.rglob("*.py")):
        importer = (parts_of(path, package) or [""])[0]
        if not importer:
            continue
        for line, name in named_imports(path, package):
            imported = unit(name, package)
            if name.split(".")[0] == "toldonce" and HEIGHT.get(imported, -1) > HEIGHT.get(importer, len(LAYERS)):
                shown = path.relative_to(package).as_posix()
                found.append(f"{shown}:{line}: {importer or 'toldonce'} imports {imported or 'toldonce'}")
    return found


def write(package: Path, place: str, source: str) -> Path:
    path = package / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    return path


def test_imports_run_one_way() -> None:
    assert upward_imports(ROOT / "src" / "toldonce") == []


def test_every_module_has_its_place_in_the_layers() -> None:
    package = ROOT / "src" / "toldonce"
    units = {(parts_of(path, package) or [""])[0] for path in package.rglob("*.py")}
    assert units - HEIGHT.keys() == set(), "a new top-level module belongs in LAYERS"


@pytest.mark.parametrize(
    "place, source, finding",
    [
        ("recall/rank.py", "import toldonce.memory\n", "recall/rank.py:1: recall imports memory"),
        ("recall/rank.py", "from toldonce.cli.main import run_cli\n", "recall/rank.py:1: recall imports cli"),
        ("recall/rank.py", "from toldonce import Memory\n", "recall/rank.py:1: recall imports toldonce"),
        ("storage/store.py", "from toldonce import recall\n", "storage/store.py:1: storage imports recall"),
        ("storage/sqlite/db.py", "from ...capture import gate\n", "storage/sqlite/db.py:1: storage imports capture"),
        (
            "storage/sqlite/__init__.py",
            "from ... import memory\n",
            "storage/sqlite/__init__.py:1: storage imports memory",
        ),
        ("records.py", "from .kinds import x\nfrom .storage import y\n", "records.py:2: records imports storage"),
        ("records.py", "def f():\n    from toldonce.storage import x\n", "records.py:2: records imports storage"),
        (
            "memory.py",
            "import importlib\nimportlib.import_module('toldonce.jobs')\n",
            "memory.py:2: memory imports jobs",
        ),
        (
            "models/embedder.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from toldonce.distil import notes\n",
            "models/embedder.py:3: models imports distil",
        ),
    ],
)
def test_upward_import_is_found(tmp_path: Path, place: str, source: str, finding: str) -> None:
    write(tmp_path, place, source)
    assert upward_imports(tmp_path) == [finding]


@pytest.mark.parametrize(
    "place, source",
    [
        ("cli/main.py", "from toldonce import Memory\nfrom toldonce.jobs import jobs\nimport toldonce.errors\n"),
        ("memory.py", "from toldonce.recall import rank\nfrom .storage.store import Store\nimport json\n"),
        ("__init__.py", "from toldonce.memory import Memory\nfrom .errors import InputError\n"),
        ("recall/rank.py", "from . import fuse\nfrom ..records import Record\nfrom toldonce import errors\n"),
        ("distil/facts.py", "from toldonce.capture import gate\nimport toldonces.memory\n"),
    ],
)
def test_import_of_own_or_lower_layer_is_allowed(tmp_path: Path, place: str, source: str) -> None:
    write(tmp_path, place, source)
    assert upward_imports(tmp_path) == []


# What hooks share with the engine. Loading the engine costs more than a hook may take.
IMPORT_FREE = ("fading.py", "recall/fitting.py", "recall/rank.py", "recall/render.py", "text/words.py",
               "tokens.py")  # fmt: skip
QUICK = {"__future__", "bisect", "collections", "functools", "math", "re", "unicodedata"}


def loaded_at_once(path: Path, package: Path) -> set[str]:
    """The modules that importing a module loads: no imports inside functions or TYPE_CHECKING blocks."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = absolute(node, path, package)
            found |= {f"toldonce.{alias.name}" for alias in node.names} if module == "toldonce" else {module}
    return found


@pytest.mark.parametrize("place", IMPORT_FREE)
def test_what_hooks_share_with_the_engine_loads_no_engine(place: str) -> None:
    package = ROOT / "src" / "toldonce"
    shared = {"toldonce." + name.removesuffix(".py").replace("/", ".") for name in IMPORT_FREE}
    loaded = loaded_at_once(package / place, package)
    assert {name for name in loaded if name.split(".")[0] not in QUICK} <= shared


def check_source(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CHECK), *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_our_own_source_has_no_findings() -> None:
    result = check_source()
    assert (result.returncode, result.stderr) == (0, ""), result.stdout
    assert result.stdout.startswith("source check: ") and result.stdout.count("\n") == 1


LONG_MODULE = "x = 1\n" * 601
LONG_FUNCTION = "x = 1\n\n\ndef long():\n" + "    x = 1\n" * 80

OFFENCES = [
    pytest.param("recall/rank.py", LONG_MODULE, 1, "module has 601 lines", id="module over 600 lines"),
    pytest.param("recall/rank.py", LONG_FUNCTION, 4, "function long has 81 lines", id="function over 80 lines"),
    pytest.param("recall/rank.py", "try:\n    f()\nexcept:\n    pass\n", 3, "broad except", id="bare except"),
    pytest.param(
        "storage/a.py", "try:\n    f()\nexcept Exception:\n    pass\n", 3, "broad except", id="except Exception"
    ),
    pytest.param(
        "storage/a.py", "try:\n    f()\nexcept BaseException:\n    raise\n", 3, "broad except", id="BaseException"
    ),
    pytest.param(
        "jobs/fade.py", "try:\n    f()\nexcept (OSError, Exception):\n    pass\n", 3, "broad except", id="tuple"
    ),
    pytest.param("storage/a.py", "with contextlib.suppress(Exception):\n    f()\n", 1, "broad suppress", id="suppress"),
    pytest.param("memory.py", "run('SELECT id FROM records')\n", 1, "SQL in Python", id="select"),
    pytest.param("storage/sqlite/a.py", "q = f'SELECT {x} FROM records'\n", 1, "SQL in Python", id="f-string select"),
    pytest.param("memory.py", "\nrun('INSERT OR IGNORE INTO t VALUES (1)')\n", 2, "SQL in Python", id="insert"),
    pytest.param("storage/a.py", "run('UPDATE t SET a = :a')\n", 1, "SQL in Python", id="update"),
    pytest.param("storage/a.py", "run('delete from t where id = ?')\n", 1, "SQL in Python", id="lower-case delete"),
    pytest.param("memory.py", "run('PRAGMA user_version')\n", 1, "connection statement", id="pragma outside a backend"),
    pytest.param("memory.py", "run('BEGIN IMMEDIATE')\n", 1, "connection statement", id="begin outside a backend"),
    pytest.param("recall/rank.py", "if preset.name == 'coding':\n    f()\n", 1, "preset name 'coding'", id="compared"),
    pytest.param("recall/rank.py", "x = name in ('life', 'own')\n", 1, "preset name 'life'", id="member of"),
    pytest.param("recall/rank.py", "x = preset == 'assistant'\n", 1, "preset name 'assistant'", id="assistant preset"),
    pytest.param("recall/rank.py", "match p:\n    case 'life':\n        f()\n", 1, "preset name 'life'", id="matched"),
    pytest.param("memory.py", "x = budgets['companion']\n", 1, "preset name 'companion'", id="looked up"),
    pytest.param("memory.py", "x = {'life': 1, 'community': 2}\n", 1, "preset name 'community'", id="table by preset"),
    pytest.param("recall/fit.py", "if language == 'pt':\n    f()\n", 1, "language 'pt'", id="language compared"),
    pytest.param("recall/fit.py", "x = code in ('en', 'pt')\n", 1, "language 'en'", id="member of languages"),
    pytest.param("recall/fit.py", "match c:\n    case 'es':\n        f()\n", 1, "language 'es'", id="language matched"),
    pytest.param("recall/fit.py", "x = texts['pt']\n", 1, "language 'pt'", id="looked up by language"),
    pytest.param("recall/fit.py", "x = {'en': 'a', 'pt': 'b'}\n", 1, "language 'en'", id="table by language"),
    pytest.param("recall/fit.py", "x = ('the', 'she', 'was')\n", 1, "words of the language 'en'", id="small words"),
    pytest.param("recall/fit.py", "x = 'janeiro maio junho'.split()\n", 1, "words of the language 'pt'", id="months"),
    pytest.param("recall/fit.py", "x = r'(?:enero|marzo|mayo)'\n", 1, "words of the language 'es'", id="month pattern"),
    pytest.param("recall/fit.py", "x = rf'({y}|that|this|their)'\n", 1, "words of the language 'en'", id="f-string"),
    pytest.param("recall/utils.py", "", 1, "'utils' says nothing", id="utils"),
    pytest.param("storage/helpers/rows.py", "", 1, "'helpers' says nothing", id="helpers folder"),
    pytest.param("common.py", "", 1, "'common' says nothing", id="common"),
    pytest.param("storage/store_manager.py", "", 1, "'store_manager' says nothing", id="manager"),
    pytest.param("memory.py", "LONG = 1\nSHORT, LONG = 2, 3\n", 2, "LONG is assigned twice", id="assigned twice"),
    pytest.param("memory.py", "def\n", 1, "not readable as Python", id="syntax error"),
    pytest.param("memory.py", "def f(\n    a, b,\n): pass  # fmt: skip\n", 3, "'fmt: skip' is for", id="signature"),
    pytest.param("memory.py", "f(\n    1, 2,\n)  # fmt: skip\n", 3, "'fmt: skip' is for", id="unformatted call"),
    pytest.param("memory.py", "x = f(\n    [1, 2],\n)  # fmt: skip\n", 3, "'fmt: skip' is for", id="call of a list"),
    pytest.param("memory.py", "def f():\n    return {1: 2}  # fmt: skip\n", 2, "'fmt: skip' is for", id="returned"),
    pytest.param("memory.py", "x = {n: n for n in y}  # fmt: skip\n", 1, "'fmt: skip' is for", id="comprehension"),
    pytest.param("memory.py", "x = (  # fmt: skip\n    1, 2,\n)\n", 1, "'fmt: skip' is for", id="skip at the start"),
    pytest.param("memory.py", "# fmt: off\nx = 1\n", 1, "'fmt: skip' is for", id="formatter off"),
]


@pytest.mark.parametrize("place, source, line, message", OFFENCES)
def test_source_check_finds_offence(tmp_path: Path, place: str, source: str, line: int, message: str) -> None:
    write(tmp_path / "src" / "toldonce", place, source)
    result = check_source(str(tmp_path))
    assert result.returncode == 1, result.stderr
    first = result.stdout.splitlines()[0]
    assert first.startswith(f"src/toldonce/{place}:{line}: ") and message in first


INNOCENT = [
    pytest.param("recall/rank.py", "x = 1\n" * 600, id="module of 600 lines"),
    pytest.param("recall/rank.py", "def f():\n" + "    x = 1\n" * 79, id="function of 80 lines"),
    pytest.param("jobs/runner.py", "try:\n    f()\nexcept Exception:\n    log()\n", id="job runner"),
    pytest.param("mcp/http.py", "try:\n    f()\nexcept Exception:\n    log()\n", id="interface"),
    pytest.param("storage/a.py", "try:\n    f()\nexcept (KeyError, apsw.Error):\n    pass\n", id="named errors"),
    pytest.param(
        "storage/sqlite/writer.py", "run('PRAGMA journal_mode=WAL')\nrun('BEGIN IMMEDIATE')\n", id="connection"
    ),
    pytest.param("storage/store.py", "def f():\n    'Runs SELECT a FROM b.'\n", id="docstring"),
    pytest.param("errors.py", "x = 'select a preset from the list; update it and delete from there'\n", id="prose"),
    pytest.param("capture/gate.py", "x = '-----BEGIN RSA PRIVATE KEY-----'\n", id="key header"),
    pytest.param("cli/main.py", "if preset == 'coding':\n    f()\n", id="preset name in an interface"),
    pytest.param("presets/loader.py", "x = {'life': 1, 'community': 2}\n", id="preset name in presets"),
    pytest.param("memory.py", "def open(preset='assistant'):\n    'The life preset.'\n", id="default preset"),
    pytest.param("capture/window.py", "x = message.role == 'assistant'\n", id="role compared"),
    pytest.param("lang/xx/words.py", "x = ('the', 'she', 'was')\n", id="small words of a language"),
    pytest.param("recall/fit.py", "raise ValueError('the file that was there is not there')\n", id="sentence"),
    pytest.param("recall/fit.py", "x = ('select', 'from', 'where')\n", id="words of code"),
    pytest.param("recall/fit.py", "def f(code='en'):\n    return g(language='pt')\n", id="language as an argument"),
    pytest.param("capture/window.py", "match role:\n    case 'user' | 'assistant':\n        f()\n", id="role matched"),
    pytest.param("recall/rank.py", "x = {'user': 1.0, 'assistant': 0.6}\n", id="weights by role"),
    pytest.param("memory.py", "x = {\n    1: 2, 3: 4,\n}  # fmt: skip\n", id="unformatted dictionary"),
    pytest.param("memory.py", "x: T = (\n    1, 2,\n)  # fmt: skip\n", id="unformatted tuple with a type"),
    pytest.param("memory.py", "x = frozenset({\n    1, 2,\n})  # fmt: skip\n", id="unformatted frozen set"),
    pytest.param("memory.py", "def f():\n    x = [1, 2]  # fmt: skip\n", id="unformatted local list"),
]


@pytest.mark.parametrize("place, source", INNOCENT)
def test_source_check_leaves_good_code_alone(tmp_path: Path, place: str, source: str) -> None:
    write(tmp_path / "src" / "toldonce", place, source)
    result = check_source(str(tmp_path))
    assert (result.returncode, result.stderr) == (0, ""), result.stdout


ARCHAIC = [
    pytest.param("recall/rank.py", '"""The door for people."""\n', 1, "'door' is archaic", id="docstring"),
    pytest.param("recall/rank.py", '"""A title.\n\nBuilt anew.\n"""\n', 3, "'anew' is archaic", id="later line"),
    pytest.param("recall/rank.py", "x = 1  # mended by hand\n", 1, "'mended' is archaic", id="comment"),
    pytest.param("errors.py", "raise E('the key stands in no file')\n", 1, "'stands in' is archaic", id="error text"),
    pytest.param("cli/main.py", "x = f'at most so many of {y}'\n", 1, "'so many' is archaic", id="f-string"),
    pytest.param("cli/main.py", "x = option(help='Gives way to it.')\n", 1, "'gives way' is archaic", id="help text"),
    pytest.param("jobs/fade.py", '"""What expired leaves."""\n', 1, "'expired leaves' is archaic", id="expired leaves"),
]


@pytest.mark.parametrize("place, source, line, message", ARCHAIC)
def test_archaic_phrase_is_found(tmp_path: Path, place: str, source: str, line: int, message: str) -> None:
    write(tmp_path / "src" / "toldonce", place, source)
    result = check_source(str(tmp_path))
    assert result.returncode == 1, result.stderr
    first = result.stdout.splitlines()[0]
    assert first.startswith(f"src/toldonce/{place}:{line}: ") and message in first


@pytest.mark.parametrize(
    "place, source",
    [
        pytest.param("recall/rank.py", '"""Reads `door` and `told` from the row."""\n', id="code in backticks"),
        pytest.param("recall/rank.py", "x = row['told'] or 'so many'\n", id="key or label"),
        pytest.param("recall/rank.py", "x = 'asked told said door'.split()\n", id="list of words"),
        pytest.param("recall/rank.py", "x = r'(?:he|she) told me'\n", id="pattern"),
        pytest.param("lang/en/cues.py", "x = ('she told me that', 'a door to go')\n", id="word lists of a language"),
        pytest.param("recall/rank.py", '"""Recommended indoors."""\n', id="part of another word"),
        pytest.param("jobs/runner.py", '"""One pass over all, unless told to stop."""\n', id="usual phrases"),
        pytest.param("models/tagger.py", f"x = words('{'shall upon told ' * 9}')\n", id="long list of words"),
    ],
)
def test_plain_prose_is_left_alone(tmp_path: Path, place: str, source: str) -> None:
    write(tmp_path / "src" / "toldonce", place, source)
    result = check_source(str(tmp_path))
    assert (result.returncode, result.stderr) == (0, ""), result.stdout


def test_archaic_phrase_in_the_documentation_is_found(tmp_path: Path) -> None:
    write(tmp_path, "docs/cli.md", "# Commands\n\n```\nwhat nobody knows\n```\n\nMend it first.\n")
    result = check_source(str(tmp_path))
    assert result.stdout.splitlines() == ["docs/cli.md:7: 'mend' is archaic; write plainly: fix, repair"]


def test_archaic_phrases_are_counted(tmp_path: Path) -> None:
    write(tmp_path / "src" / "toldonce", "recall/rank.py", '"""Told anew."""\n\n# Told again.\n')
    result = check_source("--count", str(tmp_path))
    assert [line.split() for line in result.stdout.splitlines()] == [["2", "told"], ["1", "anew"]]


def test_public_classes_of_one_name_are_found(tmp_path: Path) -> None:
    package = tmp_path / "src" / "toldonce"
    write(package, "recall/rank.py", "class Question:\n    pass\n\n\nclass _Line:\n    pass\n")
    write(package, "records.py", "x = 1\n\n\nclass Question:\n    pass\n\n\nclass _Line:\n    pass\n")
    result = check_source(str(tmp_path))
    expected = (
        "src/toldonce/records.py:4: class Question is also in src/toldonce/recall/rank.py; give each its own name"
    )
    assert result.stdout.splitlines() == [expected]
