"""connect4-agent course: a class tournament from a folder of submissions."""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena.agents.spec import Isolation
from connect4_agent.arena.check.practice import DEFAULT_GAMES
from connect4_agent.arena.check.result import CheckResult, Verdict
from connect4_agent.arena.check.text import lines_of
from connect4_agent.arena.config import RunConfig
from connect4_agent.arena.course.config import CONFIG_NAME, CourseConfig, read_course_config, read_roster
from connect4_agent.arena.course.course import (
    check_places,
    known_config,
    known_roll,
    new_workplace,
    run_config_of,
    write_results,
)
from connect4_agent.arena.course.feedback_files import FEEDBACK_FOLDER
from connect4_agent.arena.course.grades import GRADES_NAME
from connect4_agent.arena.course.intake import read_check, remarks_of, take_in, try_submission
from connect4_agent.arena.course.news import alike_lines, paused_lines, plan_line, roll_lines, slow_lines
from connect4_agent.arena.course.roll import Entry, EntryVersion, Roll, read_roll, write_roll
from connect4_agent.arena.course.site import INDEX, SITE_NAME, site_files, write_site
from connect4_agent.arena.entries.recipes import is_one_entry
from connect4_agent.arena.entries.unpacking import Submission, find_submissions, one_submission
from connect4_agent.arena.judging import judge_run
from connect4_agent.arena.progress import JUDGING, PLAYING
from connect4_agent.arena.report.model import Report
from connect4_agent.arena.report.tables import headline
from connect4_agent.arena.report.tally import report_on
from connect4_agent.arena.report.text import print_standings
from connect4_agent.arena.run.line_file import LineFile
from connect4_agent.arena.run.state import RunState, read_run
from connect4_agent.arena.tournament import run_tournament
from connect4_agent.commands.shared.options import EXIT_FAILED, EXIT_USAGE, job_count, new_parser, whole_number
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.jobs.cores import core_count
from connect4_agent.jobs.interrupts import EXIT_INTERRUPTED
from connect4_agent.jobs.progress import new_progress
from connect4_agent.text import counted, escaped

DESCRIPTION = """\
Play a class tournament. Each folder, .zip or file in SUBMISSIONS is an entry, named after it. What is new or has
changed is copied, built and checked; entries that are ready then play the references and each other, and every move is
judged by the solver. Run it again whenever something changes: it plays only what is missing.

  connect4-agent course SUBMISSIONS --out RUN     take in what changed, play what is missing, write grades and site
  connect4-agent course check SUBMISSIONS         is each entry ready?
  connect4-agent course check ENTRY               is this folder, .zip or file ready? For students, too
  connect4-agent course status RUN                the standings, and who is not ready
  connect4-agent course retry RUN NAME            let an entry play on that was paused after three faults
  connect4-agent course accept RUN NAME           let the newest version of an entry play though it is late
  connect4-agent course site RUN [FOLDER]         write the pages to publish (default: RUN/site)

course.toml beside SUBMISSIONS may set a title, a deadline, limits, references, numbers of games and grades.
"""

EXAMPLES = """\
exit status: 0; 1 if an entry is not ready (check) or not all games were played; 2 for a bad command line or folder;
130 after Ctrl-C.
"""

RESUMES = "the same command resumes"
LOCK_NAME = "course.lock"
"""A file that keeps a second course out of the folder."""

ACTIONS = ("check", "status", "retry", "accept", "site")


