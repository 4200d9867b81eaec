# Two commands: `make run` (the quick preset, end to end) and `make test`. After a run, `make report`.

PYTHON ?= python3.11
CORES ?= $(shell nproc)
CONFIG ?= config/quick.yaml
RESULTS = results/learnability_window/$(shell sed -n 's/^preset: *\([a-z_0-9]*\).*/\1/p' $(CONFIG))
BIN := .venv/bin

# A run is many short processes: each would compile again all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run report test check test-slurm test-browser lint docs stored site dist

run: .venv/installed
	$(BIN)/snakemake --configfile config/quick.yaml --cores $(CORES)
	@echo "Open results/learnability_window/quick/index.html in a browser."

report: .venv/installed
	$(BIN)/snakemake --configfile $(CONFIG) --report $(RESULTS)/report.html
	$(BIN)/snakemake --configfile $(CONFIG) --report $(RESULTS)/report.zip

test: .venv/installed
	$(BIN)/python -m pytest

# for every commit: lint, types, and the functions that take least time, 20 s together
check: .venv/installed lint
	$(BIN)/python -m pytest --cheapest 20

# on a Slurm of this machine, started for the tests as root; apt-get install slurm-wlm slurmctld slurmd slurm-client munge
test-slurm: .venv/installed
	$(BIN)/python -m pytest tests/slurm -n 0

# the pages of `make run` and `make report`, and of the trials at their smallest; apt-get install chromium chromium-driver
test-browser: .venv/installed
	$(BIN)/snakemake --configfile config/ground_truth.yaml tests/ground_truth.yaml --cores $(CORES)
	$(BIN)/python -m pytest tests/browser -n 0 --results $(RESULTS)

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint

docs: .venv/installed
	PYTHONPATH=src $(BIN)/python workflow/configuration.py > config/README.md

# after a changed sentence: what is stored of a study, or of several, made again from its stored tables
stored: .venv/installed
	PYTHONPATH=src $(BIN)/python workflow/stored.py $(STUDY)

# needs npm and Node.js, for KaTeX
site: .venv-docs/installed docs/node_modules/installed
	.venv-docs/bin/mkdocs build

# wheel and sdist, and the library's tests of the wheel with what it says itself that it needs
dist:
	rm -rf build dist .venv-dist
	$(PYTHON) -m venv .venv-dist
	.venv-dist/bin/pip install --quiet build==1.6.1
	.venv-dist/bin/python -m build
	.venv-dist/bin/pip install --quiet --constraint requirements.txt "$$(echo dist/*.whl)[agents,pages]" beartype ncps pytest pytest-xdist reservoirpy
	.venv-dist/bin/python -m pytest tests/library --override-ini "pythonpath=workflow workflow/scripts tests benchmarks"

.venv/installed: requirements.txt requirements-models.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --no-compile --requirement requirements.txt
	$(BIN)/pip install --quiet --no-compile --no-deps --requirement requirements-models.txt
	touch $@

.venv-docs/installed: docs/requirements.txt
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/pip install --quiet --requirement docs/requirements.txt
	touch $@

docs/node_modules/installed: docs/package-lock.json
	npm ci --prefix docs --silent
	touch $@
