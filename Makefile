# One verb prepares (setup), one tries (demo), one tests (test), one checks all that CI checks (check).

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
STAMP := $(VENV)/.installed
# The branch that the contract must stay compatible with.
BASE ?= main
# The contract as each version released it, an image a version; no image ever changes.
RELEASED := proto/released
VERSION := $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' service/shisanzhi/__init__.py)

PROTOS := $(sort $(wildcard proto/shisanzhi/v1/*.proto))
SERVICES := $(filter %_service.proto,$(PROTOS))
STUBS := service/shisanzhi/v1
FRESH := build/stubs
PROTOC = PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m grpc_tools.protoc --proto_path=proto

INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable
REAL := $(VENV)/.installed-real

.DEFAULT_GOAL := help
.PHONY: help setup demo test census check mutants static lint-proto breaking release-contract stubs-fresh lint types generate clients-setup clients-check conformance client-breaks client-restarts wire-vectors real hostile fuzz soak overload bench bench-arrange clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "%-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## make .venv with the package and all that develops it

# The solver's kernel is compiled by the installation.
KERNEL := $(wildcard $(addprefix service/shisanzhi/engine/solver/,search.p* expected_units.p*))

$(STAMP): pyproject.toml setup.py $(KERNEL)
	@echo "setting up $(VENV): half a minute or so"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) '.[dev]'
	touch $@

# What only some targets need besides, by the name of its extra.
$(VENV)/.installed-%: $(STAMP)
	$(INSTALL) '.[$*]'
	touch $@

demo: setup ## play a round of each ruleset, to see what it is
	$(BIN)/python demo/play.py

# Those that measure times, or want every processor, have the machine to themselves.
SHARED := not alone and not real and not census

test: setup ## run the tests
	@failed=0; \
	$(BIN)/pytest -m '$(SHARED)' --numprocesses=2 --dist=worksteal || failed=1; \
	$(BIN)/pytest -m alone || failed=1; \
	exit $$failed

census: setup ## run the long form of the proofs that the tests hold in short
	$(BIN)/pytest -m census --numprocesses=2 tests/engine

check: static test ## all that CI checks: contract, stubs, style, types, tests

static: lint-proto breaking stubs-fresh lint types ## all of check but the tests

lint-proto: setup ## check the contract's style
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code

# Against every release, and against the last tag and the base branch, whichever of them are here. One without
# a released contract is older than 1.0.0 and promised nothing.
breaking: setup ## check that the contract breaks no client
	@for image in $(RELEASED)/*.binpb; do \
	  echo "buf breaking against $$image"; \
	  $(BIN)/buf breaking --against "$$image" || exit 1; \
	done
	@for ref in $$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null) origin/$(BASE) $(BASE); do \
	  git rev-parse --quiet --verify "$$ref:$(RELEASED)" >/dev/null || continue; \
	  echo "buf breaking against $$ref"; \
	  git diff --exit-code --diff-filter=a --stat "$$ref" -- $(RELEASED) || exit 1; \
	  rm -rf build/base && mkdir -p build/base || exit 1; \
	  git archive "$$ref" proto buf.yaml | tar -x -C build/base || exit 1; \
	  $(BIN)/buf breaking --against build/base || exit 1; \
	done

release-contract: setup ## keep the contract as this version releases it, to be held to it ever after
	@test ! -e $(RELEASED)/v$(VERSION).binpb || { echo "expected a new version, got $(VERSION), which is released"; exit 1; }
	mkdir -p $(RELEASED)
	$(BIN)/buf build --exclude-source-info --output $(RELEASED)/v$(VERSION).binpb

stubs-fresh: setup ## check that the committed stubs are what generate writes
	@$(MAKE) --no-print-directory stubs INTO=$(FRESH)
	diff --recursive --exclude=__init__.py --exclude=__pycache__ $(STUBS) $(FRESH)/shisanzhi/v1

lint: setup ## check the code's style
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: setup ## check the code's types
	$(BIN)/mypy

generate: setup ## write the stubs from proto/, and what the gateway says of it
	rm -f $(STUBS)/*_pb2*
	@$(MAKE) --no-print-directory stubs INTO=service
	@$(MAKE) --no-print-directory gateway-config

.PHONY: stubs
stubs:
	@if [ "$(INTO)" != service ]; then rm -rf $(INTO); fi; mkdir -p $(INTO)
	$(PROTOC) --python_out=$(INTO) --mypy_out=quiet:$(INTO) $(PROTOS)
	$(PROTOC) --grpc_python_out=$(INTO) --mypy_grpc_out=quiet:$(INTO) $(SERVICES)

# How many mutants at a time, and which modules, such as `MODULES=engine/scoring/`; those of the engine and of rpc, if
# none is named.
JOBS := 2
MODULES :=

mutants: setup ## change the engine and rpc in small ways, and see whether the tests notice each; takes hours
	$(BIN)/python -m tests.mutants --jobs $(JOBS) $(MODULES)

# What the compilers of the distribution come with; Go, Rust, a JDK with Maven and Node with npm are taken as they are.
CLIENT_PACKAGES := cmake g++ libgrpc++-dev libprotobuf-dev libssl-dev nlohmann-json3-dev pkg-config protobuf-compiler protobuf-compiler-grpc
# The languages that conformance and the three after it run, such as `LANGUAGES="go rust"`; all, if none is named.
LANGUAGES :=

clients-setup: ## install the Debian packages that the clients are built with
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(CLIENT_PACKAGES)

clients-check: setup ## check style and fresh generated code in every client
	$(BIN)/python -m tests.conformance.building check $(LANGUAGES)

conformance: setup ## ask a real server every golden case in every language
	$(BIN)/python -m tests.conformance $(LANGUAGES)

client-breaks: setup ## prove that every language notices what breaks: values, methods, files
	$(BIN)/python -m tests.conformance.proving $(LANGUAGES)

client-restarts: setup ## restart the only server under every client's calls
	$(BIN)/python -m tests.conformance.restarting $(LANGUAGES)

wire-vectors: setup ## record calls as they are on the wire, from a real server
	$(BIN)/python -m tests.conformance.wire

real: $(REAL) ## test what is deployed: behind a real Envoy, and with a real Prometheus, which must be installed
	$(BIN)/pytest -m real tests/real tests/deploy

fuzz: setup ## send 100,000 requests that nobody should send
	$(BIN)/python -m tests.server.fuzz 100000

hostile: setup ## be the client that takes the service from all others, at length
	$(BIN)/python -m tests.server.hostile 10
	$(BIN)/python -m tests.server.crowd 20
	$(BIN)/python -m tests.server.starving 10

soak: setup ## work a server for ten minutes and see whether it grows
	$(BIN)/python -m tests.server.soak 10

overload: setup ## give a server several times what it takes, for 20 seconds
	$(BIN)/python -m tests.server.overload 20

bench: $(VENV)/.installed-bench ## measure, beside other evaluators and beside a server that does nothing
	$(BIN)/python -m tests.bench.evaluators
	$(BIN)/python -m tests.bench.server
	$(BIN)/python -m tests.bench.bulk
	-$(BIN)/python -m tests.bench.load

bench-arrange: setup ## measure how strong and how fast the solver is
	$(BIN)/python -m tests.bench.arrange

include deploy/deploy.mk clients/web/page.mk

clean: ## remove all that make made
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -f service/shisanzhi/engine/solver/*.so
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
