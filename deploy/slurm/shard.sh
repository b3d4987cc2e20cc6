#!/usr/bin/env bash
#SBATCH --job-name=ludens-shard
#SBATCH --requeue
# One task of a job array: a shard of COMMAND into a store of its own. `ludens` uses the cores that
# Slurm gives the task.
#
#   sbatch --array=1-SHARDS deploy/slurm/shard.sh FOLDER SHARDS COMMAND..
set -euo pipefail
folder=$1 shards=$2
shift 2
task=${SLURM_ARRAY_TASK_ID:?run this as a job array}
exec "${LUDENS:-ludens}" "$@" --shard "$task/$shards" \
    --store "$folder/part-$task-of-$shards.sqlite"
