"""Vector environments: seeds, masks, modes, policies, memory, threads, forks."""

from __future__ import annotations

import multiprocessing
import pickle
import threading

import gymnasium
import ludens
import numpy as np
import pytest
from conftest import ALL, FORMS


def walk(envs: ludens.VectorEnv, steps: int) -> list:
    seen = [envs.reset(seed=3)]
    envs.seed_sampling(1)
    for _ in range(steps):
        seen.append(envs.step(envs.sample_actions()))
    return seen


@pytest.mark.parametrize("spec", ALL)
def test_steps_are_reproducible_and_bounded(spec: str) -> None:
    one, two = (walk(ludens.vector(spec, 3, threads=t), 40) for t in (1, 2))
    for (a, *rest_a), (b, *rest_b) in zip(one, two):
        assert np.array_equal(a, b) and np.isfinite(a).all() and a.min() >= 0 and a.max() <= 1
        for x, y in zip(rest_a[:-1], rest_b[:-1]):
            assert np.array_equal(x, y)
        assert np.array_equal(rest_a[-1]["action_mask"], rest_b[-1]["action_mask"])


@pytest.mark.parametrize("spec", FORMS)
def test_environment_i_is_the_game_of_its_seed(spec: str) -> None:
    envs = ludens.vector(spec, 4, seed=11)
    observations, infos = envs.reset()
    for i in range(4):
        start = ludens.game(spec).start(11 + i)
        assert envs.position(i) == start
        assert np.array_equal(observations[i], start.observation())
        assert np.array_equal(infos["action_mask"][i], start.action_mask())
    listed, _ = ludens.vector(spec, 4).reset(seed=[11, 12, 13, 14])
    assert np.array_equal(listed, observations)


def test_it_is_gymnasiums_vector_environment() -> None:
    envs = ludens.vector("connect-four", num_envs=16, seed=0)
    assert isinstance(envs, gymnasium.vector.VectorEnv)
    assert envs.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.NEXT_STEP
    observations, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    counted = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    counted.reset(seed=2)
    lengths: list[int] = []
    for _ in range(200):
        _, _, _, _, infos = counted.step(envs.sample_actions())
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert len(lengths) > 16 and min(lengths) >= 7
    made = gymnasium.make_vec("ludens/2048-v0", num_envs=3)
    assert made.reset(seed=0)[0].shape == (3, 4, 4, 18)


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_autoreset_modes(mode: str) -> None:
    envs = ludens.vector("connect-four", 2, seed=0, autoreset_mode=mode)
    envs.reset()
    for move in (0, 1, 0, 1, 0, 1, 0):
        observations, rewards, terminated, _, infos = envs.step([move, 3])
    assert rewards[0] == 1 and terminated[0]
    stones = lambda board: int(board.sum())  # noqa: E731
    if mode == "next_step":
        assert stones(observations[0]) == 7 and infos["action_mask"][0].all()
        observations, rewards, terminated, _, _ = envs.step([3, 2])
        assert stones(observations[0]) == 0 and rewards[0] == 0 and not terminated[0]
    elif mode == "same_step":
        assert stones(observations[0]) == 0 and stones(infos["final_obs"][0]) == 7
        assert infos["_final_obs"].tolist()[0]
    else:
        assert stones(observations[0]) == 7 and not infos["action_mask"][0].any()
        observations, _ = envs.reset(options={"reset_mask": np.array([True, False])})
        assert stones(observations[0]) == 0 and stones(observations[1]) == 6


def test_illegal_actions_by_policy() -> None:
    def full(policy: str) -> ludens.VectorEnv:
        envs = ludens.vector("connect-four", 1, illegal_action=policy)
        envs.reset(seed=0)
        for _ in range(6):
            envs.step([0])
        return envs

    _, rewards, terminated, _, _ = full("lose").step([0])
    assert rewards[0] == -1 and terminated[0]
    for wrong in (0, -1, 7, 2**62):
        _, rewards, terminated, _, _ = full("noop").step([wrong])
        assert rewards[0] == 0 and not terminated[0]
        with pytest.raises(ValueError, match="environment 0, action"):
            full("raise").step([wrong])


def test_copies_are_fresh_and_views_are_shared() -> None:
    fresh = ludens.vector("2048", 2, seed=0)
    first, _ = fresh.reset()
    second = fresh.step(fresh.sample_actions())[0]
    assert not np.shares_memory(first, second)
    shared = ludens.vector("2048", 2, seed=0, copy=False)
    first, _ = shared.reset()
    assert np.shares_memory(first, shared.step(shared.sample_actions())[0])


def test_opponents_play() -> None:
    envs = ludens.vector("connect-four", 8, seed=0, opponent="alphabeta:depth=4", player=2)
    envs.reset()
    results: list[float] = []
    for _ in range(60):
        _, rewards, terminated, _, infos = envs.step(envs.sample_actions())
        results += rewards[terminated].tolist()
    assert np.mean(results) < -0.5


@pytest.mark.parametrize(
    "wrong",
    [
        dict(num_envs=0), dict(num_envs=-1), dict(num_envs=1.5), dict(num_envs=True),
        dict(autoreset_mode="never"), dict(illegal_action="win"), dict(opponent="random"),
        dict(max_episode_steps=0), dict(start="nothing"), dict(player=3),
    ],
)
def test_wrong_options_are_value_errors(wrong: dict) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError)):
        ludens.vector("2048", **({"num_envs": 2} | wrong))


@pytest.mark.parametrize("wrong", [[0], [0, 0, 0], [0.5, 1.0], "ab", None, [[0], [0]], [None, 1]])
def test_wrong_actions_are_errors(wrong: object) -> None:
    envs = ludens.vector("2048", 2)
    envs.reset(seed=0)
    with pytest.raises((ValueError, TypeError)):
        envs.step(wrong)  # type: ignore[arg-type]


def test_threads_share_the_interpreter() -> None:
    def work(seed: int) -> None:
        envs = ludens.vector("othello", 64, seed=seed)
        envs.reset()
        for _ in range(50):
            envs.step(envs.sample_actions())
        done.append(seed)

    done: list[int] = []
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(done) == [0, 1, 2, 3]


def _child(queue: multiprocessing.Queue) -> None:
    envs = ludens.vector("2048", 8, seed=5, threads=2)
    envs.reset()
    queue.put(pickle.dumps([envs.step(envs.sample_actions())[1] for _ in range(20)]))


def test_forked_processes_go_on() -> None:
    envs = ludens.vector("2048", 8, seed=5, threads=2)
    envs.reset()
    ours = [envs.step(envs.sample_actions())[1] for _ in range(20)]
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_child, args=(queue,))
    child.start()
    theirs = pickle.loads(queue.get(timeout=120))
    child.join()
    assert all(np.array_equal(a, b) for a, b in zip(ours, theirs))
