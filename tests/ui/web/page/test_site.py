"""The board as static files, on a plain web server below a sub-path, in a real browser: Python runs in the page."""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from connect4_agent.engine.analysis import analyze
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import choose
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import Position
from connect4_agent.ui.puzzles import PuzzleTheme, draw_puzzle
from tests.processes import REPOSITORY, wait_until
from tests.ui.web.page.opened import Opened
from tests.ui.web.test_lessons import CARDS
from tests.ui.web.web_servers import ENDLESS
from tools.site.pack import write_service_worker

pytestmark = pytest.mark.needs("node", "npm", "ziglang")

SITE = REPOSITORY / "build" / "site"
SUB_PATH = "connect4-agent"
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")

ASK_ALL = """async (requests) => {
    const { askAnalysis } = await import(new URL('static/api.js', document.baseURI));
    const answers = [];
    for (const request of requests) answers.push(await askAnalysis(request));
    return answers;
}"""

ABANDON = """async (request) => {
    const { askAnalysis } = await import(new URL('static/api.js', document.baseURI));
    const controller = new AbortController();
    const asked = askAnalysis(request, controller.signal).catch((error) => error.name);
    setTimeout(() => controller.abort(), 300);
    return asked;
}"""

HEAR_WORKERS = """
globalThis.heard = [];
globalThis.Worker = class extends Worker {
    constructor(...given) {
        super(...given);
        heard.push('started');
        this.addEventListener('message', ({ data }) => heard.push(data.text ?? ''));
    }
};"""

KEEPS_FILES = "navigator.serviceWorker.getRegistration().then((found) => found?.active?.state === 'activated')"

INJECT = """() => new Promise((resolve) => {
    document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
    document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.ran = true;' }));
    if (globalThis.ran) resolve('it ran');
})"""

