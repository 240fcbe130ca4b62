"""Layers and what they are stored in: scores without keys, right for every board that can be asked about."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.engine.book import files
from connect4_agent.engine.book.files import decode_layer, decode_numbers
from connect4_agent.engine.engine import Engine, engine_for
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.layer import Layer
from connect4_agent.engine.kernel.tuning import MAX_AHEAD
from connect4_agent.rules.position import Position
from tests.effort import examples, share
from tools.book import builder, ribbon, verify
from tools.book.encoding import encode_layer, immediate_score, rules

LAYER_FORMS = [form for form in (forms.NARROW, forms.PLAIN) if form == forms.PLAIN or forms.is_available(form)]


@given(st.dictionaries(st.integers(0, (1 << 64) - 1), st.integers(0, 255), max_size=300), st.integers(0, (1 << 64) - 1))
@examples(60)
def test_every_number_is_found_by_its_key_and_any_other_key_finds_something(values: dict[int, int], other: int) -> None:
    data = b"before" + ribbon.encode(values) + b"after"
    for form in LAYER_FORMS:
        found, end = decode_numbers(data, len("before"), "data", forms.module("layer", form))
        assert data[end:] == b"after"
        assert {key: found.find(key) for key in values} == values
        assert found.find(other) in (*values.values(), *([] if values else [0]))


def test_numbers_take_little_more_space_than_their_entropy() -> None:
    # Half of them are 0, a quarter 1, an eighth 2 and 3 each: 1.75 bits.
    numbers = (0, 0, 0, 0, 1, 1, 2, 3)
    values = {key: numbers[key % 8] for key in range(40_000)}
    assert len(ribbon.encode(values)) * 8 < 1.05 * 1.75 * len(values)


@cache
def scores_of_layer(width: int, height: int, plies: int) -> dict[int, int]:
    engine = engine_for(width, height)
    return {
        position.canonical().key: engine.score(position)
        for position in builder.open_positions(width, height, plies)
        if immediate_score(position) is None
    }


@cache
def layer_of(width: int, height: int, plies: int) -> Layer:
    return decode_layer(encode_layer((width, height), plies, scores_of_layer(width, height, plies)), "layer")


def scores_in(form: str, size: tuple[int, int, int]) -> Layer:
    width, height, plies = size
    scores = decode_layer(encode_layer((width, height), plies, scores_of_layer(*size)), "layer", form)
    assert type(scores).__module__ == forms.module("layer", form).__name__
    return scores


LAYERS = [(4, 4, 7), (5, 4, 6), (7, 6, 5)]
SMALL_LAYERS = LAYERS[:2]  # the solver would take seconds for a board of 7x6 with as few discs


@st.composite
def any_boards(draw: st.DrawFn) -> tuple[Layer, Position]:
    """A layer, and a board of about as many discs of any colours and with anyone to move; nobody has four."""
    width, height, plies = draw(st.sampled_from(SMALL_LAYERS))
    grid = [[0] * height for _ in range(width)]
    for _ in range(draw(st.integers(plies - MAX_AHEAD - 1, plies + 1))):
        open_columns = [column for column in grid if 0 in column]
        column = draw(st.sampled_from(open_columns))
        column[height - 1 - sum(map(bool, column))] = draw(st.integers(1, 2))
    position = Position.from_grid(grid, player=draw(st.integers(1, 2)))
    return layer_of(width, height, plies), position


@given(any_boards())
@examples(300)
@pytest.mark.slow
def test_any_board_impossible_ones_included_gets_the_solvers_score(found: tuple[Layer, Position]) -> None:
    stored, position = found
    if position.is_over:
        return
    by_solver = engine_for(position.width, position.height, book=files.EMPTY_BOOK)
    size = position.width, position.height
    book = files.new_book(size, files.EMPTY_SECTION, files.EMPTY_SECTION, lambda: stored)
    assert Engine(position.width, position.height, book=book).score(position) == by_solver.score(position)


@pytest.mark.parametrize("size", LAYERS)
def test_a_layer_knows_every_position_of_its_plies_and_of_up_to_four_less(size: tuple[int, int, int]) -> None:
    width, height, plies = size
    by_solver = engine_for(width, height)
    for ahead in range(MAX_AHEAD + 1):
        for position in list(builder.open_positions(width, height, plies - ahead))[:60]:
            assert layer_of(*size).score(position.own, position.opponent) == by_solver.score(position), str(position)


@given(any_boards())
@examples(200)
@pytest.mark.slow
def test_all_forms_find_the_same_and_follow_the_same_rules(found: tuple[Layer, Position]) -> None:
    stored, position = found
    own, opponent = position.own, position.opponent
    answers = []
    for form in LAYER_FORMS:
        scores = scores_in(form, (stored.width, stored.height, stored.plies))
        answers.append(
            [
                scores.is_reachable(own, opponent),
                position.winner or scores.immediate_score(own, opponent),
                *(position.winner or scores.score(own, opponent, ahead) for ahead in range(6)),
            ]
        )
    assert all(answer == answers[0] for answer in answers)


def test_a_layer_is_read_when_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    def noted(width: int, height: int) -> None:
        read.append((width, height))

    monkeypatch.setattr(files, "layer_for", noted)
    book = files.book_for.__wrapped__(7, 6)
    assert book.reply(0, 0) is not None
    assert read == []
    position = Position.from_moves("4711772266")
    for image in (position, position.mirrored()):
        assert book.score(image.own, image.opponent) is None
    assert read == [(7, 6)]


@pytest.mark.parametrize("form", LAYER_FORMS)
def test_several_threads_can_ask_the_same_layer(form: str) -> None:
    positions = list(builder.open_positions(5, 4, 6))[: share(1000)]
    scores = scores_in(form, (5, 4, 6))

    def look_all_up(_: int) -> list[int | None]:
        return [scores.score(position.own, position.opponent, MAX_AHEAD) for position in positions]

    expected = look_all_up(0)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as pool:
            assert all(found == expected for found in pool.map(look_all_up, range(4)))
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.parametrize("discs", [4, 8])
def test_it_knows_nothing_of_other_numbers_of_discs(discs: int) -> None:
    position = Position.from_moves("12345143"[:discs], 5, 4)
    stored = layer_of(5, 4, 6)
    assert (stored.score(position.own, position.opponent) is None) == (discs == 8)


def test_a_board_is_reachable_if_and_only_if_play_leads_to_it() -> None:
    width, height = 3, 3
    reached = {Position(width, height)}
    waiting = list(reached)
    while waiting:
        position = waiting.pop()
        for after in map(position.play, position.legal_columns()):
            if after not in reached:
                reached.add(after)
                waiting.append(after)
    columns = [
        [0] * (height - count) + list(discs) for count in range(height + 1) for discs in product((1, 2), repeat=count)
    ]
    for grid in product(columns, repeat=width):
        for player in (1, 2):
            position = Position.from_grid(list(map(list, grid)), player=player)
            began = player if position.disc_count % 2 == 0 else 3 - player
            mirror = position if began == 1 else Position(width, height, 3 - player, position.discs_2, position.discs_1)
            found = rules(width, height).is_reachable(position.own, position.opponent)
            assert found == (mirror in reached), str(position)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda _: b"", "is not a layer"),
        (lambda data: b"x" + data[1:], "is not a layer"),
        (lambda data: data[:19], "ends within a header"),
        (lambda data: data[:24], "ends within a header"),
        (lambda data: data[:30], "ends within a header"),
        (lambda data: data[:-10], "damaged or cut off"),
        (lambda data: data + b"x", "damaged: it has"),
        (lambda data: data[:17] + b"\xff" + data[18:], "255 columns"),
        (lambda data: data[:24] + b"\xff" + data[25:], "ends within a header"),
        (lambda data: data[:25] + b"\x01" + data[26:], "code words of 0 to"),
    ],
)
def test_a_damaged_layer_is_refused(tmp_path: Path, change: object, complaint: str) -> None:
    assert callable(change)
    path = tmp_path / "4x4.layer"
    path.write_bytes(change(encode_layer((4, 4), 4, scores_of_layer(4, 4, 4))))
    with pytest.raises(errors.BookError, match=complaint):
        files.read_layer(path)


def test_a_layer_is_found_by_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    (tmp_path / "5x4.layer").write_bytes(encode_layer((5, 4), 6, scores_of_layer(5, 4, 6)))
    position = Position.from_moves("12345", 5, 4)
    found = files.book_for.__wrapped__(5, 4).score(position.own, position.opponent)
    assert found is not None
    assert found == layer_of(5, 4, 6).score(position.own, position.opponent)


def test_a_sample_has_no_games_that_are_over() -> None:
    # With nine discs on a small board, many random games are.
    engine = Engine(4, 4, book=files.EMPTY_BOOK)
    assert list(verify.check_layer_sample(layer_of(4, 4, 9), engine, 200, 1)) == [None] * 200


@pytest.mark.needs("compiled")
@pytest.mark.slow
@pytest.mark.parametrize("discs", [7, 8, 9, 10, 11])
def test_bitbully_agrees_with_every_column_that_the_shipped_book_and_layer_know(discs: int) -> None:
    from bitbully import BitBully, Board  # noqa: PLC0415  # its book takes a second to load

    other = BitBully(opening_book="12-ply-dist")
    source = Random(discs)
    known = engine_for(7, 6).book_only
    for _ in range(share(400)):
        position = _random_position(source, discs)
        scores = known.column_scores(position)
        theirs = other.score_all_moves(Board([list(row) for row in zip(*position.grid(), strict=True)]))
        assert {column: score for column, score in enumerate(scores) if score is not None} == theirs, str(position)


@pytest.mark.needs("compiled")
def test_the_solver_agrees_with_the_shipped_layer() -> None:
    source = Random(12)
    by_solver = engine_for(7, 6, book=files.EMPTY_BOOK)
    shipped = files.layer_for(7, 6)
    assert shipped is not None
    assert shipped.count == 4_122_185
    for _ in range(share(100)):
        position = _random_position(source, 12)
        assert shipped.score(position.own, position.opponent) == by_solver.score(position), str(position)


def test_the_shipped_files_have_at_most_three_megabytes_and_a_tenth() -> None:
    paths = [files.file_for(7, 6, suffix) for suffix in (files.BOOK_SUFFIX, files.LAYER_SUFFIX)]
    assert sum(path.stat().st_size for path in paths) <= 3_100_000


def _random_position(source: Random, discs: int) -> Position:
    """A position in which nobody can win at once, from a game of random moves."""
    while True:
        position = Position()
        while position.disc_count < discs and not position.is_over:
            position = position.play(source.choice(position.legal_columns()))
        if not position.is_over and not position.winning_columns():
            return position