def run(words: list[str]) -> int:
    """Do it; the exit status."""
    action = words[0] if words and words[0] in ACTIONS else "play"
    parser = new_parser("connect4-agent course", DESCRIPTION, EXAMPLES)
    if action != "play":
        parser.prog += f" {action}"
        words = words[1:]
    if action in ("play", "check"):
        what = "the folder of submissions" + (", or one entry" if action == "check" else "")
        parser.add_argument("submissions", metavar="SUBMISSIONS", type=Path, help=what)
        parser.add_argument("--config", metavar="FILE", type=Path, help="default: course.toml beside SUBMISSIONS")
        parser.add_argument(
            "--isolation", choices=list(Isolation), type=Isolation, help="default: full, which needs bubblewrap"
        )
        parser.add_argument(
            "--practice", metavar="N", type=whole_number, default=DEFAULT_GAMES,
            help="practice games (default: %(default)s)",
        )  # fmt: skip
    else:
        parser.add_argument("run", metavar="RUN", type=Path, help="the folder of the course")
    if action == "play":
        parser.add_argument("--out", metavar="RUN", type=Path, default=Path("run"), help="default: run")
    if action in ("retry", "accept"):
        parser.add_argument("name", metavar="NAME", help="the entry")
    if action == "site":
        parser.add_argument("folder", metavar="FOLDER", type=Path, nargs="?", help="default: RUN/site")
    if action in ("play", "retry"):
        parser.add_argument(
            "--jobs", metavar="N", type=job_count, default=max(1, core_count() - 1),
            help="games at a time (default: one less than the cores, here %(default)s)",
        )  # fmt: skip
    options = parser.parse_args(words)
    if sys.platform == "win32":
        parser.error("a course needs Linux or macOS: its programs are run there")
    try:
        return {
            "play": _play,
            "check": _check,
            "status": _status,
            "retry": _retry,
            "accept": _accept,
            "site": _site,
        }[action](options)
    except errors.ArenaError as error:
        sys.stderr.write(f"{parser.prog}: error: {error}\n")
    except OSError as error:
        what = f"{error.filename or 'a file'}: {error.strerror}"
        sys.stderr.write(f"{parser.prog}: error: {escaped(what)}; {RESUMES}\n")
    return EXIT_USAGE


def _say(line: str) -> None:
    sys.stderr.write(f"{escaped(line)}\n")
    sys.stderr.flush()


def _play(options: argparse.Namespace) -> int:
    folder: Path = options.out
    check_places(options.submissions, folder)
    config = read_course_config(options.submissions, options.config)
    read_roster(config)  # what is wrong with it should be known before the games are played
    workplace = new_workplace(
        folder, options.submissions, config, options.isolation, _say,
        config_path=options.config, jobs=options.jobs, practice_games=options.practice,
    )  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    with LineFile(folder / LOCK_NAME):
        roll = read_roll(folder)
        if not take_in(workplace, roll, options.submissions):
            _say(RESUMES)
            return EXIT_INTERRUPTED
        run_config = run_config_of(workplace, roll)
        _say(plan_line(workplace, roll, run_config))
        return _play_games(run_config, folder, config, options.jobs)


def _play_games(
    run_config: RunConfig, folder: Path, config: CourseConfig, jobs: int, retry: tuple[str, ...] = ()
) -> int:
    """Play what is missing, judge it, write the grades, print the standings; the exit status."""
    playing, judging = new_progress(PLAYING), new_progress(JUDGING)
    try:
        words = f"connect4-agent course retry {shlex.quote(str(folder))}"
        outcome = run_tournament(run_config, folder, playing, jobs, retry=retry, retry_words=words)
    finally:
        playing.end()
    is_judged = judge_run(folder, judging, jobs)
    _show(folder, *write_results(folder, config, _say))
    _say(
        f"{outcome.finished} of {outcome.wanted} games are in {folder}; the grades are in {folder / GRADES_NAME}, "
        f"the pages to publish in {folder / SITE_NAME}, a private page for each student in {folder / FEEDBACK_FOLDER}"
    )
    if outcome.was_stopped or not is_judged:
        _say(RESUMES)
        return EXIT_INTERRUPTED
    return 0 if outcome.finished == outcome.wanted else EXIT_FAILED


