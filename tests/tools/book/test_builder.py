"""The opening book: its file, its work files, its check, and the shipped one."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.arena.openings import columns_to
from connect4_agent.engine.book import files
from connect4_agent.engine.engine import Engine
from connect4_agent.jobs import executor
from connect4_agent.jobs.interrupts import Stop
from connect4_agent.rules.position import Position
from tests.boards import unfinished
from tests.effort import examples
from tests.silent_progress import SilentProgress
from tools.book import builder, encoding, verify
from tools.book.work import BookBuild, WorkFile, fan_out

usual = st.just((7, 6))
QUIET = BookBuild(executor.InThread(), SilentProgress(), Stop())
PLAN = builder.BookPlan(7, 6, -1, 2)


@given(values=st.dictionaries(st.integers(0, (1 << 49) - 1), st.integers(0, (1 << 16) - 1), max_size=400))
@examples(40)
def test_what_is_written_is_found_again_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, values: dict[int, int]
) -> None:
    path = tmp_path_factory.mktemp("book") / "b"
    path.write_bytes(encoding.encode_book((7, 6), scores=(values, 8)))
    section = files.read_book(path).scores
    assert dict(section.items()) == values
    for key, value in values.items():
        assert section.find(key) == value
        for neighbour in {max(key - 1, 0), key + 1} - values.keys():
            assert section.find(neighbour) is None


def test_more_values_than_a_byte_can_count_are_found_again() -> None:
    values = {7 * number: number for number in range(300)}
    book = files.decode_book(encoding.encode_book((7, 6), replies=(values, 8)), "b")
    assert dict(book.replies.items()) == values
    assert book.replies.find(7 * 299) == 299


@pytest.mark.parametrize(
    "data", [b"", b"no book", encoding.encode_book((7, 6), scores=({1: 2}, 8), replies=({3: 4}, 8))[:-1]]
)
def test_a_file_that_is_no_book_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "b"
    path.write_bytes(data)
    with pytest.raises(errors.BookError):
        files.read_book(path)


KEYS = {Position.from_moves(moves).canonical().key: encoding.score_value(1) for moves in ("", "4", "44", "444")}
GOOD = encoding.encode_book((7, 6), scores=(KEYS, 8))
HEADERS = len(files.BOOK_MAGIC) + 2


def with_number(place: int, number: int) -> bytes:
    """The good book with another number of 4 bytes at a place after the board's size."""
    place += HEADERS
    return GOOD[:place] + number.to_bytes(4, "little") + GOOD[place + 4 :]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (GOOD[: HEADERS + 30], "it has no headers"),
        (GOOD + b"x", "its headers say"),
        (with_number(0, 50), "scores ends at"),
        (with_number(0, 3), "its headers say"),
        (with_number(4, 0), "scores has 4 keys in 0 blocks"),
        (with_number(12, 43), "43 plies"),
        (with_number(16, 0), "its headers say"),
    ],
)
def test_a_damaged_file_is_refused_with_a_reason(data: bytes, said: str) -> None:
    with pytest.raises(errors.BookError, match=f"b is damaged: .*{said}"):
        files.decode_book(data, "b")


@given(data=st.data())
@examples(200)
def test_a_book_with_a_changed_byte_is_refused_or_can_be_asked(data: st.DataObject) -> None:
    damaged = bytearray(GOOD)
    damaged[data.draw(st.integers(0, len(GOOD) - 1))] = data.draw(st.integers(0, 255))
    try:
        book = files.decode_book(bytes(damaged), "b")
    except errors.BookError:
        return
    for key in KEYS:
        book.scores.find(key)


def test_a_changed_byte_is_found_by_the_checksum(tmp_path: Path) -> None:
    path = tmp_path / "b"
    path.write_bytes(GOOD)
    encoding.check_file(path)
    path.write_bytes(GOOD[:-8] + bytes([GOOD[-8] ^ 1]) + GOOD[-7:])
    with pytest.raises(errors.BookError, match="its checksum is wrong"):
        encoding.check_file(path)


