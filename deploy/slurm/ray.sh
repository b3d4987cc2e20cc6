#!/usr/bin/env bash
#SBATCH --job-name=ludens-ray
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
# Starts a Ray cluster on the nodes of a job, runs COMMAND on it, and ends it.
#
#   sbatch --nodes=16 deploy/slurm/ray.sh python -m ludens.ray evaluate samegame --suite boards.txt \
#       --nodes 1000000 --workers 512 --store results
#
# All nodes need the same environment with the same build of ludens: others are refused.
set -euo pipefail
mapfile -t nodes < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
head=${nodes[0]} port=${RAY_PORT:-6379}
address=$(srun --nodes=1 --ntasks=1 -w "$head" hostname -I | awk '{print $1}')
srun --nodes=1 --ntasks=1 -w "$head" \
    ray start --head --node-ip-address="$address" --port="$port" --block &
cluster=($!)
trap 'kill "${cluster[@]}" 2>/dev/null || true; wait' EXIT
until ray status --address "$address:$port" >/dev/null 2>&1; do
    kill -0 "${cluster[0]}" || { echo "the head of the Ray cluster has ended" >&2; exit 1; }
    sleep 1
done
for node in "${nodes[@]:1}"; do
    srun --nodes=1 --ntasks=1 -w "$node" ray start --address="$address:$port" --block &
    cluster+=($!)
done
RAY_ADDRESS="$address:$port" "$@"
