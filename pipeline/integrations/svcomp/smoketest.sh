#!/usr/bin/env bash
# Checks that this archive of kerf works: a proof and a violation, each with its witness. Needs no network and runs from any folder.
set -euo pipefail
kerf=$(cd "$(dirname "$0")" && pwd)/bin/kerf
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >holds.c <<'C'
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0;
    while (__VERIFIER_nondet_int())
        x = 1 - x;
    if (x > 1)
        reach_error();
    return 0;
}
C
sed 's/x > 1/x == 1/' holds.c >fails.c
echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >unreach-call.prp

# run PROGRAM ANSWER STATUS: what kerf must say of a program.
run() {
    status=0
    answer=$("$kerf" verify --preset svcomp --timeout 60s --property unreach-call.prp --data-model ILP32 "$1" | tail -n 1) || status=$?
    [ "$answer" = "RESULT: $2" ] && [ "$status" = "$3" ] || { echo "smoketest: $1: $answer (exit status $status)" >&2; exit 1; }
    [ -s witness.yml ] || { echo "smoketest: $1: no witness.yml" >&2; exit 1; }
    rm witness.yml
    echo "smoketest: $1: $answer"
}

"$kerf" --version
run holds.c true 0
run fails.c 'false(unreach-call)' 10
