# The page, and the TypeScript client that it is built on.
WEB := clients/web
BUILT_PAGE := $(WEB)/dist/index.html
PAGE_PORT ?= 8080
PAGE_SOURCES := $(WEB)/index.html $(WEB)/vite.config.ts $(wildcard $(WEB)/src/* $(WEB)/public/*) \
  $(wildcard clients/typescript/src/* clients/typescript/gen/shisanzhi/v1/*) service/shisanzhi/cli/explanation.json

.PHONY: page page-build page-test

page: $(REAL) $(BUILT_PAGE) ## serve the page: a server, the gateway before it, and where to look
	$(BIN)/python $(WEB)/serve.py --port $(PAGE_PORT)

page-build: $(BUILT_PAGE) ## build the page into clients/web/dist

page-test: $(REAL) $(BUILT_PAGE) ## check the page, and use it in a real Chromium, which must be installed
	npm --prefix $(WEB) run --silent check
	npm --prefix $(WEB) test --silent

$(BUILT_PAGE): $(WEB)/node_modules/.package-lock.json $(PAGE_SOURCES)
	$(MAKE) --no-print-directory -C clients/typescript build
	npm --prefix $(WEB) run --silent build

$(WEB)/node_modules/.package-lock.json: $(WEB)/package.json $(WEB)/package-lock.json
	npm --prefix $(WEB) ci --no-audit --no-fund
	touch $@
