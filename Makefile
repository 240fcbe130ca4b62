# The developer's verbs. `make run` and `make test` need Python 3.11 or newer and nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Has kaggle-environments, but not this package.
KAGGLE_VENV := .venv-kaggle
HOT := $(wildcard connect4_agent/engine/*.py connect4_agent/engine/*.pxd)

.PHONY: install run test check install-harness test-harness bench demo clean

install: $(VENV)/installed

# Installed in place; again whenever the compiled code's sources change.
$(VENV)/installed: pyproject.toml $(HOT) | $(BIN)/pip
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml $(HOT) | $(BIN)/pip
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(VENV)/installed $@

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "connect4-agent needs Python 3.11 or newer, $(PYTHON) is " + sys.version.split()[0] + "; try make PYTHON=python3.12")'
	@$(PYTHON) -m venv --clear $(VENV)

# Set-up talks to standard error and reads nothing: standard input and output belong to the server.
run:
	@$(MAKE) --silent --no-print-directory install </dev/null >&2
	@exec $(BIN)/connect4-agent $(ARGS)

# A file's tests stay in one process: they share servers and browsers.
test: $(VENV)/installed-dev
	$(BIN)/python -m pytest -n auto --dist loadfile $(ARGS)

# Games in the real harnesses: Kaggle, PettingZoo, OpenSpiel.
install-harness: $(VENV)/installed-harness

# Of kaggle-environments' many dependencies ConnectX needs those few that the extra has.
$(VENV)/installed-harness: pyproject.toml $(HOT) | $(BIN)/pip
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,harness]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps 'kaggle-environments>=1.33'
	@touch $(VENV)/installed $(VENV)/installed-dev $@

$(KAGGLE_VENV)/installed: | $(BIN)/pip
	@$(BIN)/python -m venv --clear $(KAGGLE_VENV)
	@$(KAGGLE_VENV)/bin/python -m pip install --quiet --disable-pip-version-check flask jsonschema numpy requests
	@$(KAGGLE_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps 'kaggle-environments>=1.33'
	@touch $@

test-harness: $(VENV)/installed-harness $(KAGGLE_VENV)/installed
	$(BIN)/python -m pytest $(or $(ARGS),tests/harness)

check: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks $(ARGS)

# Four positions, then a reply explained.
demo:
	@$(MAKE) --silent --no-print-directory install </dev/null >&2
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/ask.sh
	@$(BIN)/connect4-agent move --moves 44 --explain

clean:
	rm -rf $(VENV) $(KAGGLE_VENV) build dist *.egg-info connect4_agent/engine/*.c connect4_agent/engine/*.so
