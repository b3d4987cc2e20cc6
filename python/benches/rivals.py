"""Steps per second of processor time, random legal play, one core, interleaved with others.

    python python/benches/rivals.py [--rounds N] [--seconds S]

EnvPool, OpenSpiel and pgx take part where they are installed (pgx with JAX on the processor).
Random actions are drawn by each library's own means, inside the measured time.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import ludens
import numpy as np

GAMES = {"connect-four": "Connect Four", "othello": "Othello", "2048": "2048"}
Stepper = Callable[[], int]


def ours(game: str, observations: bool, num_envs: int = 4096) -> Stepper:
    envs = ludens.vector(game, num_envs, seed=0, observations=observations, copy=False)
    envs.reset()
    actions = np.zeros(num_envs, np.int64)

    def step() -> int:
        envs.sample_actions(actions)
        envs.step(actions)
        return num_envs

    return step


def open_spiel(game: str) -> Stepper:
    import pyspiel

    name = {"connect-four": "connect_four", "othello": "othello", "2048": "2048"}[game]
    loaded = pyspiel.load_game(name)
    state = loaded.new_initial_state()
    rng = np.random.default_rng(0)

    def step() -> int:
        nonlocal state
        for _ in range(200):
            while state.is_chance_node() or state.is_terminal():
                if state.is_terminal():
                    state = loaded.new_initial_state()
                    continue
                outcomes, odds = zip(*state.chance_outcomes())
                state.apply_action(outcomes[rng.choice(len(outcomes), p=odds)])
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
        return 200

    return step


def env_pool(game: str, num_envs: int = 1024) -> Stepper:
    import envpool

    name = {"connect-four": "ConnectFour-v1", "othello": "Othello-v1", "2048": "Play2048-v1"}[game]
    envs = envpool.make(name, env_type="gymnasium", num_envs=num_envs, num_threads=1)
    masks = envs.reset()[1]["legal_action_mask"]
    rng = np.random.default_rng(0)

    def step() -> int:
        nonlocal masks
        # A uniform legal action of each: the largest of as many random numbers.
        actions = (masks * rng.random(masks.shape, np.float32)).argmax(axis=1).astype(np.int32)
        masks = envs.step(actions)[4]["legal_action_mask"]
        return num_envs

    return step


def pgx(game: str, num_envs: int = 1024) -> Stepper:
    import jax
    import jax.numpy as jnp
    import pgx as library

    name = {"connect-four": "connect_four", "othello": "othello", "2048": "2048"}[game]
    env = library.make(name)

    def advance(state: Any, key: Any) -> tuple[Any, Any]:
        key, draw, fresh = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(draw, logits, axis=1)
        stepped = jax.vmap(env.step)(state, actions, jax.random.split(fresh, num_envs))
        started = jax.vmap(env.init)(jax.random.split(draw, num_envs))
        over = stepped.terminated | stepped.truncated
        pick = lambda a, b: jnp.where(over.reshape((-1,) + (1,) * (a.ndim - 1)), a, b)  # noqa: E731
        return jax.tree_util.tree_map(pick, started, stepped), key

    advance = jax.jit(advance)
    state, key = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), num_envs)), jax.random.PRNGKey(1)
    state, key = advance(state, key)
    jax.block_until_ready(state)

    def step() -> int:
        nonlocal state, key
        state, key = advance(state, key)
        jax.block_until_ready(state)
        return num_envs

    return step


RIVALS: dict[str, Callable[[str], Stepper]] = {
    "ludens, masks": lambda game: ours(game, False),
    "ludens, masks and observations": lambda game: ours(game, True),
    "EnvPool": env_pool,
    "OpenSpiel (Python)": open_spiel,
    "pgx": pgx,
}


def measure(step: Stepper, seconds: float) -> float:
    """Steps per second of this process's processor time."""
    step()
    begin, steps = time.process_time(), 0
    while (spent := time.process_time() - begin) < seconds:
        steps += step()
    return steps / spent


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--seconds", type=float, default=0.5)
    chosen = arguments.parse_args()
    made: dict[tuple[str, str], Stepper] = {}
    for game in GAMES:
        for rival, make in RIVALS.items():
            try:
                made[game, rival] = make(game)
            except Exception as error:
                print(f"note: {rival} on {game} is left out: {type(error).__name__}: {error}"[:160])
    found: dict[tuple[str, str], list[float]] = {key: [] for key in made}
    for _ in range(chosen.rounds):
        for key, step in made.items():
            found[key].append(measure(step, chosen.seconds))
    print(json.dumps({"load": os.getloadavg(), "cores": os.cpu_count(), "rounds": chosen.rounds}))
    print("| " + " | ".join(["library", *GAMES.values()]) + " |")
    for rival in RIVALS:
        row = [found.get((game, rival)) for game in GAMES]
        shown = [f"{statistics.median(one):,.0f}" if one else "-" for one in row]
        print("| " + " | ".join([rival, *shown]) + " |")


if __name__ == "__main__":
    main()
