"""A worker: a process that plays one game at a time and is the parent of everything that programs start.

    manager: Worker, RunningProgram  --lines of JSON-->  supervisor  ->  worker  --pipes-->  programs

The worker ends all that is below it when a game ends, and itself when the manager has gone. It may be killed without
harm: its supervisor, the same program forked, then ends what it leaves behind.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn

import orjson

from connect4_agent import errors
from connect4_agent.arena import referee
from connect4_agent.arena.agents.contestant import BuiltInContestant, Contestant, Move, built_in_player
from connect4_agent.arena.confinement import choose_isolation
from connect4_agent.arena.faults import FaultError
from connect4_agent.arena.processes import become_reaper, end_all
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.schedule import GameSetup
from connect4_agent.arena.spec import DEFAULT_STARTUP, AgentSpec
from connect4_agent.engine.players.player import Player
from connect4_agent.rules.position import Position

START = "import sys; sys.path[:] = sys.argv[1:]; from connect4_agent.arena import worker; worker.main()"
"""Not -m, which would search the current folder first, where agents may be."""

PACKAGE_FOLDER = str(Path(__file__).parents[2])
"""For a package that was found in the current folder."""

SPARE_SECONDS = 60.0
"""How much longer than allowed a game may take until its worker counts as lost."""

POLL_SECONDS = 0.05
"""How often somebody who may lose patience is asked."""

CLOSING_SECONDS = 15.0
MAX_OPEN_FILES = 1024
MAX_FILE_BYTES = 1_000_000_000


# ---- the manager's side ----------------------------------------------------------------------------------------------


class Worker:
    """A worker as the manager sees it. Raises WorkerLostError if it dies or does not answer."""

    def __init__(self) -> None:
        if sys.platform == "win32":
            raise errors.ArenaError("programs can play on Linux and macOS; on Windows only built-in players can")
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", START, *filter(None, sys.path), PACKAGE_FOLDER],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise errors.WorkerLostError(f"a worker process cannot be started: {error}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._jobs, self._results = self._process.stdin, self._process.stdout
        self._unread = b""
        os.set_blocking(self._results.fileno(), False)

    def play(self, setup: GameSetup) -> GameRecord:
        """Play a game between built-in players and programs."""
        seconds = None if setup.max_seconds is None else setup.max_seconds + SPARE_SECONDS
        line = self.send(b'{"do":"play","setup":%b}' % setup.model_dump_json().encode(), seconds)
        answer = line.removeprefix(b'{"record":')
        if answer is line:
            self._raise(orjson.loads(line))
        return GameRecord.model_validate_json(answer[:-1])

    def ask(
        self, job: Mapping[str, Any], seconds: float | None = None, poll: Callable[[], None] | None = None
    ) -> dict[str, Any]:
        """Give it any other job. Raises FaultError. `poll` is called now and then, and may raise to end it."""
        answer: dict[str, Any] = orjson.loads(self.send(orjson.dumps(job), seconds, poll))
        self._raise(answer)
        return answer

    def _raise(self, answer: Mapping[str, Any]) -> None:
        if "fault" in answer:
            raise FaultError(**answer["fault"])
        if "unplayable" in answer:
            raise errors.WorkerLostError(answer["unplayable"])

    def send(self, job: bytes, seconds: float | None, poll: Callable[[], None] | None = None) -> bytes:
        """Send a line and wait for one."""
        deadline = float("inf") if seconds is None else monotonic() + seconds
        with suppress(BrokenPipeError):
            self._jobs.write(job + b"\n")
        waiting = select.poll()
        waiting.register(self._results, select.POLLIN)
        while not self._unread.endswith(b"\n"):
            left = deadline - monotonic()
            if left <= 0:
                raise errors.WorkerLostError(f"its worker process did not answer within {seconds:.0f} s")
            if poll is not None:
                poll()
                left = min(left, POLL_SECONDS)
            if waiting.poll(None if left == float("inf") else left * 1000):
                chunk = self._results.read(1 << 20)
                if not chunk:
                    raise errors.WorkerLostError(f"its worker process died ({self._status()})")
                self._unread += chunk
        line, self._unread = self._unread[:-1], b""
        return line

    def _status(self) -> str:
        status = self._process.wait()
        return f"signal {status - 128}" if status > 128 else f"exit status {status}"

    def close(self) -> None:
        """Let it end, with everything below it."""
        with suppress(OSError):
            self._jobs.close()
        try:
            self._process.wait(CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self._results.close()

    def kill(self) -> None:
        """End it at once, with everything below it."""
        self._process.terminate()  # the supervisor ends the rest
        try:
            self._process.wait(CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with suppress(OSError):
            self._jobs.close()
        self._results.close()


class Workers:
    """Workers for as many games at a time as there are threads that ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._all: list[Worker] = []
        self._is_closed = False

    def play(self, setup: GameSetup) -> GameRecord:
        """Play a game; if its worker dies, once more in a new one. Raises WorkerLostError if that dies as well."""
        try:
            return self._play(setup)
        except errors.WorkerLostError:
            if self._is_closed:
                raise
            return self._play(setup)

    def _play(self, setup: GameSetup) -> GameRecord:
        worker = self._take()
        try:
            record = worker.play(setup)
        except BaseException:
            worker.kill()
            with self._lock:
                if worker in self._all:
                    self._all.remove(worker)
            raise
        with self._lock:
            self._idle.append(worker)
        return record

    def _take(self) -> Worker:
        with self._lock:
            if self._idle:
                return self._idle.pop()
            worker = Worker()
            self._all.append(worker)
        return worker

    def close(self) -> None:
        """End the workers for good; games that are being played end with them."""
        with self._lock:
            self._is_closed = True
            for worker in self._all:
                if worker in self._idle:
                    worker.close()
                else:
                    worker.kill()
            self._all, self._idle = [], []


