"""A course: its folder, from the submissions to the games that are wanted, the standings and the grades."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena.agents.confinement import choose_isolation, why_not
from connect4_agent.arena.agents.spec import AgentSpec, Isolation
from connect4_agent.arena.check.practice import DEFAULT_GAMES
from connect4_agent.arena.check.result import Verdict
from connect4_agent.arena.config import Format, RunConfig, make_config
from connect4_agent.arena.course.config import CONFIG_NAME, CourseConfig, read_roster
from connect4_agent.arena.course.feedback_files import write_feedback
from connect4_agent.arena.course.grades import grades, rows_of, write_grades
from connect4_agent.arena.course.intake import Workplace
from connect4_agent.arena.course.roll import Roll, read_roll
from connect4_agent.arena.course.site import SITE_NAME, site_of, write_site
from connect4_agent.arena.report.model import Report
from connect4_agent.arena.report.tally import report_on
from connect4_agent.arena.run.description import read_description
from connect4_agent.arena.run.state import RunState, read_run


def check_places(submissions: Path, run: Path) -> None:
    """Raise ArenaError if the submissions are not a folder, or it and the run are one in the other."""
    if not submissions.is_dir():
        what = "is a file" if submissions.exists() else "does not exist"
        raise errors.ArenaError(
            f"{submissions} {what}; SUBMISSIONS is a folder that holds a folder, .zip or file for each entry"
        )
    theirs, ours = submissions.resolve(), run.resolve()
    if ours.is_relative_to(theirs):
        raise errors.ArenaError(
            f"{run} lies in {submissions}, where it would be taken for an entry: give a folder beside it, such as "
            f"--out {theirs.parent / 'run'}"
        )
    if theirs.is_relative_to(ours):
        raise errors.ArenaError(f"{submissions} lies in {run}, the folder of the course: give another one with --out")


def new_workplace(
    folder: Path,
    submissions: Path,
    config: CourseConfig,
    isolation: Isolation | None,
    say: Callable[[str], None],
    *,
    config_path: Path | None = None,
    jobs: int = 1,
    practice_games: int = DEFAULT_GAMES,
) -> Workplace:
    """Where entries are built and played. Raises ArenaError if programs cannot be isolated as wanted."""
    wanted = isolation or config.isolation or Isolation.FULL
    if wanted is not Isolation.NONE and (reason := why_not(wanted)) is not None:
        raise errors.ArenaError(
            f"the programs of a class need isolation {wanted.value!r}, which does not work here: {reason}. "
            "--isolation none plays without; then every program can read and change your files"
        )
    private = [Path.home(), folder, submissions, submissions.absolute().with_name(CONFIG_NAME)]
    private += [Path(path) for path in (config_path, config.roster) if path is not None]
    hidden = dict.fromkeys(str(path.resolve()) for path in private)
    return Workplace(folder, config, choose_isolation(wanted), tuple(hidden), say, jobs, practice_games)


def run_config_of(workplace: Workplace, roll: Roll) -> RunConfig:
    """The games that the course wants: of every entry against the references, and of the entries among each other."""
    config = workplace.config
    if not roll.taking_part:
        raise errors.ArenaError("no entry can play: all of them were handed in late (connect4-agent course accept)")
    if not config.references and len(roll.taking_part) == 1:
        raise errors.ArenaError(
            f"{roll.taking_part[0].name} has nobody to play against: it is the only entry, and `references` in "
            f"{CONFIG_NAME} is empty"
        )
    agents = [AgentSpec(name=name, player=name) for name in config.references]
    not_ready = {}
    for entry in roll.taking_part:
        version = entry.present
        assert version is not None
        agents.append(workplace.spec_of(entry, version))
        if version.verdict is Verdict.NOT_READY:
            not_ready[entry.name] = version.reason
    grants = {name: getattr(config, name) for name in type(config).model_fields if name in RunConfig.model_fields}
    values = {
        **{
            name: value
            for name, value in grants.items()
            if value is not None and name not in ("references", "isolation", "seed")
        },
        "seed": roll.seed,
        "isolation": workplace.isolation,
        "format": Format.GAUNTLET if config.references else Format.ROUND_ROBIN,
        "references": config.references,
        "reference_games": config.reference_games if config.references else None,
        "not_ready": not_ready,
        "agents": agents,
    }
    return make_config(values, "course")


def known_config(folder: Path) -> tuple[RunConfig, CourseConfig]:
    """The games that a course wanted when it was last played, and its description. Raises RunFolderError."""
    roll, description = known_roll(folder), read_description(folder)
    if description is None:
        raise errors.RunFolderError(f"{folder} has no games yet: connect4-agent course plays them")
    return description.config, roll.config


def known_roll(folder: Path) -> Roll:
    """The roll of a course that has entries. Raises RunFolderError."""
    roll = read_roll(folder)
    if not roll.entries:
        raise errors.RunFolderError(f"{str(folder)!r} is not the folder of a course: it has no entries")
    return roll


def write_results(folder: Path, config: CourseConfig, note: Callable[[str], None]) -> tuple[RunState, Roll, Report]:
    """Write what the games so far are worth, beside them: grades.csv, feedback/ and site/. Raises ArenaError.

    What they were made of is returned.
    """
    roll, state = read_roll(folder), read_run(folder, note)
    report = report_on({config.title: state})
    roster = read_roster(config)
    graded = grades(config, roll, report)
    names = [each.entry.name for each in graded]
    if roster and (missing := [name for name in names if name not in roster]):
        note(f"{config.roster} has no line for {', '.join(missing)}")
    if absent := [name for name in roster if name not in {entry.name for entry in roll.entries}]:
        note(f"{config.roster}: nothing was handed in by {', '.join(absent)}")
    write_grades(folder, rows_of(config, roll, graded, roster))
    write_feedback(folder, roll, state, report, graded, roster)
    write_site(folder / SITE_NAME, site_of(roll, report, state.records))
    return state, roll, report
