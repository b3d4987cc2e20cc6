#!/usr/bin/env bash
# Runs `ludens eval`, `arena` or `selfplay` as a job array and joins its shards into FOLDER/result.json.
#
#   deploy/slurm/submit.sh SHARDS FOLDER COMMAND..
#   deploy/slurm/submit.sh 64 results eval samegame --suite boards.txt --nodes 1000000 --seed 1
#
# FOLDER and the files of COMMAND must be seen by all nodes. Options for sbatch (partition, account,
# time, cpus-per-task, ..) come from the environment: SBATCH_PARTITION, SBATCH_TIMELIMIT and so on.
# Submitted again, it resumes: units that are done are not run again.
set -euo pipefail
if (($# < 3)) || ! [[ $1 =~ ^[1-9][0-9]*$ ]]; then
    echo "usage: $0 SHARDS FOLDER COMMAND.." >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
shards=$1 folder=$2
shift 2
mkdir -p "$folder"
array=$(sbatch --parsable --array="1-$shards" --output="$folder/shard-%a.log" \
    "$here/shard.sh" "$folder" "$shards" "$@")
sbatch --parsable --dependency="afterok:${array%%;*}" --output="$folder/merge.log" \
    "$here/merge.sh" "$folder" "$shards"