Visit = Callable[..., Opened]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site, made from the sources as they are."""
    subprocess.run([sys.executable, "-m", "tools.site"], cwd=REPOSITORY, check=True)
    root = tmp_path_factory.mktemp("host")
    (root / SUB_PATH).symlink_to(SITE)
    with served(root) as address:
        yield f"{address}{SUB_PATH}/"


@contextmanager
def served(root: Path) -> Iterator[str]:
    """A web server that knows nothing but files: its address."""
    serve = [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", str(root), "0"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        port = server.stdout.readline().split(" port ")[1].split()[0]
        try:
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Visit]:
    """Opens the site in a browser that has never seen it; afterwards, nothing may have been complained about."""
    opened: list[Opened] = []

    def open_page(
        query: str = "", *, script: str = "", worker_starts: str = "", held: list[Route] | None = None
    ) -> Opened:
        context = browser.new_context(reduced_motion="reduce")
        context.add_init_script(script)
        if held is not None:

            def hold(route: Route) -> None:
                held.append(route)

            context.route("**/package.zip", hold, times=1)
        if worker_starts:

            def change(route: Route) -> None:
                script = (SITE / "python" / "worker.js").read_text("utf-8")
                route.fulfill(body=worker_starts + script, content_type="text/javascript")

            context.route("**/worker.js", change)
        page = Opened(context.new_page(), site)
        opened.append(page)
        page.go(query)
        return page

    yield open_page
    for page in opened:
        page.close()


def is_loaded(page: Opened) -> None:
    """Wait until Python is there."""
    expect(page.find("#loading")).to_have_count(0)


def random_positions(count: int) -> Iterator[Position]:
    """Positions of the usual board and of two smaller ones, that both sides answer at once: from books or few nodes."""
    chance = random.Random(46)
    while count:
        position = Position(*chance.choice([(7, 6)] * 8 + [(6, 5), (5, 4)]))
        discs = chance.choice([*range(8), *range(15, position.empty_count)])
        for _ in range(discs):
            if not position.is_over:
                position = position.play(chance.choice(position.legal_columns()))
        if not position.is_over:
            count -= 1
            yield position


def request_of(position: Position) -> dict[str, Any]:
    """What the page asks about a position."""
    return {"grid": position.grid(), "player": position.player, "width": position.width, "height": position.height}


def has_no_flaws(page: Opened) -> None:
    """Let axe look at the page as it is."""
    page.page.evaluate(AXE)
    found = page.page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found["violations"]] == []


def lost_game() -> Iterator[tuple[int, str]]:
    """A game of somebody who plays the first open column against level 10: the columns, and all moves so far."""
    player = parse_player("level:10", 1)
    position, moves = Position(), ""
    while not position.is_over:
        column = position.legal_columns()[0]
        position, moves = position.play(column), f"{moves}{column + 1}"
        if not position.is_over:
            reply = choose(player, position, Limits()).column
            position, moves = position.play(reply), f"{moves}{reply + 1}"
        yield column + 1, moves


def test_a_game_against_level_10_can_begin_before_python_is_there(visit: Visit) -> None:
    held: list[Route] = []
    page = visit("?two=level:10&seed=1&first=1", held=held)
    page.shows_turn("Your turn")
    expect(page.find("#loading")).to_be_visible()
    for column, moves in lost_game():
        page.page.keyboard.press(str(column))
        if held:
            page.shows_discs(1)
            page.shows_turn("Level 10 is thinking\u2026")
            has_no_flaws(page)
            held.pop().continue_()
        page.shows_discs(len(moves))
        assert page.query["moves"] == moves
    page.shows_turn("Level 10 wins")
    has_no_flaws(page)


def test_hints_are_those_of_the_native_analysis(visit: Visit) -> None:
    positions = list(random_positions(200))
    found = visit("?view=learn").page.evaluate(ASK_ALL, [request_of(each) for each in positions])
    assert [(each["scores"], each["best"]) for each in found] == [
        (list(analysis.scores), list(analysis.best_columns)) for analysis in map(analyze, positions)
    ]


def test_a_reason_a_puzzle_and_a_lesson_are_answered_below_a_sub_path(visit: Visit) -> None:
    page = visit("?view=analyse&moves=4455")
    page.button("Why?").click()
    expect(page.find("#why-text")).to_contain_text("Red wins")
    has_no_flaws(page)
    puzzle = draw_puzzle(3, PuzzleTheme.FORCED)
    page.go("?view=puzzles&seed=3&theme=forced")
    page.shows_turn(puzzle.question)
    page.page.keyboard.press(str(puzzle.answer + 1))
    expect(page.find("#detail")).to_contain_text("Right")
    has_no_flaws(page)
    page.go("?view=learn&card=4")
    page.shows_turn(CARDS[3]["title"])
    page.page.keyboard.press(CARDS[3]["right"][-1])
    expect(page.find("#say.is-right #detail")).to_contain_text(CARDS[3]["says"])
    has_no_flaws(page)


def test_a_search_that_nobody_waits_for_is_ended(visit: Visit) -> None:
    page = visit(script=HEAR_WORKERS)
    is_loaded(page)
    assert page.page.evaluate(ABANDON, json.loads(ENDLESS)) == "AbortError"
    assert page.page.evaluate(ASK_ALL, [request_of(Position())])[0]["scores"][3] == 1
    heard = page.page.evaluate("heard")
    assert heard.count("started") == 1
    assert "gone" in [json.loads(text).get("code") for text in heard if text.startswith("{")]


def test_where_python_cannot_wait_a_search_ends_with_its_worker(visit: Visit) -> None:
    page = visit(script=HEAR_WORKERS, worker_starts="delete WebAssembly.Suspending;")
    is_loaded(page)
    assert page.page.evaluate(ABANDON, json.loads(ENDLESS)) == "AbortError"
    assert page.page.evaluate(ASK_ALL, [request_of(Position())])[0]["scores"][3] == 1
    assert page.page.evaluate("heard").count("started") == 2


def test_the_site_opens_without_a_network_after_one_visit(visit: Visit) -> None:
    page = visit("?two=level:10&first=1")
    wait_until(lambda: page.page.evaluate(KEEPS_FILES) is True)
    page.page.context.set_offline(True)
    page.page.reload()
    page.page.keyboard.press("1")
    page.shows_discs(2)
    page.go("?view=analyse")
    assert page.scores() == [-2, -1, 0, 1, 0, -1, -2]


def test_scripts_that_are_not_files_of_the_site_do_not_run(visit: Visit) -> None:
    page = visit("?view=learn")
    page.is_spoiled = True
    assert page.page.evaluate(INJECT) == "script-src-elem"


def test_the_page_says_what_still_works_without_webassembly(visit: Visit) -> None:
    page = visit(worker_starts="delete globalThis.WebAssembly;")
    expect(page.find("#not-loaded")).to_contain_text("this browser has no WebAssembly")
    expect(page.find("#not-loaded")).to_contain_text("Two people can still play")
    expect(page.find("#player-2 option").first).to_be_attached()  # of a new game
    has_no_flaws(page)
    page.button("Two people").click()
    page.page.keyboard.press("4")
    page.page.keyboard.press("4")
    page.shows_discs(2)


UPDATE = """async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const found = registration.installing ?? registration.waiting;
    return new Promise((resolve) => {
        const look = () => ['installed', 'redundant'].includes(found.state) && resolve(found.state);
        found.addEventListener('statechange', look);
        look();
    });
}"""


def test_a_new_version_comes_as_a_whole_with_the_next_visit(browser: Browser, site: str, tmp_path: Path) -> None:
    assert site
    copy = tmp_path / "copy"
    shutil.copytree(SITE, copy)
    page_file, script = copy / "index.html", copy / "static" / "app.js"
    old = page_file.read_text("utf-8")
    new = old.replace('<html lang="en">', '<html lang="en-GB">')
    times = itertools.count(page_file.stat().st_mtime + 60, 60)

    def put(text: str) -> None:
        """Change the page, and its time by more than the second that servers compare."""
        page_file.write_text(text, "utf-8")
        os.utime(page_file, (time := next(times), time))

    with served(copy) as address:
        context = browser.new_context()

        def languages() -> Any:
            """The language that the page names, and the one that its script names."""
            with context.new_page() as page:
                page.goto(address)
                wait_until(lambda: page.evaluate(KEEPS_FILES) is True)
                return page.evaluate("[document.documentElement.lang, document.body.lang]")

        def state_of_update() -> Any:
            with context.new_page() as page:
                page.goto(address)
                return page.evaluate(UPDATE)

        assert languages() == ["en", ""]
        put(new)
        script.write_text(f"{script.read_text('utf-8')}document.body.lang = 'en-GB';\n", "utf-8")
        write_service_worker(copy)
        put(old)  # the host does not have all of the new version yet
        assert state_of_update() == "redundant"
        assert languages() == ["en", ""]
        put(new)
        wait_until(lambda: state_of_update() == "installed")  # the last visit may still look at the old file
        assert languages() == ["en-GB", "en-GB"]
        context.close()
