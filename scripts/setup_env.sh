#!/bin/sh
# Makes .venv ready: `setup_env.sh run` for using Toldonce, `serve` with its server, `dev` for working on it.
# Uses uv where it works, else venv and pip. Does nothing when the stamp is newer than pyproject.toml. An environment that is
# ready for something else is kept: what is missing is added to it. Says what it does, and why when it begins anew.
set -eu
cd "$(dirname "$0")/.."

wanted=${1:?"usage: setup_env.sh run|serve|dev"}
case $wanted in
run) project=. ;;
serve) project=".[server]" ;;
dev) project=".[dev,code,frameworks]" ;;
*) echo "setup_env.sh: '$wanted' is none of run, serve and dev" >&2 && exit 2 ;;
esac

# What each name adds, for whoever reads what happens.
describe() {
    case $wanted in
    run) echo "what Toldonce needs" ;;
    serve) echo "the packages of the server" ;;
    dev) echo "what working on Toldonce needs" ;;
    esac
}

# The stamp holds the checkout's path, since a moved .venv still points to its old place, and the Python asked for.
is_ready() {
    stamp=".venv/ready-$1"
    [ "$stamp" -nt pyproject.toml ] && [ "$(sed -n 1p "$stamp")" = "$PWD" ] &&
        { [ -z "${PYTHON:-}" ] || [ "$(sed -n 2p "$stamp")" = "$PYTHON" ]; } && .venv/bin/python -c "" 2>/dev/null
}

mark_ready() {
    printf '%s\n' "$PWD" "${PYTHON:-}" >".venv/ready-$wanted"
}

is_recent() {
    "$1" -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then set -- "$PYTHON"; else set -- python3 python3.14 python3.13 python3.12 python3.11; fi
    for candidate in "$@"; do
        if is_recent "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
    echo "Toldonce needs Python 3.11 or newer; '$1' is $("$1" --version 2>/dev/null || echo "not there")." >&2
    echo "Install one, or name it: make PYTHON=/path/to/python3.11 ..." >&2
    return 1
}

# Why there is no environment to add to.
explain_rebuild() {
    if [ ! -e .venv/bin/python ] && [ ! -L .venv/bin/python ]; then
        return
    elif ! .venv/bin/python -c "" 2>/dev/null; then
        echo "== set-up: .venv does not run any more, it is made again"
    elif ! ls .venv/ready-* >/dev/null 2>&1; then
        echo "== set-up: .venv is not complete, it is made again"
    elif [ -n "$(find .venv/ready-* ! -newer pyproject.toml)" ]; then
        echo "== set-up: pyproject.toml changed, .venv is made again"
    else
        echo "== set-up: .venv is of another folder or another Python, it is made again"
    fi
}

install_with_uv() {
    uv pip install --quiet --python .venv/bin/python --editable "$project"
}

# A system Python may come without ensurepip; its own pip can then fill the new environment from outside.
install_with_pip() {
    if .venv/bin/python -m pip --version >/dev/null 2>&1; then
        .venv/bin/python -m pip install -qq --disable-pip-version-check --editable "$project"
    else
        "$python" -m pip --python .venv/bin/python install -qq --disable-pip-version-check --editable "$project"
    fi
}

make_with_uv() {
    rm -rf .venv && uv venv --quiet --python "$python" .venv && install_with_uv
}

make_with_pip() {
    { "$python" -m venv --clear .venv >/dev/null 2>&1 || "$python" -m venv --clear --without-pip .venv; } &&
        install_with_pip
}

if is_ready "$wanted" || { [ "$wanted" != dev ] && is_ready dev; } || { [ "$wanted" = run ] && is_ready serve; }; then
    exit 0
fi
python=$(find_python)

if is_ready run || is_ready serve || is_ready dev; then
    step=install said="adding $(describe) to .venv"
else
    explain_rebuild
    step=make said="making .venv with $(describe)"
fi

if command -v uv >/dev/null 2>&1; then
    echo "== set-up: $said, with uv"
    if "${step}_with_uv"; then
        mark_ready
        exit 0
    fi
    echo "uv could not set up .venv, trying pip"
fi

echo "== set-up: $said, with pip (a minute or two the first time)"
if ! "${step}_with_pip"; then
    echo "Set-up failed: see the message above. The environment needs venv, pip and a package index." >&2
    exit 1
fi
mark_ready
