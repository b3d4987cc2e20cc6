#!/usr/bin/env bash
#SBATCH --job-name=ludens-merge
# Joins the shards of a folder.
#
#   deploy/slurm/merge.sh FOLDER SHARDS
set -euo pipefail
folder=$1 shards=$2
"${LUDENS:-ludens}" merge "$folder"/part-*-of-"$shards".sqlite --json >"$folder/result.json.new"
mv "$folder/result.json.new" "$folder/result.json"
