"""Questions of the page's scripts, in a real browser: one at a time, each answer kept, and errors until asked again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.web.page.opened import Opened

    Visit = Callable[..., Opened]

WAIT = "const pause = () => new Promise((resolve) => { setTimeout(resolve, 0); });"


def run(page: Opened, script: str) -> object:
    found: object = page.page.evaluate(
        f"async () => {{ const {{ createAsker, createTask }} = await import('/static/ask.js'); {WAIT} {script} }}"
    )
    return found


def test_a_question_is_asked_once_and_its_answer_kept(visit: Visit) -> None:
    found = run(
        visit("?first=1"),
        """const asked = []; let changes = 0;
        const ask = async (question) => { asked.push(question); return `${question}!`; };
        const asker = createAsker(ask, () => { changes += 1; });
        const before = [asker.of('a').answer, asker.of('a').answer];
        await pause();
        asker.of('b');
        await pause();
        return [before, asker.of('a').answer, asker.of('b').answer, asker.of('c', false).answer, asked, changes];""",
    )
    assert found == [[None, None], "a!", "b!", None, ["a", "b"], 2]


def test_another_question_ends_the_one_before(visit: Visit) -> None:
    found = run(
        visit("?first=1"),
        """const ended = []; let changes = 0;
        const asker = createAsker((question, signal) => new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => { ended.push(question); reject(new DOMException('', 'AbortError')); });
        }), () => { changes += 1; });
        asker.of('a');
        asker.of('b');
        asker.of('b', false);
        await pause();
        return [ended, changes];""",
    )
    assert found == [["a", "b"], 0]


def test_an_error_stays_until_the_question_is_stopped(visit: Visit) -> None:
    found = run(
        visit("?first=1"),
        """let count = 0;
        const asker = createAsker(async () => { count += 1; throw new Error(`no ${count}`); }, () => {});
        asker.of('a');
        await pause();
        const first = [asker.of('a').error.message, asker.of('a', false).error.message, asker.of('a').error.message];
        asker.stop();
        const stopped = asker.of('a').error;
        await pause();
        return [first, stopped, asker.of('a').error.message];""",
    )
    assert found == [["no 1", "no 1", "no 1"], None, "no 2"]


def test_the_result_of_a_task_that_was_ended_is_nothing_even_if_it_fails_later(visit: Visit) -> None:
    found = run(
        visit("?first=1"),
        """const task = createTask();
        const late = task.run(async () => { await pause(); throw new Error('too late'); });
        const wasOn = task.isOn;
        const last = await task.run(async () => { await pause(); return 'done'; });
        return [await late, wasOn, last, task.isOn];""",
    )
    assert found == [None, True, "done", False]
