#!/bin/sh
# Runs the unit proofs that a project wrote for CBMC: folders, each with a Makefile that includes the Makefile.common of CBMC's starter kit.
#
#     scripts/cbmc_proofs.sh KERF PROOFS [NAME...]
#
# PROOFS is the folder with the proofs, such as verification/cbmc/proofs of https://github.com/awslabs/aws-c-common (v0.8.19) or
# test/cbmc/proofs of https://github.com/FreeRTOS/coreSNTP. With NAMEs, only these proofs.
#
# Sources, macros and functions without a body are those that the Makefile of the proof names; bounds of loops are not needed. These are
# changed for kerf, in copies:
# - functions that have internal linkage are called by CBMC's names for them: they get external linkage, and their own name;
# - functions without a body that the proof defines anew are weak;
# - headers of the project that use CBMC's quantifiers (AWS_IS_ZEROED) do without, and uninterpreted functions have one type everywhere;
# - definitions of functions of the compiler are left out (__builtin___memcpy_chk).
#
# Prints the name, the answer and the seconds of each proof, and at the end the number of each answer; fails if one is false or has no
# answer. TIMEOUT is the time for each (60s), OPTIONS are further options for clang, KERF_OPTIONS such for kerf, and with OUTPUT=FOLDER
# what kerf prints for NAME is kept in FOLDER/NAME.txt.
set -u
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
kerf=$1
command -v "$kerf" > /dev/null || { echo "cbmc_proofs.sh: $kerf is missing" >&2; exit 2; }
proofs=$(cd "$2" && pwd) || exit 2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
output=${OUTPUT:-$folder}
mkdir -p "$output"

# What make says about a proof: lines of a letter and words (sources of the proof and of the project, functions without a body, macros,
# folders of headers, the entry).
description() {
    make -s -C "$proofs/$1" --eval 'describe: ; $(foreach f,$(PROOF_SOURCES),$(info P $f))$(foreach f,$(PROJECT_SOURCES),$(info S $f))$(foreach f,$(REMOVE_FUNCTION_BODY),$(info R $f))$(info D $(DEFINES))$(info I $(INCLUDES))$(info E $(HARNESS_ENTRY))@:' describe
}

# The words of the lines that begin with a letter.
words() {
    sed -n "s/^$1 //p" "$folder/described"
}

# The own name of a function with internal linkage: __CPROVER_file_local_FILE_c_NAME.
own_name() {
    echo "$1" | sed 's/^__CPROVER_file_local_.*_c_//'
}

true=0 false=0 unknown=0 failed=0
[ $# -gt 0 ] || set -- $(cd "$proofs" && for file in */Makefile; do dirname "$file"; done)
for name in "$@"; do
    copies=$folder/$name
    mkdir -p "$copies/include"
    if ! description "$name" > "$folder/described" 2> "$folder/errors"; then
        echo "$name: no answer: $(tail -n 1 "$folder/errors")"
        failed=$((failed + 1))
        continue
    fi
    # Headers that need a change are found first, under the names by which they are included.
    for include in $(words I | tr ' ' '\n' | sed -n 's/^-I//p'); do
        grep -rl -e '__CPROVER_forall' -e '__CPROVER_uninterpreted_' "$include" 2> /dev/null | while read -r header; do
            copy=$copies/include/${header#"$include"/}
            mkdir -p "$(dirname "$copy")"
            sed 's/^\(# *\)ifdef CBMC/\1if 0/; s/\(__CPROVER_uninterpreted_[a-z]*(\)void \*/\1const void */' "$header" > "$copy"
        done
    done
    # Files are lists of words.
    # shellcheck disable=SC2046
    internal=$(cat "$folder/described" $(words P) $(words S) 2> /dev/null | grep -o '__CPROVER_file_local_[A-Za-z0-9_]*' | sort -u)
    renamed= linkage= files= stubs= weak=
    for function in $internal; do
        renamed="$renamed -D$function=$(own_name "$function")"
        linkage="$linkage;/^static .*[ *]$(own_name "$function")(/{s/^static //;s/inline //}"
    done
    for function in $(words R); do
        own=$(own_name "$function")
        # The definition of abort that proofs have fails. Other functions may have one beside the proof, too.
        if [ "$own" = abort ]; then
            :
        elif cat $(words P) | grep -q -e "^[a-z].*[ *]$own(" -e "^[a-z].*[ *]$function("; then
            weak="$weak $own"
        else
            stubs="$stubs --stub $own"
        fi
    done
    for file in $(words P) $(words S); do
        copy=$copies/${file##*/}
        {
            words S | grep -qxF "$file" && for function in $weak; do echo "#pragma weak $function"; done
            echo "#line 1 \"$file\""
            sed "/^[a-z].*__builtin___[a-z]*_chk(/,/^}/d$linkage" "$file"
        } > "$copy"
        files="$files $copy"
    done
    rm -f "$output/$name.txt"
    began=$(date +%s)
    # Macros have their values in quotes for a shell.
    eval "\"\$kerf\" verify --entry $(words E) $stubs --timeout ${TIMEOUT:-60s} ${KERF_OPTIONS:-} $files -- -w -fdeclspec -I$copies/include $(words I) $(words D) $renamed ${OPTIONS:-}" \
        > "$output/$name.txt" 2>&1
    found=$(sed -n 's/^RESULT: //p' "$output/$name.txt")
    case $found in
        true) true=$((true + 1)) ;;
        false*) false=$((false + 1)) ;;
        unknown*) unknown=$((unknown + 1)) ;;
        *) failed=$((failed + 1)) found="no answer: $(tail -n 1 "$output/$name.txt")" ;;
    esac
    echo "$name: $found ($(($(date +%s) - began)) s)"
done
echo "$((true + false + unknown + failed)) proofs: $true true, $false false, $unknown unknown, $failed without an answer"
[ "$((false + failed))" = 0 ]
