# Everything a reviewer needs: `make test` and `make reproduce`.
# Each creates its own environment in .venv on first use, needs no network afterwards, and installs nothing elsewhere.

PYTHON  ?= python3
VENV    := .venv
RUN     := $(VENV)/bin/python -m
READY   := $(VENV)/.ready
SKIPPED := $(VENV)/.not-checked

.PHONY: reproduce test test-all lint types pytest clean constraints help bench mutants coverage docs setup

help:
	@echo "make setup       .venv, and Coq and Chromium by apt-get where root allows it"
	@echo "make test        lint, types, tests of the toolkit, claims of the papers"
	@echo "make test-all    the same with what is too slow for every run: about half an hour"
	@echo "make reproduce   every claim of every paper, every family, the simulations, HTML pages"
	@echo "make bench       how fast rounds and runs are, as ratios measured in one run"
	@echo "make mutants     small errors in kernel, constants and claims, which must be noticed"
	@echo "make coverage    which lines tests and claims run: 95% of each module of numbers, families, theory and fitting"
	@echo "make docs        the documentation as a site, in build/docs"
	@echo "make clean       remove the environment and everything generated"

$(READY): pyproject.toml constraints.txt
	@command -v "$(PYTHON)" >/dev/null || { echo "$(PYTHON) is not installed. Try: make PYTHON=python3.11"; exit 1; }
	@"$(PYTHON)" .ci/environment.py $(VENV)
	@touch $@

setup: $(READY)
	@$(RUN) tests.machine_setup

reproduce: $(READY)
	$(RUN) glbcheck reproduce --paper all

# Lint and types fill the time in which the tests leave a core idle. The last line says what was not checked.
test: $(READY)
	@rm -f $(SKIPPED)
	@GLBCHECK_NOT_CHECKED=$(SKIPPED) $(MAKE) --no-print-directory -j3 lint types pytest; \
		status=$$?; cat $(SKIPPED) 2>/dev/null; exit $$status

# Everything that `make test` leaves for the night, too.
test-all: $(READY)
	$(MAKE) --no-print-directory lint types
	$(RUN) pytest tests proofs_checks -m ''

pytest: $(READY)
	$(RUN) pytest tests proofs_checks

lint: $(READY)
	$(RUN) ruff check .
	$(RUN) ruff format --check .

# mypy follows no import hook, so it is shown the installed layout as links.
types: $(READY)
	rm -rf $(VENV)/types && mkdir -p $(VENV)/types/glbcheck
	ln -s $(addprefix ../../../,$(wildcard glbcheck/*) core verify proofs_checks) $(VENV)/types/glbcheck
	$(RUN) mypy

constraints: $(READY)
	@echo "# Exact versions used by \`make\`; refresh with \`make constraints\`." > constraints.txt
	$(RUN) pip list --format=freeze --exclude glbcheck --exclude pip >> constraints.txt

docs: $(READY)
	$(RUN) sphinx -q -W -b html -d build/trees docs build/docs
	@echo "open build/docs/index.html"

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache results

bench: $(READY)
	$(RUN) benchmarks.bench_learner

mutants: $(READY)
	$(RUN) tests.attacks.mutants
	$(RUN) tests.attacks.constant_mutants
	$(RUN) tests.attacks.claim_mutants

# Branches are recorded as well; the bar is for lines.
coverage: $(READY)
	rm -rf build/coverage
	$(RUN) coverage run -m pytest tests proofs_checks -m ''
	$(RUN) coverage combine --quiet
	$(RUN) coverage json --quiet -o build/coverage/report.json
	$(RUN) tests.house.coverage_gate build/coverage/report.json
