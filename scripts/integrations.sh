#!/usr/bin/env bash
# Tests kerf's modules for other tools against these tools. Needs the network: it installs BenchExec from PyPI into target/integrations.
# usage: integrations.sh KERF; with SYMBIOTIC=FOLDER, a checkout of Symbiotic, also against that. Without, a stand-in takes its place.
set -euo pipefail
cd "$(dirname "$0")/.."
project=$PWD
kerf=$(realpath "${1:?usage: integrations.sh KERF}")
export LD_LIBRARY_PATH=$PWD/third_party/z3/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
folder=$PWD/target/integrations
python=$folder/bin/python3
benchexec=3.35

[ -x "$python" ] || python3 -m venv "$folder"
"$python" -m pip install -q --disable-pip-version-check "benchexec==$benchexec"
export PYTHONDONTWRITEBYTECODE=1

echo "integrations: the modules' own tests, with BenchExec $benchexec"
(cd pipeline/integrations/tests && KERF=$kerf "$python" -m unittest -q test_benchexec test_symbiotic)

echo "integrations: benchexec.test_tool_info"
outputs=$(mktemp -d)
trap 'rm -rf "$outputs"' EXIT
mkdir "$outputs/bin" "$outputs/lib"
ln -s "$kerf" "$outputs/bin/kerf"
"$kerf" verify --timeout 60s tests/demo/holds.c >"$outputs/true" || true
"$kerf" verify --timeout 60s tests/demo/fails.c >"$outputs/false" || true
"$kerf" verify --strategy bmc,last-bound=1 tests/demo/holds.c >"$outputs/unknown" || true
"$kerf" verify --strategy bmc --timeout 1s tests/demo/holds.c >"$outputs/timeout" || true
cat >"$outputs/task.yml" <<YML
format_version: "2.0"
input_files: "$PWD/tests/demo/holds.c"
properties:
  - property_file: unreach-call.prp
options:
  language: C
  data_model: ILP32
YML
echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >"$outputs/unreach-call.prp"
said=$(cd pipeline/integrations && "$python" -m benchexec.test_tool_info svcomp.kerf --no-container --tool-directory "$outputs" \
    --task-definition "$outputs/task.yml" --tool-output "$outputs"/{true,false,unknown,timeout} 2>&1)
printf '%s\n' "$said"
# Its only legitimate complaint is that the folder is an absolute path.
if printf '%s\n' "$said" | grep -E 'WARNING|ERROR:|Traceback' | grep -v 'Path to executable is absolute'; then
    echo "integrations: test_tool_info complains" >&2
    exit 1
fi
for answer in true 'false(unreach-call)' unknown TIMEOUT; do
    printf '%s\n' "$said" | grep -qF "“$answer”" || { echo "integrations: no result $answer" >&2; exit 1; }
done

echo "integrations: BenchExec's table-generator shows results of kerf bench"
mkdir "$outputs/tasks"
sed '1s|.*|// EXPECT: true unreach-call LP64|' tests/demo/holds.c >"$outputs/tasks/holds.c"
sed '1s|.*|// EXPECT: false unreach-call LP64|' tests/demo/fails.c >"$outputs/tasks/fails.c"
(
    cd "$outputs"
    "$kerf" bench --timeout 60s --tool 'auto=kerf verify' --tool 'bound=kerf verify --strategy bmc,last-bound=1' \
        --xml results-xml --csv kerf.csv tasks
    "$folder/bin/table-generator" -q --no-diff -f html -f csv -o table -n table results-xml/*.results.xml
    # Status and CPU time of both tools on both tasks, as they are in kerf's own CSV; and the score that BenchExec computes.
    "$python" - <<'PYTHON'
import csv, re
own = list(csv.reader(open("kerf.csv"), delimiter="\t"))
table = list(csv.reader(open("table/table.table.csv"), delimiter="\t"))
def columns(rows, wanted):
    heads = next(row for row in rows if "status" in row)
    begin = rows.index(heads) + 1
    return [[row[i] for i, head in enumerate(heads) if head.split(" ")[0] in wanted] for row in rows[begin:]]
wanted = ("status", "cputime")
assert sorted(columns(own, wanted)) == sorted(columns(table, wanted)), (own, table)
assert [row[0] for row in columns(own, wanted)] == ["false(unreach-call)", "true"], own
shown = [int(score) for score in re.findall(r'"score": (-?\d+)', open("table/table.table.html").read())]
points = {("correct", "true"): 2, ("correct", "false(unreach-call)"): 1}
answers = columns(own, ("status", "category"))
expected = [points.get((row[i + 1], row[i]), 0) for row in answers for i in (0, 2)]
assert sorted(shown) == sorted(expected) and sum(shown) >= 3, (shown, expected)
PYTHON
)

echo "integrations: a run by BenchExec"
cat >"$outputs/kerf.xml" <<XML
<?xml version="1.0"?>
<benchmark tool="svcomp.kerf" timelimit="60 s" memlimit="4 GB">
  <option name="--preset">svcomp</option>
  <rundefinition name="demo">
    <propertyfile>unreach-call.prp</propertyfile>
    <tasks name="demo"><include>task.yml</include></tasks>
  </rundefinition>
</benchmark>
XML
said=$(cd "$outputs" && PYTHONPATH=$project/pipeline/integrations "$python" -m benchexec.benchexec --no-container \
    --tool-directory "$outputs" -o results/ kerf.xml 2>&1) || true
printf '%s\n' "$said"
case $said in
*"executing run set"*) printf '%s\n' "$said" | grep -qE 'task.yml +true ' || { echo "integrations: expected true" >&2; exit 1; } ;;
*) echo "integrations: BenchExec cannot run here (it needs cgroups); what is above was tested" >&2 ;;
esac
echo "integrations: passed"
