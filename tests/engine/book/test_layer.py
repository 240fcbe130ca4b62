"""Layers and what they are stored in: scores without keys, right for every board that can be asked about."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.bookmaking import builder, verify
from connect4_agent.bookmaking.work import BookBuild
from connect4_agent.engine.book import layer, library, lookup, retrieval
from connect4_agent.engine.book.files import checksum_of
from connect4_agent.engine.book.layer import Layer, can_arise, decode_layer, encode_layer, part_of, settled_score
from connect4_agent.engine.exact import book_scores, exact_scores
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.layer import CONTEXTS, EMPTY, FIRST, LOST_SOON, SECOND, WON_SOON
from connect4_agent.jobs import executor
from connect4_agent.jobs.interrupts import Stop
from connect4_agent.rules.position import Position
from tests.boards import unfinished
from tests.effort import examples, share
from tests.kernel_forms import forms_for
from tests.processes import clean_environment, run_agent
from tests.silent_progress import SilentProgress


@given(
    st.dictionaries(
        st.integers(0, (1 << 64) - 1), st.tuples(st.integers(0, 255), st.integers(0, 2)), min_size=1, max_size=300
    ),
    st.integers(0, (1 << 64) - 1),
)
@examples(60)
def test_every_number_is_found_by_its_key_and_any_other_key_finds_something(
    values: dict[int, retrieval.Value], other: int
) -> None:
    data = b"before" + retrieval.encode(values, 4) + b"after"
    stored = retrieval.decode(data, len("before"), "data")
    assert data[stored.end :] == b"after"
    for form in forms_for(4, 4):
        found = forms.module("retrieval", form).Retrieval(
            data, stored.planes, stored.numbers, stored.lengths, stored.contexts
        )
        for key, (number, context) in values.items():
            assert found.find(key, context) == number
        assert all(0 <= found.find(other, context) <= 255 for context in range(4))
        assert found.find(other, 3) == 0  # no number has this context
        with pytest.raises(IndexError):
            found.find(other, 4)


@given(st.lists(st.integers(0, 31), min_size=8, max_size=8), st.integers(0, (1 << 64) - 1))
@examples(60)
def test_a_damaged_code_leads_to_wrong_numbers_but_never_outside_the_code(lengths: list[int], key: int) -> None:
    data = retrieval.encode({key + place & (1 << 64) - 1: (place, 0) for place in range(8)}, 1)
    stored = retrieval.decode(data, 0, "data")
    for form in forms_for(4, 4):
        new_retrieval = forms.module("retrieval", form).Retrieval
        found = new_retrieval(data, stored.planes, stored.numbers, bytes(lengths), stored.contexts)
        assert 0 <= found.find(key, 0) < 8


def test_numbers_take_little_more_space_than_their_entropy_in_their_context() -> None:
    # In the first context half of them are 0, a quarter 1, an eighth 2 and 3 each: 1.75 bits; in the other, all are 9.
    numbers = (0, 0, 0, 0, 1, 1, 2, 3)
    values = {key: (numbers[key % 8], 0) for key in range(40_000)} | dict.fromkeys(range(40_000, 80_000), (9, 1))
    assert len(retrieval.encode(values, 2)) * 8 < 1.05 * 1.75 * 40_000


ALL_PARTS = (FIRST, SECOND, EMPTY)


@cache
def scores_of_layer(width: int, height: int, plies: int) -> dict[int, dict[int, int]]:
    exact = exact_scores(width, height)
    scores: dict[int, dict[int, int]] = {part: {} for part in ALL_PARTS}
    for position in builder.open_positions(width, height, plies):
        if settled_score(position) is None:
            scores[part_of(position)][position.canonical().key] = exact.score(position)
    return scores


@cache
def layer_of(width: int, height: int, plies: int, parts: tuple[int, ...] = ALL_PARTS) -> Layer:
    scores = scores_of_layer(width, height, plies)
    data = encode_layer((width, height), plies, {part: scores[part] for part in parts})
    return decode_layer(data, "layer")


LAYERS = [(4, 4, 7), (5, 4, 6), (7, 6, 5)]
SMALL_LAYERS = LAYERS[:2]  # the solver would take seconds for a board of 7x6 with as few discs


@st.composite
def any_boards(draw: st.DrawFn) -> tuple[Layer, Position]:
    """A layer, and a board of about as many discs of any colours and with anyone to move; nobody has four."""
    width, height, plies = draw(st.sampled_from(SMALL_LAYERS))
    grid = [[0] * height for _ in range(width)]
    for _ in range(draw(st.integers(plies - layer.MOST_AHEAD - 1, plies + 1))):
        open_columns = [column for column in grid if 0 in column]
        column = draw(st.sampled_from(open_columns))
        column[height - 1 - sum(map(bool, column))] = draw(st.integers(1, 2))
    position = Position.from_grid(grid, player=draw(st.integers(1, 2)))
    parts = draw(st.sampled_from([ALL_PARTS, (FIRST,), (SECOND, EMPTY)]))
    return layer_of(width, height, plies, parts), position


@given(any_boards())
@examples(300)
@pytest.mark.slow
def test_any_board_impossible_ones_included_gets_the_solvers_score(found: tuple[Layer, Position]) -> None:
    stored, position = found
    if position.is_over:
        return
    by_solver = exact_scores(position.width, position.height, book=lookup.EMPTY_BOOK)
    book = replace(lookup.EMPTY_BOOK, width=position.width, height=position.height, layer=stored)
    assert exact_scores(position.width, position.height, book=book).score(position) == by_solver.score(position)


@pytest.mark.parametrize("size", LAYERS)
def test_a_layer_knows_every_position_of_its_plies_and_of_up_to_four_less(size: tuple[int, int, int]) -> None:
    width, height, plies = size
    by_solver = exact_scores(width, height)
    for ahead in range(layer.MOST_AHEAD + 1):
        for position in list(builder.open_positions(width, height, plies - ahead))[:60]:
            assert layer_of(*size).score(position) == by_solver.score(position), str(position)


@given(any_boards())
@examples(200)
@pytest.mark.slow
def test_all_forms_find_the_same_and_follow_the_same_rules(found: tuple[Layer, Position]) -> None:
    stored, position = found
    width, height = position.width, position.height
    answers = []
    for form in forms_for(width, height):
        code = forms.module("layer", form)
        data = encode_layer((width, height), stored.plies, scores_of_layer(width, height, stored.plies))
        scores = forms.new_layer_scores(
            width, height, stored.plies, lookup.SCORE_OFFSET, layer.stored_parts(data, "layer")[1], form
        )
        assert isinstance(scores, code.LayerScores)
        own, opponent = position.own, position.opponent
        answers.append(
            [
                scores.can_arise(own, opponent),
                position.winner or scores.context(own, opponent),
                scores.part(own, opponent),
                position.winner or scores.settled(own, opponent),
                *(position.winner or scores.score(own, opponent, ahead) for ahead in range(6)),
            ]
        )
    assert all(answer == answers[0] for answer in answers)


@given(unfinished(st.sampled_from([(4, 4), (5, 4), (6, 5), (7, 4)])))
@examples(200)
@pytest.mark.slow
def test_what_a_glance_shows_of_positions_that_end_soon_is_right(position: Position) -> None:
    if settled_score(position) is not None or position.empty_count < 3:  # two discs have to follow
        return
    width, height = position.width, position.height
    context = layer.context_of(position)
    assert 0 <= context < CONTEXTS
    assert context == layer.context_of(position.mirrored())
    score = exact_scores(width, height, book=lookup.EMPTY_BOOK).score(position)
    assert context != WON_SOON or score == (position.empty_count - 1) // 2
    assert (context == LOST_SOON) == (score == -(position.empty_count // 2))


def test_contexts_are_those_that_layers_were_written_with() -> None:
    source = Random(1)
    contexts = [layer.context_of(_random_position(source, discs)) for discs in range(4, 24) for _ in range(20)]
    # Scores are coded by contexts. Whoever changes these must change layer.MAGIC, and build all layers anew.
    assert crc32(repr(contexts).encode()) == 579866995


def test_a_book_lacks_the_moves_that_follow_from_its_layer_and_knows_the_same(tmp_path: Path) -> None:
    plan = builder.new_plan(5, 4, 3, 3)
    build = BookBuild(executor.InThread(), SilentProgress(), Stop())
    whole = lookup.decode_book(builder.build(tmp_path / "whole", build, plan), "whole")
    for parts in (ALL_PARTS, (FIRST,)):
        stored = layer_of(5, 4, 6, parts)
        small = lookup.decode_book(builder.build(tmp_path / f"{len(parts)}", build, plan, stored), "small")
        assert (len(small.moves) == 0) == (parts == ALL_PARTS)
        assert len(small.moves) < len(whole.moves)
        for position in builder.open_positions(5, 4, 4):
            assert replace(small, layer=stored).score(position) == whole.score(position)


def test_a_layer_is_read_when_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    def noted(width: int, height: int) -> None:
        read.append((width, height))

    monkeypatch.setattr(library, "layer_for", noted)
    book = library.book_for.__wrapped__(7, 6)
    assert book.reply(Position()) is not None
    assert read == []
    position = Position.from_moves("4711772266")
    assert [book.score(position), book.score(position.mirrored())] == [None, None]
    assert read == [(7, 6)]


def test_a_layer_without_a_part_knows_what_follows_from_the_others_alone() -> None:
    whole, partial = layer_of(5, 4, 6), layer_of(5, 4, 6, (FIRST,))
    known = 0
    for plies in (4, 5, 6):
        for position in builder.open_positions(5, 4, plies):
            score = partial.score(position)
            assert partial.score(position.mirrored()) == score
            holder = position.grid()[2][-1]
            if holder == 1 or (plies == 6 and settled_score(position) is not None):
                assert score == whole.score(position), str(position)
                known += 1
            elif plies == 6:
                assert score is None, str(position)
                assert not partial.holds(position)
            else:
                assert score in (None, whole.score(position))
    assert known > 500


@pytest.mark.parametrize("form", forms_for(5, 4))
def test_several_threads_can_ask_the_same_layer(form: str) -> None:
    positions = list(builder.open_positions(5, 4, 6))[: share(1000)]
    data = encode_layer((5, 4), 6, scores_of_layer(5, 4, 6))
    scores = forms.new_layer_scores(5, 4, 6, lookup.SCORE_OFFSET, layer.stored_parts(data, "layer")[1], form)

    def look_all_up(_: int) -> list[int | None]:
        return [scores.score(position.own, position.opponent, layer.MOST_AHEAD) for position in positions]

    expected = look_all_up(0)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as pool:
            assert all(found == expected for found in pool.map(look_all_up, range(4)))
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.parametrize(("moves", "part"), [("3", FIRST), ("13", SECOND), ("12", EMPTY), ("31", FIRST)])
def test_the_part_is_who_holds_the_bottom_cell_of_the_middle_column(moves: str, part: int) -> None:
    position = Position.from_moves(moves, 5, 4)
    assert part_of(position) == part_of(position.mirrored()) == part
    assert part_of(Position.from_moves(moves, 5, 4, player=2)) == part  # whichever number the first player has


@pytest.mark.parametrize("discs", [4, 8])
def test_it_knows_nothing_of_other_numbers_of_discs_or_other_boards(discs: int) -> None:
    position = Position.from_moves("12345143"[:discs], 5, 4)
    stored = layer_of(5, 4, 6)
    assert (stored.score(position) is None) == (discs == 8)
    assert stored.score(Position.from_moves("12345", 6, 4)) is None


def test_a_board_can_arise_if_and_only_if_play_leads_to_it() -> None:
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
            assert can_arise(position) == (mirror in reached), str(position)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda _: b"", "is not a layer"),
        (lambda data: b"x" + data[1:], "is not a layer"),
        (lambda data: data[:19], "ends within a header"),
        (lambda data: data[:31], "ends within a header"),
        (lambda data: data[:-10], "damaged"),
        (lambda data: data + b"x", "damaged"),
        (lambda data: data[:17] + b"\xff" + data[18:], "255 columns"),
        (lambda data: data[:20] + b"\x08" + data[21:], "its parts are 1000"),
        (lambda data: data[:20] + b"\x00" + data[21:], "its parts are 0"),
        (lambda data: data[:22], "ends within a header"),
        (lambda data: data[:25] + b"\x09\x00" + data[27:], "its codes have"),
        (lambda data: data[: 31 + data[27]] + b"\x00" + data[32 + data[27] :], "its codes cannot be unpacked"),
    ],
)
def test_a_damaged_layer_is_refused(tmp_path: Path, change: object, complaint: str) -> None:
    assert callable(change)
    path = tmp_path / "4x4.layer"
    path.write_bytes(change(encode_layer((4, 4), 4, scores_of_layer(4, 4, 4))))
    with pytest.raises(errors.BookError, match=complaint):
        layer.read_layer(path)


def test_a_layer_with_other_contexts_is_refused() -> None:
    data = encode_layer((4, 4), 4, {FIRST: {}})
    begin = data.index(CONTEXTS.to_bytes(2, "little"))
    other = data[:begin] + retrieval.encode({1: (2, 0)}, 1)
    with pytest.raises(errors.BookError, match=f"it has 1 contexts, not {CONTEXTS}"):
        decode_layer(other + checksum_of(other), "layer")


def test_a_layer_is_found_by_size_and_a_bad_one_is_left_out_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(library.FOLDER_VARIABLE, str(tmp_path))
    path = tmp_path / "5x4.layer"
    path.write_bytes(encode_layer((5, 4), 6, scores_of_layer(5, 4, 6)))
    position = Position.from_moves("12345", 5, 4)
    assert library.book_for.__wrapped__(5, 4).score(position) == layer_of(5, 4, 6).score(position)
    path.write_bytes(encode_layer((4, 4), 4, scores_of_layer(4, 4, 4)))
    with pytest.warns(library.BookWarning, match=r"5x4\.layer is for 4 columns"):
        assert library.book_for.__wrapped__(5, 4).score(position) is None


def test_the_command_builds_resumes_describes_and_verifies_a_layer(tmp_path: Path) -> None:
    environment = clean_environment(**{library.FOLDER_VARIABLE: str(tmp_path)})
    build = ("book", "build", "--layer", "--plies", "4", "--size", "4x4", "--jobs", "1", "--work", str(tmp_path / "w"))
    first = run_agent(*build, environment=environment)
    assert first.returncode == 0, first.stderr
    path = tmp_path / "4x4.layer"
    data = path.read_bytes()
    work = tmp_path / "w" / "4x4-layer-4-second.txt"
    lines = work.read_text().splitlines(keepends=True)
    work.write_text("".join(lines[:20]))
    assert run_agent(*build, environment=environment).returncode == 0
    assert path.read_bytes() == data
    info = run_agent("book", "info", "--layer", "--size", "4x4", environment=environment)
    counts = {part: len(scores) for part, scores in scores_of_layer(4, 4, 4).items()}
    assert [int(line.split()[-1]) for line in info.stdout.decode().splitlines()[2:]] == list(counts.values())
    verify = ("book", "verify", "--layer", "--size", "4x4", "--sample", "10")
    right = run_agent(*verify, environment=environment)
    assert (right.returncode, b"10 checked, 0 wrong" in right.stdout) == (0, True)
    wrong_scores = {
        part: {key: score + 1 for key, score in scores.items()} for part, scores in scores_of_layer(4, 4, 4).items()
    }
    path.write_bytes(encode_layer((4, 4), 4, wrong_scores))
    wrong = run_agent(*verify, environment=environment)
    assert (wrong.returncode, b"10 checked, 10 wrong" in wrong.stdout) == (1, True)
    assert run_agent(*build[:-1], str(tmp_path / "other work"), environment=environment).returncode == 0
    assert path.read_bytes() == data  # nothing was taken from the wrong layer


def test_a_sample_has_no_games_that_are_over() -> None:
    # With nine discs on a small board, many random games are.
    exact = exact_scores(4, 4, book=lookup.EMPTY_BOOK)
    assert verify.check_layer_sample(layer_of(4, 4, 9), exact, 200, 1, lambda _: None) == verify.Verdict(200, ())


def test_the_command_builds_and_verifies_a_part_of_a_layer(tmp_path: Path) -> None:
    environment = clean_environment(**{library.FOLDER_VARIABLE: str(tmp_path)})
    words = ("--layer", "--size", "5x4")
    build = ("book", "build", *words, "--plies", "5", "--parts", "first", "--jobs", "1", "--work", str(tmp_path / "w"))
    built = run_agent(*build, environment=environment)
    assert built.returncode == 0, built.stderr
    assert [path.name for path in (tmp_path / "w").iterdir()] == ["5x4-layer-5-first.txt"]
    verified = run_agent("book", "verify", *words, "--sample", "10", environment=environment)
    assert (verified.returncode, b"10 checked, 0 wrong" in verified.stdout) == (0, True)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["build", "--layer"], b"--layer needs --plies"),
        (["build", "--layer", "--plies", "3", "--replies-only"], b"contradict"),
        (["build", "--layer", "--plies", "3", "--reply-plies", "2"], b"--layer has no replies"),
        (["build", "--layer", "--plies", "16", "--size", "4x4"], b"a layer of 16 plies for 4 columns"),
        (["build", "--layer", "--plies", "3", "--parts", "first,last"], b"'last' is not a part; allowed are first, "),
        (["build", "--parts", "first"], b"--parts is for --layer"),
        (["verify", "--layer", "--size", "4x4"], b"there is no layer for 4 columns"),
    ],
)
def test_the_command_refuses_layers_that_cannot_be(tmp_path: Path, words: list[str], complaint: bytes) -> None:
    environment = clean_environment(**{library.FOLDER_VARIABLE: str(tmp_path)})
    result = run_agent("book", *words, environment=environment)
    assert (result.returncode, complaint in result.stderr) == (2, True), result.stderr


@pytest.mark.needs("compiled")
@pytest.mark.slow
@pytest.mark.parametrize("discs", [7, 8, 9, 10, 11])
def test_bitbully_agrees_with_every_column_that_the_shipped_book_and_layer_know(discs: int) -> None:
    from bitbully import BitBully, Board  # noqa: PLC0415  # its book takes a second to load

    other = BitBully(opening_book="12-ply-dist")
    source = Random(discs)
    known = book_scores(7, 6)
    for _ in range(share(400)):
        position = _random_position(source, discs)
        scores = known.column_scores(position)
        theirs = other.score_all_moves(Board([list(row) for row in zip(*position.grid(), strict=True)]))
        assert {column: score for column, score in enumerate(scores) if score is not None} == theirs, str(position)


@pytest.mark.needs("compiled")
def test_the_solver_agrees_with_the_shipped_layer() -> None:
    source = Random(12)
    by_solver = exact_scores(7, 6, book=lookup.EMPTY_BOOK)
    shipped = library.layer_for(7, 6)
    assert shipped is not None
    assert set(shipped.counts) == set(ALL_PARTS)
    for _ in range(share(100)):
        position = _random_position(source, 12)
        assert shipped.score(position) == by_solver.score(position), str(position)


def test_the_shipped_files_have_at_most_two_and_a_half_megabytes() -> None:
    files = [path for path in library.files_in(library.SHIPPED_FOLDER) if path.stem == "7x6"]
    assert [path.suffix for path in files] == [".book", library.LAYER_SUFFIX]
    assert sum(path.stat().st_size for path in files) <= 2_500_000


def _random_position(source: Random, discs: int) -> Position:
    """A position in which nobody can win at once, from a game of random moves."""
    while True:
        position = Position()
        while position.disc_count < discs and not position.is_over:
            position = position.play(source.choice(position.legal_columns()))
        if not position.is_over and not position.winning_columns():
            return position
