#!/usr/bin/env bash
# Tests slurm.sh on a Slurm of this machine alone, which starts and ends with the test. Needs root and Debian's packages slurmctld, slurmd,
# slurm-client and munge.
# usage: slurm_test.sh KERF
set -euo pipefail
cd "$(dirname "$0")/.."
kerf=$(realpath "${1:?usage: slurm_test.sh KERF}")
export LD_LIBRARY_PATH=$PWD/third_party/z3/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
PATH=$PATH:/usr/sbin
for program in slurmctld slurmd munged sbatch; do
    command -v "$program" >/dev/null || { echo "slurm_test: not tested: there is no $program (Debian: slurmctld slurmd slurm-client munge)" >&2; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "slurm_test: not tested: a Slurm of one's own needs root" >&2; exit 77; }

state=$(mktemp -d)
started=()
end() {
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$state"
}
trap end EXIT
host=$(hostname -s)
mkdir -m 755 "$state/munge"
head -c 1024 /dev/urandom >"$state/munge.key"
chmod 700 "$state"
chmod 400 "$state/munge.key"
# The folder is root's alone, which munged refuses unless forced: here, everything runs as root.
munged --foreground --force --socket="$state/munge/socket" --key-file="$state/munge.key" --pid-file="$state/munge/pid" \
    --log-file="$state/munge/log" --seed-file="$state/munge/seed" 2>"$state/munge.log" &
started+=($!)
cat >"$state/slurm.conf" <<CONF
ClusterName=kerf
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$state/munge/socket
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$state/ctld
SlurmdSpoolDir=$state/d
SlurmctldPidFile=$state/ctld.pid
SlurmdPidFile=$state/d.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
mkdir "$state/ctld" "$state/d"
export SLURM_CONF=$state/slurm.conf
slurmctld -D -f "$SLURM_CONF" >"$state/ctld.log" 2>&1 &
started+=($!)
slurmd -D -f "$SLURM_CONF" >"$state/d.log" 2>&1 &
started+=($!)
for _ in $(seq 60); do
    sinfo -h -o %t 2>/dev/null | grep -q '^idle$' && break
    sleep 1
done
if ! sinfo -h -o %t 2>/dev/null | grep -q '^idle$'; then
    echo "slurm_test: not tested: Slurm does not start here:" >&2
    tail -n 3 "$state/ctld.log" "$state/d.log" >&2
    exit 77
fi
mkdir "$state/tasks"
for i in 1 2 3; do
    sed '1s|.*|// EXPECT: true unreach-call LP64|' tests/demo/holds.c >"$state/tasks/holds$i.c"
done
sed '1s|.*|// EXPECT: false unreach-call LP64|' tests/demo/fails.c >"$state/tasks/fails.c"
bench() {
    scripts/slurm.sh "$kerf" 2 "$state/results" --timeout 60s "$state/tasks"
}
said=$(bench)
printf '%s\n' "$said"
printf '%s\n' "$said" | grep -qE '^~ all +4 +3 +1 +0 ' || { echo "slurm_test: expected 3 true and 1 false" >&2; exit 1; }
[ "$(cat "$state"/results/*.tsv | wc -l)" = 6 ] || { echo "slurm_test: expected two tables of two results" >&2; exit 1; }
# A second time, nothing is run again.
before=$(cat "$state"/results/*.tsv | sha256sum)
bench >/dev/null
[ "$before" = "$(cat "$state"/results/*.tsv | sha256sum)" ] || { echo "slurm_test: results changed" >&2; exit 1; }
grep -q 'has 2 of 2 results' "$state/results/1.log" || { echo "slurm_test: expected the first part to be complete" >&2; exit 1; }
echo "slurm_test: passed"
