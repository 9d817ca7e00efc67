# Flagstaff: `make help` lists what there is.

SWIFT ?= swift
# More options for every `swift build`, `swift run` and `swift test`.
SWIFTFLAGS ?=
SOURCES = Sources Tests Snippets Package.swift

.DEFAULT_GOAL := help
.PHONY: help setup build run test lint docs bench conformance clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install the system libraries that are missing
	@bash Scripts/setup.sh

build: setup ## Build everything
	$(SWIFT) build $(SWIFTFLAGS)

run: setup ## See it: a service, a live client and a flag file to edit
	$(SWIFT) build $(SWIFTFLAGS) --product flagstaff
	@# Where nobody can edit the file, the demo edits it itself and ends.
	@if [ -t 1 ]; then once=; else once=--once; fi; $(SWIFT) run $(SWIFTFLAGS) --skip-build flagstaff demo $$once

test: setup ## Build and run all tests
	$(SWIFT) build --build-tests $(SWIFTFLAGS)
	@# One test at a time: those of timeouts and shutdown must not wait for those that compute.
	$(SWIFT) test --disable-xctest --no-parallel $(SWIFTFLAGS)

lint: ## Check the format, the import table, the length of files and the README
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)
	@bash Scripts/check-imports.sh
	@bash Scripts/check-lengths.sh
	@bash Scripts/check-readme.sh
	@bash Scripts/check-samples.sh

docs: setup ## Build the documentation of what apps import into .build/docs
	@bash Scripts/docs.sh

bench: setup ## Measure, and print one table of ratios
	@bash Benchmarks/run.sh

conformance: setup ## Compare the evaluation with Python's flagd core on random cases
	@bash Scripts/setup.sh conformance
	python3 Tests/Conformance/conformance.py

clean: ## Delete what was built
	rm -rf .build
