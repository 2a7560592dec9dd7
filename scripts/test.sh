#!/bin/sh
# All checks: formatter, linter, types, source and, unless told `lint`, the tests. `make test` runs this; it needs no make.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup_env.sh dev
run=".venv/bin/python -m"
echo "== format: ruff format --check" && $run ruff format --check .
echo "== lint: ruff check" && $run ruff check .
echo "== types: mypy --strict" && $run mypy
echo "== source: scripts/check_source.py" && .venv/bin/python scripts/check_source.py
if [ "${1:-test}" != lint ]; then
    echo "== tests: pytest" && eval "$run pytest -q -n auto --maxprocesses 8 --dist worksteal ${PYTEST_ARGS:-}"
fi
