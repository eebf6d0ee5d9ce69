# kerf: see README.md. `make demo` and `make test` are all a newcomer needs.
CARGO ?= cargo
TARGET := $(or $(CARGO_TARGET_DIR),target)

# For a CARGO_TARGET_DIR outside the tree, where the binaries' relative search path does not lead to Z3.
export LD_LIBRARY_PATH := $(CURDIR)/third_party/z3/lib$(if $(LD_LIBRARY_PATH),:$(LD_LIBRARY_PATH))

.PHONY: setup build test lint

setup:
	@scripts/setup.sh

build: setup
	$(CARGO) build --release

test: setup
	$(CARGO) build
	$(CARGO) test --workspace

lint: setup
	$(CARGO) fmt --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps
	scripts/check_module_docs.sh
