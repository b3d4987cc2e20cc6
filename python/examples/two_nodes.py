"""A suite of boards on a Ray cluster of two nodes, both on this machine: the code is that of any cluster.

    pip install "./python[ray]" && python python/examples/two_nodes.py
"""

from __future__ import annotations

import ludens.ray
import ray
from ray.cluster_utils import Cluster


def evaluate(boards: int = 8, nodes: int = 2000) -> dict:
    """The evaluation, as `ludens eval samegame --suite random:8 --nodes 2000 --json` has it."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    # On a real cluster: ray.init(address="auto"), or `--address` of python -m ludens.ray.
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    try:
        return ludens.ray.evaluate("samegame", f"random:{boards}", nodes=nodes, workers=2)
    finally:
        ray.shutdown()
        cluster.shutdown()


if __name__ == "__main__":
    found = evaluate()
    print(f"{found['boards']} boards, {found['avg']:.0f} points on average")
