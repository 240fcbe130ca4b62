"""Moves that play themselves on the board, in a real browser: their order, an early end, and what shows a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.web.page.opened import Opened

    Visit = Callable[..., Opened]

GAME = "{ width: 7, height: 6, first: 1, columns: [3, 3, 4, 4, 5] }"


def run(page: Opened, script: str) -> object:
    found: object = page.page.evaluate(
        f"async () => {{ const playout = await import('/static/playout.js'); const game = {GAME}; {script} }}"
    )
    return found


def test_every_move_is_shown_in_its_turn_and_the_end_is_told(visit: Visit) -> None:
    found = run(
        visit("?first=1"),
        """const shown = [];
        const made = playout.createPlayout((game, ply) => shown.push(ply), 1);
        const isWhole = await made.play(game, 2, { afterPause: true });
        return [shown, isWhole, made.isPlaying];""",
    )
    assert found == [[3, 4, 5], True, False]


def test_a_play_ends_when_it_is_stopped_or_another_one_begins(visit: Visit) -> None:
    found = run(
        visit("?first=1"),
        """const shown = [];
        const made = playout.createPlayout((game, ply) => { shown.push(ply); if (ply === 2) made.stop(); }, 1);
        const stopped = await made.play(game, 0);
        const replaced = made.play(game, 2);
        const whole = await made.play(game, 4);
        return [shown, stopped, await replaced, whole, made.isPlaying];""",
    )
    assert found == [[1, 2, 3, 5], False, False, True, False]


def test_a_disc_that_loses_is_shown_up_to_the_four_that_refutes_it(visit: Visit) -> None:
    found = run(
        visit("?first=1"),
        """const explored = await playout.exploreTry({ ...game, columns: [3, 0, 3, 0, 3] }, 5, 6);
        return [explored.moves, explored.reason.kind];""",
    )
    assert found == [[6, 3], "four"]


def test_of_a_plan_only_the_moves_that_lead_to_it_are_shown(visit: Visit) -> None:
    found = run(
        visit("?first=1"),
        """const plan = { line: [1, 2, 3, 4, 5], reasons: [{ lead: [1, 2, 3], plan: {} }] };
        const known = { line: [1, 2, 3, 4, 5], reasons: [] };
        return [playout.movesToShow(plan), playout.movesToShow(known)];""",
    )
    assert found == [[1, 2, 3], [1, 2]]
