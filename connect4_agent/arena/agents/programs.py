"""Programs in the seats of a worker: one process for each, which ends with its game or plays the next one, too."""

from __future__ import annotations

from collections.abc import Sequence

from connect4_agent import errors
from connect4_agent.arena.agents.contestant import (
    BuiltInContestant,
    Contestant,
    Move,
    built_in_player,
    problem_of,
)
from connect4_agent.arena.faults import Ending, FaultError
from connect4_agent.arena.process import AgentProcess, Watch, end_programs
from connect4_agent.arena.spec import AgentSpec, RequestForm, default_grace
from connect4_agent.rules.position import Position
from connect4_agent.server.replies import move_or_none, read_move
from connect4_agent.server.request import request_of


class Program:
    """A program in one game; its process may play other games as well."""

    def __init__(self, spec: AgentSpec, process: AgentProcess) -> None:
        self._spec = spec
        self.process = process

    def move(self, position: Position, limit_seconds: float | None = None) -> Move:
        """Ask the process, with another limit than its own if one is given."""
        spec = self._spec
        request = request_of(position, grid_only=spec.request is RequestForm.GRID)
        limit = limit_seconds or spec.time_limit
        grace = default_grace(limit) if spec.grace is None else spec.grace
        reply = self.process.ask(request, limit, grace)
        try:
            column = read_move(reply.line)
        except errors.ReplyError as error:
            raise self.process.refused(Ending.MALFORMED_REPLY, str(error), reply) from None
        if (problem := problem_of(position, column)) is not None:
            raise self.process.refused(Ending.ILLEGAL_MOVE, problem, reply)
        return Move(column, reply.elapsed_seconds, reply.startup_seconds)


class WorkerSeats:
    """The seats in a worker: programs are its children, and end with the game, or when another pair plays."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._programs: dict[int, Program] = {}
        self._waiting: list[AgentProcess] = []
        """Programs that keep running until their next game."""

    def begin_game(self, specs: Sequence[AgentSpec]) -> None:
        """End the programs that wait, but do not play in this game."""
        if strangers := [process for process in self._waiting if process.spec not in specs]:
            self._waiting = [process for process in self._waiting if process not in strangers]
            end_programs(strangers, self._waiting, self._watch)

    def seat(self, spec: AgentSpec, player: int, width: int, height: int, seed: int) -> Contestant:
        """A built-in player, or a program in a process that waits for it, or in a new one."""
        if spec.player is not None:
            return BuiltInContestant(spec, built_in_player(spec.player, seed), self._watch.tend)
        return self.program(spec, player, spec.command_for(player, width, height))

    def program(self, spec: AgentSpec, player: int, command: tuple[str, ...]) -> Program:
        """A program that plays for this player number. Raises FaultError if it does not start."""
        for process in self._waiting:
            if (process.spec, process.command) == (spec, command) and process.is_usable:
                self._waiting.remove(process)
                break
        else:
            process = AgentProcess(spec, command, spec.environment, self._watch)
        self._programs[player] = Program(spec, process)
        return self._programs[player]

    def end_game(self) -> dict[int, FaultError]:
        """End the programs, except those that keep running; what players turn out to have done wrong."""
        staying = []
        ending: dict[AgentProcess, int] = dict.fromkeys(self._waiting, 0)
        for player, program in self._programs.items():
            if program.process.spec.keep_running and program.process.is_usable:
                staying.append(program.process)
            else:
                ending[program.process] = player
        self._programs, self._waiting = {}, staying
        faults = {}
        if ending:
            rests = end_programs(list(ending), staying, self._watch)
            for (process, player), rest in zip(ending.items(), rests, strict=True):
                extra = next((line for line in rest if move_or_none(line) is not None), None)
                if extra is not None and not process.is_broken:
                    # One answer too many: which of the moves were answers to their requests, nobody can tell.
                    detail = "it printed more answers than there were requests"
                    faults[player] = FaultError(Ending.MALFORMED_REPLY, detail, reply=extra)
        return faults

    def end(self) -> None:
        """End all programs."""
        self._waiting += [program.process for program in self._programs.values()]
        self._programs = {}
        self.begin_game(())
