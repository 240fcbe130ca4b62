"""Feedback: what an author learns, the private page that shows it, and the grade for Gradescope."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser

from connect4_agent import errors
from connect4_agent.arena.agents.spec import AgentSpec, StartForm
from connect4_agent.arena.check.result import CheckResult, Diagnosis, Finding, Kind, Problem, Tier, Verdict
from connect4_agent.arena.course.config import CourseConfig
from connect4_agent.arena.course.course import write_results
from connect4_agent.arena.course.feedback import Evidence, Feedback, feedback_of
from connect4_agent.arena.course.feedback_files import file_stem, gradescope_of, hider, source_around, without_paths
from connect4_agent.arena.course.feedback_page import errors_in, page_of
from connect4_agent.arena.course.grades import Graded, grades
from connect4_agent.arena.course.roll import Roll, read_roll
from connect4_agent.arena.course.site import renamed, site_files
from connect4_agent.arena.exclusions import Out
from connect4_agent.arena.report.tally import report_on
from connect4_agent.arena.run.record import Ending, Fault, GameRecord
from connect4_agent.rules.oversights import Oversight
from connect4_agent.rules.reasons import Meaning
from tests.arena.course.courses import HANDED_IN, roll_of, version_of
from tests.browsers import running_browser
from tests.processes import REPOSITORY
from tests.sample_courses import write_course
from tests.sample_runs import NASTY, judged_record, record_of, state_of
from tests.web.page.opened import DESKTOP, SMALL_PHONE, Opened
from tests.web.page.test_accessibility import AXE, RUN_AXE

SPEC = AgentSpec(name="anna", command=("python3", "agent.py"), limit_seconds=1.0)
CRASH = Fault(
    player=1,
    detail="it ended with exit status 1",
    stderr_tail='Traceback (most recent call last):\n  File "agent.py", line 3\nValueError: no\n',
    exit_status=1,
)


def crash(columns: str = "3344", **changes: Any) -> GameRecord:
    """A game in which anna, player 1, crashes."""
    values: dict[str, Any] = {"agents": ("anna", "ben"), "ending": Ending.CRASHED, "winner": 2, "fault": CRASH}
    return record_of(columns, **(values | changes))


def feedback(
    *records: GameRecord,
    verdict: Verdict = Verdict.READY,
    config: CourseConfig | None = None,
    out: dict[str, Out] | None = None,
    **evidence: Any,
) -> Feedback:
    """The feedback for anna after these games."""
    roll = roll_of({"anna": verdict, "ben": Verdict.READY, "cem": Verdict.READY}, config)
    return feedback_in(roll, *records, out=out, **evidence)


def feedback_in(
    roll: Roll,
    *records: GameRecord,
    out: dict[str, Out] | None = None,
    hide: Callable[[str], str] = str,
    **evidence: Any,
) -> Feedback:
    agents = [*roll.config.references, *(entry.name for entry in roll.entries)]
    state = state_of(records, agents=agents, format="gauntlet", references=roll.config.references, out=out)
    report = report_on({"course": state})
    graded: dict[str, Graded] = {each.entry.name: each for each in grades(roll.config, roll, report)}
    shown = {name: roll.public_name(name) for name in agents}
    own = [(renamed(each, shown), each.agents.index("anna") + 1) for each in records if "anna" in each.agents]
    values: dict[str, Any] = {"spec": SPEC, "games": own, "scores": {1: (0.5, len(own))}}
    known = without_paths(graded["anna"], Evidence(**(values | evidence)), hide)
    return feedback_of(*known, report, roll.config.title, HANDED_IN, shown["anna"])


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.partition("<body>")[2]))


# ---- lessons and puzzles --------------------------------------------------------------------------------------------


def test_the_plainest_mistakes_come_first_as_boards_with_the_move_and_the_better_cell() -> None:
    missed = judged_record("010102323", agents=("anna", "ben"))  # ply 6: column 0 would have made four
    unblocked = judged_record("0304050", game=2, agents=("ben", "anna"))
    found = feedback(unblocked, missed)
    first = found.lessons[0]
    assert "column 1 made four in a row at once" in first.headline
    marks = {mark.meaning: mark.cell for mark in first.marks}
    assert marks[Meaning.KEY] == "a4"
    assert Meaning.MOVE in marks
    assert first.position.player == 1
    assert len({lesson.game for lesson in found.lessons}) == 2
    assert sum(found.errors.values()) > 0
    assert any("had to block it" in lesson.headline for lesson in found.lessons)


def test_no_more_than_three_moves_are_shown_and_no_position_twice() -> None:
    games = [judged_record("010102323", game=number, repeat=number, agents=("anna", "ben")) for number in (1, 2, 3)]
    found = feedback(*games)
    positions = [lesson.position.canonical() for lesson in found.lessons]
    assert len(positions) == len(set(positions)) <= 3
    assert {lesson.game for lesson in found.lessons} > {1}
    assert found.errors[Oversight.MISSED_FOUR] + found.errors[Oversight.UNBLOCKED_FOUR] > 0


def test_other_peoples_mistakes_and_unjudged_games_teach_nothing() -> None:
    found = feedback(
        judged_record("010102323", agents=("cem", "ben")), record_of("010102323", game=2, agents=("anna", "ben"))
    )
    assert found.lessons == ()
    assert found.puzzles == ()
    assert [errors_in(*game) for game in found.evidence.games] == [None]


def test_puzzles_are_own_mistakes_with_one_right_column_and_not_the_lessons() -> None:
    moves = ("54150201110051450126404463654665623332", "163102353362302000436511061225525566144")
    games = [judged_record(columns, game=number, agents=("anna", "ben")) for number, columns in enumerate(moves, 1)]
    found = feedback(*games)
    shown = {lesson.position.canonical() for lesson in found.lessons}
    assert found.puzzles
    for own in found.puzzles:
        scores = own.puzzle.scores
        assert own.played != own.puzzle.answer
        assert own.puzzle.position.player == 1
        assert own.puzzle.position.canonical() not in shown
        right = scores[own.puzzle.answer]
        assert right is not None
        assert [score for score in scores if score is not None and (score > 0) >= (right > 0) and score >= 0] == [right]
    page = page_of(found)
    assert page.count("<summary>Answer to puzzle ") == len(found.puzzles)


# ---- faults ---------------------------------------------------------------------------------------------------------


def test_a_fault_can_be_repeated_by_pasting_its_command_into_a_shell(tmp_path: Path) -> None:
    (tmp_path / "it's mine.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    discs = sum(cell > 0 for cells in json.loads(line)['grid'] for cell in cells)\n"
        "    print(discs, sys.argv[1:], flush=True)\n"
        "    if discs == 4: raise ValueError('four')\n"
    )
    spec = SPEC.model_copy(update={"command": (sys.executable, "it's mine.py"), "start": StartForm.FLAGS})
    (fault,) = feedback(crash(), spec=spec).faults
    assert fault.request is not None
    assert json.loads(fault.request)["player"] == 1
    assert fault.repeat_all is not None
    arguments = "['--player', '1', '--width', '7', '--height', '6']"
    for command, answers in ((fault.repeat, [4]), (fault.repeat_all, [0, 2, 4])):
        for shell in ("sh", "bash"):
            result = subprocess.run([shell, "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
            assert result.stdout.splitlines() == [f"{discs} {arguments}" for discs in answers]
            assert "ValueError: four" in result.stderr
    page = page_of(feedback(crash(), spec=spec))
    assert shlex.quote("it's mine.py").replace("'", "&#x27;").replace('"', "&quot;") in page


def test_a_program_that_is_late_is_given_time_and_one_that_does_not_start_no_request() -> None:
    late = crash(ending=Ending.TIMED_OUT, limits=({"limit_seconds": 1.0}, {}))
    broken = crash("", game=2, ending=Ending.WOULD_NOT_START, fault=Fault(player=1, detail="no such file"))
    one, two = feedback(late, broken).faults
    assert re.fullmatch(r"\(echo '.*'; sleep 5\) \| python3 agent.py", one.repeat)
    assert (two.request, two.repeat, two.repeat_all) == (None, "python3 agent.py", None)


def test_an_answer_too_many_is_shown_with_the_last_request_that_the_program_got() -> None:
    fault = Fault(player=1, detail="it printed more answers than there were requests", reply='{"move":3}')
    (found,) = feedback(crash("33443", ending=Ending.MALFORMED_REPLY, fault=fault)).faults
    assert found.request is not None
    assert sum(cell > 0 for cells in json.loads(found.request)["grid"] for cell in cells) == 4


def test_faults_of_others_are_not_shown() -> None:
    fault = CRASH.model_copy(update={"player": 2})
    found = feedback(crash("33443", winner=1, fault=fault))
    assert found.faults == ()
    assert "ValueError" not in page_of(found)


def test_a_syntax_error_is_shown_with_the_lines_around_it_and_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("import sys\n\ndef f(:\n    pass\n")
    lines = source_around(tmp_path, "agent.py, line 3: invalid syntax").splitlines()
    assert lines == ["     1  import sys", "     2  ", ">    3  def f(:", "     4      pass"]
    page = page_of(feedback(verdict=Verdict.NOT_READY, source="\n".join(lines)))
    assert "&gt;    3  def f(:" in page
    (tmp_path / "private").write_text("secret\n")
    (tmp_path / "link.py").symlink_to("private")
    for reason in ("link.py, line 1: bad", "../agent.py, line 1: bad", "gone.py, line 1: bad", "a banner", ""):
        assert source_around(tmp_path, reason) == ""


# ---- what is private ------------------------------------------------------------------------------------------------


def test_the_page_shows_no_path_of_the_organisers_machine(tmp_path: Path) -> None:
    folder = tmp_path / "kurs Ö" / "run"
    copy = folder / "entries" / "anna" / "1"
    tail = f'File "{copy}/agent.py", line 3\n{str(copy)!a}\n{folder}/games.jsonl\n{Path.home()}/x\n{sys.prefix}/y\n'
    tail += json.dumps(str(copy / "data"))
    example = Finding(
        name="a", title="a", tier=Tier.REQUIRED, status="failed", command=("python3", f"{copy}/agent.py"),
        sent='{"grid":[]}\n', received=f"{copy}/printed", stderr=tail,
        diagnosis=Diagnosis(kind=Kind.CRASHED, text=f"in {copy}/agent.py", fix=f"see {copy}"),
    )  # fmt: skip
    problem = Problem(
        kind=Kind.CRASHED, tier=Tier.REQUIRED, text=f"in {copy}/agent.py", fix=f"see {copy}", cases=("a",), games=0,
        example=example,
    )  # fmt: skip
    check = CheckResult(
        agent="anna", command=("python3",), directory=str(copy), start=StartForm.BARE, problems=(problem,), findings=(),
        practice=None,
    )  # fmt: skip
    fault = CRASH.model_copy(update={"stderr_tail": tail, "detail": f"{copy}/agent.py ended", "reply": str(copy)})
    roll = roll_of({"anna": Verdict.NOT_READY, "ben": Verdict.READY})
    version = roll.entries[0].versions[0]
    version.reason, version.remarks = f"{copy}/agent.py is bad", [f"{copy}/agent.py had CR LF"]
    spec = SPEC.model_copy(update={"command": ("python3", f"{copy}/agent.py")})
    hide = hider(folder, copy)
    for more in ({"check": check}, {"build_log": tail}):
        found = feedback_in(roll, crash(fault=fault), spec=spec, hide=hide, **more)
        page = page_of(found) + json.dumps(gradescope_of(found), ensure_ascii=False)
        assert "./agent.py" in page
        for path in (tmp_path, Path.home(), Path(sys.prefix), folder.parent.name, "entries/anna"):
            assert str(path) not in page
        assert "kurs \\xd6" not in page
        assert "kurs \\u00d6" not in page


def test_opponents_have_their_aliases_if_the_course_uses_them() -> None:
    roll = roll_of({"anna": Verdict.READY, "ben": Verdict.READY}, CourseConfig(names="alias"))
    roll.entries[0].alias, roll.entries[1].alias = "Otter", "Lynx"
    games = [judged_record("010102323", agents=("anna", "ben")), crash(game=2)]
    page = page_of(feedback_in(roll, *games))
    assert "Others see it as Otter" in text_of(page)
    assert "against Lynx" in page
    assert "ben" not in re.findall(r"\w+", text_of(page))
    assert "anna" in page


def test_a_small_class_has_no_median_that_gives_somebody_away() -> None:
    games = [judged_record("010102323", agents=("anna", "ben"))]
    assert feedback(*games).class_errors is None
    assert feedback(*games, judged_record("0101020", game=2, agents=("cem", "random"))).class_errors is not None


# ---- the page -------------------------------------------------------------------------------------------------------


def test_texts_of_agents_cannot_leave_their_places() -> None:
    fault = Fault(player=1, detail=NASTY, reply=NASTY, stderr_tail=f"{NASTY}\u202eevil\x1b[2J\n")
    roll = roll_of({"anna": Verdict.REMARKS, NASTY: Verdict.READY}, CourseConfig(title=NASTY))
    roll.entries[0].versions.insert(0, version_of(Verdict.NOT_READY, reason=NASTY))
    roll.entries[0].versions[1].number = 2
    roll.entries[0].versions[1].remarks, roll.entries[0].versions[1].label = [NASTY], NASTY
    found = feedback_in(roll, crash(agents=("anna", NASTY), fault=fault), build_log=NASTY)
    page = page_of(found)
    assert "<script" not in page
    assert "\u202e" not in page
    assert "\x1b" not in page
    assert "default-src &#x27;none&#x27;" in page


def test_an_entry_that_is_not_ready_reads_why_first_and_what_its_build_printed() -> None:
    page = page_of(feedback(verdict=Verdict.NOT_READY, build_log="agent.c:1: error\n" * 100, spec=None))
    assert "NOT READY" in page
    assert "A banner" in text_of(page)
    assert page.count("agent.c:1: error") == 40
    assert page.index("What to repair") < page.index("Grade and results")


def test_a_paused_entry_reads_its_faults_before_its_grade() -> None:
    out = {"anna": Out("paused", "3 faults in a row (crashed)")}
    page = page_of(feedback(*(crash(game=number, repeat=number) for number in (1, 2, 3)), out=out))
    assert "PAUSED" in page
    assert "3 games were lost by a fault" in page
    assert page.index('<h2 id="faults-title">') < page.index("Grade and results")


def test_versions_are_listed_with_what_they_scored_and_a_late_one_is_named() -> None:
    roll = roll_of({"anna": Verdict.READY, "ben": Verdict.READY})
    roll.entries[0].versions.append(version_of(Verdict.READY, 2, is_late=True, label="deeper"))
    found = feedback_in(roll, scores={1: (3.5, 8), 2: (0.0, 0)})
    text = text_of(page_of(found))
    late, plays = "ready (late)", "ready (this one plays) 3.5 of 8"
    assert f"2 (“deeper”) 28 Nov 2026, 21:04 {late} 1 28 Nov 2026, 21:04 {plays} " in text
    assert "Version 2 was handed in late, 28 Nov 2026, 21:04, and does not play" in text


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as browser:
        yield browser


def rich_feedback() -> Feedback:
    games = [judged_record("010102323", game=number, repeat=number, agents=("anna", "ben")) for number in (1, 2)]
    remarks = roll_of({"anna": Verdict.REMARKS, "ben": Verdict.READY})
    remarks.entries[0].versions[0].remarks = ["the lines of agent.py ended with CR LF"]
    return feedback_in(remarks, *games, crash(game=3), crash(game=4, repeat=1))


@pytest.mark.needs("chromium")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible_fits_a_small_phone_and_asks_for_nothing(
    tmp_path: Path, browser: Browser, scheme: Any
) -> None:
    path = tmp_path / "anna.html"
    path.write_text(page_of(rich_feedback()), encoding="utf-8")
    for size in (DESKTOP, SMALL_PHONE):
        context = browser.new_context(viewport=size, color_scheme=scheme, bypass_csp=True)
        opened = Opened(context.new_page(), path.as_uri())
        opened.go()
        opened.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert opened.fits_the_window()
        opened.page.evaluate(AXE)
        assert opened.page.evaluate(RUN_AXE) == []
        opened.close()


@pytest.mark.needs("chromium")
def test_the_page_keeps_its_style_under_its_own_policy_and_prints_dark_on_white(
    tmp_path: Path, browser: Browser
) -> None:
    path = tmp_path / "anna.html"
    path.write_text(page_of(rich_feedback()), encoding="utf-8")
    opened = Opened(browser.new_context(color_scheme="dark").new_page(), path.as_uri())
    opened.go()
    assert opened.page.evaluate("getComputedStyle(document.querySelector('.figures')).display") == "grid"
    opened.page.emulate_media(media="print")
    for selector in (":root", "summary", "strong.badge", "pre"):
        assert opened.page.evaluate(f"getComputedStyle(document.querySelector('{selector}')).color") == "rgb(0, 0, 0)"
    opened.close()


def test_games_have_the_numbers_of_the_site(tmp_path: Path) -> None:
    folder = write_course(tmp_path / "run", ["anna", "ben", "crashes"], names="alias", roster=None, is_judged=False)
    roll = read_roll(folder)
    write_results(folder, roll.config, pytest.fail)
    page = (folder / "feedback" / "crashes.html").read_text(encoding="utf-8")
    alias = roll.entry("crashes").alias
    published = json.dumps([text.decode() for path, text in site_files(folder).items() if alias.lower() in path])
    numbers = re.findall(r"Game (\d+) against", page)
    assert numbers
    assert all(re.search(rf"\b{number}\b", published) for number in numbers)
    assert "against random" in page
    assert not re.search("against (anna|ben)", page)


def test_an_entry_that_was_only_handed_in_late_reads_that() -> None:
    roll = roll_of({"anna": Verdict.READY, "ben": Verdict.READY})
    roll.entries[0].versions[0].is_late = True
    page = page_of(feedback_in(roll, spec=None))
    assert ">LATE</strong>" in page
    assert "It was handed in after the deadline, and plays only if the organiser accepts it." in page


def test_a_course_that_was_stopped_shows_what_there_is(tmp_path: Path) -> None:
    folder = write_course(tmp_path / "run", ["anna", "ben", "not-ready"], share=0.3, roster=None, is_judged=False)
    write_results(folder, read_roll(folder).config, pytest.fail)
    page = (folder / "feedback" / "anna.html").read_text(encoding="utf-8")
    assert "games of the course are still to be played: the figures will change" in page
    assert "NOT READY" in (folder / "feedback" / "not-ready.html").read_text(encoding="utf-8")


# ---- files ----------------------------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    folder = write_course(tmp_path / "run", ["anna", "ben"], roster=None, is_judged=False)
    (folder / "feedback").write_text("somebody's file")
    with pytest.raises(errors.RunFolderError, match=r"cannot write .*feedback: File exists"):
        write_results(folder, read_roll(folder).config, pytest.fail)


@given(st.lists(st.text(min_size=1, max_size=100), min_size=2, max_size=5, unique=True))
def test_every_name_has_a_file_of_its_own_that_every_system_takes(names: list[str]) -> None:
    stems = [file_stem(name) for name in names]
    assert len(set(stems)) == len(stems)
    for stem in stems:
        assert not set(stem) & set('/\\:*?"<>|\0\n')
        assert 0 < len(f"{stem}.results.json".encode(errors="surrogatepass")) < 255
        assert stem.strip(". ") == stem


def test_names_in_any_script_and_with_blanks_stay_readable() -> None:
    for name in ("anna", "Çağla Ö", "山田 太郎", "O'Neil, J."[:-1]):
        assert file_stem(name) == name
    assert re.fullmatch(r"A_B-[0-9a-f]{8}", file_stem("A:B"))
    assert re.fullmatch(r"(長)+-[0-9a-f]{8}", file_stem("長" * 100))


@given(
    points=st.lists(st.floats(0, 50).map(lambda value: round(value, 2)), min_size=4, max_size=4),
    ready=st.booleans(),
)
def test_gradescopes_tests_add_up_to_the_grade(points: list[float], ready: bool) -> None:
    graded = feedback(verdict=Verdict.READY if ready else Verdict.NOT_READY)
    parts = tuple(
        replace(part, points=min(each, part.of)) for part, each in zip(graded.graded.parts[:4], points, strict=True)
    )
    changed = replace(graded, graded=replace(graded.graded, parts=parts))
    results = gradescope_of(changed)
    assert results["score"] == round(sum(test["score"] for test in results["tests"]), 6) == changed.graded.grade
    for test in results["tests"]:
        assert test.keys() == {"name", "score", "max_score", "status", "output"}
        assert 0 <= test["score"] <= test["max_score"]
        assert test["status"] in ("passed", "failed")
    assert json.loads(json.dumps(results)) == results


def test_the_autograder_of_the_docs_finds_the_results_of_the_student(tmp_path: Path) -> None:
    text = (REPOSITORY / "docs" / "course.md").read_text(encoding="utf-8")
    block = text[text.index("    #!/usr/bin/env python3") :]
    script = "\n".join(line.removeprefix("    ") for line in block.splitlines())
    roster = tmp_path / "names.csv"
    roster.write_text("entry,e-mail\nanna,anna@example.com\nben,ben@example.com\n")
    folder = write_course(tmp_path / "run", ["anna", "ben"], roster=str(roster), is_judged=False)
    write_results(folder, read_roll(folder).config, pytest.fail)
    shutil.copytree(folder / "feedback", tmp_path / "source" / "feedback")
    (tmp_path / "results").mkdir()
    users = [{"email": "ben@example.com", "id": 1234, "name": "Ben"}]
    (tmp_path / "submission_metadata.json").write_text(json.dumps({"users": users}))
    subprocess.run([sys.executable, "-c", script.replace("/autograder", str(tmp_path))], check=True)
    results = json.loads((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))
    assert results == json.loads((folder / "feedback" / "ben.results.json").read_text(encoding="utf-8"))
    assert results["extra_data"] == {"entry": "ben", "e-mail": "ben@example.com"}
