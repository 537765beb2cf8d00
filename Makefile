# `make play` starts the game in the browser, `make test` runs the tests. Both install everything first.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# Tests start many Pythons. They would compile all sources each time if the environment forbids to store the result.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play play-terminal beside test test-ci test-full test-times broken-lines check setup node page web web-check web-types lint types contract \
    catalogues audit bench build release pythons check-install check-ways check-aarch64 kernels perfect-scores bench-peers bench-research \
    bench-approximate bench-fair bench-dice bench-answers bench-local bench-targets curves calibrate ladder identity rules golden census bench-server bench-cluster scaling bench-old crash-test upgrade-test docs static pictures lock upgrade clean help

# What was installed is of no use after this folder was moved, or the system's Python was upgraded: then it is deleted. -S
# leaves out what is installed, which may be about to be replaced.
STALE := $(shell test ! -e .venv/.play -a ! -e .venv/.dev || .venv/bin/python -ES -c \
    'import os, sys; here = os.path.dirname(os.path.dirname(sys.executable)); \
    config = open(f"{here}/pyvenv.cfg", "rb").read(); is_moved = b"command = " in config and os.fsencode(here) not in config; \
    sys.exit(is_moved or not os.path.isdir("%s/lib/python%d.%d" % (here, *sys.version_info[:2])))' || rm -rf .venv)

# What is installed already; in a new checkout, what the first of these goals needs, so that one lock is enough.
INSTALLED := $(or $(firstword $(wildcard .venv/.dev .venv/.play)),\
    .venv/.$(if $(filter-out .venv/.play play play-terminal web page node kernels,$(MAKECMDGOALS)),dev,play))

play: .venv/.play beside web ## serve the game to browsers on this computer and on phones in the same network
	@$(KERNELS) layers || true
	@$(BIN)/fivedice serve --host 0.0.0.0

play-terminal: .venv/.play beside ## start the game in this terminal
	@$(BIN)/fivedice play

# The solver's kernels: built beside a game, whose first values need only one module of them, and before anything else.
# A C compiler links them; without one, Zig does.
KERNELS = $(BIN)/python -m release.kernels
LINKER := $(if $(shell command -v $(CC)),,.venv/.zig)
beside: $(INSTALLED) $(LINKER)
	@$(KERNELS) --beside || true

kernels: $(INSTALLED) $(LINKER) ## build the solver's kernels for this machine, in a minute or two
	@$(KERNELS)

# The tiers are in tests/tiers.py.
TESTED = .venv/.dev web kernels
PYTEST = $(BIN)/pytest --numprocesses=auto --dist=loadfile --no-loadscope-reorder

test: $(TESTED) ## run the tests and doctests that a change needs to be trusted (five minutes on two cores)
	@$(PYTEST) --tier=quick

test-ci: $(TESTED) ## run the tests of `.ci/run`: also the other journeys in a browser, and what takes longer
	@$(PYTEST) --tier=ci

test-full: export FIVEDICE_TESTS = full
test-full: $(TESTED) ## run all tests with all random cases, kills, databases, proxies and colour schemes (at night)
	@$(PYTEST) --timeout=1200

TIER ?= quick
test-times: $(TESTED) ## print the tests that take longest: TIER=quick|ci|night
	@$(PYTEST) --tier=$(TIER) --durations=30

SEED ?= 1
broken-lines: $(TESTED) ## break 60 lines of the program, one at a time, and print which test notices each: SEED=1 (hours)
	@$(BIN)/python -m tests.broken_lines --seed $(SEED)

check: lint types contract web-check test ## run linters, type checks, import contracts, tests and doctests

setup: .venv/.dev web kernels ## install everything into .venv, with the command `fivedice`, its page and its solver

# Node 20.19 or newer comes from the PATH, otherwise from the Python package in requirements/node.lock.
node: | .venv/bin/python
	@$(BIN)/python web/page.py --has-node || $(PIP) install --quiet --require-hashes -r requirements/node.lock

page: node
	@$(BIN)/python web/page.py --only-page

# What the page runs without a server is found by importing it, so the program has to be installed first.
web: page $(INSTALLED) ## build the page if its sources have changed
	@$(BIN)/python web/page.py

