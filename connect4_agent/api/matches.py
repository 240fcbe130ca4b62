"""Matches and tournaments for Python programs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from connect4_agent import errors
from connect4_agent.api.contestants import Contestant, Described, check_workers, described, names_for
from connect4_agent.api.runs import MatchResult, Run, split_attempts
from connect4_agent.arena.progress import PLAYING
from connect4_agent.arena.run.config import DEFAULT_GAMES, DEFAULT_LIMIT_SECONDS, DEFAULT_PLIES, RANDOM, make_config
from connect4_agent.arena.run.record import GameRecord
from connect4_agent.arena.tournament import run_tournament
from connect4_agent.jobs.progress import Silent, new_progress
from connect4_agent.text import escaped, short

DEFAULT_OPENINGS = f"{RANDOM}:{DEFAULT_PLIES}"


def play_match(
    first: Contestant,
    second: Contestant,
    *,
    games: int = DEFAULT_GAMES,
    openings: str = DEFAULT_OPENINGS,
    seed: int = 0,
    limit_seconds: float = DEFAULT_LIMIT_SECONDS,
    width: int = 7,
    height: int = 6,
    adjudicate: bool = False,
    jobs: int = 1,
    out: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> MatchResult:
    """Play two agents against each other. Every opening is played twice, with sides swapped.

    A contestant is a player's description or a command line, as for `connect4-agent match`; the result of `player` or
    `agent`; any object with `choose(position, limits)` that returns a `Choice` or a column; or a function that takes a
    position and returns a column. What an agent does wrong costs it the game and is in the game's record; it raises
    nothing here. Python objects run in this process. One that takes too long loses the game when it returns, but
    cannot be stopped before.

    Args:
        first: The agent from whose side the result is counted.
        second: The other one.
        games: The number of games, which must be even.
        openings: `random:PLIES` or `balanced:PLIES`, both also with a range such as `2-4`; `empty`; or a file of move
            strings.
        seed: Determines the openings and the choices of random players.
        limit_seconds: The time for a move, for agents without a limit of their own.
        width: The number of columns.
        height: The number of rows.
        adjudicate: Whether games end by their exact result once few cells are empty.
        jobs: The number of games played at a time. With more than one, Python objects play in worker processes, so
            pickle must be able to send them there.
        out: A folder for the run, for `read_run` and `connect4-agent report`. The same call resumes a run that was
            stopped. Without a folder, nothing is kept on disk.
        progress: Whether to show progress on standard error.

    Raises:
        ArenaError: The match cannot be played as asked; ConfigError, AgentError, OpeningsError, PickleError,
            JournalError and WorkerLostError say why.
        BadValueError: A contestant cannot choose moves.

    Example:
        >>> import connect4_agent as c4
        >>> result = c4.play_match("easy", lambda position: position.legal_columns()[0], games=2, openings="empty")
        >>> result.wins, result.draws, result.losses
        (2, 0, 0)
    """
    contestants = [described(first), described(second)]
    names = names_for(contestants)
    values = {
        "games": games,
        "openings": openings,
        "seed": seed,
        "time_limit_seconds": limit_seconds,
        "width": width,
        "height": height,
        "adjudicate": adjudicate,
    }
    played = _play("play_match", dict(zip(names, contestants, strict=True)), values, jobs, out, progress)
    counted, attempts = split_attempts(played)
    folder = None if out is None else Path(out)
    return MatchResult(" - ".join(names), counted, folder, attempts=attempts, agents=(names[0], names[1]))


def play_tournament(
    agents: Mapping[str, Contestant],
    *,
    rounds: int = DEFAULT_GAMES // 2,
    format: Literal["round-robin", "gauntlet"] = "round-robin",  # noqa: A002  # the key of a tournament's file
    openings: str = DEFAULT_OPENINGS,
    seed: int = 0,
    limit_seconds: float = DEFAULT_LIMIT_SECONDS,
    width: int = 7,
    height: int = 6,
    adjudicate: bool = False,
    jobs: int = 1,
    out: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Run:
    """Let several agents play each other.

    Args:
        agents: The agents by name; each is what `play_match` takes.
        rounds: In a round, every pairing plays the round's opening twice, with sides swapped.
        format: `round-robin`: every agent meets every other; `gauntlet`: the first agent meets all others.

    The other arguments and the errors are those of `play_match`.
    """
    if not isinstance(rounds, int) or rounds < 1:
        raise errors.ConfigError(
            f"play_tournament: rounds is {short(repr(rounds))}; allowed are whole numbers from 1 on"
        )
    if not hasattr(agents, "items"):
        raise errors.ConfigError(
            f"play_tournament: agents is {short(repr(agents))}; allowed is a dict of names and agents"
        )
    values = {
        "games": 2 * rounds,
        "format": format,
        "openings": openings,
        "seed": seed,
        "time_limit_seconds": limit_seconds,
        "width": width,
        "height": height,
        "adjudicate": adjudicate,
    }
    contestants = {
        escaped(name) if isinstance(name, str) else name: described(contestant) for name, contestant in agents.items()
    }
    played = _play("play_tournament", contestants, values, jobs, out, progress)
    counted, attempts = split_attempts(played)
    folder = None if out is None else Path(out)
    return Run("tournament" if folder is None else folder.resolve().name, counted, folder, attempts=attempts)


def _play(
    place: str,
    contestants: Mapping[str, Described],
    values: dict[str, Any],
    jobs: int,
    out: str | os.PathLike[str] | None,
    progress: bool,
) -> list[GameRecord]:
    """The games that the values describe, with attempts that were played again."""
    if not isinstance(jobs, int) or jobs < 1:
        raise errors.ConfigError(f"{place}: jobs is {short(repr(jobs))}; allowed are whole numbers from 1 on")
    agents = [{"name": name, **contestant.values} for name, contestant in contestants.items()]
    config = make_config({**values, "agents": agents}, place)
    players = {name: each.player for name, each in contestants.items() if each.player is not None}
    if jobs > 1:
        check_workers(players)
    games: list[GameRecord] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="connect4-"))) if out is None else Path(out)
        shown = new_progress(PLAYING) if progress else Silent()
        stack.callback(shown.end)
        outcome = run_tournament(
            config, folder, shown, jobs, watchers=[games.append], players=players, handles_interrupts=False
        )
    if outcome.failures:
        raise errors.ArenaError(
            f"{outcome.scheduled - outcome.finished} games could not be played: {outcome.failures[0]}"
        )
    return games
