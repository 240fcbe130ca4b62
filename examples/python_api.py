"""A tour of the Python API: python examples/python_api.py [COMMAND OF AN AGENT]."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import connect4_agent as c4


class MyPlayer:
    """Plays a column that wins at once, otherwise the open column nearest the centre."""

    def choose(self, position: c4.Position, limits: c4.Limits) -> c4.Choice:
        """The choice. A player with a lot to think about calls `limits.poll()` now and then."""
        limits.poll()
        columns = position.winning_columns() or position.legal_columns()
        return c4.Choice(min(columns, key=lambda column: abs(column - position.width // 2)))


def rightmost(position: c4.Position) -> int:
    """A function can play as well."""
    return position.legal_columns()[-1]


def more_threats(position: c4.Position) -> int:
    """An evaluator: the columns in which the player to move would win, minus those of the opponent."""
    return len(position.winning_columns()) - len(position.passed().winning_columns())


def main(bot_command: str) -> None:
    """Show everything once."""
    position = c4.Position.from_moves("4455")
    print(position)
    print(repr(position))
    print("over?", position.play(3).outcome)
    print("won:", c4.Position.from_moves("1212121").outcome)

    analysis = c4.analyze(position)
    print("exact scores:", analysis.scores, "best:", analysis.best_columns, "line:", analysis.line)

    hard = c4.player("hard")
    print("hard plays", hard.choose(position, c4.Limits(seconds=0.1)).column)
    mine = c4.player("negamax:depth=4", evaluator=more_threats)
    print("negamax with its own evaluator plays", mine.choose(position).column)

    with c4.agent(bot_command, time_limit=5.0) as bot:
        print("the program plays", bot.choose(position).column)

    result = c4.play_match(hard, MyPlayer(), games=4, openings="balanced:4", seed=1)
    print(f"{result.agents[0]}: {result.wins} won, {result.draws} drawn, {result.losses} lost; Elo {result.elo.value}")
    print("first game:", result.games[0].moves)

    with tempfile.TemporaryDirectory() as folder:
        agents: dict[str, c4.Contestant] = {"hard": hard, "mine": MyPlayer(), "right": rightmost, "bot": bot_command}
        c4.play_tournament(agents, games=2, out=Path(folder) / "spring")
        run = c4.read_run(Path(folder) / "spring")
        print(len(run.games), "games;", "winner:", run.standings[0].name)
        print(run.report().agents[0].share.value)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "connect4-agent --level easy")
