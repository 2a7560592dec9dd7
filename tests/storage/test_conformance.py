"""The conformance suite is complete, and nobody pays for it at run time."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from tests.storage import test_stores
from toldonce import conformance
from toldonce.storage.open import open_store
from toldonce.storage.store import Store, Tables

SUITE = Path(conformance.__file__).parent
# Half of moving a memory; `transfer.export` and `transfer.import_` are tested whole.
INNER = {"transfer"}


def attributes(folder: Path) -> set[str]:
    """Every name that comes after a dot in the modules of a folder."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in folder.glob("*.py")]
    return {ast.unparse(node) for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


@pytest.mark.parametrize("table", sorted({name for name in Tables.__slots__ if name not in ("rows", "tenant")} - INNER))
def test_every_operation_of_a_table_is_tested(table: str, tmp_path: Path) -> None:
    store = open_store(":memory:")
    methods = store.read(lambda t: inspect.getmembers(getattr(t, table), inspect.ismethod))
    store.close()
    used = attributes(SUITE)
    endings = {f"{table}.{name}" for name, _ in methods if not name.startswith("_")}
    assert {e for e in endings if not any(u.endswith(f".{e}") for u in used)} == set()


def test_every_operation_of_a_store_is_tested() -> None:
    used = attributes(SUITE)
    wanted = {name for name in vars(Store) if not name.startswith("_")}
    assert {name for name in wanted if not any(u.endswith(f".{name}") for u in used)} == set()


def test_a_backend_runs_every_class_of_the_suite() -> None:
    tested = {base.__name__ for cls in vars(test_stores).values() if isinstance(cls, type) for base in cls.__bases__}
    assert set(conformance.__all__) <= tested


def test_the_suite_and_its_test_runner_are_not_loaded_at_run_time() -> None:
    program = (
        "import sys; from toldonce import Memory; import toldonce.cli.main\n"
        "with Memory.open(':memory:', preset='assistant', embedder=None, background=False) as memory:\n"
        "    memory.observe('A tram came by', 'alex'); memory.recall('tram', 'alex'); memory.tend()\n"
        "    memory.storage.check()\n"
        "print(sorted(m for m in sys.modules if m == 'pytest' or m.startswith('toldonce.conformance')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")
