"""A Connect Four agent that any tournament manager can drive with JSON lines."""

from connect4_agent.position import Position

__version__ = "0.1.0"

__all__ = ["Position", "__version__"]