def play_with_own_worker(setup: GameSetup) -> GameRecord:
    """Play a game in a worker that ends with it, as on a cluster."""
    workers = Workers()
    try:
        return workers.play(setup)
    finally:
        workers.close()


class RunningProgram:
    """A program that plays against somebody in this process: started when it is first asked, and after a fault again.

    It has a worker of its own. Another game, or a move taken back, gets a new process, unless `keep_running`.
    """

    def __init__(self, spec: AgentSpec, *, keep_running: bool = False) -> None:
        self.spec = spec
        self._keep_running = keep_running
        self._worker: Worker | None = None
        self._asked: Position | None = None
        """The last position that the present process was asked about; None if there is none."""

    def move(
        self, position: Position, limit_seconds: float | None = None, poll: Callable[[], None] | None = None
    ) -> Move:
        """Its move, with another limit than its own if one is given. Raises FaultError and WorkerLostError.

        `poll` is called now and then while it thinks, and may raise to end it.
        """
        if self._worker is None:
            self._worker = Worker()
        try:
            if self._asked is None or not self._is_same_game(self._asked, position):
                with suppress(FaultError):
                    self.end_game()
                self._start(self._worker, position)
            self._asked = position
            limit = limit_seconds or self.spec.time_limit
            job = {"do": "move", "grid": position.grid(), "player": position.player, "limit_seconds": limit}
            most = None if limit is None else limit + (self.spec.startup or DEFAULT_STARTUP) + SPARE_SECONDS
            answer = self._worker.ask(job, most, poll)
        except FaultError:
            with suppress(FaultError):
                self.end_game()
            raise
        except BaseException:  # its next answer might belong to this question
            self.kill()
            raise
        return Move(answer["column"], answer["elapsed_seconds"], answer["startup_seconds"])

    def _start(self, worker: Worker, position: Position) -> None:
        spec = self.spec.model_copy(update={"isolation": choose_isolation(self.spec.isolation)})
        size = {"player": position.player, "width": position.width, "height": position.height}
        worker.ask({"do": "start", "spec": spec.model_dump(mode="json"), **size}, SPARE_SECONDS)

    def _is_same_game(self, last: Position, position: Position) -> bool:
        """Whether the present process may be asked about a position after this last one."""
        one, two = ((board.player, board.width, board.height) for board in (last, position))
        if self._keep_running:
            return self.spec.command_for(*one) == self.spec.command_for(*two)
        return (
            one == two
            and position.disc_count > last.disc_count
            and position.discs_1 & last.discs_1 == last.discs_1
            and position.discs_2 & last.discs_2 == last.discs_2
        )

    def end_game(self) -> None:
        """End the process. Raises FaultError if it turns out to have answered more than it was asked."""
        self._asked = None
        if self._worker is not None:
            self._worker.ask({"do": "end"}, SPARE_SECONDS)

    def close(self) -> None:
        """End the process and its worker. Raises FaultError as `end_game` does."""
        if self._worker is None:
            return
        try:
            if self._asked is not None:
                self.end_game()
        finally:
            worker, self._worker = self._worker, None
            if worker is not None:
                worker.close()

    def kill(self) -> None:
        """End everything at once."""
        worker, self._worker, self._asked = self._worker, None, None
        if worker is not None:
            worker.kill()