web-check: .venv/.dev web ## check the page: types, tests, and its types of the API
	@$(BIN)/python web/page.py run check
	@$(BIN)/python web/page.py run test
	@$(BIN)/python web/schema.py --check

web-types: .venv/.dev web ## generate the page's types from the API
	@$(BIN)/python web/schema.py

CATALOGUES := src/fivedice/locale --domain fivedice
PYBABEL := $(BIN)/python -m babel.messages.frontend --quiet
catalogues: .venv/.dev ## extract the messages of all languages, and compile their translations
	@$(PYBABEL) extract --mapping=web/babel.ini --keywords="marked say count:1,2 numbered:1,2" --project=fivedice \
	    --add-location=file --sort-by-file --no-wrap --output-file=.venv/fivedice.pot src/fivedice web/src/messages
	@$(PYBABEL) update --input-file=.venv/fivedice.pot --output-dir=$(CATALOGUES) --no-wrap \
	    --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date
	@$(BIN)/python -m web.messages

lint: .venv/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/.dev
	$(BIN)/mypy

contract: .venv/.dev
	$(BIN)/lint-imports --no-cache

bench: .venv/.dev kernels ## measure how long solutions and advice take, against fixed limits
	@$(BIN)/python benchmarks/solve.py
	@$(BIN)/python benchmarks/odds.py
	@$(BIN)/python benchmarks/advise.py
	@$(BIN)/python benchmarks/why.py
	@$(BIN)/python benchmarks/review.py
	@$(BIN)/python benchmarks/chances.py
	@$(BIN)/python benchmarks/first_review.py

bench-local: .venv/.dev kernels web ## measure what playing without a server costs in the browser's Python, run by Node
	@$(BIN)/python benchmarks/local.py

FAULTS ?= 200
DB ?= sqlite
bench-server: .venv/.dev kernels ## measure durable actions a second and the memory of idle sockets: DB=sqlite|postgres
	@$(BIN)/python benchmarks/server.py $(DB)
	@$(BIN)/python benchmarks/sockets.py $(DB)

scaling: .venv/.dev kernels ## print the arithmetic of docs/scaling.md
	@$(BIN)/python benchmarks/scaling.py

bench-cluster: .venv/.dev kernels ## measure the cost of an action with 1, 2, 4 and 8 processes on one PostgreSQL (three minutes)
	@$(BIN)/python benchmarks/cluster.py

TABLES ?= 200000
bench-old: .venv/.dev kernels ## measure what old tables cost, which takes ten minutes and 3 GB: TABLES=20000 DB=sqlite|postgres
	@$(BIN)/python benchmarks/old_tables.py $(TABLES) $(DB)

bench-answers: .venv/.dev kernels ## measure reviews, figures, lessons and standings with 100,000 graded decisions: DB=sqlite|postgres
	@$(BIN)/python benchmarks/answers.py $(DB)

bench-targets: .venv/.dev kernels ## measure how long the chances of all targets take, against fixed limits (a few minutes)
	@$(BIN)/python benchmarks/targets.py

curves: .venv/.dev kernels ## recompute the tables and the picture of docs/targets.md (half an hour)
	@$(BIN)/python benchmarks/target_curves.py

bench-approximate: .venv/.dev kernels ## measure play by approximate values against exact ones, and its cost (ten minutes): GAMES=32768
	@$(BIN)/python benchmarks/approximate.py $(GAMES)

bench-fair: .venv/.dev kernels ## measure what one address that asks for everything at once costs the others
	@$(BIN)/python benchmarks/fairness.py
	@$(BIN)/python benchmarks/fairness_tables.py

bench-dice: .venv/.dev kernels ## measure how rarely the dice test calls fair dice unusual, and how soon loaded ones (two minutes)
	@$(BIN)/python benchmarks/dice_test.py

bench-research: .venv/.dev kernels ## measure simulations, a sweep, and environments beside OpenSpiel's (needs the network)
	@$(BIN)/python benchmarks/simulate.py
	@$(BIN)/python benchmarks/environments.py

crash-test: .venv/.dev kernels ## kill and disturb a server under load and look for lost actions: FAULTS=200 DB=sqlite|postgres SEED=1 PROCESSES=4
	@$(BIN)/python -m tests.reliability.crash --faults $(FAULTS) --db $(DB) $(if $(PROCESSES),--processes $(PROCESSES)) \
	    $(if $(SEED),--seed $(SEED))

