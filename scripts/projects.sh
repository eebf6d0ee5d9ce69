#!/bin/sh
# Verifies libraries that others wrote, with the harnesses in scripts/projects/, one folder for each project.
#
#     scripts/projects.sh KERF CHECKOUTS [NAME...]
#
# CHECKOUTS has a folder with the source of each project, by its name; scripts/projects/README.md says where it comes from. Projects
# without such a folder are left out. With NAMEs, only these projects.
#
# The first lines of a harness say what the answer should be, which files of the project belong to it, and the options for clang. Files
# and options are relative to the project's folder.
#
#     // EXPECT: true
#     // FILES: ini.c
#     // OPTIONS: -I. -DINI_MAX_LINE=16
#
# Prints for each harness the project, the harness, the expected answer, kerf's and the seconds that it took, and at the end how many
# agreed, disagreed and had no answer; fails if any disagreed. TIMEOUT is the time for each harness (60s).
set -u
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
kerf=$(command -v "$1") || { echo "projects.sh: $1 is missing" >&2; exit 2; }
kerf=$(cd "$(dirname "$kerf")" && pwd)/$(basename "$kerf")
"$kerf" --version > /dev/null || exit 2
checkouts=$(cd "$2" && pwd) || { echo "projects.sh: $2 is missing" >&2; exit 2; }
harnesses=$(cd "$(dirname "$0")/projects" && pwd)
shift 2
[ $# -gt 0 ] || set -- $(cd "$harnesses" && echo */)
agreed=0 wrong=0 open=0

# The rest of the line with a word, such as EXPECT, in the header of a harness.
header() {
    sed -n "1,3s|^// $1: *||p" "$2"
}

for project in "$@"; do
    project=${project%/}
    [ -d "$harnesses/$project" ] || { echo "projects.sh: there are no harnesses for $project" >&2; exit 2; }
    [ -d "$checkouts/$project" ] || { echo "$project: no folder in $checkouts"; continue; }
    for harness in "$harnesses/$project"/*.c; do
        expected=$(header EXPECT "$harness")
        began=$(date +%s)
        # Files and options are lists of words.
        # shellcheck disable=SC2046
        found=$(cd "$checkouts/$project" && "$kerf" verify --quiet --timeout "${TIMEOUT:-60s}" "$harness" \
            $(header FILES "$harness") -- -w $(header OPTIONS "$harness") 2>&1 | tail -n 1)
        seconds=$(($(date +%s) - began))
        found=${found#RESULT: }
        case "$found" in
            "$expected" | "$expected("*) agreed=$((agreed + 1)) ;;
            true | false*) wrong=$((wrong + 1)) found="$found DISAGREES" ;;
            *) open=$((open + 1)) ;;
        esac
        printf '%-18s %-24s %-6s %s (%s s)\n' "$project" "$(basename "$harness" .c)" "$expected" "$found" "$seconds"
    done
done
echo "$agreed agreed, $wrong disagreed, $open without an answer"
[ "$wrong" = 0 ]
