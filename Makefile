# All that a newcomer needs: `make review` and `make test`. Both set themselves up in .venv and
# touch nothing outside this folder. `make help` lists the rest.

PYTHON ?= python3

# What `make review` reviews; without them the last commit of this repository. The text is taken
# as it stands (`value`, no expansion) and reaches the shell through the environment only, so no
# character in it means anything to make or to the shell.
REPO ?= .
BASE ?= HEAD~1
HEAD ?= HEAD
review: override export REPO := $(value REPO)
review: override export BASE := $(value BASE)
review: override export HEAD := $(value HEAD)

# The settings of another environment must not lead the installation out of .venv, nor slow it down or change how tests run.
unexport PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONPATH PYTHONHOME PIP_TARGET PIP_PREFIX PIP_ROOT PIP_USER PIP_REQUIRE_HASHES VIRTUAL_ENV

# pip asks rustc for its version, and the rustc of rustup would make a folder in a home that has none.
ifeq ($(wildcard $(HOME)/.rustup),)
export RUSTUP_HOME ?= $(CURDIR)/.venv/rustup
endif

BIN := .venv/bin
PIP := $(BIN)/python -m pip --no-cache-dir --disable-pip-version-check --quiet
PACKAGES := werkrevisor_core werkrevisor_rules werkrevisor_gitea

# A virtual environment holds absolute paths: one that was copied or moved is made anew.
ifneq ($(shell cat .venv/made-in 2>/dev/null),$(CURDIR))
MOVED := moved
endif

.DEFAULT_GOAL := help
.PHONY: help setup review test lint types contracts unit nightly docs snapshots benchmark lock wheel clean moved

help: ## list the commands
	@sed -n 's/^\([a-z]*\):.*## /make \1 - /p' Makefile

setup: .venv/ready-dev ## make .venv with everything for work on werkrevisor

# The exit status of `werkrevisor review` is the verdict, 0 to 4; here every rendered verdict is a success.
review: .venv/ready-review ## review REPO= from BASE= to HEAD= (default: the last commit here) and print the comment
	@comment=$$($(BIN)/werkrevisor review --repo="$$REPO" --base="$$BASE" --head="$$HEAD" --format=markdown); status=$$?; \
	test -n "$$comment" && test "$$status" -le 4 && printf '%s\n' "$$comment"

test: lint types contracts unit ## set up, then lint, types, contracts and tests

lint: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/ready-dev
	$(BIN)/mypy

contracts: .venv/ready-dev
	$(BIN)/lint-imports

# Many tests of the forge wait, so more workers than processors pay. Tests that measure a process come last and
# one at a time, so that nothing else takes their time.
unit: .venv/ready-dev
	$(BIN)/python -m pytest -m 'not alone' --numprocesses 4 --dist worksteal \
		--cov --cov-report= --cov-report=json:.coverage.json
	$(BIN)/python tests/meta/coverage_floor.py .coverage.json
	$(BIN)/python -m pytest -m alone

nightly: .venv/ready-dev ## the tests with many more random cases
	HYPOTHESIS_PROFILE=nightly $(BIN)/python -m pytest -o faulthandler_timeout=7200

docs: .venv/ready-dev ## write the generated pages of docs/ and README.md anew
	$(BIN)/python tests/meta/generate_docs.py

snapshots: .venv/ready-dev ## write the snapshots anew; look at the difference before you commit it
	$(BIN)/python -m pytest --snapshot-update

benchmark: .venv/ready-dev ## run the benchmarks; they print figures and judge nothing
	for script in tests/benchmarks/bench_*.py; do $(BIN)/python "$$script" || exit; done

wheel: .venv/ready-review ## build the wheel into dist/
	$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .

# pip-tools has an environment of its own, since it brings another pip. UPGRADE=--upgrade renews all pins.
COMPILE = env -u PIP_FIND_LINKS CUSTOM_COMPILE_COMMAND="make lock" .venv/lock/bin/pip-compile --quiet $(UPGRADE) \
	--generate-hashes --strip-extras --no-emit-options --annotation-style=line --newline=lf --build-deps-for=editable
lock: .venv/ready-review ## write both lock files anew from pyproject.toml (UPGRADE=--upgrade renews the pins)
	$(PYTHON) -m venv .venv/lock
	.venv/lock/bin/python -m pip --no-cache-dir --disable-pip-version-check --quiet install pip-tools==7.6.2
	$(COMPILE) --output-file requirements.lock pyproject.toml
	$(COMPILE) --extra dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml
	rm -rf .venv/lock

clean: ## remove all that the other commands made
	rm -rf .venv build dist .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +

# Only what a review needs: four small packages and the build backend.
.venv/ready-review: requirements.lock pyproject.toml $(MOVED)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "werkrevisor needs Python 3.11 or newer; name one with: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -m venv --clear .venv || { \
		echo "Python's venv module is missing; install it (on Debian and Ubuntu: the package python3-venv) and try again" >&2; exit 1; }
	$(PIP) install --require-hashes --only-binary :all: -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q $(PACKAGES)
	@pwd -P > .venv/made-in
	@touch $@

.venv/ready-dev: .venv/ready-review requirements-dev.lock
	$(PIP) install --require-hashes --only-binary :all: -r requirements-dev.lock
	@touch $@
