#!/usr/bin/env python3
"""Memory of one server after many searches, for docs/results/web.md.

    python3 tools/server_memory.py [target/release/ludens] [SEARCHES]

Asks every agent and solver of every game and sample variant in turn, 20 to 50 ms each, and prints the
resident memory as a Markdown table.
"""
import itertools
import json
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request


def call(url, body=None):
    """The body of the reply; that of a search is a stream, read to its end."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as reply:
        return reply.read()


def resident(pid):
    """MiB of a process that are in memory."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) >> 10


def requests(games):
    for game in games:
        for spec in [game["spec"], *game.get("samples", [])]:
            yield {"game": spec}
            for kind, names in (("agent", game["agents"]), ("solver", game.get("solvers", []))):
                for one in names:
                    if one["name"] != "human":
                        yield {"game": spec, kind: one["name"]}


def main(binary="target/release/ludens", searches="2000"):
    marks = {n for n in (0, 100, 200, 500, 1000, 1500, 2000, 5000) if n <= int(searches)}
    with tempfile.TemporaryDirectory() as home:
        server = subprocess.Popen([binary, "serve", "--port", "0", "--no-open"], env={"LUDENS_HOME": home},
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            address = next(re.search(r"http://[0-9.:]+", line)[0] for line in server.stdout if "http://" in line)
            print("| searches | resident MiB |\n|---|---|", flush=True)
            print(f"| fresh | {resident(server.pid)} |", flush=True)
            asked = list(requests(json.loads(call(f"{address}/api/games"))["games"]))
            done = refused = 0
            for request in itertools.cycle(asked):
                if done in marks:
                    print(f"| {done} | {resident(server.pid)} |", flush=True)
                    marks.remove(done)
                if not marks:
                    break
                request = {**request, "seed": done, "time_ms": 20 + done % 31}
                try:
                    call(f"{address}/api/analyze", request)
                except urllib.error.HTTPError:
                    refused += 1  # an agent without a network here, or a variant it does not play
                done += 1
            print(f"\n{len(asked)} kinds of requests, {refused} refused.")
        finally:
            server.terminate()
            server.wait()


main(*sys.argv[1:])
