#!/usr/bin/env python3
"""Drives `patchwork-arena tune FILE --external` with Optuna (https://optuna.org; pip install optuna).

    python3 examples/optuna_tune.py tournaments/tune-quick.toml

Optuna's TPE proposes candidates, and the arena plays them. Both sides write JSON objects, one per line;
docs/tuning.md describes them. The environment variable PATCHWORK_ARENA is the path of the program, by default
patchwork-arena. Further arguments are passed on to it. A stopped search continues with the existing games:
the seed is fixed, so Optuna asks for the same candidates again.
"""

import json
import os
import subprocess
import sys
import warnings

import optuna

PAIRS = 8  # pairs of games of one candidate


def suggest(trial, keys):
    """A candidate: a value for each active key. A key comes after the keys that it depends on."""
    point, waiting = {}, dict(keys)
    while waiting:
        ready = [
            name
            for name, key in waiting.items()
            if not any(parent in waiting for parent in key.get("when", {}))
        ]
        for name in ready:
            key = waiting.pop(name)
            conditions = key.get("when", {}).items()
            if not all(point.get(parent) in values for parent, values in conditions):
                continue
            if "values" in key:
                point[name] = trial.suggest_categorical(name, key["values"])
            elif isinstance(key["low"], int) and isinstance(key["high"], int):
                step = 1 if key["log"] else key["step"]
                point[name] = trial.suggest_int(name, key["low"], key["high"], step=step, log=key["log"])
            else:
                point[name] = trial.suggest_float(
                    name, key["low"], key["high"], step=key["step"], log=key["log"]
                )
    return point


def main():
    program = os.environ.get("PATCHWORK_ARENA", "patchwork-arena")
    arena = subprocess.Popen(
        [program, "tune", *sys.argv[1:], "--external"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )

    def say(line):
        print(json.dumps(line), file=arena.stdin, flush=True)

    def hear():
        line = arena.stdout.readline()
        if not line:
            sys.exit(arena.wait() or 1)
        line = json.loads(line)
        if "error" in line:
            sys.exit(arena.wait() or 1)  # the arena says on its standard error what is wrong
        return line

    space = hear()["space"]
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    sampler = optuna.samplers.TPESampler(seed=1, multivariate=True, group=True)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    tried = []
    # The last third of the pairs is for the best candidates: a good result of few pairs is mostly luck.
    for number in range(max(1, 2 * space["pairs"] // 3 // PAIRS)):
        trial = study.ask()
        point = suggest(trial, space["keys"])
        pairs = min(PAIRS, space["pairs"])
        say({"ask": {"id": number, "point": point, "pairs": pairs}})
        told = hear()["tell"]
        study.tell(trial, told["value"])
        tried.append((told["value"], pairs, number, point))
    left = space["pairs"] - sum(pairs for _, pairs, _, _ in tried)
    finalists = sorted(tried, key=lambda one: (-one[0], one[2]))[:4]
    share = left // len(finalists)
    means = []
    for at, (value, pairs, number, point) in enumerate(finalists):
        if share > 0:
            say({"ask": {"id": len(tried) + at, "point": point, "pairs": share}})
            value = hear()["tell"]["value"]  # new rings alone: the first result was selected
        means.append((value, -number, point))
    best = max(means, key=lambda one: one[:2])
    say({"best": {"point": best[2]}})
    report = hear()["report"]
    print(report["conclusion"])
    sys.exit(arena.wait())


if __name__ == "__main__":
    main()
