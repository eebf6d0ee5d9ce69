#!/usr/bin/env bash
# Checks that every Rust file begins with a `//!` line, which says what the file is for.
set -euo pipefail
cd "$(dirname "$0")/.."
bad=$(git ls-files --cached --others --exclude-standard '*.rs' | while read -r f; do
    [ -e "$f" ] || continue
    head -n 1 "$f" | grep -q '^//!' || echo "$f"
done)
if [ -n "$bad" ]; then
    printf 'no //! line at the top of:\n%s\n' "$bad" >&2
    exit 1
fi