def test_entries_that_cannot_be_are_wrong_entries_and_end_no_check() -> None:
    full_column = Position.from_moves("444444").canonical()
    too_many = Position.from_moves("44").play(3).passed()
    replies = {full_column.key: encoding.move_value(3, 0), too_many.key: encoding.move_value(3, 0)}
    book = files.decode_book(encoding.encode_book((7, 6), scores=(KEYS, 8), replies=(replies, 16)), "b")
    scores = list(verify.check_scores(book))
    assert len(scores) == 4
    assert all(scores)
    assert "one of its replies is not in the book" in str(scores[0])
    messages = " ".join(filter(None, verify.check_replies(book)))
    assert "has reply 3, which cannot be played" in messages
    assert "not a position that the book can be asked for" in messages


@given(unfinished(usual))
@examples(100)
def test_a_position_is_found_again_from_its_key(position: Position) -> None:
    again = files.position_with_key(position.key, position.width, position.height)
    assert (again.own, again.opponent) == (position.own, position.opponent)


@given(position=unfinished(usual, most_plies=16), column=st.integers(0, 6), score=st.integers(-17, 18))
@examples(60)
def test_mirror_images_share_an_entry(
    tmp_path_factory: pytest.TempPathFactory, position: Position, column: int, score: int
) -> None:
    path = tmp_path_factory.mktemp("book") / "b"
    entry = {position.canonical().key: encoding.move_value(column, score)}
    path.write_bytes(encoding.encode_book((7, 6), replies=(entry, 16)))
    book = files.read_book(path)
    stored = position.canonical()
    mirrored = stored.mirrored()
    assert book.reply(stored.own, stored.opponent) == (column, score)
    assert book.score(stored.own, stored.opponent) == book.score(mirrored.own, mirrored.opponent) == score
    if position != position.mirrored():
        assert book.reply(mirrored.own, mirrored.opponent) == (6 - column, score)


def test_odd_disc_counts_are_not_in_the_book() -> None:
    book = files.book_for(7, 6)
    passed = Position().play(3).passed()
    assert book.reply(passed.own, passed.opponent) is None


def test_all_positions_of_the_first_plies_are_walked_once() -> None:
    counts = [sum(1 for _ in builder.open_positions(7, 6, plies)) for plies in range(6)]
    # 1, 7, 49, 238, 1120, 4263 positions, mirror images counted once; nobody can win before the seventh ply.
    assert counts[:5] == [1, 4, 25, 121, 568]


def test_a_work_file_keeps_what_was_written_and_drops_a_line_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "work.txt"
    with WorkFile(path) as begun:
        begun.add([(5, 1), (6, -2)])
    with path.open("a") as file:
        file.write("7 -1")
    with WorkFile(path) as again:
        again.add([(8, 0)])
    assert path.read_text() == "5 1\n6 -2\n8 0\n"
    with WorkFile(path) as last:
        assert last.known == {5: (1,), 6: (-2,), 8: (0,)}


@pytest.mark.parametrize("first", [0, 1])
def test_replies_are_continued_where_they_were_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    begin = Position.from_moves("444444" + "2222226" + "55555" + "3" * first)
    monkeypatch.setattr(builder, "Position", lambda *_: begin)
    progress = SilentProgress()
    build = BookBuild(executor.InThread(), progress, Stop())
    path = tmp_path / "replies.txt"
    with WorkFile(path) as whole:
        positions = builder.solve_reply_part(whole, encoding.encode_book((7, 6)), PLAN, first, build)
    assert set(whole.known) == {position.key for position in positions}
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) // 2]))
    with WorkFile(path) as rest:
        builder.solve_reply_part(rest, encoding.encode_book((7, 6)), PLAN, first, build)
    assert rest.known == whole.known
    assert progress.done == progress.total


