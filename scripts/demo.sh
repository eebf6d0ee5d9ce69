#!/usr/bin/env bash
# Verifies a program that holds and one that does not, and shows the evidence for both answers.
set -euo pipefail
cd "$(dirname "$0")/.."
kerf=${1:?usage: demo.sh KERF}
out=target/demo
rm -rf $out

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
run() {
    printf '\033[2m$ kerf %s\033[0m\n' "$*"
    "$kerf" "$@" && status=0 || status=$?
}

say "1. A program that holds"
run verify --timeout 60s --output $out/holds tests/demo/holds.c
[ $status = 0 ] || { echo "demo: expected the verdict true" >&2; exit 1; }
say "   The proof's certificate, checked again by itself"
run certificate check tests/demo/holds.c $out/holds/certificate.txt
[ $status = 0 ] || { echo "demo: expected a valid certificate" >&2; exit 1; }

say "2. A program that does not"
run verify --timeout 60s --output $out/fails tests/demo/fails.c
[ $status = 10 ] || { echo "demo: expected the verdict false" >&2; exit 1; }
say "   The same error, by compiling the program with the inputs found and running it"
printf '\033[2m$ sh %s\033[0m\n' $out/fails/reproduce.sh
sh $out/fails/reproduce.sh
