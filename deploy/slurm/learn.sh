#!/usr/bin/env bash
#SBATCH --job-name=ludens-learn
#SBATCH --requeue
# Learns one iteration of a run from the games of its shards. Run again, it changes nothing.
#
#   deploy/slurm/learn.sh RUN ITERATION SHARDS
set -euo pipefail
run=$1 iteration=$2 shards=$3
if (($(cat "$run"/metrics.jsonl 2>/dev/null | wc -l) < iteration)); then
    "${LUDENS:-ludens}" train alphazero --run "$run" --resume \
        --played "$run/parts/$iteration"/part-*-of-"$shards".sqlite
fi
rm -f "$run/parts/$iteration"/part-*
