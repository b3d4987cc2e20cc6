#!/usr/bin/env python3
"""Lets a GTP program play Othello in `ludens arena`.

    ludens arena othello alphabeta:time=100ms "cmd:python3 tools/gtp_bridge.py gtp-rhino -l 3"

Speaks the line protocol of docs/protocol.md on one side and the Go Text Protocol
(version 2) on the other. The game must begin at the usual start position.
"""

import contextlib
import subprocess
import sys

# The start position as Ludens writes it.
START = "...........................OX......XO........................... X"
PASS = "--"


class Gtp:
    """A GTP program."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, line):
        """The answer to a command; raises ValueError when the program refuses it."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = []
        while True:
            text = self.process.stdout.readline()
            if text == "":
                raise ValueError("the program has ended")
            if text.strip() == "" and answer:
                break
            if text.strip():
                answer.append(text.strip())
        if not answer[0].startswith("="):
            raise ValueError(f"{line}: {answer[0]}")
        return " ".join([answer[0][1:].strip()] + answer[1:]).strip()


class Bridge:
    """A game under way: the moves that the program has been told."""

    def __init__(self, program):
        self.program = program
        self.told = None
        self.moves = []

    def position(self, text):
        game, rest = text.split(" ", 1)
        start, _, moves = rest.partition(" moves")
        if game != "othello" or start.strip() != START:
            raise ValueError("only Othello from its usual start")
        self.moves = moves.split()

    def go(self):
        told = self.told
        if told is None or self.moves[: len(told)] != told:
            self.program.ask("clear_board")
            told = []
        for at in range(len(told), len(self.moves)):
            # Who cannot move passes: some programs want to hear it, others (GRhino) know and refuse it.
            if self.moves[at] == PASS:
                with contextlib.suppress(ValueError):
                    self.program.ask(f"play {self.colour(at)} pass")
            else:
                self.program.ask(f"play {self.colour(at)} {self.moves[at]}")
        move = self.program.ask(f"genmove {self.colour(len(self.moves))}").lower()
        move = PASS if move == "pass" else move
        self.told = self.moves + [move]
        return move

    @staticmethod
    def colour(at):
        # Passes are moves, so the colours alternate.
        return "black" if at % 2 == 0 else "white"


def main():
    bridge = Bridge(Gtp(sys.argv[1:]))
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        try:
            if word == "ludens":
                bridge.program.ask("boardsize 8")
                print(f"id {bridge.program.ask('name')}")
                print("ready")
            elif word == "newgame":
                bridge.told = None
            elif word == "position":
                bridge.position(rest)
            elif word == "go":
                print(f"bestmove {bridge.go()}")
            elif word == "quit":
                break
        except (ValueError, OSError) as error:
            print(f"error {error}")
        sys.stdout.flush()
    bridge.program.process.kill()


if __name__ == "__main__":
    main()
