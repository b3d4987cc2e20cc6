"""Random play of Ludens beside OpenSpiel driven from Python, in turns.

usage: rivals.py LUDENS_BINARY ROUNDS

Both sides use one core. Each round measures one after the other, so that a
busy machine disturbs both alike; the best round of each side counts.
"""

import json
import random
import subprocess
import sys
import time

import pyspiel

GAMES = {"connect-four": "connect_four", "othello": "othello", "2048": "2048"}
SECONDS = 2.0


def open_spiel_moves(name):
    """Players' moves per CPU second of uniformly random games."""
    game = pyspiel.load_game(name)
    moves, begin = 0, time.process_time()
    while time.process_time() - begin < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes())
                state.apply_action(random.choices(outcomes, weights)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                moves += 1
    return moves / (time.process_time() - begin)


def ludens_moves(binary, name):
    """Players' moves per second of uniformly random games on one thread."""
    command = [binary, "bench", name, "--seconds", str(SECONDS), "--threads", "1", "--json"]
    result = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return result["playouts"][name]["moves_per_s"]


def main():
    binary, rounds = sys.argv[1], int(sys.argv[2])
    print(f"{'game':<14}{'OpenSpiel moves/s':>20}{'Ludens moves/s':>18}{'ratio':>10}")
    for ours, theirs in GAMES.items():
        rival = mine = 0.0
        for _ in range(rounds):
            rival = max(rival, open_spiel_moves(theirs))
            mine = max(mine, ludens_moves(binary, ours))
        print(f"{ours:<14}{rival:>20,.0f}{mine:>18,.0f}{mine / rival:>9.0f}x", flush=True)


if __name__ == "__main__":
    main()
