"""The API for Python programs: players, programs, matches, tournaments and runs."""

from __future__ import annotations

import inspect
import os
import pickle
import shlex
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, get_args

from connect4_agent import errors
from connect4_agent.arena.agents.remote_program import RemoteProgram
from connect4_agent.arena.command_line import command_words
from connect4_agent.arena.config import DEFAULT_GAMES, DEFAULT_OPENINGS, RunConfig, make_config
from connect4_agent.arena.faults import FaultError
from connect4_agent.arena.judging import judge_run
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.report.html import build_fragment
from connect4_agent.arena.report.model import AgentReport, Report
from connect4_agent.arena.report.tables import headline
from connect4_agent.arena.report.tally import report_on
from connect4_agent.arena.run import RunState
from connect4_agent.arena.run import read_run as read_state
from connect4_agent.arena.spec import (
    DEFAULT_STARTUP,
    DEFAULT_TIME_LIMIT,
    AgentSpec,
    agent_name,
    distinct_names,
    new_spec,
    parse_agent,
)
from connect4_agent.arena.statistics.ratings import UNKNOWN, Estimate
from connect4_agent.arena.statistics.sprt import SprtBounds
from connect4_agent.arena.tournament import run_tournament
from connect4_agent.engine.limits import NO_LIMITS, Limits, check_question
from connect4_agent.engine.players.foreign import ForeignPlayer, SupportsChoose, find_name
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.engine.players.player import Choice, Player
from connect4_agent.engine.players.position_evaluator import Evaluator, PositionEvaluator
from connect4_agent.engine.players.registry import find_built_in, parse_evaluator, parse_player
from connect4_agent.jobs.executor import in_processes
from connect4_agent.jobs.progress import Progress
from connect4_agent.reasons.judge import JudgedGame, JudgedMove
from connect4_agent.reasons.judge import judge as judge_moves
from connect4_agent.rules.position import Position, is_whole
from connect4_agent.text import escaped, short

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from connect4_agent.lab.evaluation import Evaluation
    from connect4_agent.lab.labels import LabelledPositions

IsolationName = Literal["none", "processes", "full"]
OnFault = Literal["warn", "raise"]

Contestant: TypeAlias = str | SupportsChoose | Callable[[Position], int]
"""An agent of a match or tournament.

A player's description such as `"hard"`, a command line such as `"node bot.js"`, an object with
`choose(position, limits)` that returns a `Choice` or a column, or a function that takes a position and returns a
column.
"""


def player(spec: str, *, seed: int | None = None, evaluator: str | Evaluator | None = None) -> NamedPlayer:
    """Return a player by its description: any SPEC that `connect4-agent players` lists.

    Args:
        spec: A name such as `"hard"`, or a name with settings such as `"negamax:depth=6,evaluator=windows"`.
        seed: Breaks ties at random, but repeatably, and makes random players repeatable.
        evaluator: What values positions where the search stops: the name of an evaluator, or a function that takes a
            `Position` and returns a whole number between `-VALUE_LIMIT` and `VALUE_LIMIT` (both excluded), larger if
            the position is better for the player to move. Only `negamax` and the levels `easy`, `medium` and `hard`
            take one.

    Raises:
        PlayerSpecError: There is no such player or evaluator, or a setting is wrong.
        EvaluatorError: The evaluator is not a function.

    Example:
        >>> import connect4_agent as c4
        >>> c4.player("hard").choose(c4.Position.from_moves("445566")).column
        2
    """
    return NamedPlayer(spec, seed, evaluator)


