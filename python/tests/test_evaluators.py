"""Functions of Python in place of networks."""

from __future__ import annotations

from typing import Any

import ludens
import numpy as np
import pytest

GAME = "connect-four"


class Centre:
    """Likes columns in the middle, and says every position is even."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.masked = 0

    def __call__(self, observations: Any, masks: Any) -> tuple[Any, Any]:
        assert observations.dtype == np.float32 and observations.shape[1:] == (6, 7, 2)
        assert masks.dtype == np.int8 and masks.shape == (len(observations), 7)
        self.sizes.append(len(observations))
        self.masked += int((masks == 0).sum())
        weights = np.array([1, 2, 4, 8, 4, 2, 1.0])
        return np.tile(weights, (len(masks), 1)), np.zeros(len(masks))


def last(**options: Any) -> ludens.Analysis:
    return list(ludens.analyze(ludens.game(GAME).start(0), **options))[-1]


def test_a_network_is_a_function_like_any_other() -> None:
    network = ludens.Network.load(GAME)
    own = last(agent="az:100", evaluator=network.evaluate)
    bundled = last(agent="az:100")
    assert own.best == bundled.best and own.nodes == bundled.nodes
    assert own.value == pytest.approx(bundled.value, abs=1e-3)


def test_searches_ask_for_batches() -> None:
    asked = Centre()
    assert last(agent="net", evaluator=asked).best == "4"
    assert last(agent="az:200,batch=32", evaluator=asked).best is not None
    assert asked.sizes[0] == 1 and max(asked.sizes) > 16


def test_agents_with_functions_play_contests_and_games() -> None:
    asked = Centre()
    player = ludens.agent("az:40,batch=8", evaluator=asked)
    table = ludens.arena(GAME, [player, "random"], games=6, workers=2)
    assert table["ratings"][0]["wins"] >= 5 and asked.masked > 0
    mean = ludens.evaluate(
        "2048:board=3x3", games=3, workers=1,
        agent=ludens.agent("expectimax:ply=1", evaluator=lambda seen, _: (None, seen[..., 0].sum((1, 2)))),
    )
    assert mean["games"] == 3


def test_solvers_take_functions() -> None:
    game = "former:rows=5,cols=5,shapes=3"
    asked: list[bool] = []

    def fewest(observations: Any, masks: Any) -> tuple[Any, Any]:
        asked.append(masks is None)
        # The fewer cells are left, the better.
        return None, -observations.any(axis=-1).sum(axis=(1, 2)).astype(np.float32)

    found = ludens.solve(game, random=1, solver="beam:width=8,rounds=1", evaluator=fewest, nodes=2000)
    assert found.length > 0 and asked and all(asked)
    asked.clear()
    found = ludens.solve(game, random=1, solver="PUCT", evaluator=lambda _, masks: (masks, None), nodes=300)
    assert found.length > 0
    found = ludens.solve("samegame:rows=6,cols=6", random=1, solver="beam", evaluator=fewest, nodes=500)
    assert found.length > 0 and asked
    with pytest.raises(ValueError, match="evaluator: found solver 'exact', expected one of: .*beam"):
        ludens.solve(game, random=1, solver="exact", evaluator=fewest)


def test_what_a_function_raises_ends_the_search() -> None:
    def broken(observations: Any, masks: Any) -> tuple[Any, Any]:
        raise RuntimeError("out of order")

    with pytest.raises(RuntimeError, match="out of order"):
        last(agent="az:100000000", evaluator=broken)
    with pytest.raises(RuntimeError, match="out of order"):
        ludens.arena(GAME, [ludens.agent("az:50", evaluator=broken), "random"], games=100)
    with pytest.raises(RuntimeError, match="out of order"):
        ludens.solve("former", random=1, solver="beam", evaluator=broken)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (None, "found NoneType, expected"),
        ((np.zeros((1, 3)), None), "found 3 policies, expected 7"),
        ((None, np.zeros(5)), "found 5 values, expected 1"),
        ((np.full((1, 7), -1.0), None), "at least 0"),
        ((None, [float("nan")]), "NaN"),
        (("x", None), "could not convert"),
    ],
)
def test_wrong_answers_are_told(told: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        last(agent="net", evaluator=lambda *_: told)


def test_nothing_said_leaves_all_moves_even() -> None:
    even = last(agent="az:50", evaluator=lambda *_: (None, None))
    zeros = last(agent="az:50", evaluator=lambda seen, masks: (np.zeros(masks.shape), np.zeros(len(seen))))
    assert even.best == zeros.best and even.nodes == zeros.nodes


def test_an_evaluator_is_known_as_long_as_it_is_kept() -> None:
    player = ludens.agent("net", evaluator=Centre())
    assert last(agent=player).best == "4"
    text = str(player)
    del player
    with pytest.raises(ValueError, match="parameter model: found 'custom:"):
        last(agent=text)
    with pytest.raises(ValueError, match="expected a function"):
        ludens.agent("net", evaluator=5)  # type: ignore[arg-type]
