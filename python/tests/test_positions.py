"""Positions: rules, notation, hashing, pickles, symmetries, drawings."""

from __future__ import annotations

import copy
import pickle
import random

import ludens
import numpy as np
import pytest
from conftest import ALL


def playout(spec: str, seed: int, most: int = 60) -> list[ludens.Position]:
    rng = random.Random(seed)
    line = [ludens.game(spec).start(seed)]
    while not line[-1].is_over and len(line) < most:
        at = line[-1]
        if at.is_chance:
            places = range(len(at.outcomes()))
            weights = [p for _, p in at.outcomes()]
            line.append(at.apply_outcome(rng.choices(places, weights)[0]))
        else:
            line.append(at.apply(rng.choice(at.legal_actions())))
    return line


@pytest.mark.parametrize("spec", ALL)
def test_positions_follow_the_rules(spec: str) -> None:
    handle = ludens.game(spec)
    for at in playout(spec, 1):
        assert hash(at) == hash(copy.deepcopy(at)) and at == pickle.loads(pickle.dumps(at))
        assert at != ludens.game("connect-four").parse("1111") and at != 7
        if at.is_chance:
            outcomes = at.outcomes()
            assert abs(sum(p for _, p in outcomes) - 1) < 1e-9 and at.to_move is None
            assert at.legal_actions() == [] and at.sample(3)[0] == at.sample(3)[0]
            continue
        assert handle.parse(str(at)) == at and at.outcomes() == []
        legal = at.legal_actions()
        mask = at.action_mask()
        assert mask.dtype == np.int8 and np.flatnonzero(mask).tolist() == sorted(legal)
        assert (at.to_move is None) == at.is_over == (not legal)
        seen = at.observation()
        assert seen.shape == handle.observation_shape and seen.dtype == np.float32
        assert np.isfinite(seen).all() and seen.min() >= 0 and seen.max() <= 1
        for action in legal[:5]:
            text = at.action_text(action)
            assert at.action_number(text) == action
            assert at.apply(text) == at.apply(action)
        assert at.symmetries(4)[0] == at
        assert at._repr_svg_().startswith("<svg")


def test_illegal_actions_are_value_errors() -> None:
    at = ludens.game("connect-four").parse("111111")
    for wrong in (0, 7, -1, 10**9, "1", "x"):
        with pytest.raises(ValueError):
            at.apply(wrong)
    for wrong in (None, 1.5, [], object()):
        with pytest.raises((TypeError, ValueError)):
            at.apply(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="outcome"):
        at.apply_outcome(0)


def test_sevn_is_numbered_by_colour_and_mask() -> None:
    at = ludens.game("sevn:base=3").parse("1/aaa/aab.cba.cbc")
    assert at.legal_actions() == [1, 9, 18, 20, 22]


def test_pickles_of_other_versions_are_refused() -> None:
    at = ludens.game("2048").start(1)
    solution = ludens.solve("former:rows=4,cols=4,shapes=3", random=1, solver="beam", nodes=100)
    for thing, what in ((at, "position"), (ludens.game("sevn:base=5"), "game"), (solution, "result")):
        written = pickle.dumps(thing)
        assert pickle.loads(written) == thing
        # The same bytes as another version would have written them.
        own = ludens.__version__.encode()
        assert written.count(own) == 1
        older = written.replace(own, b"0" * (len(own) - 3) + b"0.9")
        assert older != written
        with pytest.raises(ValueError, match=f"pickled {what}: found version 0.*9, expected {ludens.__version__}"):
            pickle.loads(older)


def test_messages_are_those_of_the_command_line() -> None:
    with pytest.raises(ValueError, match="game: found 'chess', expected one of: former, samegame"):
        ludens.game("chess")
    with pytest.raises(ValueError, match="parameter base"):
        ludens.game("sevn:base=4")
