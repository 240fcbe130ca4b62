"""The intake of a folder of programs: those that are new are copied into the run, built and checked."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from connect4_agent import errors
from connect4_agent.arena.check.cases import FIRST_CASES, all_cases
from connect4_agent.arena.check.check import LATE, check_agent
from connect4_agent.arena.check.result import CheckResult, Tier, Verdict
from connect4_agent.arena.check.text import format_result
from connect4_agent.arena.config import EMPTY, Format, RunConfig, is_openings_file, make_config, read_toml
from connect4_agent.arena.confinement import choose_isolation
from connect4_agent.arena.entries.building import build
from connect4_agent.arena.entries.recipes import DESCRIPTION, Recipe, find_recipe
from connect4_agent.arena.entries.unpacking import EntryError, copy_entry, entry_name, fingerprint, is_ignored
from connect4_agent.arena.run import DESCRIPTION_NAME, ENTRIES_NAME, Entry, read_entries, write_document
from connect4_agent.arena.spec import HOST, MAX_NAME, AgentSpec, StartForm, new_spec
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.jobs.interrupts import Stop, stop_on_interrupt
from connect4_agent.text import counted, escaped

CONFIG_NAME = "tournament.toml"
REFERENCES = ("level:1", "level:3", "level:5", "level:7")
COPIES = "entries"
"""The folder of a run with the copies of entries, which are built, checked and played."""

OWN_WIN = "own-win"
"""The case that shows for which side a program plays."""

REPEATS = "the line below repeats it; "
"""What a fix says where a line for the shell follows, as in the whole text of a check."""

LOG_LINES = 40
MAX_FOLDER = 40
STOPPING = "Stopping: checks that have begun are finished. Ctrl-C again ends them."


@dataclass(frozen=True)
class _Candidate:
    """An entry before its check."""

    name: str
    version: str = ""
    recipe: Recipe | None = None
    problem: str = ""
    """Why there is no recipe."""


class Intake:
    """Takes a folder of entries into a run. Raises ArenaError if the folder does not describe a tournament.

    The folder's file tournament.toml, which may be missing, has the keys of any tournament, but no agents.
    """

    def __init__(
        self, folder: Path, run: Path, values_instead: Mapping[str, Any], say: Callable[[str], None] = print
    ) -> None:
        self._run, self._say = run, say
        path = folder / CONFIG_NAME
        values = {"references": REFERENCES, **(read_toml(path) if path.exists() else {}), **values_instead}
        if given := {"agents", "format"} & values.keys():
            raise errors.ArenaError(f"{path}: {min(given)} is not a key here: the agents are the entries of the folder")
        ignored = {run.resolve(), path.resolve()}
        if is_openings_file(openings := str(values.get("openings", EMPTY))):
            values["openings"] = str((folder / openings).absolute())
            ignored.add((folder / openings).resolve())
        self._entries = find_entries(folder, ignored)
        references = values["references"] if isinstance(values["references"], list | tuple) else ()
        for name in references:
            try:
                parse_player(str(name))
            except errors.PlayerSpecError as error:
                raise errors.ArenaError(f"{path}: references: {error}") from None
        agents = [
            *({"name": name, "player": name} for name in references),
            *({"name": name, "command": [name]} for name in self._entries if name not in references),
        ]
        form = {"format": Format.GAUNTLET if references else Format.ROUND_ROBIN}
        self.config = make_config({**values, **form, "agents": agents}, str(path))
        """The tournament of all entries, before it is known how they are started and which are ready."""
        self._isolation = choose_isolation(self.config.isolation)
        given_to_all = AgentSpec(name="any", command=("any",)).with_defaults(self.config)
        self._limits = given_to_all.model_copy(update={"isolation": self._isolation})
        self._size = self.config.width, self.config.height
        self._terms = (
            f"{self._limits.time_limit:g} s for a move, {self._limits.startup:g} s to start, "
            f"{self._size[0]}x{self._size[1]}, isolation {self._isolation}"
        )
        self._taken = {*references, *self._entries}
        self._known: dict[tuple[str, str], Entry] = {}

    def take(self, jobs: int = 1, again: Collection[str] = ()) -> RunConfig | None:
        """Return the tournament of the entries that are ready; None if Ctrl-C stopped the checks.

        New versions are checked, and the entries named in `again`. Each result is written to the run. Raises
        ArenaError.
        """
        self._known = {(each.name, each.version): replace(each, is_present=False) for each in read_entries(self._run)}
        candidates = [self._copy(name, path, again) for name, path in self._entries.items()]
        if unknown := set(again) - self._taken:
            raise errors.ArenaError(f"there is no entry {min(unknown)!r}; there are {', '.join(sorted(self._taken))}")
        for each in candidates:
            if each.recipe is None:
                self._add(Entry(each.name, each.version, self._terms, problem=each.problem))
        to_check = [each for each in candidates if (each.name, each.version) not in self._known]
        self._say(f"{counted(len(candidates), 'entry', 'entries')}, {len(to_check)} to check")
        stop = Stop()

        def check_next(candidate: _Candidate) -> Entry | None:
            return None if stop.is_asked else self._check(candidate)

        with stop_on_interrupt(stop, STOPPING), ThreadPoolExecutor(jobs) as pool:
            for entry in filter(None, pool.map(check_next, to_check)):
                self._add(entry)
        if stop.is_asked:
            return None
        agents = [agent for agent in self.config.agents if not agent.is_program]
        for each in candidates:
            entry = replace(self._known[each.name, each.version], is_present=True)
            self._known[each.name, each.version] = entry
            if entry.is_ready:
                agents.append(self._spec_of(each, entry.start))
        self._write()
        playing = {agent.name for agent in agents}
        disqualified = tuple(name for name in self.config.disqualified if name in playing)
        return self.config.model_copy(update={"agents": tuple(agents), "disqualified": disqualified})

    def _add(self, entry: Entry) -> None:
        self._known[entry.name, entry.version] = entry
        self._write()
        verdict = f"ready: {entry.runs}" if entry.is_ready else f"not ready: {entry.problem}"
        self._say(f"{entry.name}{entry.version and f' {entry.version}'}: {verdict}")

    def _write(self) -> None:
        write_document(self._run / ENTRIES_NAME, [asdict(each) for each in self._known.values()], orjson.OPT_INDENT_2)

    def _copy(self, name: str, path: Path, again: Collection[str]) -> _Candidate:
        """Copy an entry into the run, unless the run holds this version with its check."""
        new, version = self._run / COPIES / ".new", ""
        shutil.rmtree(new, ignore_errors=True)  # of an intake that was stopped
        try:
            copy_entry(path, new)
            version = fingerprint(new)
            recipe = find_recipe(new)
            self._check_recipe(recipe, name)
        except EntryError as error:
            return _Candidate(name, version, None, str(error))
        candidate = _Candidate(recipe.name or name, version, recipe)
        self._taken.add(candidate.name)
        place, before = self._place(candidate), self._known.get((candidate.name, version))
        if before is None or before.terms != self._terms or {name, candidate.name} & set(again) or not place.is_dir():
            self._known.pop((candidate.name, version), None)
            shutil.rmtree(place, ignore_errors=True)  # with what a build has left there
            new.rename(place)
        return candidate

    def _check_recipe(self, recipe: Recipe, name: str) -> None:
        """Raise EntryError if an entry asks for more than the tournament allows, or has a name that is taken."""
        for key in ("time_limit", "startup"):
            own, most = getattr(recipe, key), getattr(self._limits, key)
            if own is not None and own > most:
                raise EntryError(f"{DESCRIPTION}: {key} is {own:g}; allowed: up to {most:g}, the tournament's")
        others = {*self.config.references, *(self._taken - {name})}
        if (recipe.name or name) in others:
            raise EntryError(f"its name, {recipe.name or name!r}, is taken; give it another one")

    def _place(self, candidate: _Candidate) -> Path:
        name = re.sub(r"[^\w.-]+", "_", candidate.name)[:MAX_FOLDER]
        return (self._run / COPIES / f"{name}-{candidate.version}").absolute()

    def _spec_of(self, candidate: _Candidate, start: StartForm) -> AgentSpec:
        """Return an entry as an agent. Raises EntryError."""
        assert candidate.recipe is not None
        values = candidate.recipe.model_dump(exclude={"name", "build", "directory", "start"}, exclude_none=True)
        directory = str(self._place(candidate) / candidate.recipe.directory)
        own = {"name": candidate.name, "version": candidate.version, "directory": directory, "start": start}
        try:
            return new_spec(values | own)
        except errors.AgentError as error:
            raise EntryError(f"{DESCRIPTION}: {error}") from None

    def _check(self, candidate: _Candidate) -> Entry:
        """Build and check an entry. Raises WorkerLostError."""
        recipe, place = candidate.recipe, self._place(candidate)
        assert recipe is not None
        entry = Entry(candidate.name, candidate.version, self._terms)
        try:
            spec = self._spec_of(candidate, recipe.start or StartForm.BARE)
        except EntryError as error:
            return replace(entry, problem=str(error))
        if recipe.build is not None:
            log, problem = build(place, recipe.build, self._isolation, candidate.name)
            if problem is not None:
                lines = [escaped(line) for line in log.splitlines()[-LOG_LINES:]]
                return replace(entry, problem=problem, check=[f"$ {recipe.build}", *lines])
        result = self._find_start(spec.with_defaults(self._limits), is_given=recipe.start is not None)
        words = spec.model_copy(update={"start": result.start}).command_for(1, *self._size)
        return replace(
            entry,
            is_ready=result.verdict is not Verdict.NOT_READY,
            problem="".join(f"{problem.text}; {problem.fix}" for problem in result.problems[:1]).replace(REPEATS, ""),
            runs=shlex.join([shutil.which(words[0]) or words[0], *(word for word in words[1:] if word != HOST)]),
            start=result.start,
            check=[line.replace(f"{place}", ".") for line in format_result(result)],
        )

    def _find_start(self, spec: AgentSpec, *, is_given: bool) -> CheckResult:
        """Check an entry in the form in which it answers best: bare, unless words help. Raises WorkerLostError."""
        required = [case.name for case in all_cases(*self._size).values() if case.tier is Tier.REQUIRED]
        result = check_agent(spec, size=self._size, names=[*required, OWN_WIN], practice_games=0)
        if is_given or not result.problems or result.findings[0].kind in LATE:
            return result
        best, passed = spec.start, _count_passed(result)
        for form in (StartForm.FLAGS, StartForm.WORDS):
            started = spec.model_copy(update={"start": form})
            tried = _count_passed(check_agent(started, size=self._size, names=[OWN_WIN], practice_games=0))
            best, passed = (form, tried) if tried > passed else (best, passed)
        if best is spec.start:
            return result
        started = spec.model_copy(update={"start": best})
        return check_agent(started, size=self._size, names=[*required, OWN_WIN], practice_games=0)


def _count_passed(result: CheckResult) -> int:
    """Return how many of the cases that tell one start from another were passed."""
    return sum(each.kind is None for each in result.findings if each.name in (*FIRST_CASES, OWN_WIN))


def find_entries(folder: Path, ignored: Collection[Path] = ()) -> dict[str, Path]:
    """Return what lies in a folder of entries, by the names of the entries. Raises ArenaError."""
    found: dict[str, Path] = {}
    try:
        paths = [path for path in sorted(folder.iterdir()) if not is_ignored(path.name)]
    except OSError as error:
        raise errors.ArenaError(f"cannot read {folder}: {error.strerror}") from None
    for path in paths:
        if path.resolve() in ignored or (path / DESCRIPTION_NAME).exists():
            continue  # another run is not an entry
        name = escaped(entry_name(path))[:MAX_NAME]
        if name in found:
            both = f"{escaped(found[name].name)} and {escaped(path.name)}"
            raise errors.ArenaError(f"{folder}: {both} are both the entry {name!r}; remove or rename one of them")
        found[name] = path
    if not found:
        raise errors.ArenaError(f"{folder} holds no entries: each file or folder directly in it is one")
    return found