class NamedPlayer:
    """A player made by `player`. It can be pickled, and plays in matches like its description."""

    def __init__(self, spec: str, seed: int | None = None, evaluator: str | Evaluator | None = None) -> None:
        if not isinstance(spec, str):
            raise errors.PlayerSpecError(f"spec is {short(repr(spec))}; allowed is a text such as 'hard'")
        if seed is not None and not is_whole(seed):
            raise errors.PlayerSpecError(f"seed is {short(repr(seed))}; allowed are whole numbers, and None")
        self.spec = spec
        self.seed = seed
        self.evaluator = evaluator
        self._player = self._made()

    def _made(self) -> Player:
        made = parse_player(self.spec, self.seed)
        if self.evaluator is not None:
            if not isinstance(made, NegamaxPlayer):
                raise errors.PlayerSpecError(
                    f"player {self.spec!r} takes no evaluator; negamax and the levels easy, medium and hard do"
                )
            if isinstance(self.evaluator, str):
                made.evaluator = parse_evaluator(self.evaluator)
            else:
                made.evaluator = PositionEvaluator(self.evaluator)
        return made

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Return the player's choice in a position that is not over.

        Raises GameOverError if the game is over, and EvaluatorError if an evaluator's value is out of range.
        """
        check_question(position, limits, "no move can be chosen")
        choice = self._player.choose(position, limits)
        position.drop(choice.column)  # a player of another package may choose a column that is full
        return choice

    def __repr__(self) -> str:
        """Return the call that made it; a function by its name, the same in every process: matches depend on names."""
        words = [repr(self.spec)]
        if self.seed is not None:
            words.append(f"seed={self.seed}")
        if self.evaluator is not None:
            is_text = isinstance(self.evaluator, str)
            words.append(f"evaluator={repr(self.evaluator) if is_text else find_name(self.evaluator)}")
        return f"player({', '.join(words)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again elsewhere, without its tables."""
        return NamedPlayer, (self.spec, self.seed, self.evaluator)


def judge(position: Position, column: int, limits: Limits = NO_LIMITS) -> JudgedMove:
    """Return what a move does to the exact score of a position that is not over.

    Args:
        position: The position before the move.
        column: The move, counted from 0.
        limits: The time that it may take; scores that are not proven in time are None.

    Raises:
        GameOverError: A player has four in a row, or the board is full.
        IllegalMoveError: The column is full, or not on the board.

    Example:
        >>> import connect4_agent as c4
        >>> move = c4.judge(c4.Position.from_moves("4455"), 0)
        >>> move.score_before, move.score, str(move.mistake)
        (18, -4, 'win to loss')
    """
    check_question(position, limits, "no move can be chosen")
    return judge_moves(position, [column], poll=limits.timed_poll()).moves[0]


def judge_games(
    games: Iterable[Any], *, width: int = 7, height: int = 6, jobs: int = 1, progress: bool = False
) -> list[JudgedGame]:
    """Return games that were played anywhere, with every move judged by its exact score.

    Args:
        games: Move strings such as `"4453"`, lists of columns counted from 0, the games of a run, or Kaggle's replays
            as dictionaries (`env.toJSON()`).
        width: The columns of the board of move strings and lists.
        height: Its rows. On boards other than 7x6, the last moves are judged, as far back as that can be proven.
        jobs: The number of processes for many games, as for `play_match`.
        progress: Whether to show progress on standard error.

    Raises a Connect4Error for a game that cannot be read, or has an illegal move; it names the index of the game.

    Example:
        >>> import connect4_agent as c4
        >>> [game] = c4.judge_games(["44455554221"])
        >>> [str(move.mistake) for move in game.moves if move.mistake]
        ['sooner loss', 'slower win', 'sooner loss']
    """
    from connect4_agent.lab import game_files  # noqa: PLC0415  # only this needs it

    _check_jobs("judge_games", jobs)
    found = []
    for index, game in enumerate(games):
        try:
            found.append(game_files.make_game(game, (width, height)))
        except errors.Connect4Error as error:
            error.add_note(f"games[{index}] is {short(repr(game))}")
            raise
    if jobs > 1:
        _check_processes({})
    return game_files.judge_games(found, jobs, Progress("games", "judge", sys.stderr if progress else None))


