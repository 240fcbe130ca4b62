"""The public API, as Python programs use it."""
