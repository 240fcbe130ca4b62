"""The text protocols by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.adapters.four_in_a_row import DIALECTS, FourInARowCodec
from connect4_agent.adapters.relay import RelayCodec
from connect4_agent.adapters.solver_lines import SolverCodec

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.server import Codec


def new_codec(protocol: str, width: int, height: int, *, all_columns: bool, poll: Callable[[], None]) -> Codec:
    """The codec of a text protocol; `all_columns` and `poll` are for `solver`, which searches."""
    if protocol == "relay":
        return RelayCodec(width, height)
    if protocol == "solver":
        return SolverCodec(width, height, all_columns=all_columns, poll=poll)
    return FourInARowCodec(DIALECTS[protocol], width, height)