def agent(
    command: str | Sequence[str],
    *,
    time_limit: float | None = DEFAULT_TIME_LIMIT,
    grace: float | None = None,
    startup: float = DEFAULT_STARTUP,
    python: str | None = None,
    directory: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    pass_env: Sequence[str] = (),
    start: Literal["bare", "flags", "words"] = "bare",
    request: Literal["full", "grid"] = "full",
    isolation: IsolationName | None = None,
    memory: str | None = None,
    processes: int | None = None,
) -> ProgramPlayer:
    """Return a program that speaks the JSON line protocol, or a Python file with a function that plays, as a player.

    It is started when it is asked for its first move, below a worker process as in the arena. At the end of the `with`
    block, or by `close()`, it is stopped, together with everything that it started.

    Args:
        command: The command line as you would type it, or a list of words. No shell reads it. A Python file can be
            given as it is, also with the name of a function: `"bot.py:choose"`.
        time_limit: The time for a move; None for no limit.
        grace: How much later than its limit an answer may come; by default half of the limit, at least 0.25 s.
        startup: The time to start, in addition to the time for the first move.
        python: The interpreter of a Python file; by default the `python3` of the PATH.
        directory: Where the program runs; None for the current directory.
        env: Variables for the program, beside PATH, HOME, LANG, TZ and TMPDIR.
        pass_env: The names of variables of this process's environment that it gets, too.
        start: What is added to the command line: nothing, `--player 1 --width 7 --height 6`, or `1 1 7 7 6 6`.
        request: What a request holds: all four keys, or the grid alone.
        isolation: `none`; `processes`: it sees no processes but its own; `full`: files are read-only as well, and there
            is no network. The last two need Linux and bubblewrap; the default is `processes` if that works.
        memory: What all its processes may use together, such as `"500M"`.
        processes: How many processes it may have at a time.

    Raises:
        AgentError: The command cannot be found or is a built-in player, or another value cannot be used.

    Example:
        >>> import connect4_agent as c4
        >>> with c4.agent("connect4-agent --level easy", time_limit=1.0) as bot:
        ...     bot.choose(c4.Position.from_moves("4455")).column
        2
    """
    values = dict(locals())  # the keys of an agent's description
    place = None if directory is None else os.fspath(directory)
    values |= {"name": agent_name(_join_words(command)), "command": _find_words(command, place), "directory": place}
    return ProgramPlayer(new_spec(values | {"env": dict(env or {}), "pass_env": tuple(pass_env)}))


class ProgramPlayer:
    """A program as a player, made by `agent`. It is a context manager that stops the program at its end.

    One process answers question after question. In a match or tournament every game gets a new process.
    """

    def __init__(self, spec: AgentSpec) -> None:
        self.spec = spec
        self._program = RemoteProgram(spec, answers_anything=True)
        self._is_closed = False

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Return the program's move, within the shorter of its own limit and the caller's.

        Raises FaultError if the program is late, crashes, does not start, or answers with anything but a legal move. It
        is then stopped, and started again for the next move.
        """
        check_question(position, limits, "no move can be chosen")
        if self._is_closed:
            raise errors.AgentError(
                f"agent {self.spec.name!r} is closed: it cannot be asked after the end of its block"
            )
        move = self._program.move(position, limits.at_most(self.spec.time_limit).seconds, limits.poll)
        return Choice(move.column)

    def close(self) -> None:
        """Stop the program and everything that it started. Raises FaultError if it printed too many moves."""
        self._is_closed = True
        self._program.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Stop the program, without hiding an error that ended the block."""
        with suppress(FaultError) if kind is not None else ExitStack():
            self.close()

    def __repr__(self) -> str:
        return f"agent({self.spec.name!r})"


def _join_words(command: str | Sequence[str]) -> str:
    if isinstance(command, str):
        return command
    try:
        return shlex.join(command)
    except TypeError:
        raise errors.AgentError(
            f"command is {short(repr(command))}; allowed are a command line and a list of its words"
        ) from None


def _find_words(command: str | Sequence[str], directory: str | None) -> tuple[str, ...]:
    """Return the words of the command. Raises AgentError."""
    if not isinstance(command, str):
        return tuple(command)
    words = command_words(command, directory)
    if words is None:
        raise errors.AgentError(f"{command!r} is a player of this package, not a program: use player({command!r})")
    return words


@dataclass(frozen=True, slots=True)
class _Entrant:
    """A contestant for the arena."""

    spec: AgentSpec
    player: Player | None = None
    """The Python object itself."""


