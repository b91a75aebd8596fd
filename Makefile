# Every target sets up what it needs: a virtual environment in .venv with the package and its tools.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
STAMP := .venv/.installed
WEB := .venv/.web
# One worker runs all tests of a group (tests/conftest.py), so that code is compiled once.
WORKERS := -n 2 --dist loadgroup
NODE_TOOLS := node_modules/.installed

.PHONY: demo test browser quick nightly lint javascript bench lab clean

# The package alone, which is all that the demonstration needs.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("ludometer needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || ( test "$$(id -u)" = 0 && apt-get update -q && apt-get install -yq python3-venv && $(PYTHON) -m venv .venv )
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $(READY)

$(WEB): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[web]'
	@touch $(WEB)

$(STAMP): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(STAMP)

# The main job at a small size: solves two games, measures their ladders and compares their depth; pictures and data go to demo-output.
demo: $(READY)
	$(BIN)/python -m ludometer.demo

test: $(STAMP) browser lint
	$(BIN)/python -m pytest $(WORKERS) -m "not nightly"

# The tests of the web lab drive Chromium; where there is none and nobody may install it, they are skipped.
browser:
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || test "$$(id -u)" != 0 || ( apt-get update -q && apt-get install -yq chromium chromium-driver )

# The everyday subset: the marks say by what cause the other tests take long (pyproject.toml).
quick: $(STAMP)
	$(BIN)/python -m pytest $(WORKERS) -m "not (compile or browser or kill or simulator or exhaustive or process or nightly)"

# Endurance: the same checks as in `make test`, at larger sizes.
nightly: $(STAMP)
	$(BIN)/python -m pytest -m nightly

lint: $(STAMP) javascript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Types, lint and format of the lab's JavaScript.  Node is needed for this check only: without it the check is left out, but fails in CI.
javascript:
	@command -v npm >/dev/null || test "$$(id -u)" != 0 || ( apt-get update -q && apt-get install -yq nodejs npm ) || true
	@if test $(NODE_TOOLS) -nt package.json || ( npm install --no-package-lock --no-audit --no-fund --loglevel=error && touch $(NODE_TOOLS) ); \
	then npm run --silent check; \
	elif test "$$CI" = true; then echo "the JavaScript of the lab cannot be checked: npm and its packages are needed" >&2; exit 1; \
	else echo "no npm, or no packages for it: the JavaScript of the lab is not checked" >&2; fi

bench: $(STAMP)
	$(BIN)/ludometer bench

# The lab in the browser.
lab: $(WEB)
	$(BIN)/ludometer serve

clean:
	rm -rf .venv node_modules demo-output
