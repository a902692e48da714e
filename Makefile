# Two commands do everything on a fresh machine: `make run` and `make test`.
# Both set up what they need the first time and start at once from then on.

# The folder that `make run` looks at, and what `make test` hands to pytest.
FOLDER ?= resources/sample
ARGS ?=
# The Python to build .venv with; without it, python3 or the newest that fits.
PYTHON ?=
export FOLDER PYTHON

VENV_PYTHON := .venv/bin/python

.PHONY: help run test check bench words pictures site bundle clean

help:
	@echo 'make run      open the window on the sample corpus; without a display, scan it and'
	@echo '              write neardup-report.html. Your own documents: make run FOLDER=path'
	@echo 'make test     run the tests, on up to four cores. A part of them:'
	@echo '              make test ARGS="-k lsh"; all in one process: make test ARGS="-n 0"'
	@echo 'make check    linter, formatter, types and import rules'
	@echo 'make bench    measure speed and memory against the budgets'
	@echo 'make words    bring the catalogues of messages up to date and say what they lack'
	@echo 'make pictures take the pictures of the README and of help anew'
	@echo 'make site     make the pages of help a site for a browser: dist/site'
	@echo 'make bundle   make what can be installed without Python: dist/*.tar.xz, *.deb …'
	@echo 'make clean    remove everything these commands made, .venv included'
	@echo
	@echo 'The first run sets up .venv. To choose its Python: make run PYTHON=python3.12'

run:
	@sh .ci/setup.sh run
	@sh .ci/start.sh

test:
	@sh .ci/setup.sh test
	@$(VENV_PYTHON) -m pytest -n auto --maxprocesses 4 --dist worksteal $(ARGS)

check:
	@sh .ci/setup.sh check
	$(VENV_PYTHON) -m ruff check
	$(VENV_PYTHON) -m ruff format --check
	$(VENV_PYTHON) -m mypy
	.venv/bin/lint-imports

bench:
	@sh .ci/setup.sh test
	@$(VENV_PYTHON) tests/bench/run.py $(ARGS)

words:
	@sh .ci/setup.sh test
	@$(VENV_PYTHON) .ci/words.py $(ARGS)

pictures:
	@sh .ci/setup.sh test
	@$(VENV_PYTHON) tests/bench/pictures.py

site:
	@sh .ci/setup.sh run
	@$(VENV_PYTHON) -m pip install --quiet --disable-pip-version-check --editable '.[site]'
	@$(VENV_PYTHON) .ci/site.py

bundle:
	@sh .ci/setup.sh run
	@$(VENV_PYTHON) -m pip install --quiet --disable-pip-version-check --editable '.[bundle]'
	@$(VENV_PYTHON) .ci/bundle.py

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	rm -f neardup-report.html neardup-pairs.csv
	find core neardup_gui tests -name __pycache__ -type d -prune -exec rm -rf {} +