def _entrant(contestant: Contestant) -> _Entrant:
    """Return the contestant for the arena. Raises AgentError or BadValueError if it cannot take part."""
    if isinstance(contestant, str):
        return _Entrant(parse_agent(contestant))
    if isinstance(contestant, ProgramPlayer):
        return _Entrant(contestant.spec)
    if isinstance(contestant, NamedPlayer):
        if contestant.seed is None and contestant.evaluator is None:
            return _Entrant(new_spec({"name": agent_name(contestant.spec), "player": contestant.spec}))
        label = short(repr(contestant), 200)
        return _Entrant(new_spec({"name": agent_name(label), "python_object": label}), contestant)
    player = ForeignPlayer(contestant)
    kind = contestant if hasattr(contestant, "__qualname__") else type(contestant)
    name = agent_name(find_name(contestant))
    where = f"{kind.__module__}.{kind.__qualname__}"
    return _Entrant(new_spec({"name": name, "python_object": where, "version": _hash_source(kind)}), player)


def _hash_source(kind: Any) -> str | None:
    """Return a hash of the source of a function or class, but not of what it calls; None if it cannot be read."""
    try:
        return sha256(inspect.getsource(kind).encode()).hexdigest()[:8]
    except (OSError, TypeError):
        return None


def _named(entrant: _Entrant, name: Any) -> _Entrant:
    """Return the same entrant under another name. Raises AgentError."""
    return replace(entrant, spec=new_spec({**dict(entrant.spec), "name": name}))


def _check_processes(players: Mapping[str, Player]) -> None:
    """Try in a worker process whether there can be any, and whether each object arrives there.

    Raises ArenaError. An object that does not arrive would take its worker, and its games, with it.
    """
    for name, player in players.items():
        try:
            pickle.dumps(player)
        except Exception as error:
            raise _not_portable(name, f"{type(error).__name__}: {error}") from error
    executor = in_processes(1)
    try:
        if executor.submit(bool, None).exception() is not None:
            raise errors.WorkerLostError(
                "worker processes cannot be started here: a program that sets jobs must be a file, and play its "
                'matches under `if __name__ == "__main__":`'
            )
        for name, player in players.items():
            if executor.submit(callable, player).exception() is not None:
                raise _not_portable(name, "they cannot import it")
    finally:
        executor.close()


def _check_jobs(caller: str, jobs: int) -> None:
    """Raise ArenaError for a number of jobs that there cannot be."""
    if not is_whole(jobs) or jobs < 1:
        raise errors.ArenaError(f"{caller}: jobs is {short(repr(jobs))}; allowed are whole numbers from 1 on")


def _not_portable(name: str, reason: str) -> errors.ArenaError:
    return errors.ArenaError(
        f"agent {name!r} cannot be sent to worker processes: {reason}. Use jobs=1, which plays in this process, or "
        "define the class or function at the top level of a module"
    )


