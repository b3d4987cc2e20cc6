"""Follows random games of Ludens with OpenSpiel's rules.

usage: oracle.py GAMES.jsonl

Each line is one game: the positions with their legal moves and what was
played. Every legal move, position, reward and end must be the same here.
"""

import json
import sys

import pyspiel


class Rules:
    """How to read one game's positions and moves; the defaults fit games without chance."""

    def begin(self, state, position):
        """Leads the initial state to our start position."""

    def ours(self, position):
        """Our position in the form of `position`."""
        return position

    def legal(self, state):
        return state.legal_actions()

    def chance(self, state, text):
        raise AssertionError(f"{self.name} has no chance, but we had {text}")


class ConnectFour(Rules):
    name = "connect_four"

    def action(self, text):
        return int(text) - 1

    def position(self, state):
        return "/".join(str(state).upper().split())


class Othello(Rules):
    name = "othello"

    def action(self, text):
        if text == "--":
            return 64
        return (int(text[1]) - 1) * 8 + "abcdefgh".index(text[0])

    def position(self, state):
        rows = [line[2:17].split() for line in str(state).splitlines() if line[:1].isdigit()]
        return "".join("".join(row) for row in rows).replace("-", ".").upper()

    def ours(self, position):
        return position.split()[0]


class Game2048(Rules):
    name = "2048"

    def begin(self, state, position):
        for cell, tile in enumerate(position.replace("/", ",").split(",")):
            if tile != "0":
                state.apply_action(2 * cell + (tile == "4"))

    def action(self, text):
        return ["up", "right", "down", "left"].index(text)

    def position(self, state):
        rows = [",".join(line.split()) for line in str(state).splitlines() if line.strip()]
        return "/".join(rows)

    def legal(self, state):
        # OpenSpiel 2.0.2 leaves some slides out of legal_actions() that it plays
        # rightly all the same: try each one instead.
        def changes(action):
            after = state.clone()
            after.apply_action(action)
            return str(after) != str(state)

        legal = [action for action in range(4) if changes(action)]
        assert set(state.legal_actions()) <= set(legal)
        return legal

    def chance(self, state, text):
        tile, cell = text.split("@")
        action = 2 * int(cell) + (tile == "4")
        possible = dict(state.chance_outcomes())
        assert action in possible, f"{text} is no outcome of OpenSpiel"
        state.apply_action(action)


RULES = {"connect-four": ConnectFour(), "othello": Othello(), "2048": Game2048()}


def follow(line):
    """Replays one game; returns its name and number of moves."""
    game = json.loads(line)
    rules = RULES[game["game"]]
    state = pyspiel.load_game(rules.name).new_initial_state()
    rules.begin(state, game["plies"][0]["position"])
    total = 0
    for ply in game["plies"]:
        where = f"{game['game']} {ply['position']}"
        assert rules.position(state) == rules.ours(ply["position"]), f"{where}: {state}"
        legal = sorted(rules.action(text) for text in ply["actions"])
        assert legal == sorted(rules.legal(state)), f"{where}: {legal} {rules.legal(state)}"
        assert state.current_player() == ply["to_move"] - 1, where
        played = ply["played"]
        state.apply_action(rules.action(played["action"]))
        reward = state.rewards()[0]
        assert reward == played["reward"], f"{where}: reward {reward} {played['reward']}"
        total += reward
        if played["chance"] is not None:
            rules.chance(state, played["chance"])
    assert state.is_terminal(), f"{game['game']} goes on after {game['end']['position']}"
    assert rules.position(state) == rules.ours(game["end"]["position"])
    assert total == game["total"]
    return game["game"], len(game["plies"])


def main():
    games, moves = {}, {}
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            name, length = follow(line)
            games[name] = games.get(name, 0) + 1
            moves[name] = moves.get(name, 0) + length
    for name, count in games.items():
        print(f"{name}: {count} games, {moves[name]} moves agree with OpenSpiel")


if __name__ == "__main__":
    main()
