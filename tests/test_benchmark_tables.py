"""The tables of the benchmarks."""

from __future__ import annotations

import importlib
import inspect

from tools.benchmarks.__main__ import PARTS
from tools.benchmarks.tables import Figures, as_tables


def test_rows_with_the_same_keys_are_one_table_and_others_begin_a_new_one() -> None:
    rows: Figures = [{"what": "a", "elo": 12.34}, {"what": "b", "elo": None}, {"what": "c", "node_count": 12345}]
    assert as_tables("part", rows) == (
        "## part\n"
        "\n"
        "| what | elo  |\n"
        "| ---- | ---- |\n"
        "| a    | 12.3 |\n"
        "| b    | n/a  |\n"
        "\n"
        "| what | node count |\n"
        "| ---- | ---------- |\n"
        "| c    | 12,345     |\n"
    )


def test_shares_are_shown_in_percent_and_close_to_all_is_not_all() -> None:
    assert "99.95%" in as_tables("part", [{"what": "a", "in_time_share": 0.9995}])
    assert "n/a" in as_tables("part", [{"what": "a", "in_time_share": None}])


def test_every_part_can_be_run_quickly_and_in_full() -> None:
    for part in PARTS:
        run = importlib.import_module(f"tools.benchmarks.{part}").run
        assert inspect.signature(run).parameters["quick"].default is True, part
