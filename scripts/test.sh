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
# The browser tests drive the system's Chromium; without it they are skipped with one line.
install_chromium() {
    for name in chromium chromium-browser google-chrome; do
        if command -v "$name" >/dev/null 2>&1; then return; fi
    done
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then return; fi
    echo "== browser: apt-get install chromium"
    { timeout 300 apt-get update && timeout 600 apt-get install --yes --no-install-recommends chromium; } >/dev/null 2>&1 </dev/null ||
        echo "chromium could not be installed: the browser tests are skipped"
}
if [ "${1:-test}" != lint ]; then
    install_chromium
    echo "== tests: pytest" && eval "$run pytest -q -n auto --maxprocesses 8 --dist worksteal ${PYTEST_ARGS:-}"
fi
