"""The intake: what changed among the submissions is frozen as a new version, built, and checked."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from connect4_agent.arena.agents.faults import FaultError
from connect4_agent.arena.agents.spec import AgentSpec, Isolation, StartForm
from connect4_agent.arena.check.diagnosis import NOT_GUESSED
from connect4_agent.arena.check.gate import check_agent
from connect4_agent.arena.check.practice import DEFAULT_GAMES
from connect4_agent.arena.check.result import CheckResult, Problem, Verdict
from connect4_agent.arena.course.config import CourseConfig
from connect4_agent.arena.course.roll import Entry, EntryVersion, Roll, write_roll
from connect4_agent.arena.entries.building import build
from connect4_agent.arena.entries.recipes import Recipe, built_program, listed, recipe_of
from connect4_agent.arena.entries.unpacking import (
    OUR_ERRORS,
    EntryError,
    EntryGoneError,
    Submission,
    copy_submission,
    find_submissions,
)
from connect4_agent.arena.progress import duration
from connect4_agent.arena.run.description import write_whole
from connect4_agent.arena.run.line_file import cannot_write
from connect4_agent.jobs.interrupts import Stop, stop_on_interrupt
from connect4_agent.text import counted

STOPPING = "Stopping: checks that have begun are finished. Ctrl-C again ends them."
ENTRIES_FOLDER = "entries"
NEW_NAME = ".new"


@dataclass(frozen=True)
class Workplace:
    """Where the entries of a course are kept, and how their programs are run."""

    folder: Path
    config: CourseConfig
    isolation: Isolation
    hidden: tuple[str, ...]
    """What no program may see: everybody's files."""
    say: Callable[[str], None]
    jobs: int = 1
    practice_games: int = DEFAULT_GAMES

    def copy_of(self, entry: Entry, version: EntryVersion) -> Path:
        """The frozen copy of a version."""
        return copy_path(self.folder, entry, version)

    def spec_of(self, entry: Entry, version: EntryVersion) -> AgentSpec:
        """A version as an agent."""
        return AgentSpec(
            name=entry.name,
            command=version.command or ("not-ready",),
            directory=str(self.copy_of(entry, version).absolute()),
            start=version.start,
            version=str(version.number),
            isolation=self.isolation,
            hidden=self.hidden,
        )


def take_in(workplace: Workplace, roll: Roll, submissions: Path) -> bool:
    """Bring the roll up to date with the submissions; whether it came to the end, and was not stopped by Ctrl-C.

    What is wrong with an entry is in its version, for its author. Raises ArenaError if there are no submissions at all.
    """
    roll.config = workplace.config
    changed = _freeze_all(workplace, roll, submissions)
    if changed:
        many = counted(len(changed), "entry", "entries")
        workplace.say(f"{many} to build and check, {workplace.jobs} at a time; most take less than a minute")
    write_roll(workplace.folder, roll)
    stop = Stop()

    def try_next(pair: tuple[Entry, EntryVersion]) -> bool:
        if stop.is_asked:
            return False
        _try(workplace, *pair)
        return True

    with stop_on_interrupt(stop, STOPPING), ThreadPoolExecutor(workplace.jobs) as pool:
        for (entry, version), was_tried in zip(changed, pool.map(try_next, changed), strict=True):
            if was_tried:
                workplace.say(_news_of(entry, version))
                if not version.counts:
                    workplace.say(late_line(entry, workplace.config, workplace.folder))
                write_roll(workplace.folder, roll)
    return not stop.is_asked


def _freeze_all(workplace: Workplace, roll: Roll, submissions: Path) -> list[tuple[Entry, EntryVersion]]:
    """Copy what has changed, and notice what is gone; the versions that are to be tried."""
    found = find_submissions(submissions)
    entries = roll.entries_of([submission.origin for submission in found], workplace.config.references)
    present, to_try = set(), []
    for entry, submission in zip(entries, found, strict=True):
        try:
            _freeze(workplace, entry, submission)
        except EntryGoneError:
            continue
        present.add(entry.name)
        if entry.is_withdrawn:
            entry.is_withdrawn = False
            workplace.say(f"{entry.name} is back")
        for version in entry.versions:
            version.is_late = workplace.config.is_late(version.handed_in)
        newest = entry.versions[-1]
        if _is_to_be_tried(newest):
            to_try.append((entry, newest))
    roll.entries = [entry for entry in roll.entries if entry.versions]  # the others were gone at once
    for entry in roll.entries:
        if entry.name not in present and not entry.is_withdrawn:
            entry.is_withdrawn = True
            workplace.say(
                f"{entry.name} is no longer in {submissions}: its games are kept, but do not count. Is it withdrawn? "
                "If not, put it back"
            )
    return to_try


def try_submission(workplace: Workplace, entry: Entry, submission: Submission) -> EntryVersion:
    """Freeze, build and check one submission, without keeping a roll."""
    _freeze(workplace, entry, submission)
    _try(workplace, entry, entry.versions[-1])
    return entry.versions[-1]


def copy_path(folder: Path, entry: Entry, version: EntryVersion) -> Path:
    """The frozen copy of a version in the folder of a course."""
    return folder / ENTRIES_FOLDER / entry.name / str(version.number)


def check_path(copy: Path) -> Path:
    """What the check of a frozen copy has found, if it came to that."""
    return copy.with_name(f"{copy.name}.check.json")


def read_check(copy: Path) -> CheckResult | None:
    """What the check of a frozen copy has found; None if it did not come to that."""
    try:
        return CheckResult.model_validate_json(check_path(copy).read_bytes())
    except (OSError, ValueError):
        return None


