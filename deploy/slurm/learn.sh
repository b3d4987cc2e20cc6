#!/usr/bin/env bash
#SBATCH --job-name=ludens-learn
#SBATCH --requeue
# Learns one iteration of a run from the games of its shards. Run again, it changes nothing.
#
#   deploy/slurm/learn.sh RUN ITERATION SHARDS
set -euo pipefail
run=$1 iteration=$2 shards=$3
# Iterations that the run has learned.
learned() { if [[ -f $run/metrics.jsonl ]]; then wc -l <"$run/metrics.jsonl"; else echo 0; fi; }
if (($(learned) < iteration)); then
    "${LUDENS:-ludens}" train alphazero --run "$run" --resume \
        --played "$run/parts/$iteration"/part-*-of-"$shards".sqlite
fi
rm -f "$run/parts/$iteration"/part-*
