# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-input
PYTEST ?= -n 2 --dist loadfile
QUESTION ?= Which products do we buy from Granit Works?

.PHONY: demo test lint docs services lock clean

demo: $(VENV)/.demo  ## Answer a question over the demo database with the embedded model
	@$(BIN)/dragoman ask "$(QUESTION)"

test: $(VENV)/.dev  ## Run the tests; PYTEST adds options
	@$(BIN)/dragoman model install --quiet
	@$(BIN)/python -m pytest $(PYTEST)

lint: $(VENV)/.dev  ## Style, types, and who may import whom
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

docs: $(VENV)/.dev  ## Write the generated pages of docs/reference
	@$(BIN)/python docs/generate.py

services:  ## Install PostgreSQL and MariaDB where missing and start them on loopback
	@bash services/start

lock: $(VENV)/.dev  ## Renew the locks from pyproject.toml
	@requirements/compile

clean:  ## Remove everything that was installed or generated here
	rm -rf $(VENV) .services .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; name one with make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: requirements/demo.lock pyproject.toml | $(VENV)/bin/python
	@echo "Installing (once)..."
	@$(PIP) --require-hashes -r requirements/demo.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements/dev.lock pyproject.toml | $(VENV)/bin/python
	@echo "Installing what the tests need (once)..."
	@$(PIP) --require-hashes -r requirements/dev.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@ $(VENV)/.demo
