#!/usr/bin/env bash
# Lets a job array play the games of each iteration of a run of alphazero, and a job after it learn
# from them. What it comes to is what `ludens train` alone comes to.
#
#   ludens train alphazero --game connect-four --run runs/a --seed 1 --steps 0
#   deploy/slurm/train.sh SHARDS runs/a ITERATIONS
set -euo pipefail
if (($# != 3)); then
    echo "usage: $0 SHARDS RUN ITERATIONS" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
shards=$1 run=$2 iterations=$3
# Iterations that the run has learned.
learned() { if [[ -f $run/metrics.jsonl ]]; then wc -l <"$run/metrics.jsonl"; else echo 0; fi; }
done=$(learned)
after=()
for ((iteration = done + 1; iteration <= done + iterations; iteration++)); do
    folder=$run/parts/$iteration
    mkdir -p "$folder"
    array=$(sbatch --parsable "${after[@]}" --array="1-$shards" --output="$folder/shard-%a.log" \
        "$here/shard.sh" "$folder" "$shards" selfplay --run "$run")
    learner=$(sbatch --parsable --dependency="afterok:${array%%;*}" --output="$folder/learn.log" \
        "$here/learn.sh" "$run" "$iteration" "$shards")
    after=("--dependency=afterok:${learner%%;*}")
done
echo "$learner"
