# Everything that is done here, from a fresh clone: `make help`.
# go.mod says which Go is needed; everything else is fetched by the Go tools.

GO         ?= go
BIN        := bin/fieldbook
FIELDBOOK  := $(BIN)
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
SOURCES    := $(shell find cmd internal analysis report -type f -not -path '*/testdata/*') go.mod go.sum
GOLDEN     := $(shell grep -rl --include='*_test.go' 'Bool."update"' cmd internal analysis report | xargs -r -n1 dirname | sort -u | sed 's,^,./,')
FUZZTIME   ?= 30s
KILLS      ?= 200
NAME       ?=

help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

report: $(BIN) ## run what has no data yet, then render site/index.html
	-$(FIELDBOOK) run --missing
	$(FIELDBOOK) report

run: $(BIN) ## record a new session of every experiment, or of NAME=...
	$(FIELDBOOK) run --new $(NAME)

publish: $(BIN) ## report beside each experiment (README.md, figures/) and site.zip
	-$(FIELDBOOK) run --missing
	$(FIELDBOOK) report --publish

serve: $(BIN) ## show the reports in a browser, and anew after each change
	$(FIELDBOOK) serve $(NAME)

install: ## put fieldbook where `go install` puts programs
	$(GO) install ./cmd/fieldbook

test: ## all tests of both modules
	$(GO) test ./...
	cd experiments && $(GO) test ./...

race: ## all tests under the race detector
	$(GO) test -race ./...
	cd experiments && $(GO) test -race ./...

kill: ## kill a run of 60 trials KILLS (200) times by SIGKILL, going on each time
	FIELDBOOK_KILLS=$(KILLS) $(GO) test ./cmd/fieldbook -run KilledAgain -timeout 60m -v

bench: ## benchmarks; ratios within one run are what counts
	$(GO) test -run '^$$' -bench . -benchtime 1s -timeout 60m ./...
	cd experiments && $(GO) test -run '^$$' -bench . -benchtime 1s ./...

fuzz: ## every fuzz test for FUZZTIME (30s)
	@for module in . experiments; do ( cd $$module && \
		for pkg in $$($(GO) list ./...); do \
			for name in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
				echo "$$pkg $$name"; \
				$(GO) test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x $$pkg || exit 1; \
			done; \
		done ) || exit 1; \
	done

calibrate: ## simulate how often intervals and verdicts are right; writes docs/methods.md
	$(GO) test ./analysis -run '^TestCalibration$$' -calibrate -timeout 60m -v

golden: ## rewrite the golden files; then read the diff
	$(GO) test $(GOLDEN) -update

lint: ## gofmt, vet, staticcheck, go.mod
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'run gofmt on these'; exit 1; }
	$(GO) vet ./...
	cd experiments && $(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	cd experiments && $(GO) run $(STATICCHECK) ./...
	$(GO) mod tidy -diff
	cd experiments && $(GO) mod tidy -diff

ci: lint test ## what the continuous integration runs
	git diff --exit-code

clean: ## remove what can be made again
	rm -rf bin site site.zip

$(BIN): $(SOURCES)
	$(GO) build -trimpath -o $@ ./cmd/fieldbook

.PHONY: help report run publish serve install test race kill bench fuzz calibrate golden lint ci clean
.DEFAULT_GOAL := help
