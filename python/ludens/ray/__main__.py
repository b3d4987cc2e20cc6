"""``python -m ludens.ray``: evaluations, contests and training on a Ray cluster, as on the command line."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from ludens import LudensError
from ludens import ray as cluster


def _time(text: str) -> float:
    for suffix, factor in (("ms", 0.001), ("s", 1.0), ("m", 60.0)):
        if text.endswith(suffix):
            return float(text[: -len(suffix)]) * factor
    raise argparse.ArgumentTypeError(f"found {text!r}, expected a time such as 100ms, 5s or 2m")


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected KEY=VALUE")
    return key, value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ludens.ray", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--workers", type=int, help="tasks or actors at the same time")
    common.add_argument("--address", help="the cluster; without, that of RAY_ADDRESS or a local one")
    common.add_argument("--seed", type=int)
    common.add_argument("--quiet", action="store_true", help="no progress")
    split = argparse.ArgumentParser(add_help=False)
    split.add_argument("--parts", type=int, help="tasks in all")
    split.add_argument("--store", help="folder of results, from which the command resumes")
    split.add_argument("--time", type=_time, help="per run or move, such as 5s")

    evaluate = commands.add_parser("evaluate", parents=[common, split], help="as ludens eval --json")
    evaluate.add_argument("game")
    evaluate.add_argument("--suite")
    evaluate.add_argument("--solver")
    evaluate.add_argument("--agent")
    evaluate.add_argument("--games", type=int, default=1000)
    evaluate.add_argument("--runs", type=int, default=1)
    evaluate.add_argument("--threads", type=int, default=1)
    evaluate.add_argument("--nodes", type=int)
    evaluate.add_argument("--ru", type=int)

    arena = commands.add_parser("arena", parents=[common, split], help="as ludens arena --json")
    arena.add_argument("game")
    arena.add_argument("agents", nargs="+")
    arena.add_argument("--games", type=int, default=100)
    arena.add_argument("--plies", type=int)

    train = commands.add_parser("train", parents=[common], help="as ludens train --json")
    train.add_argument("recipe")
    train.add_argument("--game")
    train.add_argument("--set", type=_setting, action="append", default=[], metavar="KEY=VALUE")
    train.add_argument("--run", required=True)
    train.add_argument("--resume", action="store_true")
    train.add_argument("--steps", type=int)
    train.add_argument("--block", type=int, default=32)
    train.add_argument("--mode", choices=["sync", "async"], default="sync")
    train.add_argument("--max-staleness", type=int, default=1)
    return parser


def _progress(progress: cluster.Progress) -> None:
    line = f"{progress.units} of {progress.of} units, {progress.seconds:.0f} s"
    retried = f", {progress.retried} parts started again" if progress.retried else ""
    print(f"\r\x1b[K{line}{retried}", end="", file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; the exit code."""
    options: dict[str, Any] = vars(_parser().parse_args(arguments))
    command, quiet = options.pop("command"), options.pop("quiet")
    live = not quiet and sys.stderr.isatty()
    try:
        if command == "train":
            options["settings"] = dict(options.pop("set"))
            told = (lambda metrics: print(json.dumps(metrics), flush=True))
            cluster.train(**options, on_metrics=told)
            return 0
        options["seed"] = options["seed"] or 0
        options["on_progress"] = _progress if live else None
        if command == "evaluate":
            print(cluster.evaluate_text(**options))
        else:
            print(json.dumps(cluster.arena(**options)))
    except (ValueError, LudensError) as error:
        print(f"{'' if not live else chr(10)}error: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
