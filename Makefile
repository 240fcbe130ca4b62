# The developer's verbs. `make run` and `make test` need Python 3.11 or newer and nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Has kaggle-environments, but not this package.
KAGGLE_VENV := .venv-kaggle
KERNEL := connect4_agent/engine/kernel
KERNEL_FILES := setup.py $(wildcard $(KERNEL)/*.py $(KERNEL)/*.px* $(KERNEL)/*/*.pxd)
SOURCES := $(shell find connect4_agent -name '*.py')

.PHONY: help install run play web test quick tools check check-scripts no-npm install-harness test-harness bench demo docs site wheel clean

# EXTRAS=arena,web installs those extras, too. pip would pass over one that does not exist.
KNOWN_EXTRAS := arena cluster data web
GROUPS := browser dev docs harness wheel
comma := ,
space := $(subst ,, )
ASKED := $(sort $(subst $(comma),$(space),$(EXTRAS)))
UNKNOWN := $(filter-out $(KNOWN_EXTRAS),$(ASKED))
$(if $(UNKNOWN),$(error EXTRAS has $(UNKNOWN); allowed are $(KNOWN_EXTRAS), separated by commas\
  ($(GROUPS) are dependency groups: the verbs that need one install it)))
INSTALLED := $(VENV)/installed$(addprefix -,$(subst $(space),$(comma),$(ASKED)))

help: ## these lines
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1	/p' Makefile | expand -t 17

# Installed in place, again whenever the kernel's files change.
install: $(INSTALLED) $(VENV)/bytecode ## set up .venv and compile the search; EXTRAS=arena,web adds extras

# pip's own words are shown only if it fails.
PIP = $(BIN)/python -m pip --disable-pip-version-check --no-input install
define quietly
@$(1) >$(VENV)/install.log 2>&1 </dev/null || { cat $(VENV)/install.log >&2; exit 1; }
endef

# pip does not show what the build says, either.
NOT_COMPILED := $(KERNEL)/not_compiled.txt
TELL_FAILURE = @test ! -e $(NOT_COMPILED) || echo "Not all of the search could be compiled: $$(cat $(NOT_COMPILED))" >&2

$(VENV)/installed: pyproject.toml $(KERNEL_FILES) | $(BIN)/pip
	@test ! -e $@ || echo 'Compiling the search again: about 15 s' >&2
	$(call quietly,$(PIP) --editable .)
	$(TELL_FAILURE)
	@touch $@

# Of an extra only the requirements, so that nothing is compiled again.
REQUIREMENTS = import sys, tomllib; extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]; \
  print(*(text for name in sys.argv[1].split(",") for text in extras[name]))

$(VENV)/installed-%: pyproject.toml | $(VENV)/installed
	@echo 'Installing what $* needs: some seconds' >&2
	$(call quietly,$(PIP) $$($(BIN)/python -c '$(REQUIREMENTS)' $*))
	@touch $@

# A dependency group beside the package; for `dev`, beside the package with all of its extras.
$(GROUPS:%=$(VENV)/installed-%): $(VENV)/installed-%: pyproject.toml | $(VENV)/pip-with-groups
	@echo 'Installing the dependency group $*: up to a minute' >&2
	$(call quietly,$(PIP) --group $*)
	@touch $@

$(VENV)/installed-dev: | $(VENV)/installed-$(subst $(space),$(comma),$(KNOWN_EXTRAS))
$(VENV)/installed-browser $(VENV)/installed-docs $(VENV)/installed-harness $(VENV)/installed-wheel: | $(VENV)/installed

# Python 3.11 comes with pip 23.2, which does not know dependency groups.
$(VENV)/pip-with-groups: | $(BIN)/pip
	$(call quietly,$(PIP) 'pip>=25.1')
	@touch $@

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "connect4-agent needs Python 3.11 or newer, $(PYTHON) is " + sys.version.split()[0] + "; try make PYTHON=python3.12")'
	@echo 'Setting up $(VENV) and compiling the search: about 40 s, once' >&2
	@$(PYTHON) -m venv --clear $(VENV)

# Python itself writes no bytecode if PYTHONDONTWRITEBYTECODE is set, and then compiles the sources at every start.
$(VENV)/bytecode: $(SOURCES) | $(INSTALLED)
	@$(BIN)/python -m compileall -q -j 0 connect4_agent
	@touch $@

# Set-up talks to standard error and reads nothing: standard input and output belong to the server.
SET_UP = $(MAKE) --silent --no-print-directory install </dev/null >&2

run: ## the agent, which reads requests; ARGS='--level perfect' are its options
	@$(SET_UP)
	@exec $(BIN)/connect4-agent $(ARGS)

play: ## a board in the terminal
	@$(SET_UP) EXTRAS=arena
	@exec $(BIN)/connect4-agent play $(ARGS)

web: ## a board in the browser
	@$(SET_UP) EXTRAS=web
	@exec $(BIN)/connect4-agent web $(ARGS)

# A file's tests stay in one process: they share servers and browsers. The files run in the order of tests/conftest.py.
# Many tests start processes; without bytecode, each of them would compile the sources.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

