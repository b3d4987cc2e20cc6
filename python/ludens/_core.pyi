"""The extension module; `ludens` is its public face."""

from collections.abc import Callable
from typing import Any, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "__version__", "LudensError", "Evaluator", "Game", "Job", "Network", "Position", "VectorCore", "games",
    "analyze", "evaluate", "contest", "train", "reproduce", "suite", "replay", "record",
    "experiments", "recipes", "plays_itself", "program_name", "self_play_block",
    "train_with_actors", "work_merge", "work_part", "work_text", "work_units",
]

__version__: str

class LudensError(Exception): ...

def analyze(request: str, threads: int | None = None) -> Job: ...
def contest(work: str, options: str, library: str, players: dict[str, Any]) -> Job: ...
def evaluate(work: str, options: str, library: str) -> Job: ...
def experiments() -> str: ...
def games() -> str: ...
def plays_itself(recipe: str) -> bool:
    """Whether the games of a recipe can be played elsewhere."""
def program_name() -> str:
    """Name, version and build of this library."""
def recipes() -> str: ...
def record(
    spec: str,
    moves: list[str],
    seed: int | None = None,
    position: str | None = None,
    names: list[str] | None = None,
) -> str: ...
def replay(text: str) -> str: ...
def reproduce(request: str, library: str) -> Job: ...
def suite(spec: str, name: str) -> list[tuple[str, str, int | None]]: ...
def self_play_block(spec: str, unit: int, network: bytes, driver: str) -> str:
    """Plays a block of games of self-play: JSON lines."""
def train(request: str) -> Job: ...
def train_with_actors(
    recipe: str,
    game: str | None,
    settings: list[tuple[str, str]],
    seed: int | None,
    run: str | None,
    resume: bool,
    steps: int | None,
    block: int | None,
    play: Callable[[str, bytes, Callable[[], bool]], tuple[list[str], list[int]]] | None,
    report: Callable[[str], object] | None,
) -> str | None:
    """Learns while `play` plays the games elsewhere; the last metrics."""
def work_merge(paths: list[str]) -> tuple[str, str | None]:
    """Joins the stores of all shards: what the command prints, and of suites the runs."""
def work_part(
    spec: str, shard: str, driver: str, workers: int = 1, memory: int | None = None
) -> bytes:
    """Does a shard of work for a driver: the bytes of its store."""
def work_text(spec: str) -> str:
    """The specification of work with all its fields."""
def work_units(spec: str) -> int:
    """How many units work has."""
@final
class Game:
    """A game with its variant."""

    def __new__(cls, spec: str) -> Game: ...
    @property
    def spec(self) -> str:
        """The name with the variant, such as `sevn:base=5`."""
    @property
    def players(self) -> int:
        """One or two."""
    @property
    def num_actions(self) -> int:
        """How many numbers of actions there are."""
    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Rows, columns and planes of an observation."""
    def info(self) -> str:
        """All there is to know, as JSON; `ludens.info` reads it."""
    def start(self, seed: int) -> Position:
        """A seeded start."""
    def random(self, seed: int, plies: int) -> Position:
        """A seeded start after some random moves."""
    def parse(self, text: str) -> Position:
        """The position of a text."""
    def generate(self, name: str, value: str) -> Position:
        """The position of a generator, such as `date`."""
    def check_agent(self, agent: str) -> None:
        """Raises `ValueError` unless the agent can be made."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Job:
    """Work in the background."""

    def poll(self, seconds: float) -> tuple[str, str] | None:
        """Waits for news."""
    def stop(self) -> None:
        """Asks it to end with the best it has."""

@final
class Evaluator:
    """A function in place of a network; `ludens.agent` is its public face."""

    def __new__(cls, call: Any) -> Evaluator: ...
    @property
    def name(self) -> str: ...
    @property
    def failed(self) -> bool: ...
    def check(self) -> None: ...

@final
class Network:
    """A network of planes; `ludens.Network` is its public face."""

    @staticmethod
    def load(game_spec: str, model: str | None = None) -> Network: ...
    @property
    def game(self) -> str: ...
    @property
    def encoder(self) -> str: ...
    @property
    def checksum(self) -> str: ...
    @property
    def shape(self) -> tuple[int, int, int]: ...
    @property
    def num_outputs(self) -> int: ...
    def run(
        self, planes: npt.NDArray[np.float32]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]: ...

@final
class Position:
    """A position, or what a move leads to before nature acts. It never changes; positions hash,
    compare and pickle."""

    @property
    def game(self) -> str:
        """The game with its variant."""
    @property
    def text(self) -> str:
        """The text that reads back; before nature acts that of the position before."""
    @property
    def is_chance(self) -> bool:
        """Whether nature is to act."""
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    @property
    def to_move(self) -> int | None:
        """1 or 2; `None` at the end and on nature's turn."""
    @property
    def winner(self) -> int | None:
        """1 or 2 who won, 0 for a draw, `None` otherwise."""
    @property
    def score(self) -> int | None:
        """The points so far where the position shows them."""
    def legal_actions(self) -> list[int]:
        """The numbers of the legal actions; none on nature's turn."""
    def action_text(self, action: int | str) -> str:
        """The text of a legal action."""
    def action_number(self, text: str) -> int:
        """The number of a legal action's text."""
    def action_cells(self, action: int | str) -> list[int]:
        """The cells of the drawing that a legal action touches."""
    def apply(self, action: int | str) -> Position:
        """What an action leads to; before nature acts where it has a choice."""
    def apply_with_reward(self, action: int | str) -> tuple[Position, int]:
        """What an action leads to, and what it pays player one."""
    def outcomes(self) -> list[tuple[str, float]]:
        """Nature's outcomes with their probabilities; none on a player's turn."""
    def apply_outcome(self, index: int) -> Position:
        """What an outcome, by its place in `outcomes()`, leads to."""
    def apply_outcome_with_reward(self, index: int) -> tuple[Position, int]:
        """What an outcome leads to, and what it pays player one."""
    def sample(self, seed: int) -> tuple[Position, int]:
        """What nature does by a seed; the position itself on a player's turn."""
    def action_mask(self) -> npt.NDArray[np.int8]:
        """1 for every legal action."""
    def observation(self) -> npt.NDArray[np.float32]:
        """What the player to move sees: rows, columns and planes."""
    def symmetries(self, most: int = 1024) -> list[Position]:
        """The images under the symmetries of the game, this one first."""
    def view(self) -> dict[str, Any]:
        """The drawing: `rows`, `cols`, `cells` as (text, ink), labels and facts."""
    @staticmethod
    def restore(game: str, text: str, pending: int | None) -> Position:
        """For pickles."""
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class VectorCore:
    """Many games; `ludens.vector` is its public face."""

    def __new__(
        cls,
        spec: str,
        num_envs: int,
        autoreset: str,
        illegal_action: str,
        max_episode_steps: int | None,
        threads: int,
        opponent: str | None,
        player: int,
        start: str | None,
    ) -> VectorCore: ...
    def reset(self, seed: int | None, mask: npt.NDArray[np.bool_] | None, arrays: Any) -> None: ...
    def step(self, actions: npt.NDArray[np.int64], arrays: Any) -> None: ...
    def sample(self, actions: npt.NDArray[np.int64]) -> None: ...
    def seed_sampling(self, seed: int) -> None: ...
    def position(self, env: int) -> Position: ...
