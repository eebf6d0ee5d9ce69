# kerf: see README.md; `make demo` and `make test` are all that a newcomer needs. docs/benchmarking.md has the others.
CARGO ?= cargo
TARGET := $(or $(CARGO_TARGET_DIR),target)
KERF := $(TARGET)/release/kerf

# make bench: what is run and how.
TASKS ?= tests/programs
TIMEOUT ?= 15s
JOBS ?= 2
BENCH_FLAGS ?=
# ... of which programs the queries are put to all solvers: files or folders, or --index LIST (--every N, --only CATEGORY).
QUERIES ?= tests/programs
# ... and up to how many instructions growth is measured.
GROWTH ?= 100000
# ... and up to how many lines event-condition-action programs are.
ECA ?= 10000
# make fuzz: random terms and programs, corrupted files.
RUNS ?= 10000

# For a CARGO_TARGET_DIR outside the tree, where kerf's own search path does not lead to Z3.
export LD_LIBRARY_PATH := $(CURDIR)/third_party/z3/lib$(if $(LD_LIBRARY_PATH),:$(LD_LIBRARY_PATH))

.PHONY: setup build demo check test slowest bench lint fuzz dist integrations llvm14 llvm16

setup:
	@scripts/setup.sh

build: setup
	$(CARGO) build --release -p kerf-pipeline

demo: build
	@scripts/demo.sh $(KERF)

# Before each commit: format, clippy, unit tests and tests on texts.
check: setup
	$(CARGO) fmt --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) test --workspace --lib
	$(CARGO) test -p kerf-cfa -p kerf-slicer -p kerf-checker --tests
	$(CARGO) test -p kerf-tests --test suite -- layers:: references:: dependencies::
	scripts/check_module_docs.sh

# One build for all: cargo gives crates other features where fewer are chosen, and compiles them again. It makes kerf before it runs tests.
test: setup
	KERF_BINARY=$(abspath $(TARGET))/debug/kerf $(CARGO) test --workspace --no-fail-fast

# The tests that take longest, each with its seconds. Test programs print them only for who says to use what is unstable.
slowest: setup
	KERF_BINARY=$(abspath $(TARGET))/debug/kerf $(CARGO) --config 'target."cfg(all())".runner="env RUSTC_BOOTSTRAP=1"' \
		test --workspace --lib --bins --tests --no-fail-fast -- -Z unstable-options --report-time \
		| sed -n 's/^test \(.*\) \.\.\. ok <\(.*\)s>$$/\2 \1/p' | sort -rn | head -n 10

bench: build
	rm -f $(TARGET)/bench.tsv
	$(KERF) bench --native --timeout $(TIMEOUT) --jobs $(JOBS) --out $(TARGET)/bench.tsv --html $(TARGET)/bench.html $(BENCH_FLAGS) $(TASKS)
	$(CARGO) run --release -q -p kerf-tests --bin growth -- --to $(GROWTH)
	$(CARGO) run --release -q -p kerf-tests --bin eca -- --table --to $(ECA) --timeout $(TIMEOUT)
	$(CARGO) run --release -q -p kerf-tests --bin queries -- $(QUERIES)
	$(CARGO) bench --workspace --bench '*'

# kerf for tools that read older bitcode: $(TARGET)/llvm14/release/kerf. Tests as above, without those of crates that know no LLVM.
llvm14 llvm16: export CARGO_TARGET_DIR = $(abspath $(TARGET)/$@)
llvm14 llvm16:
	@scripts/setup.sh $@
	$(CARGO) build --release -p kerf-pipeline --no-default-features --features $@
	$(CARGO) clippy --release -p kerf-frontend-llvm --all-targets --no-default-features --features $@ -- -D warnings
	$(CARGO) test --release -p kerf-frontend-llvm -p kerf-pipeline -p kerf-tests --no-default-features --features $@ --no-fail-fast

lint: setup
	$(CARGO) fmt --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps
	scripts/check_module_docs.sh

# The fuzz targets are tests whose number of runs can be raised.
fuzz: build
	KERF_FUZZ_RUNS=$(RUNS) $(CARGO) test --release -p kerf-cfa -p kerf-smt -p kerf-tests -p kerf-pipeline -- --nocapture fuzz

dist: build
	@scripts/dist.sh $(KERF)

# kerf's modules for BenchExec and Symbiotic, tested with these tools; needs the network (PyPI). `make test` tests them with stand-ins.
integrations: build
	@scripts/integrations.sh $(KERF)
