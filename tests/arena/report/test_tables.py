"""Tables say n/a where there is no figure, and whose side a figure is from; terminals are not played with."""

from __future__ import annotations

import io
import re
from itertools import permutations
from typing import Any

from connect4_agent.arena.faults import Ending, Fault
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.report.model import Report
from connect4_agent.arena.report.tables import headline, make_tables, standings
from connect4_agent.arena.report.tally import report_on
from connect4_agent.arena.report.text import plain, print_report, print_standings
from connect4_agent.arena.run import Exclusion
from connect4_agent.arena.statistics.ratings import TOO_FEW
from connect4_agent.arena.statistics.sprt import SprtBounds
from tests.sample_runs import judged_record, record_of, state_of, tournament

NASTY_NAME = "\x1b[31m[bold]evil\u202e\n</b>"
FIRST_WINS = "0101010"
MAX_LINES = 120


def games_of(*pairs: tuple[str, str]) -> list[GameRecord]:
    """A game for each pair, won by the first one."""
    return [record_of(FIRST_WINS, game=n, repeat=n, agents=agents) for n, agents in enumerate(pairs, 1)]


def format_report(report: Report, *, verbose: bool = False) -> str:
    out = io.StringIO()
    print_report(report, out, verbose=verbose)
    return out.getvalue()


def report_of(records: list[GameRecord], **changes: Any) -> Report:
    return report_on({"run": state_of(records, **changes)})


def printed(out: io.StringIO, *names: str) -> str:
    records = games_of(*[(names[0], names[1]) if names else ("a", "b")] * 4)
    report = report_on({"run": state_of(records)}, sprt_bounds=SprtBounds(0, 10))
    print_report(report, out, verbose=True)
    return out.getvalue()


def cells(text: str, title: str) -> list[list[str]]:
    """The rows of a table in plain text, each split at wide gaps."""
    lines = text.partition(f"{title}\n")[2].partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in lines[1:]]


def test_standings_have_a_range_of_ranks_points_and_a_rating_with_its_interval() -> None:
    report = report_of(games_of(("a", "b"), ("a", "b"), ("b", "a")))
    assert standings(report).header == ("rank", "agent", "points", "share", "range", "Elo", "±", "faults")
    first, second = standings(report).rows
    assert first[:5] == ("1-2", "a", "2/3", "66.7 %", "n/a")
    assert first[5].startswith("+")
    assert int(first[6]) > 100
    assert second[:5] == ("1-2", "b", "1/3", "33.3 %", "n/a")


def test_excluded_agents_are_marked_and_those_that_did_not_play_stand_apart() -> None:
    detail, stderr = "it ended with exit status 127", "sh: 1: pyhton3: not found\n"
    crash = Fault(player=1, detail=detail, stderr_tail=stderr, exit_status=127)
    records = [
        *games_of(("a", "b"), ("b", "a")),
        record_of("", game=3, agents=("typo", "a"), ending=Ending.WOULD_NOT_START, winner=2, fault=crash),
    ]
    report = report_of(records, excluded=[Exclusion("b", "paused", since=2)], lost=[("a", "b")])
    text = format_report(report)
    assert sorted(row[1] for row in cells(text, "Standings")[:2]) == ["a", "b (paused)"]
    assert cells(text, "Did not play")[0] == [
        "typo", "0/1", "would not start: it ended with exit status 127: sh: 1: pyhton3: not found"
    ]  # fmt: skip
    assert cells(text, "Faults")[0][-1].endswith("sh: 1: pyhton3: not found")


def test_the_standings_say_which_references_are_beaten_and_where_that_is_unclear() -> None:
    met = [*[("easy", n) for n in range(10)], *[("hard", n) for n in range(3)]]
    pairs = [record_of(FIRST_WINS, repeat=n, agents=("a", name)) for name, n in met]
    pairs += [record_of("01012161", repeat=n, agents=(name, "a")) for name, n in met]
    records = [game.model_copy(update={"game": n}) for n, game in enumerate([*pairs, *games_of(("b", "easy"))], 1)]
    table = standings(report_of(records, format="gauntlet", references=["easy", "hard"]))
    assert table.header[-1] == "beats"
    assert {row[1]: row[-1] for row in table.rows} == {
        "a": "easy, hard unclear (20 games)", "b": "easy unclear", "easy": "", "hard": ""
    }  # fmt: skip
    assert {row[1]: row[4] for row in table.rows}["a"] == "75-100 %"
    assert "from 10 pairs of games on" in table.caption


