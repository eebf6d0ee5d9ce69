#!/bin/sh
# Verifies aws-c-common with the unit proofs that were written for SeaHorn: about 170 programs, each of which calls one function of the
# library with arbitrary arguments within the bounds of the project.
#
#     scripts/c_common.sh KERF CHECKOUT [C_COMMON] [NAME...]
#
# CHECKOUT is a checkout of https://github.com/seahorn/verify-c-common, C_COMMON one of https://github.com/awslabs/aws-c-common of about the
# same date (v0.8.19 for May 2023), which is expected in CHECKOUT/aws-c-common otherwise. With NAMEs, only these proofs.
#
# Sources, macros and overriding functions of each proof are those that its CMakeLists.txt names. The library's contracts are checked as
# well, as in a debug build: when one fails, aws_fatal_assert is called, which is an error here. SeaHorn itself is not needed: a pointer
# counts as dereferenceable if it is not null (kerf assumes that memory accesses are valid), and memhavoc of a null pointer does nothing.
# qsort is a stub, as for SeaHorn: its comparison returns any number, and the proof expects that it moves nothing.
#
# Prints the name, the answer and the seconds of each proof, and at the end the number of each answer; fails if one is false or has no
# answer. All proofs should hold but hash_table_foreach_deep_loose, which the project leaves out by default: it allows a table whose number
# of entries is 0 although it has some, against the contract of aws_hash_iter_delete.
#
# TIMEOUT is the time for each (60s), OPTIONS are further options for clang, such as "-DMAX_BUFFER_SIZE=4", KERF_OPTIONS such for kerf, and
# with OUTPUT=FOLDER what kerf prints for NAME is kept in FOLDER/NAME.txt.
#
# Needs clang++ for one file of the project (CLANG is the compiler).
set -u
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
kerf=$1 checkout=$2 library=$2/aws-c-common
shift 2
if [ $# -gt 0 ] && [ -d "$1/source" ]; then
    library=$1
    shift
fi
clang=${CLANG:-/usr/lib/llvm-22/bin/clang++}
for tool in "$clang" "$kerf"; do
    command -v "$tool" > /dev/null || { echo "c_common.sh: $tool is missing" >&2; exit 2; }
done
for file in "$checkout/seahorn/lib/utils.c" "$library/source/byte_buf.c"; do
    [ -f "$file" ] || { echo "c_common.sh: $file is missing" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
proofs=$checkout/seahorn
output=${OUTPUT:-$folder}
mkdir -p "$output" "$folder/include/seahorn" "$folder/include/aws/common"

# The macros that CMake sets, the contracts of a debug build without the rest of it, and the header of SeaHorn.
bounds=$(sed -n 's/^set(\([A-Z_]*\) \([0-9A-Z]*\)).*/-D\1=\2/p' "$proofs/CMakeLists.txt")
: > "$folder/include/config.h"
sed 's/defined(DEBUG_BUILD)/1/' "$library/include/aws/common/assert.h" > "$folder/include/aws/common/assert.h"
cat > "$folder/include/seahorn/seahorn.h" << 'END'
#pragma once
#include <stdbool.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
void __VERIFIER_assert(bool);
void __SEA_assume(bool);
#ifdef __cplusplus
}
#endif
#define sea_is_dereferenceable(pointer, size) ((size) == 0 || (pointer))
#define assume __SEA_assume
#define sassert(condition) __VERIFIER_assert(condition)
END
cat > "$folder/environment.c" << 'END'
#include <stdbool.h>
#include <stdlib.h>
#undef memhavoc
void __VERIFIER_assert(bool);
void memhavoc(void *, size_t);
void memhavoc_unless_null(void *pointer, size_t size) {
    if (pointer && size)
        memhavoc(pointer, size);
}
void aws_fatal_assert(const char *condition, const char *file, int line) {
    __VERIFIER_assert(false);
    abort();
}
END
options="-w -fdeclspec -include stdint.h -D__SEAHORN__ -Dmemhavoc=memhavoc_unless_null -I$folder/include -I$proofs/include -I$library/include"
helpers=
for file in array_list_helper byte_buf_helper linked_list_helper string_helper priority_queue_helper ring_buffer_helper hash_table_helper \
    utils proof_allocators sea_allocators allocator_override bcmp error_override bounds; do
    helpers="$helpers $proofs/lib/$file.c"
done

# Commands of a CMakeLists.txt for a target: lines "COMMAND ARGUMENT...". Variables have the values that it or the one above it sets.
commands() {
    cat "$proofs/CMakeLists.txt" "$1" | sed 's/#.*//' | tr '\n' ' ' | sed 's/)/)\n/g' | sed 's/^ *//; s/[()]/ /g' |
        awk -v name="$2" '$2 == name || $1 == "set" { if ($1 == "set") value[$2] = $3; else {
            for (i in value) gsub("\\$\\{" i "\\}", value[i]); print } }'
}

