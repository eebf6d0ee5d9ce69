#!/bin/sh
# Compares kerf with native runs on programs that Csmith generates: structures, unions, bit-fields, volatile, about 1,000 lines.
#
#     scripts/csmith.sh KERF FIRST LAST [CSMITH-OPTION...]
#
# For each seed from FIRST to LAST, the program runs natively and prints its checksum. kerf must then prove that no other checksum is
# possible, and find that this one is; and the slice of the second program must run to the same end. Programs that run for more than 5 s
# are left out. Prints a line for each program, and at the end what disagreed and had no answer; fails if anything disagreed.
#
# Needs csmith and its headers (Debian: csmith, libcsmith-dev). CSMITH_INCLUDE is the folder of csmith.h, CLANG the compiler.
set -u
kerf=$1 first=$2 last=$3
shift 3
include=${CSMITH_INCLUDE:-/usr/include/csmith}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
clang=${CLANG:-/usr/lib/llvm-22/bin/clang}
for tool in csmith "$clang" "$kerf"; do
    command -v "$tool" > /dev/null || { echo "csmith.sh: $tool is missing" >&2; exit 2; }
done
programs=0 wrong=0 open=0
printf '#include <stdio.h>\n#include <unistd.h>\nvoid reach_error(void) { puts("reached"); fflush(stdout); _exit(0); }\n' > "$folder/error.c"

answer() {
    "$kerf" verify --quiet --data-model LP64 --timeout 20s "$1" -- -w -I "$include" 2> /dev/null | sed -n 's/^RESULT: //p'
}

for seed in $(seq "$first" "$last"); do
    (cd "$folder" && csmith --seed "$seed" --no-argc "$@" > program.c) || continue
    "$clang" -w -O0 -I "$include" "$folder/program.c" -o "$folder/program" || continue
    printed=$(timeout 5 "$folder/program") || continue
    programs=$((programs + 1))
    sum=${printed##*= }
    end='platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);'
    for operator in '!=' '=='; do
        { echo 'extern void reach_error(void);'
          sed "s/$end/if ((crc32_context ^ 0xFFFFFFFFUL) $operator 0x${sum}UL) reach_error();/" "$folder/program.c"
        } > "$folder/asked.c"
        found=$(answer "$folder/asked.c")
        case "$operator $found" in
            '!= true' | '== false(unreach-call)') ;;
            *unknown*) open=$((open + 1)) ;;
            *) wrong=$((wrong + 1)) ;;
        esac
        echo "seed $seed: $(wc -l < "$folder/program.c") lines, checksum $operator $sum: $found"
    done
    # The last program that was asked about reaches the error.
    if "$kerf" slice -c reach_error -o "$folder/slice.bc" "$folder/asked.c" -- -w -I "$include" > "$folder/log" 2>&1; then
        "$clang" -w "$folder/slice.bc" "$folder/error.c" -o "$folder/slice"
        shown=$(timeout 5 "$folder/slice" | tail -n 1)
        if [ "$shown" != reached ]; then
            wrong=$((wrong + 1))
            echo "seed $seed: the slice does not reach the error"
        fi
    else
        open=$((open + 1))
        echo "seed $seed: no slice: $(tail -n 1 "$folder/log")"
    fi
done
echo "$programs programs; $wrong disagreements, $open without an answer"
[ "$wrong" = 0 ]
