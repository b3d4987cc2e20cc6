#!/usr/bin/env python3
"""Times what the moves of Former games cost: optimum before and after, by the prover.

    python3 tools/former_costs.py BINARY GAMES [SECONDS]

GAMES boards of the day from 2025-01-01 on are played by the agent `net`, which misses the optimum now and
then. For every move `cost_of` is asked, the last move first, as the page's review does, in one process that keeps what is proven.
"""

import json
import subprocess
import sys
import time
from datetime import date, timedelta


class Analyze:
    def __init__(self, binary):
        self.process = subprocess.Popen([binary, "analyze"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps({"id": "1", **request}) + "\n")
        self.process.stdin.flush()
        while True:
            reply = json.loads(self.process.stdout.readline())
            if reply["event"] == "done":
                return reply
            if reply["event"] == "error":
                return None


def median(values):
    return sorted(values)[len(values) // 2]


def main():
    binary, games = sys.argv[1], int(sys.argv[2])
    limit = float(sys.argv[3]) if len(sys.argv) > 3 else 10.0
    analyze = Analyze(binary)
    times = {"at most 9": [], "10 or more": []}
    for index in range(games):
        board = {"game": "former", "date": str(date(2025, 1, 1) + timedelta(index))}
        moves = []
        while (found := analyze.ask(**board, moves=moves, agent="net")) is not None:
            best = found["best"]
            moves.append(best if isinstance(best, str) else ",".join(map(str, best)))
        for ply in reversed(range(len(moves))):
            begin = time.monotonic()
            reply = analyze.ask(**board, moves=moves[:ply], cost_of=moves[ply], time_ms=int(1000 * limit))
            left = "at most 9" if len(moves) - ply <= 9 else "10 or more"
            times[left].append((time.monotonic() - begin, reply is not None and reply["proven"]))
    for left, all_times in times.items():
        took = [seconds for seconds, _ in all_times]
        soon = [proven and seconds < limit for seconds, proven in all_times]
        print(
            f"moves left {left}: {len(took)} moves, median {median(took):.2f} s, most {max(took):.2f} s, "
            f"below 1 s {sum(one < 1 for one in took)}, proven within {limit:g} s {sum(soon)}"
        )


if __name__ == "__main__":
    main()
