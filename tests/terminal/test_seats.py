"""Seats: who sits where."""

from __future__ import annotations

from random import Random

import pytest

from connect4_agent import errors
from connect4_agent.terminal.seats import (
    COMMAND_SECONDS,
    MAX_SHOWN_NAME,
    First,
    Seat,
    default_names,
    seat_of,
    seated,
    seats_again,
    spec_of,
)

ANN, BEN = Seat("Ann"), Seat("Ben")


def test_the_one_who_is_to_begin_begins() -> None:
    assert seated(ANN, BEN, First.ME, Random(1)) == (ANN, BEN)
    assert seated(ANN, BEN, First.OTHER, Random(1)) == (BEN, ANN)


def test_at_random_each_begins_about_half_of_the_games_and_a_seed_repeats_it() -> None:
    def begins(seed: int) -> list[str]:
        source = Random(seed)
        return [seated(ANN, BEN, First.RANDOM, source)[0].name for _ in range(200)]

    assert begins(5) == begins(5)
    assert begins(5) != begins(6)
    assert 60 < begins(5).count("Ann") < 140


def test_a_seat_is_for_a_person_a_built_in_player_or_a_command() -> None:
    assert seat_of("person", "Ann", None) == ANN
    built_in = seat_of("negamax:depth=3", "three", None).agent
    assert built_in is not None
    assert (built_in.player, built_in.limit_seconds) == ("negamax:depth=3", None)
    command = seat_of("sh -c 'exit 1'", "shell", None).agent
    assert command is not None
    assert (command.command, command.limit_seconds) == (("sh", "-c", "exit 1"), COMMAND_SECONDS)
    for player in ("easy", "sh"):
        agent = seat_of(player, player, 3.0).agent
        assert agent is not None
        assert agent.limit_seconds == 3.0
    with pytest.raises(errors.AgentError, match="no built-in player 'hrad'"):
        seat_of("hrad", "hrad", None)


@pytest.mark.parametrize(
    ("players", "names"),
    [
        (("person", "hard"), ("you", "hard")),
        (("hard", "person"), ("hard", "you")),
        (("person", "person"), ("person 1", "person 2")),
        (("easy", "easy"), ("easy", "easy #2")),
        (("easy", "python3 /a/very/long/way/to/agents/good.py"), ("easy", "...ng/way/to/agents/good.py")),
    ],
)
def test_names_tell_the_two_apart_where_nobody_named_them(players: tuple[str, str], names: tuple[str, str]) -> None:
    assert default_names(*players) == names
    assert max(map(len, names)) <= MAX_SHOWN_NAME


def test_a_name_can_do_nothing_to_the_terminal() -> None:
    assert seat_of("person", "A\x1b[2Jn\nn", None).name == "A?[2Jn?n"
    assert len(seat_of("person", "n" * 200, None).name) == MAX_SHOWN_NAME


def test_a_seat_can_be_written_and_made_again() -> None:
    for player in ("person", "negamax:depth=3", "sh -c 'exit 1'"):
        seat = seat_of(player, "Ann", 3.0)
        assert spec_of(seat) == player
        assert seat_of(spec_of(seat), "Ann", 3.0) == seat


def test_the_players_of_a_saved_game_take_their_seats() -> None:
    here = (ANN, seat_of("easy", "easy", 3.0))
    seats, notes = seats_again([("easy", "Eve\u202e"), ("person", "Cem")], here)
    assert [(spec_of(seat), seat.name) for seat in seats] == [("easy", "Eve?"), ("person", "Cem")]
    assert seats[0].agent is here[1].agent  # with its time limit
    assert notes == []
    seats, notes = seats_again([("hard", "H"), ("perfect", "P")], here)
    assert [spec_of(seat) for seat in seats] == ["hard", "perfect"]


def test_a_file_starts_no_program_that_is_not_at_the_board() -> None:
    here = (ANN, seat_of("sh -c 'exit 1'", "shell", None))
    seats, notes = seats_again([("sh -c 'exit 1'", "A"), ("touch /tmp/x", "B")], here)
    assert [spec_of(seat) for seat in seats] == ["sh -c 'exit 1'", "sh -c 'exit 1'"]
    assert notes == ["B was played by a program, which a saved game does not start; shell plays instead."]
    seats, _ = seats_again([("no such player", "A"), ("person", "B")], here)
    assert seats[0] is ANN