PLAYERS ?= 200
upgrade-test: .venv/.dev kernels web ## expand the schema and replace four processes while people play: PLAYERS=200
	@$(BIN)/python -m tests.reliability.test_upgrade --players $(PLAYERS)

bench-peers: .venv/.dev kernels ## measure the fastest other solver on PyPI, in a separate environment
	@$(BIN)/python benchmarks/peers.py

audit: .venv/.dev node ## look for known vulnerabilities in all pinned packages (needs the network)
	@rm -rf build/pins && mkdir -p build/pins
	@# pip-audit takes one version of a package at a time.
	@grep -hoE '^[[:alnum:]._-]+==[^ ;\]+' requirements/*.lock | sort -u | awk -F== '{ print > "build/pins/" ++n[$$1] }'
	@status=0; for pins in build/pins/*; do \
	    $(BIN)/pip-audit --strict --disable-pip --no-deps --requirement $$pins || status=1; done; \
	$(BIN)/python web/page.py audit --package-lock-only --include=dev && exit $$status

perfect-scores: .venv/.dev kernels ## find the scores of perfect games that come with the program again, after a change of rules or values
	@$(BIN)/python -m release.perfect_scores

check-install: .venv/.dev node ## install the wheel with each extra into an empty environment: EXTRAS="base serve" (needs the network and a C compiler)
	@$(BIN)/python -m tests.check_install $(EXTRAS)

WAYS := clone wheel sdist service container
check-ways: .venv/.dev ## install the last commit in every documented way into empty environments: WAYS="clone wheel" (needs the network)
	@$(BIN)/python -m tests.check_install $(WAYS)

check-aarch64: .venv/.dev ## check the wheel of make build for Linux on aarch64 under emulation (needs Debian, qemu-user-static and the network)
	@$(BIN)/python -m tests.check_aarch64 dist/fivedice-*_aarch64.whl

ladder: .venv/.dev kernels ## print the tables of the levels in docs/players.md, and check them by 200,000 games of each
	@$(BIN)/python -m benchmarks.tables ladder

calibrate: .venv/.dev kernels ## recompute the tables of docs/review.md (a few minutes)
	@$(BIN)/python -m benchmarks.tables

identity: .venv/.dev kernels ## check score = value at the start + luck − loss on 10,000 games (a few minutes)
	$(BIN)/pytest tests/analysis/reviews/test_player_figures.py --games=10000 --timeout=1200 --numprocesses=auto

TARGETS := linux-x86_64 linux-aarch64
build: .venv/.dev .venv/.zig web ## build the wheels and the sdist into dist/, check them, and install them (needs the network)
	@$(BIN)/python -m release.build $(TARGETS)
	@$(BIN)/python -m tests.check_install --wheel dist/fivedice-*_$(shell uname -m).whl base all wheel sdist

release: .venv/.dev ## check everything for VERSION=0.1.0 and print the commands that publish it
	@$(BIN)/python -m release.prepare "$(VERSION)"

pythons: .venv/.dev kernels web ## run the tests with every supported Python that is installed (needs the network)
	@$(BIN)/python -m release.pythons

SITE := build/docs
docs: .venv/.docs kernels ## build the documentation site into build/docs, without warnings and dead links
	@$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -c docs/site -d build/doctrees docs $(SITE)
	@$(BIN)/python -m docs.site.check_links $(SITE)
	@echo "The site is in $(SITE)/index.html"

STATIC := build/static
RULESETS ?= yahtzee kniffel
static: .venv/.docs kernels web ## build a folder for any web host: the page without a server, with advice for RULESETS, and the documentation
	@$(BIN)/python web/static_site.py $(STATIC) $(RULESETS)
	@$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -c docs/site -D page=../ -d build/doctrees-static docs $(STATIC)/docs
	@$(BIN)/python -m docs.site.check_links $(STATIC)/docs
	@echo "The site is in $(STATIC)/index.html; try it with $(BIN)/python -m http.server --directory $(STATIC)"

pictures: .venv/.dev kernels web ## take the pictures of the page and the terminal in docs/pictures (needs Chromium)
	@$(BIN)/python -m docs.site.pictures

rules: .venv/.dev ## rewrite docs/rules.md, the rules of every ruleset in sentences
	@$(BIN)/python -c "from fivedice.rulesets.explanation import rules_markdown; print(rules_markdown(), end='')" > docs/rules.md

golden: .venv/.dev kernels ## rewrite tests/golden/, the report of one game per ruleset
	$(BIN)/pytest tests/cli/text/test_reports.py --write-golden

census: .venv/.dev kernels ## compare values, advice, reviews, records, explanations bit for bit (ALL=1: all rulesets; WRITE=1)
	@$(BIN)/python -m tests.census $(if $(ALL),--all) $(if $(WRITE),--write)

lock: ## pin the dependencies of pyproject.toml, with hashes (needs uv)
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    $(UPGRADE) pyproject.toml requirements/build.in --extra serve --group kernels -o requirements/play.lock
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    $(UPGRADE) pyproject.toml requirements/build.in --extra postgres \
	    -c requirements/play.lock -o requirements/serve.lock
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    $(UPGRADE) pyproject.toml requirements/build.in --all-extras --group dev \
	    -c requirements/serve.lock -o requirements/dev.lock
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    $(UPGRADE) requirements/node.in -o requirements/node.lock
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    $(UPGRADE) requirements/zig.in -o requirements/zig.lock
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    $(UPGRADE) requirements/installer.in -o requirements/installer.lock
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    $(UPGRADE) requirements/pip.in -c requirements/dev.lock -o requirements/pip.lock
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    $(UPGRADE) requirements/docs.in -c requirements/dev.lock --python-version 3.11 -o requirements/docs.lock

upgrade: UPGRADE = --upgrade
upgrade: lock ## pin the newest version of every dependency

clean: ## remove the environment and all build results
	rm -rf .venv build dist web/node_modules src/fivedice/web src/fivedice/solver/kernels/built \
	    .mypy_cache .ruff_cache .hypothesis

help: ## show this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 16

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "fivedice needs Python 3.11 or newer: try 'make PYTHON=python3.11 …'" >&2; exit 2; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
	    echo "Python cannot create a virtual environment; on Debian, run 'apt-get install python3-venv'" >&2; exit 2; }

# Install a lock file when it has changed. It names all packages, so that nobody need look for dependencies. uv takes a
# quarter of pip's processor time, but knows none of pip's settings, such as an index: what it cannot install, pip does;
# a new pip takes half the time of the one that comes with Python 3.11. Where uv was interrupted, packages lack files, which
# only --reinstall notices. compileall uses all processors, and fails if a file cannot be compiled, such as a template. It
# leaves out half: tests, and packages of which little is imported.
LOCKED := --quiet --no-deps --require-hashes
HARDLY_IMPORTED := tests|debugpy|faker|fontTools|IPython|lexers|mypy|mypyc|networkx|pip|scipy|setuptools
.venv/.play .venv/.dev: .venv/.%: requirements/%.lock requirements/installer.lock requirements/pip.lock pyproject.toml | .venv/bin/python
	@$(BIN)/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	    { echo ".venv lacks pip, or has a Python older than 3.11: delete this folder first" >&2; exit 2; }
	@echo "Setting up .venv from $< (once) …"
	@touch .venv/.begun
	@{ $(PIP) install $(LOCKED) -r requirements/installer.lock && \
	    $(BIN)/uv pip install $(if $(wildcard .venv/.begun),--reinstall) --python $(BIN)/python $(LOCKED) -r $<; } || \
	    { $(PIP) install $(LOCKED) -r requirements/pip.lock && $(PIP) install $(LOCKED) --no-compile -r $<; }
	@$(BIN)/python -m compileall -qq -j 0 -x '[/\\]($(HARDLY_IMPORTED))[/\\]' .venv/lib || true
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@rm -f .venv/.begun
	@touch $@

# The tools of the documentation site come into the same environment, because they import the program.
.venv/.docs: requirements/docs.lock .venv/.dev
	@$(PIP) install --quiet --no-deps --require-hashes -r $<
	@touch $@

# The linker for other kinds of machines takes 411 MB, so it is installed only where wheels are built, or there is no other.
.venv/.zig: requirements/zig.lock | .venv/bin/python
	@$(PIP) install --quiet --no-deps --require-hashes -r $<
	@touch $@
