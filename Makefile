# The developer's verbs. `make run` and `make test` need Python 3.11 or newer and nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
HOT := $(wildcard connect4_agent/engine/*.py connect4_agent/engine/*.pxd)

.PHONY: install run test check bench demo clean

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
	@$(MAKE) --no-print-directory install </dev/null >&2
	@exec $(BIN)/connect4-agent $(ARGS)

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest $(ARGS)

check: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks $(ARGS)

# Four positions, then a reply explained.
demo:
	@$(MAKE) --no-print-directory install </dev/null >&2
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/ask.sh
	@$(BIN)/connect4-agent move --moves 44 --explain

clean:
	rm -rf $(VENV) build dist *.egg-info connect4_agent/engine/*.c connect4_agent/engine/*.so