# The words after those of a command, such as "add_executable NAME".
arguments() {
    sed -n "s/^$1  *[^ ]*//p" "$folder/commands" | tr -s ' ' '\n' | grep -v -e '^$' -e '^PUBLIC$' -e '^PRIVATE$'
}

# The file of a library of overriding functions.
overriding() {
    tr '\n' ' ' < "$proofs/aws-c-common-stubs/CMakeLists.txt" | sed -n "s|.*add_library($1  *\([^ )]*\)).*|$proofs/aws-c-common-stubs/\1|p"
}

# What a file of overriding functions defines.
defined() {
    sed -n 's/^[a-z][a-z0-9_ ]*[ *]\(\(s_\|aws_\|hash_table_\)[a-z0-9_]*\)(.*/\1/p' "$1"
}

true=0 false=0 unknown=0 failed=0 wrong=0
[ $# -gt 0 ] || set -- $(ls "$proofs/jobs")
for name in "$@"; do
    [ -f "$proofs/jobs/$name/CMakeLists.txt" ] || { echo "$name: no such proof"; failed=$((failed + 1)); continue; }
    commands "$proofs/jobs/$name/CMakeLists.txt" "$name" > "$folder/commands"
    macros=$(arguments target_compile_definitions | sed 's/^/-D/')
    overrides=
    for override in $(arguments sea_overlink_libraries); do
        overrides="$overrides $(overriding "${override%.ir}")"
    done
    # Overriding functions take precedence over weak ones, and proofs call static functions of priority_queue.c and hash_table.c.
    files=
    for file in $(arguments add_executable) $(arguments sea_link_libraries); do
        case $file in
            *.opt.ir) file=$library/source/${file%.opt.ir}.c statics='/^static .*[ *]s_[a-z0-9_]*(/{s/^static //;s/inline //}' ;;
            */source/*) file=$library/source/${file##*/source/} statics= ;;
            *) file=$proofs/jobs/$name/$file statics= ;;
        esac
        case $file in
            "$library"/*)
                if [ -n "$statics$overrides" ]; then
                    copy=$folder/${file##*/}
                    { for override in $overrides; do
                          defined "$override" | sed 's/^/#pragma weak /'
                      done
                      echo "#line 1 \"$file\""
                      sed "$statics" "$file"
                    } > "$copy"
                    file=$copy
                fi ;;
        esac
        files="$files $file"
    done
    case $name in
        array_list_sort) stub='--stub qsort' ;;
        *) stub= ;;
    esac
    rm -f "$output/$name.txt"
    began=$(date +%s)
    # Options and files are lists of words.
    # shellcheck disable=SC2086
    if "$clang" -c -emit-llvm -O0 -g $options $bounds $macros ${OPTIONS:-} "$proofs/lib/sea_string.cc" -o "$folder/string.bc" &&
        "$kerf" verify $stub --timeout "${TIMEOUT:-60s}" ${KERF_OPTIONS:-} $files $overrides $helpers "$folder/environment.c" \
            "$folder/string.bc" -- $options $bounds $macros ${OPTIONS:-} > "$output/$name.txt" 2>&1; then :; fi
    found=$(sed -n 's/^RESULT: //p' "$output/$name.txt")
    case $found in
        true) true=$((true + 1)) ;;
        false*)
            false=$((false + 1))
            [ "$name" = hash_table_foreach_deep_loose ] || wrong=$((wrong + 1)) ;;
        unknown*) unknown=$((unknown + 1)) ;;
        *) failed=$((failed + 1)) found="no answer: $(tail -n 1 "$output/$name.txt")" ;;
    esac
    echo "$name: $found ($(($(date +%s) - began)) s)"
done
echo "$((true + false + unknown + failed)) proofs: $true true, $false false, $unknown unknown, $failed without an answer"
[ "$((wrong + failed))" = 0 ]