class CallerSeats:
    """The seats in this process, for Python objects and built-in players; programs have workers of their own."""

    def __init__(self, players: Mapping[str, Player] | None = None) -> None:
        self._players = players or {}
        self._programs: dict[str, RunningProgram] = {}
        self._seated: dict[int, RunningProgram] = {}

    def begin_game(self, specs: Sequence[AgentSpec]) -> None:
        """End the workers of programs that do not play in this game."""
        for name in self._programs.keys() - {spec.name for spec in specs}:
            self._programs.pop(name).close()

    def seat(self, spec: AgentSpec, player: int, width: int, height: int, seed: int) -> Contestant:  # noqa: ARG002
        """The Python object, the built-in player or the program."""
        if spec.name in self._players:
            return BuiltInContestant(spec, self._players[spec.name])
        if spec.player is not None:
            return BuiltInContestant(spec, built_in_player(spec.player, seed))
        program = self._programs.setdefault(spec.name, RunningProgram(spec))
        self._seated[player] = program
        return program

    def end_game(self) -> dict[int, FaultError]:
        """End the programs; their workers stay for the next game."""
        faults = {}
        for player, program in self._seated.items():
            try:
                program.end_game()
            except FaultError as error:
                faults[player] = error
        self._seated = {}
        return faults

    def close(self) -> None:
        """End the workers."""
        self.begin_game(())


_own = threading.local()


def play_here(players: Mapping[str, Player], setup: GameSetup) -> GameRecord:
    """Play a game in this process, in which these Python objects are."""
    if not hasattr(_own, "seats"):
        _own.seats = CallerSeats(players)
    return referee.play_game(setup, _own.seats)


def close_seats() -> None:
    """End the workers that this thread has used in `play_here`."""
    if hasattr(_own, "seats"):
        _own.seats.close()
        del _own.seats


# ---- the worker itself -----------------------------------------------------------------------------------------------


def main() -> None:
    """Run a supervisor and its worker until the manager has gone."""
    become_reaper()
    worker = os.fork()
    if worker:
        _supervise(worker)
    _Server().run()


def _supervise(worker: int) -> NoReturn:
    """Wait for the end of the worker, then end what it has left. The manager sees the end of output after that."""
    status = 1

    def end(*_: object) -> None:
        raise SystemExit

    signal.signal(signal.SIGTERM, end)
    os.close(0)
    try:
        waited = os.waitpid(worker, 0)[1]
        status = os.WEXITSTATUS(waited) if os.WIFEXITED(waited) else 128 + os.WTERMSIG(waited)
    finally:
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
        end_all()
        os._exit(status)


