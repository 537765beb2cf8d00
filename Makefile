# fivedice: `make play` serves the game to your browser, `make test` passes the tests; both set everything up first.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: play play-terminal test check setup lint types contract audit bench bench-server bench-peers lock clean help

play: .venv/.play ## set up, serve the game to your browser and print the address
	@$(BIN)/fivedice serve

play-terminal: .venv/.play ## set up and start the game in the terminal
	@$(BIN)/fivedice play

test: .venv/.dev ## set up and pass the tests and the doctests
	$(BIN)/pytest --numprocesses=auto

check: lint types contract test ## lint, types, import contract, tests, doctests

setup: .venv/.dev ## leave a .venv in which `fivedice` is a command

lint: .venv/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/.dev
	$(BIN)/mypy

contract: .venv/.dev
	$(BIN)/lint-imports --no-cache

bench: .venv/.dev ## how long exact solutions take, against the bars
	@$(BIN)/python benchmarks/solve.py
	@$(BIN)/python benchmarks/advise.py
	@$(BIN)/python benchmarks/why.py

bench-server: .venv/.dev ## durable actions a second, and how long their acknowledgement takes
	@$(BIN)/python benchmarks/server.py

bench-peers: .venv/.dev ## the same work by the fastest solver on the package index, in an environment of its own
	@$(BIN)/python benchmarks/peers.py

audit: ## look for known holes in what is pinned (needs the network)
	@$(PYTHON) -m venv .venv/audit
	@.venv/audit/bin/python -m pip --disable-pip-version-check install --quiet 'pip-audit>=2.10'
	.venv/audit/bin/pip-audit --strict --disable-pip --require-hashes -r requirements/play.lock -r requirements/dev.lock
	@if [ -f web/package-lock.json ]; then cd web && npm audit; fi

lock: ## pin what pyproject.toml asks for, with hashes (needs uv)
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    --upgrade pyproject.toml requirements/build.in -o requirements/play.lock
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    --upgrade pyproject.toml requirements/build.in --group dev \
	    -c requirements/play.lock -o requirements/dev.lock

clean: ## remove the environment and everything made
	rm -rf .venv dist .mypy_cache .ruff_cache .hypothesis

help: ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 16

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "fivedice needs Python 3.11 or newer: try 'make PYTHON=python3.11 …'" >&2; exit 2; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
	    echo "Python could not make a virtual environment: on Debian, 'apt-get install python3-venv'" >&2; exit 2; }

# Each lock is installed once, and again when it changes.
.venv/.play .venv/.dev: .venv/.%: requirements/%.lock pyproject.toml | .venv/bin/python
	@echo "Setting up .venv from $< (once) …"
	@$(PIP) install --quiet --require-hashes -r $<
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@
