"""Gymnasium, PettingZoo and OpenSpiel by their own checkers."""

from __future__ import annotations

import types
import warnings

import gymnasium
import ludens
import numpy as np
import pytest
from conftest import DUELS, FORMS, SOLO
from gymnasium.utils.env_checker import check_env

REGISTERED = [name for name in gymnasium.registry if name.startswith("ludens/")]


def test_every_game_is_registered() -> None:
    wanted = {f"ludens/{name}-v0" for name in ("Former", "SameGame", "2048", "2584", "Threes", "ConnectFour")}
    assert wanted <= set(REGISTERED)


@pytest.mark.parametrize("name", REGISTERED)
def test_registered_environments_pass_the_checker(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Opponents and options come with the registration; checks of every render mode are below.
        warnings.filterwarnings("ignore", message=".*different from the unwrapped version.*")
        check_env(gymnasium.make(name).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("spec", SOLO)
def test_variants_pass_the_checker(spec: str) -> None:
    from ludens.gym import LudensEnv

    check_env(LudensEnv(spec), skip_render_check=True)


@pytest.mark.parametrize("spec", FORMS)
@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_render_modes(spec: str, mode: str) -> None:
    from ludens.gym import LudensEnv

    env = LudensEnv(spec, render_mode=mode)
    env.reset(seed=1)
    shown = env.render()
    if mode == "ansi":
        assert isinstance(shown, str) and shown.count("\n") >= 2
    else:
        assert shown.dtype == np.uint8 and shown.ndim == 3 and shown.shape[2] == 3 and shown.std() > 0


def test_masks_by_every_convention() -> None:
    from ludens.gym import LudensEnv, RLlibEnv

    env = LudensEnv("former")
    _, info = env.reset(seed=0)
    assert info["action_mask"].dtype == np.int8 and np.array_equal(info["action_mask"], env.action_masks())
    seen, _ = RLlibEnv({"game": "former"}).reset(seed=0)
    assert np.array_equal(seen["action_mask"], info["action_mask"]) and set(seen) == {"observations", "action_mask"}
    check_env(RLlibEnv({"game": "2048"}), skip_render_check=True)


def test_forms_with_an_opponent() -> None:
    env = gymnasium.make("ludens/Othello-v0", opponent="alphabeta:depth=2", player=2)
    _, info = env.reset(seed=0)
    ended, total = False, 0.0
    rng = np.random.default_rng(0)
    while not ended:
        _, reward, ended, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        total += reward
    assert total in (-1, 0, 1)


def test_performance_is_measured() -> None:
    from gymnasium.utils.performance import benchmark_step

    assert benchmark_step(gymnasium.make("ludens/2048-v0"), target_duration=1) > 0


pettingzoo = pytest.importorskip("pettingzoo")


@pytest.mark.parametrize("spec", DUELS)
def test_duels_pass_pettingzoos_tests(spec: str) -> None:
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(ludens.pettingzoo.env(spec), num_cycles=60, verbose_progress=False)
        seed_test(lambda: ludens.pettingzoo.env(spec), num_cycles=30)


def test_max_cycles() -> None:
    from pettingzoo.test import max_cycles_test

    def seeded(make):
        def made(**options):
            env = make("connect-four", **options)
            for number, agent in enumerate(env.possible_agents):
                # The test draws without masks: columns that are neither full nor won.
                env.action_space(agent).seed(number)
            return env

        return made

    pettingzoo = ludens.pettingzoo
    max_cycles_test(types.SimpleNamespace(env=seeded(pettingzoo.env), parallel_env=seeded(pettingzoo.parallel_env)))


@pytest.mark.parametrize("spec", DUELS)
def test_duels_are_cut_off(spec: str) -> None:
    """PettingZoo's own test draws without masks, which only Connect Four's columns endure."""
    env = ludens.pettingzoo.env(spec, max_cycles=2)
    env.reset(seed=1)
    moves = 0
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        moves += 1
        env.step(int(np.flatnonzero(seen["action_mask"])[-1]))
    assert moves == 4 and truncated or terminated and moves < 4


@pytest.mark.parametrize("spec", DUELS)
def test_pettingzoo_games_are_zero_sum(spec: str) -> None:
    env = ludens.pettingzoo.env(spec, max_cycles=300)
    env.reset(seed=2)
    rng = np.random.default_rng(0)
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        assert abs(sum(env.rewards.values())) == 0
        env.step(None if terminated or truncated else int(rng.choice(np.flatnonzero(seen["action_mask"]))))


def test_solo_games_are_no_pettingzoo_games() -> None:
    with pytest.raises(ValueError, match="two players"):
        ludens.pettingzoo.env("2048")


pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.parametrize("spec", FORMS)
def test_openspiel_plays_every_game(spec: str) -> None:
    from ludens.openspiel import name_of

    small = {"2048": "board=2x3", "2584": "board=2x3", "threes": "board=2x3", "sevn": "base=3"}
    params = {"variant": small.get(spec.split(":")[0], ""), "seed": 3}
    game = pyspiel.load_game(name_of(spec), params)
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
    state = game.new_initial_state()
    assert len(state.legal_actions_mask()) == game.num_distinct_actions()


def test_openspiels_algorithms_run() -> None:
    from open_spiel.python.algorithms import mcts
    from ludens.openspiel import name_of

    game = pyspiel.load_game(name_of("connect-four"))
    state = game.new_initial_state()
    for action in (0, 1, 0, 1, 0, 1):
        state.apply_action(action)
    bot = mcts.MCTSBot(game, 2, 60, mcts.RandomRolloutEvaluator(), solve=True)
    assert bot.step(state) == 0
