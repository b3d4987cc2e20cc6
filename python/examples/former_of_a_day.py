"""Solves a day's Former, proves that nothing is shorter, and lets a random player try too."""

import random

import ludens

solution = ludens.solve("former", date="2025-05-18", prove=True)
print(f"{solution.length} moves, proven: {solution.proven}: {' '.join(solution.moves)}")

position, moves = solution.start, 0
while not position.is_over:
    position, moves = position.apply(random.choice(position.legal_actions())), moves + 1
print(f"a random player needs {moves}")
