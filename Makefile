# Two commands: `make run` opens a club on this machine, `make test` checks everything. CONTRIBUTING.md tells the rest.

ifndef PYTHON
PYTHON := $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11,$(shell \
    $(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))))
endif
BIN = .venv/bin
CATALOGUES = $(patsubst %.po,%.mo,$(wildcard club/locale/*/LC_MESSAGES/*.po))
LANGUAGES = ru az tr
PYTEST = $(BIN)/python -m pytest
PURE = tests/engine tests/titles

.PHONY: run setup setup-dev python catalogues test check test-pure test-rest test-long bench lock messages

run: setup catalogues
	@exec $(BIN)/python -m club.stack

setup setup-dev: setup%: python
	@$(PYTHON) -m club.stack.environment $(if $*,dev,run)

python:
	@test -n "$(PYTHON)" || { echo "The club needs Python 3.11 or newer, and found none."; exit 1; }

catalogues: $(CATALOGUES)

%.mo: %.po
	@$(BIN)/pybabel -q compile -i $< -o $@

# The quick answers first: what is wrong with a line, then the pure rules, then all that needs servers and a browser.
test: setup-dev catalogues check test-pure test-rest

check:
	@echo "Reading the code ..."
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --no-error-summary .
	@$(BIN)/lint-imports --no-logo

test-pure:
	@$(PYTEST) -n 2 -m "not long" $(PURE)

test-rest:
	@browser=$$($(BIN)/python -m tests.chromium) && \
	$(PYTEST) -n 2 -m "not long $$browser" $(addprefix --ignore=,$(PURE)) tests

test-long: setup-dev catalogues
	@$(PYTEST) -n 2 -m long tests

bench: setup-dev catalogues
	@$(BIN)/python -m tests.bench

# The locks list every package with its hashes, for all systems and Pythons, and name no host.
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header
lock: setup-dev
	@echo uv | $(COMPILE) - -o requirements/installer.lock
	@$(COMPILE) requirements/run.in -o requirements/run.lock
	@$(COMPILE) requirements/dev.in -c requirements/run.lock -o requirements/dev.lock
	@$(COMPILE) requirements/bench.in -o requirements/bench.lock

messages: setup-dev
	@$(BIN)/python manage.py makemessages --no-obsolete --add-location file --ignore .venv --ignore var --ignore tests \
	    $(addprefix --locale ,$(LANGUAGES))