def log_path(copy: Path) -> Path:
    """What the build of a frozen copy has printed, if there was one."""
    return copy.with_name(f"{copy.name}.build.log")


def _freeze(workplace: Workplace, entry: Entry, submission: Submission) -> None:
    """Copy what was handed in, as the next version if it is new or has changed."""
    place = workplace.folder / ENTRIES_FOLDER / entry.name
    new = place / NEW_NAME
    shutil.rmtree(new, ignore_errors=True)  # of an intake that was stopped
    reason = ""
    try:
        copy_submission(submission, new)
        files = _digests(new)
    except EntryError as error:
        reason, files = str(error), {"": str(error)}
        new.mkdir(parents=True, exist_ok=True)
    if not entry.versions or entry.versions[-1].files != files:
        handed_in = datetime.fromtimestamp(submission.changed_at).astimezone()
        number = len(entry.versions) + 1
        version = EntryVersion(number=number, files=files, handed_in=handed_in, reason=reason, is_copied=not reason)
        entry.versions.append(version)
    newest = entry.versions[-1]
    if _is_to_be_tried(newest):
        copy = workplace.copy_of(entry, newest)
        _remove(copy)  # of an intake that was stopped, or with what a build has left there
        new.rename(copy)
    else:
        shutil.rmtree(new)


def _is_to_be_tried(version: EntryVersion) -> bool:
    return not version.is_tried or version.verdict is Verdict.NOT_READY  # what was missing may be there now


def _digests(folder: Path) -> dict[str, str]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()[:16] for path in paths}


def _try(workplace: Workplace, entry: Entry, version: EntryVersion) -> None:
    """Build and check a version; what was found is in it, and beside its copy."""
    version.is_tried = True
    if not version.is_copied:
        return
    copy = workplace.copy_of(entry, version)
    _set_writable(copy, writable=True)  # also what was handed in as read-only
    version.reason, version.problem = "", None
    try:
        recipe = _built(workplace, entry, copy)
    except EntryError as error:
        version.reason = str(error)
        return
    except (FaultError, OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in OUR_ERRORS:
            raise cannot_write(copy, error) from None
        version.reason = f"it cannot be used: {error}"
        return
    assert recipe.run is not None
    version.command, version.start = recipe.run, recipe.start or StartForm.BARE
    version.remarks, version.label = list(recipe.remarks), recipe.version
    _set_writable(copy, writable=False)
    spec = workplace.spec_of(entry, version).granted(workplace.config)
    result = check_agent(spec, finds_start=recipe.start is None, practice_games=workplace.practice_games)
    version.verdict, version.start = result.verdict, result.start
    if result.verdict is Verdict.NOT_READY:
        version.reason, version.problem = words_of(result.problems[0]), result.problems[0].kind
    else:
        version.remarks += remarks_of(result)
        if version.remarks:
            version.verdict = Verdict.REMARKS
    write_whole(check_path(copy), result.model_dump_json(exclude={"verdict"}, indent=2).encode())


def _built(workplace: Workplace, entry: Entry, copy: Path) -> Recipe:
    """The recipe of an entry, with what its build has made. Raises EntryError."""
    recipe = recipe_of(copy)
    if recipe.build is not None:
        found = build(copy, recipe.build, workplace.isolation, workplace.hidden, entry.name)
        log_path(copy).write_text(found.log, encoding="utf-8")
        if found.problem is not None:
            raise EntryError(found.problem)
    return recipe if recipe.run is not None else recipe.model_copy(update={"run": built_program(copy)})


def words_of(problem: Problem) -> str:
    """A problem in one line for the author."""
    return problem.text if problem.fix == NOT_GUESSED else f"{problem.text}; {problem.fix}"


def remarks_of(result: CheckResult) -> list[str]:
    """The problems of a program that is ready all the same."""
    remarks = []
    for problem in result.problems:
        remark = words_of(problem)
        if problem.cases == ("bare",) and result.start is not StartForm.BARE:
            remark = f"it is started with {' '.join(result.command[-6:])}, because without that {remark}"
        remarks.append(remark)
    return remarks


def _set_writable(folder: Path, *, writable: bool) -> None:
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():  # a build may have made it, to anywhere
            mode = path.stat().st_mode
            path.chmod(mode | 0o200 if writable else mode & ~0o222)


def _remove(folder: Path) -> None:
    if folder.exists():
        _set_writable(folder, writable=True)
        shutil.rmtree(folder)


def _news_of(entry: Entry, version: EntryVersion) -> str:
    """What the organiser is told about a new version."""
    what = f"{entry.name}, version {version.name}"
    if version.number > 1:
        before = entry.versions[version.number - 2].files.items()
        files = sorted({name for name, _ in before ^ version.files.items() if name})
        what += f" ({listed(files)})" if files else ""
    line = f"{what}: {version.verdict.value}"
    if version.reason:
        line += f": {version.reason}"
    return line


def command(word: str, folder: Path, entry: Entry) -> str:
    """What to type to do something about an entry."""
    return f"connect4-agent course {word} {shlex.quote(str(folder))} {shlex.quote(entry.name)}"


def late_line(entry: Entry, config: CourseConfig, folder: Path) -> str:
    """What becomes of the newest version of an entry, which was handed in late."""
    version = entry.versions[-1]
    by = "" if config.deadline is None else f" {duration((version.handed_in - config.deadline).total_seconds())}"
    plays = "nothing plays" if entry.present is None else f"version {entry.present.number} counts"
    return (
        f"{entry.name}: handed in{by} after the deadline: {plays}, version {version.number} is kept as late "
        f"(to let it play: {command('accept', folder, entry)})"
    )