def play_match(
    first: Contestant,
    second: Contestant,
    *,
    games: int = DEFAULT_GAMES,
    openings: str = DEFAULT_OPENINGS,
    seed: int = 0,
    time_limit: float = DEFAULT_TIME_LIMIT,
    width: int = 7,
    height: int = 6,
    adjudicate: bool = False,
    isolation: IsolationName | None = None,
    jobs: int = 1,
    out: str | os.PathLike[str] | None = None,
    progress: bool = False,
    on_fault: OnFault = "warn",
) -> MatchResult:
    """Play two agents against each other. Every opening is played twice, with sides swapped.

    A contestant is a player's description or a command line, as for `connect4-agent match`; the result of `player` or
    `agent`; any object with `choose(position, limits)` that returns a `Choice` or a column; or a function that takes a
    position and returns a column. What an agent does wrong costs it the game and is in the game's record. Python
    objects run in this process. One that takes too long loses the game when it returns, but cannot be stopped before.

    Args:
        first: The agent from whose side the result is counted.
        second: The other one.
        games: The number of games, which must be even.
        openings: `random:PLIES` or `balanced:PLIES`, both also with a range such as `2-4`; `empty`; or a file of move
            strings.
        seed: Determines the openings and the choices of random players.
        time_limit: The time for a move, for agents without a limit of their own.
        width: The number of columns.
        height: The number of rows.
        adjudicate: Whether games end by their exact result once few cells are empty.
        isolation: For command lines, as for `agent`.
        jobs: The number of games played at a time. With more than one, Python objects play in worker processes, so
            pickle must be able to send them there.
        out: A folder for the run, for `read_run` and `connect4-agent report`. The same call resumes a run that was
            stopped, and a call for more games or other agents plays those that are missing. Without a folder, nothing
            is kept on disk.
        progress: Whether to show progress on standard error.
        on_fault: `warn`: if a Python object raised an exception or did something else wrong, a warning says so;
            `raise`: a FaultError is raised after the games, with the object's traceback.

    Raises:
        FaultError: With `on_fault="raise"`, what a Python object did wrong first.
        ArenaError: The match cannot be played as asked, for the reason that the message names.
        BadValueError: A contestant cannot choose moves.

    Example:
        >>> import connect4_agent as c4
        >>> result = c4.play_match("easy", lambda position: position.legal_columns()[0], games=2, openings="empty")
        >>> result.wins, result.draws, result.losses
        (2, 0, 0)
    """
    options = dict(locals())  # by the names of the arguments
    entrants = [_entrant(first), _entrant(second)]
    names = distinct_names([entrant.spec.name for entrant in entrants])
    entrants = [_named(entrant, name) for entrant, name in zip(entrants, names, strict=True)]
    played = _play("play_match", entrants, options)
    folder = None if out is None else Path(out)
    return MatchResult(" - ".join(names), played, folder, agents=(names[0], names[1]))


def play_tournament(
    agents: Mapping[str, Contestant],
    *,
    games: int = DEFAULT_GAMES,
    format: Literal["round-robin", "gauntlet"] = "round-robin",  # noqa: A002  # the key of a tournament's file
    references: Sequence[str] = (),
    among_themselves: bool | None = None,
    openings: str = DEFAULT_OPENINGS,
    seed: int = 0,
    time_limit: float = DEFAULT_TIME_LIMIT,
    width: int = 7,
    height: int = 6,
    adjudicate: bool = False,
    isolation: IsolationName | None = None,
    jobs: int = 1,
    out: str | os.PathLike[str] | None = None,
    progress: bool = False,
    on_fault: OnFault = "warn",
) -> Run:
    """Let several agents play each other.

    Args:
        agents: The agents by name; each is what `play_match` takes.
        games: The number of games for every pairing, which must be even.
        format: `round-robin`: every agent meets every other; `gauntlet`: the references meet all others.
        references: Of a gauntlet: the names of the references, which do not meet each other; without any, the first
            agent is the one.
        among_themselves: Of a gauntlet: whether the others meet each other; by default they do if references are named.

    The other arguments and the errors are those of `play_match`.
    """
    options = dict(locals())  # by the names of the arguments
    if not hasattr(agents, "items"):
        raise errors.ArenaError(
            f"play_tournament: agents is {short(repr(agents))}; allowed is a dict of names and agents"
        )
    entrants = [_named(_entrant(contestant), name) for name, contestant in agents.items()]
    played = _play("play_tournament", entrants, options)
    folder = None if out is None else Path(out)
    return Run("tournament" if folder is None else folder.resolve().name, played, folder)


def _play(caller: str, entrants: Sequence[_Entrant], options: Mapping[str, Any]) -> RunState:
    """Return the run that the arguments of a caller describe."""
    jobs, out, on_fault = (options[name] for name in ("jobs", "out", "on_fault"))
    if on_fault not in get_args(OnFault):
        allowed = " and ".join(map(repr, get_args(OnFault)))
        raise errors.ArenaError(f"{caller}: on_fault is {short(repr(on_fault))}; allowed are {allowed}")
    _check_jobs(caller, jobs)
    keys = RunConfig.model_fields.keys() - {"first"}  # of a match, `first` is an agent
    values = {name: value for name, value in options.items() if name in keys}
    config = make_config(values | {"agents": [entrant.spec for entrant in entrants]}, caller)
    players = {entrant.spec.name: entrant.player for entrant in entrants if entrant.player is not None}
    if jobs > 1 and players:
        _check_processes(players)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="connect4-"))) if out is None else Path(out)
        shown = Progress("games", "play", sys.stderr) if options["progress"] else Progress()
        stack.callback(shown.end)
        outcome = run_tournament(config, folder, shown, jobs, players=players, handles_interrupts=False)
        if outcome.failures:
            raise errors.ArenaError(f"{outcome.state.to_play} games could not be played: {outcome.failures[0]}")
        state = outcome.state
    for name in players:
        _tell_fault(name, state.records, on_fault)
    return state