class _Server:
    """Does the jobs that come on standard input, one at a time."""

    def __init__(self) -> None:
        import fcntl  # noqa: PLC0415  # not on every system that has managers
        import resource  # noqa: PLC0415  # the same

        from connect4_agent.arena.agents.programs import Program, WorkerSeats  # noqa: PLC0415  # the same
        from connect4_agent.arena.process import Watch, reserve_low_descriptors  # noqa: PLC0415  # the same

        become_reaper()
        self._jobs, self._results = (fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 10) for number in (0, 1))
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1):
            os.dup2(null, number)
        os.close(null)
        reserve_low_descriptors()
        # Programs inherit these.
        for limit, value in (
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, MAX_FILE_BYTES),
            (resource.RLIMIT_NOFILE, MAX_OPEN_FILES),
        ):
            hard = resource.getrlimit(limit)[1]
            most = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(limit, (most, most))
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        gc.freeze()  # what was imported is never garbage
        self._watch = Watch(self._jobs)
        self._seats = WorkerSeats(self._watch)
        self._program: Program | None = None

    def run(self) -> NoReturn:
        """Do jobs until the manager closes the pipe."""
        unread = b""
        try:
            while True:
                if self._jobs not in self._watch.wait(float("inf"), {self._jobs: select.POLLIN}):
                    continue
                chunk = os.read(self._jobs, 1 << 20)
                if not chunk:
                    break
                unread += chunk
                if unread.endswith(b"\n"):
                    answer = self._answer(unread)
                    unread = b""
                    while answer:
                        answer = answer[os.write(self._results, answer) :]
        except (SystemExit, BrokenPipeError):
            pass
        finally:
            self._seats.end()
        os._exit(0)

    def _answer(self, line: bytes) -> bytes:
        job = orjson.loads(line)
        try:
            if job["do"] == "play":
                record = referee.play_game(GameSetup.model_validate(job["setup"]), self._seats)
                return b'{"record":%b}\n' % record.model_dump_json().encode()
            return orjson.dumps(getattr(self, f"_{job['do']}")(job)) + b"\n"
        except FaultError as error:
            return orjson.dumps({"fault": error.to_dict()}) + b"\n"
        except errors.WorkerLostError as error:
            self._seats.end()
            return orjson.dumps({"unplayable": str(error)}) + b"\n"

    def _start(self, job: dict[str, Any]) -> dict[str, Any]:
        spec = AgentSpec.model_validate(job["spec"])
        player = job["player"]
        self._program = self._seats.program(spec, player, spec.command_for(player, job["width"], job["height"]))
        return {}

    def _move(self, job: dict[str, Any]) -> dict[str, Any]:
        assert self._program is not None
        move = self._program.move(Position.from_grid(job["grid"], job["player"]), job["limit_seconds"])
        return move._asdict()

    def _end(self, job: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002  # one signature for all jobs
        self._program = None
        for fault in self._seats.end_game().values():
            raise fault
        return {}

    def _build(self, job: dict[str, Any]) -> dict[str, Any]:
        from connect4_agent.arena.entries.building import run_build  # noqa: PLC0415  # only entries need it

        return run_build(AgentSpec.model_validate(job["spec"]), job["limit_seconds"], self._watch)

    def _check(self, job: dict[str, Any]) -> dict[str, Any]:
        from connect4_agent.arena.check.cases import find_case  # noqa: PLC0415  # only `check` needs it
        from connect4_agent.arena.check.conversation import Timing, run_case  # noqa: PLC0415  # the same

        width, height = job["size"]
        case, spec = find_case(job["case"], width, height), AgentSpec.model_validate(job["spec"])
        return run_case(spec, case, (width, height), Timing(*job["timing"]), self._watch).model_dump(mode="json")
