"""Books by size: which one is found, and building one for any board."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from connect4_agent import errors
from connect4_agent.engine.book import files
from connect4_agent.engine.engine import Engine
from connect4_agent.engine.limits import is_provable
from connect4_agent.jobs import executor
from connect4_agent.jobs.interrupts import Stop
from connect4_agent.rules.position import Position
from tests.effort import IS_THOROUGH
from tests.silent_progress import SilentProgress
from tools.book import builder, encoding, verify
from tools.book.work import BookBuild

QUIET = BookBuild(executor.InThread(), SilentProgress(), Stop())


def test_a_book_that_is_cut_off_while_it_is_used_still_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    scores = {Position(9, 4).key: encoding.score_value(-3)}
    files.file_for(9, 4).write_bytes(encoding.encode_book((9, 4), scores=(scores, 0)))
    book = files.book_for.__wrapped__(9, 4)
    files.file_for(9, 4).write_bytes(b"")
    assert book.score(0, 0) == -3


def test_a_board_has_the_shipped_book_or_an_empty_one() -> None:
    assert files.book_for(7, 6).score(0, 0) == 1
    assert files.book_for(9, 9) is files.EMPTY_BOOK


@pytest.mark.needs("compiled")
@pytest.mark.parametrize(
    ("width", "height", "plies"), [(5, 4, 3), (4, 5, 4), (8, 2, 2), (1, 9, 3), (2, 3, 4), (9, 1, 2)]
)
def test_a_book_of_any_size_is_built_resumed_and_right(tmp_path: Path, width: int, height: int, plies: int) -> None:
    plan = builder.new_plan(width, height, plies, 5)
    data = builder.build(tmp_path, QUIET, plan)
    for path in tmp_path.iterdir():
        path.write_text("".join(path.read_text().splitlines(keepends=True)[::2]))
    assert builder.build(tmp_path, QUIET, plan) == data
    book = files.decode_book(data, "b")
    engine = Engine(width, height, book=files.EMPTY_BOOK)
    for found in (verify.check_scores(book), verify.check_replies(book), verify.check_sample(book, engine, 30, 1)):
        assert set(found) == {None}
    for depth in range(plies + 1):
        for position in itertools.islice(builder.open_positions(width, height, depth), 0, None, 7):
            assert book.score(position.own, position.opponent) == engine.score(position)


@pytest.mark.parametrize(
    ("size", "plies", "replies", "said"),
    [
        ((9, 7), None, None, r"\(rows \+ 1\) x columns is 72, and the maximum is 64"),
        ((4, 4), 16, None, "plies is 16; the maximum is 15 for 4 columns and 4 rows"),
        ((4, 4), None, 16, "reply plies is 16; the maximum is 15"),
    ],
)
def test_what_cannot_be_built_is_refused(
    size: tuple[int, int], plies: int | None, replies: int | None, said: str
) -> None:
    with pytest.raises(errors.BookError, match=said):
        builder.new_plan(*size, plies, replies)


def test_small_boards_get_no_deeper_plan_than_they_have_cells() -> None:
    assert builder.new_plan(2, 2) == builder.BookPlan(2, 2, 3, 3)
    assert builder.new_plan(7, 6) == builder.BookPlan(7, 6, 8, 15)


def shipped_sizes() -> list[tuple[int, int]]:
    found = []
    for path in files.FOLDER.glob("*.book"):
        width, height = path.stem.split("x")
        found.append((int(width), int(height)))
    return found


@pytest.mark.needs("compiled")
@pytest.mark.parametrize("size", [size for size in shipped_sizes() if size != (7, 6)])
@pytest.mark.slow
def test_a_shipped_book_agrees_with_itself_and_the_solver(size: tuple[int, int]) -> None:
    book = files.book_for(*size)
    assert not any(verify.check_replies(book, step=1 if IS_THOROUGH else 7))
    assert not IS_THOROUGH or not any(verify.check_scores(book))
    engine = Engine(*size, book=files.EMPTY_BOOK)
    positions = [files.position_with_key(key, *size) for key, _ in [*book.scores.items(), *book.replies.items()]]
    late = sorted(positions, key=lambda position: position.empty_count)
    for position in late[:5] if is_provable(*size) else []:  # elsewhere a cold solver takes too long for a test
        assert book.score(position.own, position.opponent) == engine.score(position)


def test_the_books_for_other_boards_are_small() -> None:
    others = [path for path in files.FOLDER.glob("*x*.*") if path.stem != "7x6"]
    assert sum(path.stat().st_size for path in others) <= 200_000
