"""Games against the bots of other harnesses: python -m tools.benchmarks.harnesses [kaggle|pettingzoo|openspiel ...].

Needs `make install-harness`. Every game begins with the empty board; half of the games are played
from either side. The bots play at random, with a seed for each game, so that games differ; distinct ones are counted.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from connect4_agent.harnesses.submission import submission
from tools.benchmarks.tables import Figures, as_tables

Game = tuple[int, tuple[int, ...], float]
"""Result from the agent's side (1, 0, -1), the columns played, the agent's slowest move in seconds."""


def run(harnesses: list[str], games: int) -> Figures:
    """All figures, with this many games for every row."""
    rows = []
    for harness in harnesses:
        for what, play in PAIRINGS[harness]():
            for side in (0, 1):
                rows.append(_row(f"{harness}: {what}, moving {('first', 'second')[side]}", play, side, games // 2))
                print(rows[-1], flush=True)
    return rows


def _row(what: str, play: Callable[[int, int], Game], side: int, games: int) -> dict[str, Any]:
    played = [play(side, seed) for seed in range(games)]
    results = Counter(result for result, _, _ in played)
    return {
        "what": what,
        "games": games,
        "W / D / L": f"{results[1]} / {results[0]} / {results[-1]}",
        "distinct games": len({columns for _, columns, _ in played}),
        "slowest move s": max(slowest for _, _, slowest in played),
    }


def _kaggle() -> list[tuple[str, Callable[[int, int], Game]]]:
    from kaggle_environments import make  # noqa: PLC0415  # of `make install-harness`

    from connect4_agent.harnesses.kaggle import agent  # noqa: PLC0415

    file = Path(tempfile.mkdtemp()) / "submission.py"
    file.write_text(submission()[0])

    def pairing(own: Any, opponent: str) -> Callable[[int, int], Game]:
        def play(side: int, seed: int) -> Game:
            random.seed(f"{side} {seed}")
            environment = make("connectx")
            environment.run([own, opponent] if side == 0 else [opponent, own])
            final = environment.steps[-1]
            if [state.status for state in final] != ["DONE", "DONE"]:
                raise SystemExit(f"a game ended with {[state.status for state in final]}")
            columns = tuple(step[(turn + 1) % 2].action for turn, step in enumerate(environment.steps[1:], 1))
            # A waiting agent has an empty entry, and the first steps have none at all.
            slowest = max(logs[side]["duration"] for logs in environment.logs if logs and logs[side])
            return int(final[side].reward), columns, slowest

        return play

    return [
        (f"{name} - {opponent}", pairing(own, opponent))
        for name, own in (("agent", agent), ("exported file", str(file)))
        for opponent in ("negamax", "random")
    ]


def _pettingzoo() -> list[tuple[str, Callable[[int, int], Game]]]:
    from time import perf_counter  # noqa: PLC0415

    from pettingzoo import make  # noqa: PLC0415

    from connect4_agent.harnesses.pettingzoo import Policy  # noqa: PLC0415

    def pairing(spec: str) -> Callable[[int, int], Game]:
        policy = Policy(spec)

        def play(side: int, seed: int) -> Game:
            environment = make("aec", "classic/connect_four-v3")
            environment.reset(seed=seed)
            columns, slowest, result = [], 0.0, 0
            names = environment.possible_agents
            environment.action_space(names[1 - side]).seed(seed)
            for name in environment.agent_iter():
                observation, reward, terminated, truncated, _ = environment.last()
                if name == names[side]:
                    result += int(reward)
                if terminated or truncated:
                    environment.step(None)
                    continue
                if name == names[side]:
                    began = perf_counter()
                    columns.append(policy(observation))
                    slowest = max(slowest, perf_counter() - began)
                else:
                    columns.append(int(environment.action_space(name).sample(observation["action_mask"])))
                environment.step(columns[-1])
            return result, tuple(columns), slowest

        return play

    return [(f"{spec} - random actions", pairing(spec)) for spec in ("easy", "hard", "perfect")]


def _openspiel() -> list[tuple[str, Callable[[int, int], Game]]]:
    from time import perf_counter  # noqa: PLC0415

    import pyspiel  # noqa: PLC0415

    from connect4_agent.harnesses.openspiel import Connect4Bot  # noqa: PLC0415

    game = pyspiel.load_game("connect_four")

    def pairing(spec: str, simulations: int) -> Callable[[int, int], Game]:
        bot = Connect4Bot(spec)

        def play(side: int, seed: int) -> Game:
            evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
            opponent = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 100, solve=True, seed=seed, verbose=False)
            state, slowest = game.new_initial_state(), 0.0
            while not state.is_terminal():
                if state.current_player() == side:
                    began = perf_counter()
                    state.apply_action(bot.step(state))
                    slowest = max(slowest, perf_counter() - began)
                else:
                    state.apply_action(opponent.step(state))
            return int(state.returns()[side]), tuple(state.history()), slowest

        return play

    return [
        (f"{spec} - MCTS with {simulations} simulations", pairing(spec, simulations))
        for spec in ("hard", "perfect")
        for simulations in (100, 1000, 10000)
    ]


PAIRINGS = {"kaggle": _kaggle, "pettingzoo": _pettingzoo, "openspiel": _openspiel}


def main() -> None:
    """Play, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks.harnesses", description=__doc__)
    parser.add_argument("harnesses", nargs="*", metavar="HARNESS", help=", ".join(PAIRINGS))
    parser.add_argument("--games", type=int, default=40, help="for every pairing, half from either side (default: 40)")
    options = parser.parse_args()
    if unknown := sorted(set(options.harnesses) - set(PAIRINGS)):
        parser.error(f"{unknown[0]!r} is not a harness; the harnesses are {', '.join(PAIRINGS)}")
    print(as_tables("harnesses", run(options.harnesses or list(PAIRINGS), options.games)))


if __name__ == "__main__":
    main()
