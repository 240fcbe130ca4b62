"""A Connect Four agent that any tournament manager can drive with JSON lines."""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = ["Analysis", "Position", "__version__", "analyze"]

if TYPE_CHECKING:
    from connect4_agent.engine.analysis import Analysis, analyze
    from connect4_agent.position import Position
else:

    def __getattr__(name: str) -> object:
        """Load a public name once it is asked for: the command handles signals before it loads anything large."""
        if name == "Position":
            from connect4_agent import position  # noqa: PLC0415

            return position.Position
        if name in ("Analysis", "analyze"):
            from connect4_agent.engine import analysis  # noqa: PLC0415

            return getattr(analysis, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