test: $(VENV)/installed-dev ## all tests
	$(PYTEST) $(ARGS)

quick: $(VENV)/installed-dev ## the agent's own tests: about a minute
	$(PYTEST) -m 'not slow' $(or $(ARGS),tests/rules tests/engine tests/server)

# What tests need beyond Python and make. With a new compiler, the next set-up compiles the search.
tools: ## install what the tests need beyond Python (Debian, Ubuntu)
	@command -v apt-get >/dev/null || { echo 'make tools: only Debian and Ubuntu are supported; elsewhere install by hand: bubblewrap, a C and a C++ compiler, chromium, git, a JDK, node, npm, ps, racket' >&2; exit 1; }
	@missing() { $(PYTHON) -m tests.system_tools $$(apt-cache pkgnames chromium); }; \
	packages=$$(missing) || exit 1; \
	[ -n "$$packages" ] || exit 0; \
	[ "$$(id -u)" -eq 0 ] && sudo= || sudo=sudo; \
	[ -z "$$sudo" ] || command -v sudo >/dev/null || { echo "make tools: there is no sudo; run as root: apt-get install $$packages" >&2; exit 1; }; \
	$$sudo apt-get update -q && packages=$$(missing) && \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$packages && \
	case $$packages in *gcc*) rm -f $(VENV)/installed* ;; esac

install-harness: $(VENV)/with-harness ## install Kaggle, PettingZoo and OpenSpiel

# Of kaggle-environments' many dependencies ConnectX needs those few that the group `kaggle` has.
KAGGLE := --no-deps 'kaggle-environments>=1.33'

$(VENV)/with-harness: $(VENV)/installed-dev $(VENV)/installed-harness
	$(call quietly,$(PIP) $(KAGGLE))
	@touch $@

$(KAGGLE_VENV)/installed: pyproject.toml | $(VENV)/pip-with-groups
	@$(BIN)/python -m venv --clear --without-pip $(KAGGLE_VENV)
	$(call quietly,PIP_PYTHON=$(KAGGLE_VENV) $(PIP) --group kaggle)
	$(call quietly,PIP_PYTHON=$(KAGGLE_VENV) $(PIP) $(KAGGLE))
	@touch $@

test-harness: $(VENV)/with-harness $(KAGGLE_VENV)/installed ## play games in them
	$(BIN)/python -m pytest $(or $(ARGS),tests/harness)

check: $(VENV)/installed-dev $(if $(shell command -v npm || :),check-scripts,no-npm) ## ruff and mypy; ESLint and TypeScript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

SCRIPTS := build/scripts
SCRIPT_FOLDERS := $(addprefix connect4_agent/,arena/report/static drawing/static ui/web/static) tools/scripts tools/site/web

# FIX=--fix lays the scripts out.
check-scripts: $(SCRIPTS)/installed
	cd $(SCRIPTS) && node_modules/.bin/tsc -p $(CURDIR)/tools/scripts
	$(SCRIPTS)/node_modules/.bin/eslint $(FIX) --cache --cache-location $(SCRIPTS)/ --config $(SCRIPTS)/eslint.config.js $(SCRIPT_FOLDERS)

no-npm:
	@echo 'npm is missing: the scripts of the pages are not checked' >&2
	@test -z "$(CONNECT4_AGENT_REQUIRE_TOOLS)"

$(SCRIPTS)/installed: tools/scripts/package.json tools/scripts/eslint.config.js
	@mkdir -p $(SCRIPTS) && cp $^ $(SCRIPTS)/
	@npm install --prefix $(SCRIPTS) --silent --no-audit --no-fund --no-package-lock >&2
	@touch $@

bench: $(VENV)/installed-dev ## measure; ARGS=solver is one of the parts
	$(BIN)/python -m tools.benchmarks $(ARGS)

# A warning is an error.
docs: $(VENV)/installed-docs ## the documentation as a site in build/docs
	$(BIN)/python -m sphinx --quiet --fresh-env --fail-on-warning --keep-going --jobs auto docs build/docs
	@echo 'Open build/docs/index.html' >&2

# Needs node and npm, which downloads Pyodide; the kernel is compiled to WebAssembly the first time: a minute.
site: $(VENV)/installed-browser ## the board as static files in build/site, for any web host
	@$(BIN)/python -m tools.site

# One wheel for every Python from 3.11 on, and the sdist: built, checked, and tried away from the source.
wheel: $(VENV)/installed-wheel ## a wheel and the source in dist/
	@rm -rf dist
	$(call quietly,$(BIN)/python -m build --outdir dist .)
	$(BIN)/python -m tests.wheel dist

demo: ## four positions, then a reply explained
	@$(SET_UP)
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/ask.sh
	@$(BIN)/connect4-agent move --moves 44 --explain

clean: ## remove everything that the other verbs made
	rm -rf $(VENV) $(KAGGLE_VENV) build dist *.egg-info $(KERNEL)/*/*.so $(NOT_COMPILED)
