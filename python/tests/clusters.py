"""Clusters of Ray on this machine, for tests."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster

#: Ray gives a node up that does not start within seconds, which a busy machine may need.
TRIES = 4


def patiently(start: Any) -> Any:
    """What ``start`` gives, started again when Ray gives up."""
    for _ in range(TRIES):
        try:
            return start()
        except Exception as error:  # noqa: BLE001 - Ray raises plain exceptions here
            failure = error
            ray.shutdown()
            time.sleep(2)
    pytest.skip(f"Ray does not start on this machine: {failure}")


@contextmanager
def two_nodes() -> Iterator[Any]:
    """A cluster of two nodes with a core each, joined; ``second`` is the one without the head."""

    def start() -> Cluster:
        nodes = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
        )
        try:
            nodes.second = nodes.add_node(num_cpus=1)
            ray.init(address=nodes.address, log_to_driver=False, logging_level="ERROR")
        except Exception:
            nodes.shutdown()
            raise
        return nodes

    nodes = patiently(start)
    try:
        yield nodes
    finally:
        ray.shutdown()
        nodes.shutdown()
