"""The engine: it chooses moves."""
