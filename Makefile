# fivedice: `make play` serves the game to your browser, `make test` passes the tests; both set everything up first.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: play play-terminal test check setup web web-check web-types lint types contract audit bench bench-peers calibrate \
    identity golden bench-server crash-test lock upgrade clean help

play: .venv/.play web ## set up and start the game in the browser: prints its address
	@$(BIN)/fivedice serve

play-terminal: .venv/.play ## set up and start the game in this terminal
	@$(BIN)/fivedice play

test: .venv/.dev web ## set up and pass the tests and the doctests
	$(BIN)/pytest --numprocesses=auto

check: lint types contract web-check test ## lint, types, import contract, tests, doctests

setup: .venv/.dev ## leave a .venv in which `fivedice` is a command

# Node 20.19 or newer from the path; where there is none, from the Python package of requirements/node.lock.
web: | .venv/bin/python ## build the page, if its sources have changed
	@$(BIN)/python web/page.py --has-node || $(PIP) install --quiet --require-hashes -r requirements/node.lock
	@$(BIN)/python web/page.py

web-check: .venv/.dev web ## types and tests of the page, and whether its types are what the API says
	@$(BIN)/python web/page.py run check
	@$(BIN)/python web/page.py run test
	@$(BIN)/python web/schema.py --check

web-types: .venv/.dev web ## write the page's types from the API
	@$(BIN)/python web/schema.py

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
	@$(BIN)/python benchmarks/review.py

KILLS ?= 200
DB ?= sqlite
bench-server: .venv/.dev ## durable actions a second and memory of idle sockets: DB=sqlite|postgres
	@$(BIN)/python benchmarks/server.py $(DB)
	@$(BIN)/python benchmarks/sockets.py $(DB)

crash-test: .venv/.dev ## kill a server under load again and again: KILLS=200 DB=sqlite|postgres
	@$(BIN)/python -m tests.reliability.crash --kills $(KILLS) --db $(DB)

bench-peers: .venv/.dev ## the same work by the fastest solver on the package index, in an environment of its own
	@$(BIN)/python benchmarks/peers.py

audit: .venv/.dev ## look for known holes in all that is pinned (needs the network)
	@$(BIN)/python web/page.py --has-node || $(PIP) install --quiet --require-hashes -r requirements/node.lock
	@$(BIN)/python requirements/audit.py

calibrate: .venv/.dev ## print the tables of docs/review.md anew: some minutes
	@$(BIN)/python -m fivedice.simulate

identity: .venv/.dev ## score = value at the start + luck − loss, on 10,000 games: some minutes
	$(BIN)/pytest tests/analysis/test_identity.py --games=10000 --numprocesses=auto

golden: .venv/.dev ## write tests/golden/ anew: the report of one game a ruleset
	$(BIN)/pytest tests/cli/test_golden.py --write-golden

lock: ## pin what pyproject.toml asks for, with hashes (needs uv)
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    $(UPGRADE) pyproject.toml requirements/build.in -o requirements/play.lock
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    $(UPGRADE) pyproject.toml requirements/build.in --extra postgres \
	    -c requirements/play.lock -o requirements/serve.lock
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    $(UPGRADE) pyproject.toml requirements/build.in --group dev \
	    -c requirements/serve.lock -o requirements/dev.lock
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    $(UPGRADE) requirements/node.in -o requirements/node.lock

upgrade: UPGRADE = --upgrade
upgrade: lock ## the same, with the newest version of everything

clean: ## remove the environment and everything made
	rm -rf .venv dist web/node_modules src/fivedice/web .mypy_cache .ruff_cache .hypothesis

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