def test_errors_per_100_moves_are_in_the_standings_of_judged_games() -> None:
    table = standings(report_of([judged_record()]))
    at = table.header.index("errors/100")
    assert {row[1]: row[at] for row in table.rows} == {"a": "25.0", "b": "66.7"}


def test_a_pairing_says_who_is_stronger() -> None:
    table = next(each for each in make_tables(report_of(list(tournament(rounds=10)))) if each.title == "Pairings")
    assert any(" is stronger, " in row[-1] for row in table.rows)
    text = " ".join(printed(io.StringIO()).split())
    assert f"a b 4 0 0 1 n/a n/a {TOO_FEW}" in text
    assert "From A's side" in text


def test_columns_are_aligned_in_plain_text() -> None:
    for table in make_tables(report_of(list(tournament(rounds=2)))):
        header, *rows = plain(table).splitlines()[1 : len(table.rows) + 2]
        end = header.index(table.header[1]) + len(table.header[1])
        if 1 not in table.left:
            assert all(row[:end].rstrip().endswith(each[1]) for row, each in zip(rows, table.rows, strict=True))


def test_judged_moves_are_told_per_100_and_in_numbers() -> None:
    table = next(each for each in make_tables(report_of([judged_record()])) if each.title == "Judged moves")
    assert sorted(table.rows) == [
        ("a", "4", "68.8", "25.00 (1)", "0.00 (0)", "25.00 (1)", "0.00 (0)", "0.00 (0)", "25.00 (1)"),
        ("b", "3", "41.7", "66.67 (2)", "33.33 (1)", "0.00 (0)", "33.33 (1)", "33.33 (1)", "0.00 (0)"),
    ]
    assert "Judged moves" not in printed(io.StringIO())


def test_a_run_of_60_agents_is_printed_in_120_lines_and_says_what_is_left_out() -> None:
    names = [f"agent {number}" for number in range(60)]
    records = games_of(*permutations(names, 2))
    crash: dict[str, Any] = {"ending": Ending.CRASHED, "winner": 2, "fault": Fault(player=1, detail="gone")}
    records += [
        record_of("33", game=10_000 + number, repeat=9_999, agents=(name, names[0]), **crash)
        for number, name in enumerate(names[1:])
    ]
    report = report_of(records)
    text = format_report(report)
    assert len(text.splitlines()) <= MAX_LINES
    assert "note: not shown here: crosstable, pairings, endings; use -v or --html" in text
    assert "49 more rows with -v or --html" in text
    assert len(format_report(report, verbose=True).splitlines()) > 1_770
    out = io.StringIO()
    print_standings(report, out)
    assert len(out.getvalue().splitlines()) <= MAX_LINES


def test_a_match_ends_with_its_result_in_a_sentence() -> None:
    out = io.StringIO()
    print_standings(report_of(games_of(*[("a", "b")] * 3, ("b", "a"))), out)
    assert out.getvalue().splitlines()[0] == f"a - b: 3 won, 0 drawn, 1 lost by a; 4 games, 2 distinct; {TOO_FEW}"
    out = io.StringIO()
    print_standings(report_of([judged_record()]), out)
    assert out.getvalue() == (
        f"a - b: 1 won, 0 drawn, 0 lost by a; 1 games, 1 distinct; {TOO_FEW}; errors per 100 moves: a 25.0, b 66.7\n"
    )


def test_the_headline_says_how_far_the_run_is() -> None:
    report = report_of(games_of(("a", "b")), games=4, to_play=3)
    assert headline(report) == "run: 2 agents, 1 of 4 games finished"


def test_warnings_come_first_and_notes_last() -> None:
    text = format_report(report_of(games_of(*[("a", "b")] * 2)))
    assert (
        text.index("warning: 1 rated games repeat") < text.index("Standings") < text.index("note: 2 games began from")
    )


def test_names_cannot_send_control_signs_to_a_terminal() -> None:
    text = printed(io.StringIO(), NASTY_NAME, "b")
    assert "\x1b[31m[bold]evil" not in text
    assert "\u202e" not in text
    assert "[bold]evil" in text.replace("\n", "")


def test_the_figures_that_agents_sent_have_a_column_each_per_100_moves() -> None:
    records = [
        record_of(FIRST_WINS, game=1, stats=({"tokens": 40, "illegal": 1}, {})),
        record_of(FIRST_WINS, game=2, repeat=1, stats=({"tokens": 40.5}, {})),
    ]
    text = format_report(report_of(records))
    assert cells(text, "Figures of the agents")[0] == ["a", "1006 (80.5)", "12.5 (1)"]
    assert re.search(r"agent +tokens +illegal\n", text)
    assert "Figures" not in format_report(report_of(games_of(("a", "b"))), verbose=True)
