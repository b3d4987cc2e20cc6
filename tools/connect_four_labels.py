"""Positions of Connect Four with the result of every move under best play, by an independent solver.

    python tools/connect_four_labels.py FILE [COUNT] [SEED]

writes COUNT (2000) positions of random play, 4 to 24 moves deep, in which moves lead to at least two
different results, in an environment with `bitbully` (0.0.79). A line has the columns played, from 1,
and then COLUMN:RESULT for every legal move, columns from 0, results 1, 0 or -1 for the mover. The
example `connect_four_agreement` of `ludens-learn` reads them.
"""

import random
import sys

from bitbully import BitBully, Board


def random_position(rng):
    """The moves and the board of a game that is not over; None when it ended too soon."""
    board, moves = Board(), []
    for _ in range(rng.randint(4, 24)):
        move = rng.choice(board.legal_moves())
        board.play(move)
        if board.is_game_over():
            return None
        moves.append(move)
    return moves, board


def main():
    path = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 2026)
    solver, written = BitBully(), 0
    with open(path, "w", encoding="ascii") as file:
        while written < count:
            position = random_position(rng)
            if position is None:
                continue
            moves, board = position
            scores = solver.score_all_moves(board)
            results = {move: (score > 0) - (score < 0) for move, score in scores.items()}
            if len(set(results.values())) < 2:
                continue
            columns = "".join(str(move + 1) for move in moves)
            labels = " ".join(f"{move}:{results[move]}" for move in sorted(results))
            file.write(f"{columns} {labels}\n")
            written += 1


if __name__ == "__main__":
    main()