def test_what_has_begun_is_kept_when_a_stop_is_asked_for(tmp_path: Path) -> None:
    positions = [Position.from_moves("4444442222226" + moves) for moves in ("55555", "55557", "55551")]
    stop = Stop()
    progress = SilentProgress(lambda done: setattr(stop, "is_asked", done > 0))
    build = BookBuild(executor.InThread(), progress, stop)
    with (
        patch("tools.book.work.CHUNK_POSITIONS", 1),
        WorkFile(tmp_path / "work.txt") as begun,
        pytest.raises(errors.BookError, match="stopped at 1 of 3 scores"),
    ):
        build.solve_missing("scores", positions, builder.scores_of, begun)
    assert list(begun.known) == [positions[0].key]


def test_several_processes_give_the_same_results() -> None:
    numbers = list(range(-20, 20))
    where = executor.in_processes(2)
    assert sorted(fan_out(where, abs, numbers)) == sorted(fan_out(executor.InThread(), abs, numbers))
    where.close()


def test_a_wrong_entry_is_found() -> None:
    position = Position.from_moves("444444" + "2222226" + "55555")
    engine = Engine(7, 6, book=files.EMPTY_BOOK)
    score = engine.score(position)
    key = position.canonical().key
    for given_score, wrong in ((score, 0), (score + 1, 1)):
        scores = {key: encoding.score_value(given_score)}
        book = files.decode_book(encoding.encode_book((7, 6), scores=(scores, position.disc_count)), "b")
        (message,) = verify.check_sample(book, engine, 10, 1)
        assert (message is not None) == wrong


@pytest.mark.parametrize(("column_error", "score_error", "said"), [(0, 0, None), (1, 0, "chooses"), (0, 1, "score")])
def test_a_wrong_reply_is_found(column_error: int, score_error: int, said: str | None) -> None:
    position = Position.from_moves("444444" + "2222226" + "55555").canonical()
    engine = Engine(7, 6, book=files.EMPTY_BOOK)
    score = engine.score(position)
    byte = encoding.move_value((engine.best_trap(position, score) + column_error) % 7, score + score_error)
    book = files.decode_book(encoding.encode_book((7, 6), replies=({position.key: byte}, position.disc_count)), "b")
    (message,) = verify.check_sample(book, engine, 10, 1)
    assert message == said or str(said) in str(message)


def test_a_score_below_what_a_known_reply_leaves_is_found() -> None:
    position = Position.from_moves("111222").canonical()
    after = position.play(3).canonical()
    for left, wrong in ((-2, 0), (-3, 1)):
        book = files.decode_book(
            encoding.encode_book(
                (7, 6),
                scores=({position.key: encoding.score_value(2)}, 6),
                replies=({after.key: encoding.move_value(3, left)}, 7),
            ),
            "b",
        )
        assert len(list(filter(None, verify.check_scores(book)))) == wrong


def test_the_shipped_book_agrees_with_itself() -> None:
    book = files.book_for(7, 6)
    reply = book.reply(0, 0)
    assert reply == (3, 1)
    found = list(verify.check_replies(book, step=97))
    assert not any(found)
    assert len(found) > 500


def test_entries_of_the_shipped_book_are_what_the_solver_says() -> None:
    book = files.book_for(7, 6)
    engine = Engine(7, 6, book=files.EMPTY_BOOK)
    late = [key for key, _ in book.replies.items() if files.position_with_key(key, 7, 6).disc_count >= 14][::3000]
    for position in (files.position_with_key(key, 7, 6) for key in late):
        score = engine.score(position)
        assert book.reply(position.own, position.opponent) == (engine.best_trap(position, score), score)


@pytest.mark.needs("compiled")
@pytest.mark.slow
def test_bitbully_agrees_with_the_scores_of_the_shipped_book() -> None:
    from bitbully import BitBully, Board  # noqa: PLC0415  # its book takes a second to load

    second_opinion = BitBully(opening_book="12-ply-dist")
    entries = list(files.book_for(7, 6).scores.items())[::23]
    for key, value in entries:
        board = Board(list(columns_to(files.position_with_key(key, 7, 6))))
        assert encoding.score_value(second_opinion.mtdf(board)) == value
    assert len(entries) > 4000