def _check(options: argparse.Namespace) -> int:
    place: Path = options.submissions
    is_one = is_one_entry(place)
    found = [one_submission(place)] if is_one else find_submissions(place)
    beside = place.absolute()
    if is_one and not beside.with_name(CONFIG_NAME).exists():  # an entry among the submissions
        beside = beside.parent
    config = read_course_config(beside, options.config)
    entries = Roll().entries_of([submission.origin for submission in found], config.references)
    several = f"{counted(len(entries), 'entry', 'entries')} of {place}"
    _say(f"checking {f'one entry: {entries[0].name}' if is_one else several}")
    all_ready = True
    verdicts = []
    with tempfile.TemporaryDirectory() as folder, reader_may_leave():
        workplace = new_workplace(
            Path(folder).resolve(), place, config, options.isolation, _say,
            config_path=options.config or beside.with_name(CONFIG_NAME), practice_games=options.practice,
        )  # fmt: skip
        for entry, submission in zip(entries, found, strict=True):
            version = try_submission(workplace, entry, submission)
            all_ready = all_ready and version.verdict is not Verdict.NOT_READY
            copy, own = workplace.copy_of(entry, version), _own_folder(submission)
            lines = _checked_lines(entry, version, read_check(copy), own)
            _write(line.replace(str(copy), own or ".") for line in lines)
            verdicts.append(f"{entry.name}: {version.verdict.value}")
        if len(verdicts) > 1:
            _write(["-" * 80, *verdicts])
    return 0 if all_ready else EXIT_FAILED


def _own_folder(submission: Submission) -> str | None:
    """Where the author can start the program; None for the current folder, and for an archive."""
    path = submission.paths[0]
    folder = path if path.is_dir() else path.parent
    return None if path.suffix == ".zip" or folder.resolve() == Path.cwd() else str(folder)


def _checked_lines(
    entry: Entry, version: EntryVersion, result: CheckResult | None, folder: str | None
) -> Iterator[str]:
    """What the author of a version should know: what its files show, then what the check has found, if it was run."""
    if result is None:
        yield f"{entry.name}: {version.verdict.value}: {version.reason}"
    else:
        found = remarks_of(result)
        of_files = [f"remark: {remark}" for remark in version.remarks if remark not in found]
        lines = list(lines_of(result.model_copy(update={"directory": folder})))
        if of_files:
            lines[-1] = f"{entry.name}: {version.verdict.value}"
        yield from (*of_files, *lines)
    yield ""


def _write(lines: Iterable[str]) -> None:
    sys.stdout.write("".join(f"{escaped(line)}\n" for line in lines))
    sys.stdout.flush()


def _status(options: argparse.Namespace) -> int:
    roll, state = known_roll(options.run), read_run(options.run, _say)
    _show(options.run, state, roll, report_on({roll.config.title: state}))
    return 0


def _show(folder: Path, state: RunState, roll: Roll, report: Report) -> None:
    with reader_may_leave():
        _write([headline(report), ""])
        print_standings(report, sys.stdout)
        _write(paused_lines(state, roll, folder))
        _write(slow_lines(state, report, roll))
        _write(roll_lines(roll, folder))
        _write(alike_lines(state.records, roll))


def _retry(options: argparse.Namespace) -> int:
    run_config, config = known_config(options.run)
    with LineFile(options.run / LOCK_NAME):
        return _play_games(run_config, options.run, config, options.jobs, retry=(options.name,))


def _accept(options: argparse.Namespace) -> int:
    known_roll(options.run).entry(options.name)
    with LineFile(options.run / LOCK_NAME):
        roll = read_roll(options.run)
        version = roll.entry(options.name).versions[-1]
        if not version.is_late:
            raise errors.ArenaError(f"{options.name}: version {version.number} was not handed in late")
        version.is_accepted = True
        write_roll(options.run, roll)
    _say(f"{options.name}: version {version.number} plays from the next `connect4-agent course` on")
    return 0


def _site(options: argparse.Namespace) -> int:
    known_config(options.run)  # says best what is not a course
    target: Path = options.folder or options.run / SITE_NAME
    files = site_files(options.run)
    write_site(target, files)
    _say(f"{len(files)} files are in {target}; open {target / INDEX}, or publish the folder as it is")
    return 0
