#!/usr/bin/env bash
# Runs a bench on a Slurm cluster: a job array with one table of results per job, which are shown together at the end. What a table has
# already is not run again, so the same command goes on after an interruption. Program, tasks and folder must be on all nodes.
# usage: slurm.sh KERF PARTS FOLDER BENCH-ARGUMENT...; SBATCH_OPTIONS are further options for sbatch.
set -euo pipefail
kerf=$(realpath "${1:?usage: slurm.sh KERF PARTS FOLDER BENCH-ARGUMENT...}")
parts=${2:?usage: slurm.sh KERF PARTS FOLDER BENCH-ARGUMENT...}
mkdir -p "${3:?usage: slurm.sh KERF PARTS FOLDER BENCH-ARGUMENT...}"
folder=$(realpath "$3")
shift 3
command -v sbatch >/dev/null || { echo "slurm.sh: there is no Slurm here: no program sbatch" >&2; exit 1; }

{
    echo '#!/usr/bin/env bash'
    printf 'exec %q bench --jobs 1 --part "$SLURM_ARRAY_TASK_ID/%d" --out %q/"$SLURM_ARRAY_TASK_ID.tsv"' "$kerf" "$parts" "$folder"
    printf ' %q' "$@"
    echo
} >"$folder/job.sh"
# shellcheck disable=SC2086
sbatch --wait --job-name=kerf-bench --array="1-$parts" --chdir="$PWD" --output="$folder/%a.log" ${SBATCH_OPTIONS:-} "$folder/job.sh" >&2 ||
    { echo "slurm.sh: a job failed; its messages are in $folder/*.log" >&2; exit 1; }
exec "$kerf" bench --show "$folder"
