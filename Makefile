# Everything runs from .venv, which `make demo` and `make test` set up by themselves.
# Paths are relative throughout, so that a checkout may lie in a folder with spaces.

PYTHON ?=
PYTEST_ARGS ?=
BENCH ?= cost
FUZZ_ARGS ?= --minutes 60
ROUNDS ?= 60
KILL_ARGS ?=
export PYTHON PYTEST_ARGS

RUN := .venv/bin/python -m
SETUP := PYTHON="$(PYTHON)" sh scripts/setup_env.sh

.DEFAULT_GOAL := help
.PHONY: help demo serve test test-agents lint bench fuzz kill format clean

help:
	@echo "make demo     set up, then watch one conversation being remembered and asked about"
	@echo "make serve    set up, then open the pages with sample data: it prints one link"
	@echo "make test     set up, then formatter check, linter, type checker, source check and tests"
	@echo "make test-agents  drive real coding agents from npm with a scripted model; skipped where npm is missing"
	@echo "                  (AGENTS_CACHE is the folder of their packages, by default in the cache of your home)"
	@echo "make lint     the same without the tests"
	@echo "make bench    what the operations cost (BENCH=cost names the script in benchmarks/)"
	@echo "make fuzz     attack every interface with input by chance for an hour (FUZZ_ARGS='--minutes 5 --seed 7')"
	@echo "make kill     kill processes of all roles on one memory and count what was lost (ROUNDS=60 KILL_ARGS='--seed 7')"
	@echo "make format   format the code and repair what the linter can repair"
	@echo "make clean    remove .venv, caches and builds"
	@echo ""
	@echo "PYTHON=python3.12 chooses the interpreter; PYTEST_ARGS='-k fade' goes to pytest."

demo:
	@$(SETUP) run
	@$(RUN) toldonce.demo

serve:
	@$(SETUP) serve
	@$(RUN) toldonce serve --sample

test:
	@sh scripts/test.sh

test-agents:
	@$(SETUP) dev
	@TEST_AGENTS=1 $(RUN) pytest -q -n 2 tests/agents $(PYTEST_ARGS)

lint:
	@sh scripts/test.sh lint

bench:
	@$(SETUP) run
	@$(RUN) benchmarks.$(BENCH)

fuzz:
	@$(SETUP) dev
	@.venv/bin/python scripts/fuzz.py $(FUZZ_ARGS)

kill:
	@$(SETUP) dev
	@.venv/bin/python scripts/kill_rounds.py --rounds $(ROUNDS) $(KILL_ARGS)

format:
	@$(SETUP) dev
	@$(RUN) ruff check --fix --exit-zero --quiet .
	@$(RUN) ruff format .
	@$(RUN) ruff check .

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage htmlcov
	find src tests scripts benchmarks -type d -name __pycache__ -prune -exec rm -rf {} +