def _tell_fault(name: str, records: Sequence[GameRecord], on_fault: OnFault) -> None:
    """Warn of the faults of a Python object, or raise the first one."""
    lost = [record for record in records if record.agent_at_fault == name]
    fault = lost[0].fault if lost else None
    if fault is None:
        return
    if on_fault == "raise":
        error = FaultError(lost[0].ending.value, f"{name}: {fault.detail}", stderr_tail=fault.stderr_tail)
        if fault.stderr_tail:
            error.add_note(fault.stderr_tail)
        raise error
    games = sum(name in record.agents for record in records)
    times = f"{len(lost)} of {games} games"
    text = f"agent {name!r} lost {times} by its own fault, first by {fault.detail} (on_fault='raise' raises it)"
    warnings.warn(text, RuntimeWarning, stacklevel=4)


def read_run(folder: str | os.PathLike[str]) -> Run:
    """Read the run in a folder that `match`, `tournament`, `play_match` or `play_tournament` wrote.

    The run may still be in progress; the games so far are read. Raises RunFolderError.
    """
    path = Path(folder)
    return Run(path.resolve().name, read_state(path), path)


@dataclass(frozen=True, repr=False)
class Run:
    """The games of a match or tournament. Notebooks show its standings."""

    name: str
    """The name that reports show, such as that of the run's folder."""
    state: RunState = field(repr=False)
    """The description of the run, its excluded agents and its games."""
    folder: Path | None = None
    """The folder of the run; None if it has none."""

    @property
    def games(self) -> tuple[GameRecord, ...]:
        """The games that count, in the order of the schedule; `game.to_dict()` is a line of a table."""
        return tuple(self.state.records)

    def report(self, *, anchor: str | None = None, sprt: tuple[float, float] | None = None) -> Report:
        """Return the results of the games, as `connect4-agent report --json` prints them.

        Args:
            anchor: The agent whose rating is 0; without one, the mean rating is 0.
            sprt: For a sequential test of every pairing: the Elo differences of the two hypotheses.

        Raises BadValueError if there is no such agent, or if the hypotheses cannot be tested.
        """
        bounds = None if sprt is None else SprtBounds(*sprt)
        return report_on({self.name: self.state}, anchor=anchor, sprt_bounds=bounds)

    @property
    def standings(self) -> tuple[AgentReport, ...]:
        """Every agent with its results and rating, the strongest first; `agent.to_dict()` is a line of a table."""
        return tuple(self._report.agents)

    @cached_property
    def _report(self) -> Report:
        return self.report()

    def judge(self, *, jobs: int = 1) -> Self:
        """Return the run with the moves of its games judged by the solver: all on 7x6, elsewhere what it can prove.

        `jobs` games are judged at a time. The scores are kept in the run's folder, if it has one.
        """
        judged = judge_run(self.folder, self.state, Progress(), jobs, handles_interrupts=False)
        return replace(self, state=judged)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {headline(self._report)}{self._faults_text()}>"

    def _faults_text(self) -> str:
        """Return the number of faults of every agent that had some, and its first one."""
        faults: dict[str, list[str]] = {}
        for game in self.games:
            if game.fault is not None and (name := game.agent_at_fault) is not None:
                faults.setdefault(name, []).append(game.fault.detail)
        return "".join(
            f"; {escaped(name)} at fault in {len(details)}: {short(escaped(details[0]))}"
            for name, details in faults.items()
        )

    def _repr_html_(self) -> str:
        """Return the standings, for notebooks."""
        return build_fragment(self._report)


