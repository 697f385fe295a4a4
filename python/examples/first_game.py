"""Two agents play one game: ``python examples/first_game.py [FIRST [SECOND [SEED]]]``."""

from __future__ import annotations

import sys

import patchwork_arena as pa


def play(agents: tuple[pa.Agent, pa.Agent], setup: pa.Setup) -> pa.State:
    """Plays a game and prints each action with the mover's estimate of its chance to win."""
    state = pa.State(setup)
    while state.mover is not None:
        agent = agents[state.mover]
        decision = agent.decide(state)
        value = "" if decision.value is None else f"{decision.value:.0%}"
        print(f"{len(state.history) + 1:3} {agent.name:16} {decision.action!s:20} {value}")
        state = state.play(decision.action)
    return state


def main() -> None:
    """Plays the agents of the command line."""
    first, second, seed, *_ = [*sys.argv[1:], *["mcts-fast", "greedy-regret", "1"][len(sys.argv) - 1 :]]
    end = play((pa.Agent.load(first), pa.Agent.load(second)), pa.Setup.random(int(seed)))
    print(end)


if __name__ == "__main__":
    main()
