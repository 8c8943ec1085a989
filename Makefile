# Everything a reviewer needs: `make reproduce` and `make test`.
# Each creates its own environment in .venv on first use and needs no network afterwards.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: reproduce test lint types pytest clean constraints help bench mutants docs

help:
	@echo "make reproduce   every claim of every paper, every family, the simulations, HTML pages"
	@echo "make test        lint, types, tests of the toolkit, claims of the paper"
	@echo "make bench       how fast the compiled engine is, as ratios measured in one run"
	@echo "make mutants     small errors in kernel, constants, claims, engine and numbers, which must be noticed or explained"
	@echo "make docs        the documentation as a site, in build/docs"
	@echo "make clean       remove the environment and everything generated"

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "glbcheck needs Python 3.11 or newer; try: make PYTHON=python3.11")'
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt setuptools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $@

reproduce: $(READY)
	$(BIN)/glbcheck reproduce --paper all

# Lint and types fill the time in which the tests leave a core idle.
test: $(READY)
	@$(MAKE) --no-print-directory -j3 lint types pytest

pytest: $(READY)
	$(BIN)/pytest tests proofs_checks

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# mypy follows no import hook, so it is shown the installed layout as links.
types: $(READY)
	rm -rf $(VENV)/types && mkdir -p $(VENV)/types/glbcheck
	ln -s $(addprefix ../../../,$(wildcard glbcheck/*) core verify proofs_checks) $(VENV)/types/glbcheck
	$(BIN)/mypy

constraints: $(READY)
	@echo "# Exact versions used by \`make\`; refresh with \`make constraints\`." > constraints.txt
	$(BIN)/python -m pip list --format=freeze --exclude glbcheck --exclude pip >> constraints.txt

docs: $(READY)
	$(BIN)/python docs/reference.py
	$(BIN)/python -m sphinx -q -W -b html -d build/trees docs build/docs
	@echo "open build/docs/index.html"

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache results

bench: $(READY)
	$(BIN)/python -m benchmarks.bench_engine $(if $(JSON),--json $(JSON))
	$(BIN)/python -m benchmarks.bench_simulate

mutants: $(READY)
	$(BIN)/python -m tests.mutants
	$(BIN)/python -m tests.constant_mutants
	$(BIN)/python -m tests.claim_mutants
	$(BIN)/python -m tests.engine_mutants
	$(BIN)/python -m tests.engine_mutants --numbers