@dataclass(frozen=True, repr=False)
class MatchResult(Run):
    """The result of a match, from the side of the first agent. Only played games are counted."""

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

    @cached_property
    def _results(self) -> tuple[int, int, int]:
        """Games that the first agent won, drew and lost."""
        seats = [(record.winner, record.agents.index(self.agents[0]) + 1) for record in self.games]
        drawn = sum(winner is None for winner, _ in seats)
        won = sum(winner == seat for winner, seat in seats)
        return won, drawn, len(seats) - won - drawn

    def __repr__(self) -> str:
        return f"<MatchResult {self.name}: {self.points:g} : {sum(self._results) - self.points:g}{self._faults_text()}>"

    @property
    def points(self) -> float:
        """The points of the first agent, one for a win and half a point for a draw."""
        return self.wins + self.draws / 2

    @property
    def elo(self) -> Estimate:
        """Return how much stronger the first agent is, in Elo points, with a 95 % interval; each part may be None.

        It is the report's, from pairs of games: there is none below ten pairs.
        """
        return next((pairing.elo for pairing in self._report.pairings), UNKNOWN)


Policy: TypeAlias = "Contestant | Callable[[npt.NDArray[np.int8]], npt.ArrayLike]"
"""A policy for `evaluate`: a contestant or, with `batch`, a function from planes to columns or values."""


def evaluate(
    policy: Policy,
    positions: LabelledPositions | Iterable[Position] | npt.NDArray[Any] | None = None,
    *,
    batch: int | None = None,
    seed: int = 0,
    progress: bool = False,
) -> Evaluation:
    """Measure how well a policy plays, by the exact scores of the columns that it chooses.

    Needs the extra `data`.

    Args:
        policy: What `play_match` takes: a player's description, a command line, an object with `choose`, or a function
            that takes a position and returns a column. With `batch`, a function that takes planes with shape
            (n, height, width, 2), laid out as by `Position.planes`, and returns n columns, or values with shape
            (n, width): then the open column with the highest value is its choice.
        positions: The evaluation set by default; or other labelled positions, or positions in any form that
            `analyze_many` takes, which are then solved first.
        batch: How many positions a policy is asked about at a time.
        seed: Makes built-in players that play at random repeatable.
        progress: Whether to show progress on standard error.

    A choice that is not an open column counts as a fault, and so does a program's fault. What a Python function
    raises is raised here.

    Raises:
        AgentError: There is no such player or program.
        BadValueError: The policy cannot choose moves, or the positions cannot be used.
        ChoiceError: The policy returns something else than columns.
        FaultError: A program fails in the first position.

    Example:
        >>> import connect4_agent as c4
        >>> c4.evaluate(lambda position: position.legal_columns()[0])
        <Evaluation <lambda> on evaluation set 1: 21.7% of 6999 optimal>
    """
    from connect4_agent.lab import evaluation, labels  # noqa: PLC0415  # they load NumPy

    errors.require_numpy("evaluate")
    if batch is not None and (not isinstance(batch, int) or isinstance(batch, bool) or batch < 1):
        raise errors.BadValueError(f"batch is {short(repr(batch))}; allowed are whole numbers from 1 on, and None")
    if batch is not None and not callable(policy):
        raise errors.BadValueError(f"policy is {short(repr(policy))}; with batch, it must be a function of an array")
    shown = Progress("positions", "score", sys.stderr) if progress else Progress()
    if positions is None:
        positions = labels.evaluation_set()
    elif not isinstance(positions, labels.LabelledPositions):
        positions = labels.label(positions, None, shown)
    if batch is not None:
        asked: Any = policy
        return evaluation.ask_in_batches(find_name(policy), asked, positions, batch, shown)
    with ExitStack() as stack:
        chooser: Any = policy
        if isinstance(policy, str):
            spec = parse_agent(policy)
            if spec.is_program:
                chooser = stack.enter_context(ProgramPlayer(spec))
            else:
                chooser = NamedPlayer(policy, seed if find_built_in(policy).is_random else None)
        name = chooser.spec if isinstance(chooser, NamedPlayer) else _entrant(chooser).spec.name
        asked = chooser if isinstance(chooser, NamedPlayer | ProgramPlayer) else ForeignPlayer(chooser)
        return evaluation.ask_each(name, lambda position: int(asked.choose(position).column), positions, shown)
