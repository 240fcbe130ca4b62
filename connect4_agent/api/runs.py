"""Runs for Python programs: the games of a match or tournament, and what they add up to."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Self

from connect4_agent.arena.report.html import fragment_of
from connect4_agent.arena.report.model import AgentReport, Report
from connect4_agent.arena.report.ratings import Estimate, SprtBounds, elo_difference
from connect4_agent.arena.report.tables import headline
from connect4_agent.arena.report.tally import Tally
from connect4_agent.arena.run.judge_run import judge_run, scores_of
from connect4_agent.arena.run.judged_moves import can_be_judged, game_key, packed, read_judged_games, with_judgement
from connect4_agent.arena.run.record import GameRecord
from connect4_agent.jobs.progress import Silent


def read_run(folder: str | os.PathLike[str]) -> Run:
    """Read the run in a folder that `match`, `tournament`, `play_match` or `play_tournament` wrote.

    The run may still be in progress; the games so far are read. Raises RunFolderError.
    """
    path = Path(folder)
    notes: list[str] = []
    games, attempts = split_attempts(read_judged_games(path, notes.append))
    return Run(path.resolve().name, games, path, tuple(notes), attempts)


def split_attempts(records: Iterable[GameRecord]) -> tuple[tuple[GameRecord, ...], tuple[GameRecord, ...]]:
    """The games that count, and the attempts that were played again."""
    found: tuple[list[GameRecord], list[GameRecord]] = ([], [])
    for record in records:
        found[record.is_replayed].append(record)
    return tuple(found[0]), tuple(found[1])


@dataclass(frozen=True, repr=False)
class Run:
    """The games of a match or tournament. Notebooks show its crosstable and ratings."""

    name: str
    """The name that reports show, such as that of the run's folder."""
    games: tuple[GameRecord, ...]
    """The finished games, in the order in which they ended; attempts that were played again are in `attempts`."""
    folder: Path | None = None
    """Where the run is kept; None if it is not."""
    notes: tuple[str, ...] = ()
    """Notes about the files of the run, such as an incomplete last line."""
    attempts: tuple[GameRecord, ...] = ()
    """Attempts at games that were played again because the machine was busy, in the order in which they ended.

    They have the numbers of their games and count for nothing, but reports list them.
    """
    _tally: Tally = field(init=False, compare=False, default_factory=Tally)

    def __post_init__(self) -> None:
        """Count the games."""
        for record in (*self.attempts, *self.games):
            self._tally.add(record)

    def report(self, *, anchor: str | None = None, sprt: tuple[float, float] | None = None) -> Report:
        """The results of the games, as `connect4-agent report --json` prints them.

        Args:
            anchor: The agent whose rating is 0; without one, the mean rating is 0.
            sprt: For a sequential test of every pairing: the Elo differences of the two hypotheses.

        Raises BadValueError if there is no such agent, or if the hypotheses cannot be tested.
        """
        bounds = None if sprt is None else SprtBounds(*sprt)
        return self._tally.report(self.name, anchor, bounds, self.notes)

    @property
    def standings(self) -> tuple[AgentReport, ...]:
        """Every agent's results and rating, from the strongest to the weakest."""
        return tuple(self._report.agents)

    @cached_property
    def _report(self) -> Report:
        return self.report()

    def judge(self, *, jobs: int = 1) -> Self:
        """The same run with the moves of its games judged by the solver: all on 7x6, elsewhere what it can prove.

        The scores are kept in the run's folder, if it has one; then `jobs` games are judged at a time.
        """
        if self.folder is not None:
            judge_run(self.folder, Silent(), jobs)
            games, attempts = split_attempts(read_judged_games(self.folder, lambda _: None))
            return replace(self, games=games, attempts=attempts)
        judgements = {
            game_key(game.width, game.height, game.columns): packed(scores_of((game.width, game.height, game.columns)))
            for game in self.games
            if can_be_judged(game)
        }
        return replace(self, games=tuple(with_judgement(game, judgements) for game in self.games))

    def __repr__(self) -> str:
        """A summary in one line."""
        return f"<{type(self).__name__} {headline(self._report)}>"

    def _repr_html_(self) -> str:
        """The crosstable and the ratings, for notebooks."""
        return fragment_of(self._report)


@dataclass(frozen=True, repr=False)
class MatchResult(Run):
    """The result of a match, from the side of the first agent. Forfeited and stopped games are not counted."""

    agents: tuple[str, str] = ("", "")
    """The names of the two agents."""

    @property
    def wins(self) -> int:
        """Games that the first agent won."""
        return self._results[0]

    @property
    def draws(self) -> int:
        """Games that ended in a draw."""
        return self._results[1]

    @property
    def losses(self) -> int:
        """Games that the second agent won."""
        return self._results[2]

    @property
    def _results(self) -> tuple[int, int, int]:
        tally = self._tally.pairing(*self.agents)
        return (0, 0, 0) if tally is None else (tally.results.wins, tally.results.draws, tally.results.losses)

    @property
    def points(self) -> float:
        """The points of the first agent, one for a win and half a point for a draw."""
        return self.wins + self.draws / 2

    @property
    def elo(self) -> Estimate:
        """How much stronger the first agent is, in Elo points, with a 95 % interval; each part may be None."""
        return elo_difference((self.losses, self.draws, self.wins))
